import { hindranceOf, sellable } from '@aisle/contract/medicine/batchState'
import { expect, test } from 'vitest'
import { blockOf, type Layer, reachable, trapped } from './batch.rules'

const DAY = '2026-11-20'
const good = (quantity: number, expiresOn = '2027-05-01'): Layer => ({ quantity, state: 'available', expiresOn })
const old = (quantity: number): Layer => good(quantity, '2026-11-19')
const locked = (quantity: number): Layer => ({ ...good(quantity), state: 'locked' })
const recalled = (quantity: number): Layer => ({ ...good(quantity), state: 'recalled' })
const unknown = (quantity: number): Layer => ({ quantity, state: null, expiresOn: null })
const ALL = Number.POSITIVE_INFINITY

test.each([
  ['nothing', [], ALL, 0, null],
  ['good ones', [good(3)], ALL, 0, null],
  ['one that is good today for the last time', [good(1, DAY)], ALL, 0, null],
  ['one that nobody described', [unknown(2)], ALL, 0, null],
  ['an expired one', [old(1)], 0, 0, 'expired'],
  ['an expired one before good ones', [old(1), good(3)], 0, 3, 'expired'],
  ['good ones before an expired one', [good(3), old(1)], 3, 0, null],
  ['good ones on both sides of an expired one', [good(3), old(1), good(2), unknown(1)], 3, 3, null],
  ['a locked one in front', [locked(1), good(2)], 0, 2, 'locked'],
  ['a rejected one in front', [{ ...good(1), state: 'rejected' as const }], 0, 0, 'rejected'],
  ['a recalled one behind good ones', [good(3), recalled(1)], 0, 0, 'recalled'],
  ['an expired one before a recalled one', [old(1), recalled(1), good(2)], 0, 2, 'recalled'],
])('a slot with %s', (_, layers, most, behind, why) => {
  const queue = { layers, isDoubtful: false }
  expect(reachable(queue, DAY)).toBe(most)
  expect(trapped(queue, DAY)).toBe(behind)
  expect(blockOf(queue, DAY)).toBe(why)
})

test('in doubt about what stands in front every piece has to be good', () => {
  expect(reachable({ layers: [good(3), old(1)], isDoubtful: true }, DAY)).toBe(0)
  expect(blockOf({ layers: [good(3), old(1)], isDoubtful: true }, DAY)).toBe('expired')
  expect(reachable({ layers: [good(3), good(1)], isDoubtful: true }, DAY)).toBe(ALL)
})

test.each([
  ['available', DAY, 0, null],
  ['available', '2026-11-19', 0, 'expired'],
  ['available', '2026-11-23', 3, null],
  ['available', '2026-11-22', 3, 'expired'],
  ['available', null, 60, null],
  ['locked', '2026-11-19', 0, 'locked'],
  ['recalled', null, 0, 'recalled'],
  ['rejected', null, 0, 'rejected'],
  [null, null, 0, null],
] as const)('a batch that is %s and good to %s, with %i days to use it up: %s', (state, expiresOn, margin, why) => {
  expect(hindranceOf({ state, expiresOn }, DAY, margin)).toBe(why)
  expect(sellable({ state, expiresOn }, DAY, margin)).toBe(why === null)
})

test('the margin reaches over the end of a month and of a year', () => {
  expect(sellable({ state: 'available', expiresOn: '2026-12-03' }, '2026-11-30', 3)).toBe(true)
  expect(sellable({ state: 'available', expiresOn: '2027-01-02' }, '2026-12-31', 3)).toBe(false)
})
