import { expect, test } from 'vitest'
import {
  type CodeFacts,
  codeRefusal,
  leftOf,
  monthsLater,
  pickupOf,
  placesFor,
  placesOut,
  settleCode,
} from './code.rules'

const NOON = new Date('2026-11-20T04:00:00Z')
const code: CodeFacts = {
  state: 'unused',
  expiresAt: new Date(NOON.getTime() + 1),
  isValid: true,
  isForHere: true,
  content: [7, 8, 7],
  taken: [],
  shipped: 0,
}

test.each<[Partial<CodeFacts>, string | null]>([
  [{}, null],
  [{ state: 'partly_shipped' }, null],
  [{ state: 'in_use' }, 'codeSpent'],
  [{ state: 'fully_shipped' }, 'codeSpent'],
  [{ state: 'used' }, 'codeSpent'],
  [{ state: 'expired' }, 'codeExpired'],
  [{ expiresAt: NOON }, 'codeExpired'],
  [{ state: 'cancelled' }, 'codeInvalid'],
  [{ state: 'logged_out' }, 'codeInvalid'],
  [{ state: 'invalid' }, 'codeInvalid'],
  [{ isValid: false }, 'codeInvalid'],
  [{ isForHere: false, state: 'fully_shipped' }, 'codeElsewhere'],
])('a code with %j: %s', (more, refused) => {
  expect(codeRefusal({ ...code, ...more }, NOON)).toBe(refused)
})

test.each<[number[], number[], number[] | null]>([
  [[], [7, 7, 8], [0, 2, 1]],
  [[], [8], [1]],
  [[0], [7], [2]],
  [[0], [7, 7], null],
  [[], [7, 7, 7], null],
  [[], [9], null],
  [[], [], null],
])('of a content of which %j is out, %j takes the places %j', (taken, products, places) => {
  expect(placesFor({ content: code.content, taken }, products)).toEqual(places)
})

test('what came out is found among what was asked for, each piece once', () => {
  expect(placesOut({ asked: [2, 1] }, code.content, [7])).toEqual([2])
  expect(placesOut({ asked: [0, 2] }, code.content, [7, 7, 7])).toEqual([0, 2])
  expect(placesOut({ asked: [1] }, code.content, [7])).toEqual([])
  // A place that the content does not have holds nothing, whatever came out.
  expect(placesOut({ asked: [9] }, code.content, [1])).toEqual([])
})

const held = { ...code, state: 'in_use' as const, pieces: 6, heldElsewhere: [] }
test.each([
  [
    { taken: [], shipped: 0 },
    [
      [7, 2],
      [8, 1],
    ],
    2,
  ],
  [{ taken: [1], shipped: 1 }, [[7, 2]], 2],
  [{ taken: [0, 1], shipped: 2 }, [[7, 1]], 2],
  [
    { taken: [], shipped: 3 },
    [
      [7, 2],
      [8, 1],
    ],
    1,
  ],
  [{ taken: [0, 2], shipped: 5 }, [[8, 1]], 1],
])('of two pick-ups with %j there is left %j, and pick-ups %i', (stands, pieces, pickupsLeft) => {
  const left = leftOf({ ...code, ...stands, pieces: 6 })
  expect({ ...left, pieces: [...left.pieces] }).toEqual({ pieces, pickupsLeft })
})

const use = { pickup: 1, asked: [0, 1, 2], out: [], isSettled: false }

test.each([
  [[], { state: 'unused', taken: [], shipped: 0 }],
  [[0], { state: 'partly_shipped', taken: [0], shipped: 1 }],
  [[0, 1, 2], { state: 'partly_shipped', taken: [], shipped: 3 }],
])('held for the first of two pick-ups, %j came out', (out, after) => {
  expect(settleCode(held, use, out)).toEqual({ ...after, extra: 0 })
})

test('the last piece of the last pick-up uses it up', () => {
  const last = { ...held, taken: [0, 1], shipped: 5 }
  expect(pickupOf(last)).toBe(2)
  const after = settleCode(last, { pickup: 2, asked: [2], out: [], isSettled: false }, [2])
  expect(after).toEqual({ state: 'fully_shipped', taken: [], shipped: 6, extra: 0 })
})

test('a late piece takes its place while that is free, and is one too many when it is not', () => {
  const settled = { ...use, isSettled: true }
  const free = { ...held, state: 'unused' as const }
  expect(settleCode(free, settled, [0])).toMatchObject({ state: 'partly_shipped', shipped: 1, extra: 0 })
  expect(settleCode({ ...held, heldElsewhere: [0] }, settled, [0])).toMatchObject({ state: 'in_use', extra: 1 })
  expect(settleCode({ ...free, shipped: 3 }, settled, [0])).toMatchObject({ state: 'unused', shipped: 3, extra: 1 })
  // While another machine has the code in hand, its state is that machine's to end.
  expect(settleCode(held, settled, [0])).toEqual({ state: 'in_use', taken: [0], shipped: 1, extra: 0 })
  // Told twice, it came out once.
  const known = { ...free, state: 'partly_shipped' as const, taken: [0], shipped: 1 }
  expect(settleCode(known, { ...settled, out: [0] }, [0])).toMatchObject({ shipped: 1, extra: 0 })
  // What a person or the calendar ended stays ended, and what came out is counted all the same.
  const cancelled = { ...held, state: 'cancelled' as const }
  expect(settleCode(cancelled, settled, [0])).toMatchObject({ state: 'cancelled', shipped: 1 })
})

test.each([
  ['2026-11-20', '2027-05-20'],
  ['2026-08-31', '2027-02-28'],
  ['2027-08-31', '2028-02-29'],
  ['2026-12-01', '2027-06-01'],
])('half a year from %s is %s', (day, later) => {
  expect(monthsLater(day)).toBe(later)
})
