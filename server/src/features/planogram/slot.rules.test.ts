import { syncOf } from '@aisle/contract/planogram/sync'
import { expect, test } from 'vitest'
import { isOnItsWay, slotsOfPush } from './push.rules'
import { decideSlot, freeCode, freePositions, isOnlyPrices } from './slot.rules'

const now = { productId: 1, priceFen: 500, capacity: 8, alarmThreshold: 2, choice: 'none', isLocked: false } as const

test.each([
  ['the same wish changes nothing', {}, 'now', { plan: null, next: null, isReplaced: false }],
  ['a price applies', { priceFen: 600 }, 'nextService', { plan: { ...now, priceFen: 600 }, next: null }],
  ['another product now', { productId: 2 }, 'now', { plan: { ...now, productId: 2 }, isReplaced: true }],
  [
    'another product waits with its price and size',
    { productId: 2, priceFen: 700, capacity: 6 },
    'nextService',
    { plan: null, next: { productId: 2, priceFen: 700, capacity: 6 }, isReplaced: false },
  ],
  [
    'what else is wished does not wait',
    { productId: 2, isLocked: true },
    'nextService',
    { plan: { ...now, isLocked: true }, next: { productId: 2, priceFen: 500, capacity: 8 } },
  ],
  ['no product has nothing to wait for', { productId: null }, 'nextService', { next: null, isReplaced: true }],
] as const)('%s', (_, wish, when, expected) => {
  expect(decideSlot(now, { ...now, ...wish }, when)).toMatchObject(expected)
})

const desired = { product: 'P1', priceFen: 500, capacity: 8, isLocked: false }
test.each([
  ['equal', desired, { ...desired, lock: false }, false, 'in_sync', []],
  ['says nothing of locks', desired, { product: 'P1', priceFen: 500, capacity: 8 }, false, 'in_sync', []],
  ['another price', desired, { ...desired, priceFen: 450, lock: false }, false, 'differs', ['priceFen']],
  ['another price, told', desired, { ...desired, priceFen: 450, lock: false }, true, 'pending', ['priceFen']],
  [
    'another product and lock',
    desired,
    { ...desired, product: 'P2', lock: true },
    false,
    'differs',
    ['product', 'isLocked'],
  ],
  ['never spoken of', desired, undefined, false, 'unknown', []],
  ['never spoken of, told', desired, undefined, true, 'pending', []],
  [
    'empty here and there, whatever the price was',
    { ...desired, product: null, priceFen: null },
    { product: null, priceFen: 300, capacity: 5 },
    false,
    'in_sync',
    [],
  ],
] as const)('desired and reported: %s', (_, want, reported, isPushed, state, fields) => {
  const sync = syncOf(want, reported, isPushed)
  expect([sync.state, sync.differences.map(({ field }) => field)]).toEqual([state, fields])
})

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 4, minute))
test.each([
  ['queued', null, at(1), true],
  ['received', null, at(1), true],
  ['done', at(5), at(1), true],
  ['done', at(5), at(6), false],
  ['done', at(5), null, true],
  ['failed', at(5), at(1), false],
  ['expired', at(5), null, false],
] as const)('a push that is %s, finished %s, seen %s, is on its way: %s', (state, finishedAt, seenAt, expected) => {
  expect(isOnItsWay({ state, finishedAt }, seenAt)).toBe(expected)
})

test('a push names its slots whatever kind it is', () => {
  const of = (data: unknown) => slotsOfPush({ data })
  expect(of({ slots: [{ code: 'A01' }, { code: 'A02' }], version: 3 })).toEqual(new Set(['A01', 'A02']))
  expect(of({ slots: ['B01'] })).toEqual(new Set(['B01']))
  expect(of({ prices: [{ slot: 'C01', priceFen: 1 }] })).toEqual(new Set(['C01']))
  expect(of({ other: 1 })).toBeNull()
})

test('a layer has ten places, filled from the left; a code is never given twice', () => {
  const slots = [1, 2, 4].map((position) => ({ layer: 1, position }))
  expect(freePositions(slots, 1, 3)).toEqual([3, 5, 6])
  expect(freePositions(slots, 1, 8)).toBeNull()
  expect(freePositions(slots, 2, 10)).toHaveLength(10)
  expect(freeCode(new Set(['A01']), 2, 10)).toBe('B10')
  expect(freeCode(new Set(['B10', 'B10-2']), 2, 10)).toBe('B10-3')
})

test('prices alone are pushed alone', () => {
  expect(isOnlyPrices([['priceFen'], ['priceFen']])).toBe(true)
  expect(isOnlyPrices([['priceFen'], ['priceFen', 'capacity']])).toBe(false)
  expect(isOnlyPrices([])).toBe(false)
})
