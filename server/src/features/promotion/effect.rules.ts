import type { effectVerdicts, unmeasuredReasons } from '@aisle/contract/promotion/campaign'

/** One side of a comparison: machines by their own change, so that each counts once however much it sells. */
export type Arm = { machines: number; days: number; before: number; during: number; changeVariance: number }
type Interval = { value: number; low: number; high: number }
export type Effect = {
  verdict: (typeof effectVerdicts)[number]
  why: (typeof unmeasuredReasons)[number] | null
  /** To a machine and day. */
  change: Interval | null
  /** Of what it would have been without. */
  percent: Interval | null
}

/** Fewer on a side say nothing of how much machines differ by themselves. */
export const LEAST_MACHINES = 5
/** A whole week, since days of the week differ. */
export const LEAST_DAYS = 7

/**
 * Difference in differences: how much more the machines that had it changed than those that did not, with the interval
 * of Welch's t-test over machines (B. L. Welch, "The generalization of Student's problem", Biometrika 34, 1947).
 */
export function effectOf(withIt: Arm, without: Arm | null): Effect {
  const nothing = (why: Effect['why']): Effect => ({ verdict: 'notMeasurable', why, change: null, percent: null })
  if (without === null || without.machines === 0) return nothing('noControl')
  if (Math.min(withIt.machines, without.machines) < LEAST_MACHINES) return nothing('fewMachines')
  if (Math.min(withIt.days, without.days) < LEAST_DAYS) return nothing('fewDays')
  const value = withIt.during - withIt.before - (without.during - without.before)
  const change = around(value, marginOf(withIt, without))
  const expected = withIt.during - value
  return {
    verdict: change.low > 0 ? 'more' : change.high < 0 ? 'less' : 'unclear',
    why: null,
    change,
    percent: expected > 0 ? scaled(change, 100 / expected) : null,
  }
}

const around = (value: number, margin: number): Interval => ({ value, low: value - margin, high: value + margin })

export const scaled = ({ value, low, high }: Interval, by: number): Interval => ({
  value: value * by,
  low: low * by,
  high: high * by,
})

/** Half of the interval that holds what is true in 95 of 100 such comparisons. */
function marginOf(one: Arm, other: Arm): number {
  const [a, b] = [one.changeVariance / one.machines, other.changeVariance / other.machines]
  if (a + b === 0) return 0
  const freedom = (a + b) ** 2 / (a ** 2 / (one.machines - 1) + b ** 2 / (other.machines - 1))
  return studentOf(freedom) * Math.sqrt(a + b)
}

const NORMAL = 1.959964

/** The value that Student's t passes in 2.5 of 100 cases (Abramowitz and Stegun, 26.7.5). */
export function studentOf(freedom: number): number {
  const z = NORMAL
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3) +
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / (92160 * freedom ** 4)
  )
}
