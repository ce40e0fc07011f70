import { codesIn } from '@aisle/contract/kernel/codes'
import { repairOrderState } from '@aisle/contract/maintenance/repairOrder'
import { expect, test } from 'vitest'
import { isPlanDue, marksOf, testsOf } from './repairOrder.rules'

const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour))
const passed = [
  { slot: 'A1', at: at(8) },
  { slot: 'A1', at: at(11) },
  { slot: 'B2', at: at(9) },
]

test.each([
  ['both named slots have to pass after the beginning', 'repair', ['A1', 'B2'], at(10), [at(11), null]],
  ['a test before the work began proves nothing', 'repair', ['B2'], at(10), [null]],
  ['a repair that names no slot proves itself by any', 'repair', [], at(10), [at(11)]],
  ['and not by one that turned before', 'repair', [], at(12), [null]],
  ['maintenance without slots needs no proof', 'maintenance', [], at(10), []],
  ['maintenance of a slot does', 'maintenance', ['A1'], at(10), [at(11)]],
  ['work that has not begun has proved nothing', 'repair', ['A1'], null, [null]],
] as const)('%s', (_, kind, slots, startedAt, expected) => {
  expect(testsOf({ kind, slots, startedAt }, passed).map(({ passedAt }) => passedAt)).toEqual(expected)
})

test.each([
  [null, []],
  [4, []],
  [3, ['due_soon']],
  [0, ['due_soon']],
  [-1, ['overdue']],
])('work with %s days left is marked %j', (daysLeft, expected) => {
  expect(marksOf(daysLeft)).toEqual(expected)
})

test.each([
  [{ everyDays: 30, everyOrders: null, days: 26, orders: 9_999 }, false],
  [{ everyDays: 30, everyOrders: null, days: 27, orders: 0 }, true],
  [{ everyDays: null, everyOrders: 1000, days: 999, orders: 949 }, false],
  [{ everyDays: null, everyOrders: 1000, days: 0, orders: 950 }, true],
  [{ everyDays: 90, everyOrders: 1000, days: 10, orders: 1200 }, true],
])('a plan counted as %j is due: %s', (count, expected) => {
  expect(isPlanDue(count)).toBe(expected)
})

test('every state can be reached, and slots are read however they are typed', () => {
  expect(repairOrderState.unreachable()).toEqual([])
  expect(codesIn('A1, A2、B3  A1；')).toEqual(['A1', 'A2', 'B3'])
})
