import { goodsReceiptState } from '@aisle/contract/purchase/receipt'
import { expect, test } from 'vitest'
import { claimsOf, costOf, type Counted, faultOfLine, type Kept, secondOf } from './receipt.rules'

const DAY = '2026-11-20'
const goods: Kept = { isMedicine: false, storage: null }
const cold: Kept = { isMedicine: true, storage: 'cold' }
const line: Counted = {
  batch: 'B1',
  producedOn: null,
  expiresOn: '2027-11-20',
  counted: 6,
  damaged: 0,
  refused: 0,
  reason: '',
  temperatureC: 5,
  codes: [],
}

test.each<[Partial<Counted>, Kept, string | null]>([
  [{}, goods, null],
  [{ batch: '', expiresOn: null, temperatureC: null }, goods, null],
  [{}, cold, null],
  [{ batch: '' }, cold, 'receipt.batch'],
  [{ expiresOn: null }, cold, 'receipt.dates'],
  [{ expiresOn: DAY }, cold, null],
  [{ expiresOn: '2026-11-19' }, cold, 'receipt.expired'],
  [{ expiresOn: '2026-11-19' }, goods, 'receipt.expired'],
  // What is expired may be refused.
  [{ expiresOn: '2026-11-19', counted: 0, refused: 6, reason: 'Expired' }, cold, null],
  [{ temperatureC: null }, cold, 'receipt.temperature'],
  [{ temperatureC: 8 }, cold, null],
  [{ temperatureC: 8.1 }, cold, 'receipt.warm'],
  [{ temperatureC: 1.9 }, cold, 'receipt.warm'],
  [{ temperatureC: null }, { isMedicine: true, storage: 'room' }, null],
  [{ temperatureC: 21 }, { isMedicine: true, storage: 'cool' }, 'receipt.warm'],
  [{ producedOn: '2026-11-21' }, goods, 'receipt.dates'],
  [{ producedOn: '2026-11-01', expiresOn: '2026-10-01' }, goods, 'receipt.dates'],
  [{ counted: 0 }, goods, 'receipt.nothing'],
  [{ damaged: 1 }, goods, 'receipt.reason'],
  [{ codes: ['1', '2', '3', '4', '5', '6', '7'] }, cold, 'receipt.codes'],
])('a line that differs by %j of %j: %s', (more, kept, fault) => {
  expect(faultOfLine({ ...line, ...more }, kept, DAY)).toBe(fault)
})

test.each([
  [{ counted: 6, priceFen: 1000, packUnits: 6 }, 1000],
  [{ counted: 1, priceFen: 1000, packUnits: 6 }, 167],
  [{ counted: 0, priceFen: 1000, packUnits: 6 }, 0],
])('%j comes to %i fen', (each, fen) => {
  expect(costOf(each)).toBe(fen)
})

test('another person looks at medicine and at what nobody ordered', () => {
  const medicine = { isMedicine: true, counted: 1 }
  expect(secondOf([medicine], true)).toEqual(['medicine'])
  expect(secondOf([{ ...medicine, counted: 0 }], true)).toEqual([])
  expect(secondOf([{ isMedicine: false, counted: 1 }], false)).toEqual(['noOrder'])
})

test('batches of one line count together, and every state is reached', () => {
  const lines = [
    { orderLine: 1, counted: 2 },
    { orderLine: 1, counted: 3 },
    { orderLine: 2, counted: 0 },
    { orderLine: null, counted: 9 },
  ]
  expect(claimsOf(lines)).toEqual([{ line: 1, pieces: 5 }])
  expect(goodsReceiptState.unreachable()).toEqual([])
})
