import type { FieldDay, FieldStop } from '@aisle/contract/field/visit'
import { expect, test } from 'vitest'
import {
  batchesOf,
  type Deed,
  doneOf,
  earlierThan,
  foundBy,
  type KeptStep,
  lotsLeft,
  nextSeq,
  stageOf,
} from './phone.rules'

const where = { orderId: 1, machineId: 2 }
const goods = { slotCode: 'A1', productCode: 'P1', batch: 'B1' }
const fill = (pieces: number): Deed => ({ kind: 'fill', ...goods, pieces, plannedCode: 'P1', priceFen: 500 })
const answered = { id: 's', answer: 'applied' as const, first: null, reason: null, isKept: true, differs: [] }
const step = (seq: number, deed: Deed, more: Partial<KeptStep> = {}): KeptStep => ({
  ...where,
  id: `s${seq}`,
  account: 'li',
  seq,
  occurredAt: '2026-11-20T04:00:00Z',
  deed,
  answer: null,
  ...more,
})
const stop: FieldStop = {
  ...where,
  machineCode: 'M1',
  machineName: 'Hall',
  pointName: 'Hall',
  address: '',
  state: null,
  stakeFen: 0,
  lines: [],
  slots: [
    { code: 'A1', layer: 1, position: 1, capacity: 10, productId: 1, heldId: null, priceFen: 500, isLocked: false },
    { code: 'A2', layer: 1, position: 2, capacity: 10, productId: 2, heldId: null, priceFen: 500, isLocked: false },
  ],
}
const day: FieldDay = {
  at: '2026-11-20T03:00:00Z',
  account: 'li',
  displayName: 'Li',
  orders: [],
  stops: [stop],
  products: [
    { id: 1, code: 'P1', name: 'W', specification: '', picture: null, isMedicine: true, barcodes: ['69'], batches: [] },
  ],
  bag: [
    { productId: 1, batch: 'B2', expiresOn: '2028-01-01', quantity: 5 },
    { productId: 1, batch: 'B1', expiresOn: '2027-01-01', quantity: 5 },
  ],
  reviews: [],
}

test('what is not answered is sent visit by visit, in its order', () => {
  const steps = [step(2, fill(1)), step(1, { kind: 'open' }), step(3, fill(1), { answer: answered })]
  const other = step(1, { kind: 'open' }, { machineId: 9, id: 'x' })
  expect(batchesOf([...steps, other], 9).map((all) => all.map(({ id }) => id))).toEqual([['s1', 's2'], ['x']])
  expect(batchesOf(steps, 1).map((all) => all.length)).toEqual([1])
  expect(nextSeq(where, steps)).toBe(4)
  expect(nextSeq({ ...where, machineId: 7 }, steps)).toBe(1)
})

test.each([
  [[], 'waiting'],
  [[step(1, { kind: 'open' })], 'open'],
  [[step(1, { kind: 'open' }), step(2, { kind: 'done' })], 'done'],
])('a visit with %j is %s', (steps, stage) => {
  expect(stageOf(stop, steps)).toBe(stage)
})

test('what was noted of a slot is summed, the last count stands', () => {
  const counts: Deed[] = [3, 4].map((counted) => ({ kind: 'count', ...goods, counted }))
  const out: Deed = { kind: 'takeOut', ...goods, pieces: 1, why: 'expired' }
  const steps = [...counts, fill(2), fill(3), out].map((deed, at) => step(at + 1, deed))
  expect(doneOf(where, 'A1', steps)).toEqual({ counted: 4, filled: 5, takenOut: 1 })
  expect(doneOf(where, 'A2', steps)).toEqual({ counted: null, filled: 0, takenOut: 0 })
})

test('the bag shows what is left of it, and which batch goes in first', () => {
  const product = { id: 1, code: 'P1' }
  const left = (steps: KeptStep[]) => lotsLeft(day, product, steps).map(({ batch, quantity }) => `${batch} ${quantity}`)
  expect(left([])).toEqual(['B1 5', 'B2 5'])
  expect(left([step(1, fill(2))])).toEqual(['B1 3', 'B2 5'])
  expect(left([step(1, fill(5))])).toEqual(['B2 5'])
  // What the server had booked when the bag was read is not taken off again.
  expect(left([step(1, fill(2), { answer: answered, occurredAt: '2026-11-20T02:00:00Z' })])).toEqual(['B1 5', 'B2 5'])
  const lots = lotsLeft(day, product, [])
  expect(earlierThan('B2', lots, '2026-11-20')?.batch).toBe('B1')
  expect(earlierThan('B1', lots, '2026-11-20')).toBeNull()
  expect(earlierThan('B2', lots, '2027-06-01')).toBeNull()
})

test.each([
  ['', ['A1', 'A2']],
  ['A2', ['A2']],
  ['P1', ['A1']],
  [' 69 ', ['A1']],
  ['70', []],
])('scanned or typed, "%s" finds %j', (text, slots) => {
  expect(foundBy(text, day, stop)).toEqual(slots)
})
