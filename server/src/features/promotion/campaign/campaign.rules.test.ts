import { campaignState } from '@aisle/contract/promotion/campaign'
import { expect, test } from 'vitest'
import { beforeDaysOf, chooseControls, type Measured, resultsOf } from './campaign.rules'

const machines = Array.from({ length: 200 }, (_, at) => ({ id: at + 1, soldFen: at * at }))

test('of every ten that sell about as much one stays out, the same whoever asks', () => {
  const chosen = chooseControls(machines, 10, 7)
  expect(chosen).toHaveLength(20)
  expect(chosen.map((id) => Math.floor((id - 1) / 10))).toEqual(Array.from({ length: 20 }, (_, at) => at))
  expect(chooseControls([...machines].reverse(), 10, 7)).toEqual(chosen)
  expect(chooseControls(machines, 10, 8)).not.toEqual(chosen)
})

test.each([
  [0, 200, 0],
  [50, 200, 100],
  [10, 9, 0],
  [10, 0, 0],
  [33, 10, 3],
])('%s %% of %s machines are %s', (percent, of, expected) => {
  expect(new Set(chooseControls(machines.slice(0, of), percent, 1)).size).toBe(expected)
})

test.each([
  ['2026-11-01', '2026-11-01', 14],
  ['2026-11-01', '2026-11-14', 14],
  ['2026-11-01', '2026-11-15', 21],
  ['2026-11-01', '2027-03-01', 56],
])('%s to %s is compared with the %s days before', (from, to, days) => {
  expect(beforeDaysOf(from, to)).toBe(days)
})

const row = (isControl: boolean, during: number): Measured => ({
  measure: 'sales',
  isControl,
  machines: 30,
  days: 14,
  before: 100,
  during,
  changeVariance: 30,
})

test.each([
  [120, 10, 'reached'],
  [120, 20, 'reached'],
  [120, 30, 'missed'],
  [102, 3, 'open'],
] as const)('%s instead of 100 with a goal of %s %% is %s', (during, goalPercent, goal) => {
  const [result] = resultsOf([row(false, during), row(true, 100)], { measure: 'sales', goalPercent })
  expect(result?.goal).toBe(goal)
  expect(result?.total?.value).toBe((during - 100) * 30 * 14)
})

test('of what is not its goal no goal is said, and every state can be reached', () => {
  expect(resultsOf([row(false, 120), row(true, 100)], { measure: 'margin', goalPercent: 5 })[0]?.goal).toBeNull()
  expect(resultsOf([row(false, 120)], { measure: 'sales', goalPercent: 5 })[0]?.why).toBe('noControl')
  expect(campaignState.unreachable()).toEqual([])
})
