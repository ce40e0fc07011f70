import type { RepairOrder } from '@aisle/contract/maintenance/repairOrder'

/** A slot that a motor turned in, for a test, and something fell. */
export type Passed = { slot: string; at: Date }
export type Test = { slot: string; passedAt: Date | null }

/**
 * What has to have passed a test vend since the work began (issue 4: a repair closes only after one). Named slots each;
 * a repair that names none proves itself by any slot; maintenance that touched none needs no proof.
 */
export function testsOf(
  order: { kind: RepairOrder['kind']; slots: readonly string[]; startedAt: Date | null },
  passed: readonly Passed[],
): Test[] {
  const { kind, slots, startedAt } = order
  const since = startedAt ? passed.filter(({ at }) => at >= startedAt) : []
  const newest = (some: readonly Passed[]): Date | null =>
    some.reduce<Date | null>((last, { at }) => (last === null || at > last ? at : last), null)
  if (slots.length > 0) {
    return slots.map((slot) => ({ slot, passedAt: newest(since.filter((each) => each.slot === slot)) }))
  }
  return kind === 'repair' ? [{ slot: '', passedAt: newest(since) }] : []
}

/** Days before its day from which on work is marked as due soon. */
export const SOON_DAYS = 3
/** Days before its day that a plan opens its order. */
export const PLAN_LEAD_DAYS = 3
/** Of what a plan counts in orders, the share that is left when it opens its order. */
const PLAN_LEAD_SHARE = 0.05

export const marksOf = (daysLeft: number | null): RepairOrder['marks'] =>
  daysLeft === null || daysLeft > SOON_DAYS ? [] : [daysLeft < 0 ? 'overdue' : 'due_soon']

export type PlanCount = {
  everyDays: number | null
  everyOrders: number | null
  /** Days and orders since it was last done. */
  days: number
  orders: number
}

/** A little before either count is reached, so that it is done in time. */
export const isPlanDue = ({ everyDays, everyOrders, days, orders }: PlanCount): boolean =>
  (everyDays !== null && days >= everyDays - PLAN_LEAD_DAYS) ||
  (everyOrders !== null && orders >= everyOrders * (1 - PLAN_LEAD_SHARE))
