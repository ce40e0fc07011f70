import type { SectionTrend } from '@aisle/contract/wallboard/section'

/** In tenths of a power of ten. */
const STEPS = [10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100]

/** The first round whole figure that no value passes: where a scale from zero ends. */
export function roundTop(values: readonly number[]): number {
  const most = Math.max(1, ...values)
  const power = 10 ** Math.floor(Math.log10(most))
  const tops = STEPS.map((step) => (step * power) / 10)
  return tops.find((top) => top >= most && Number.isInteger(top)) ?? 10 * power
}

const DAY_MS = 86_400_000
const EVERY = 7

/**
 * Which steps of a trend bear their name, as instants of that day or month: each month, or a day a week counted back
 * from the newest, so that it has one; null between.
 */
export function labelledSteps({
  from,
  step,
  values,
}: Pick<SectionTrend, 'from' | 'step' | 'values'>): (number | null)[] {
  const first = new Date(`${from}T00:00:00Z`)
  if (step === 'month') return values.map((_, at) => Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + at))
  return values.map((_, at) => ((values.length - 1 - at) % EVERY === 0 ? first.getTime() + at * DAY_MS : null))
}
