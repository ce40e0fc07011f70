import type { PlanHindrance } from '@aisle/contract/purchase/plan'
import { type BatchFacts, sellable } from '@aisle/contract/medicine/batchState'
import { addDays, daysBetween } from '../../../kernel/businessDay'
import type { SupplierFault } from '../supplier.rules'
import { ninetieth, sumOver, type Week } from './forecast.rules'

/** Goods of one product on a shelf or in a bag; a medicine's by batch. */
export type Lot = BatchFacts & { quantity: number }
type Days = { from: string; marginDays: number }

/**
 * Of these, what will be sold: what ends first goes first, and only until it ends. What is held back or has ended is
 * nothing to sell.
 */
export function usableOf(lots: readonly Lot[], week: Week, { from, marginDays }: Days): number {
  const good = lots.filter((lot) => sellable(lot, from, marginDays))
  let usable = 0
  for (const { expiresOn, quantity } of [...good].sort(soonest)) {
    // Through the last day on which it may be sold.
    const days = expiresOn === null ? Infinity : daysBetween(from, expiresOn) - marginDays + 1
    const sold = days > MOST_DAYS ? Infinity : Math.floor(sumOver(week, from, days))
    usable += Math.max(0, Math.min(quantity, sold - usable))
  }
  return usable
}

/** What is good for longer than that is as good as any. */
const MOST_DAYS = 366
const NEVER = '9999-12-31'
const soonest = (a: Lot, b: Lot) => ((a.expiresOn ?? NEVER) < (b.expiresOn ?? NEVER) ? -1 : 1)

export type Option = {
  supplierProductId: number
  supplierId: number
  packUnits: number
  minimumPacks: number
  leadDays: number
  preference: number
  /** Of a single pack today; null where none is in force. */
  packFen: number | null
  hindrance: PlanHindrance | null
}

/** Whom to ask first: who can deliver, then by preference, then by what a piece comes to. */
export function bestOf(options: readonly Option[]): Option | null {
  const pieceFen = ({ packFen, packUnits }: Option) => (packFen === null ? Infinity : packFen / packUnits)
  const better = (a: Option, b: Option) =>
    Number(a.hindrance !== null) - Number(b.hindrance !== null) ||
    a.preference - b.preference ||
    pieceFen(a) - pieceFen(b) ||
    a.supplierProductId - b.supplierProductId
  return [...options].sort(better)[0] ?? null
}

const faults: Record<SupplierFault, PlanHindrance> = {
  'supplier.papers': 'papers',
  'supplier.notQualified': 'notQualified',
  'supplier.scope': 'scope',
}

/** What stands in the way of ordering a product so: the first that holds. */
export function hindranceOf(asked: {
  fits: boolean
  fault: SupplierFault | null
  packFen: number | null
}): PlanHindrance | null {
  if (!asked.fits) return 'storage'
  if (asked.fault) return faults[asked.fault]
  return asked.packFen === null ? 'noPrice' : null
}

export type Needed = {
  week: Week
  /** The first day, and how long it has to last beyond the coming of the goods. */
  from: string
  horizonDays: number
  slotTarget: number
  inSlots: number
  /** In warehouses and bags. */
  usable: number
  coming: number
}
export type Proposal = {
  needDays: number
  forecast: number
  safety: number
  short: number
  proposedPacks: number
  hindrance: PlanHindrance | null
}

/** Without a supplier nobody knows how long goods take: a week, as of one that nobody asked. */
const UNKNOWN_LEAD_DAYS = 7

/**
 * What is sold until the goods are there and for so many days after, what chance may add to it, and what slots hold in
 * the end, less all that there is or that comes, in whole packs.
 */
export function proposalOf(needed: Needed, option: Option | null): Proposal {
  const needDays = (option?.leadDays ?? UNKNOWN_LEAD_DAYS) + needed.horizonDays
  const forecast = sumOver(needed.week, needed.from, needDays)
  const safety = Math.max(0, Math.ceil(ninetieth(forecast) - forecast))
  const wanted = Math.ceil(forecast + safety + needed.slotTarget)
  const short = Math.max(0, wanted - needed.inSlots - needed.usable - needed.coming)
  const packs = short === 0 || option === null ? 0 : Math.ceil(short / option.packUnits)
  return {
    needDays,
    forecast,
    safety,
    short,
    proposedPacks: packs === 0 || option === null ? 0 : Math.max(option.minimumPacks, packs),
    hindrance: option === null ? 'noSupplier' : option.hindrance,
  }
}

export type Compared = { sold: number; forecastThen: number }

/**
 * By how much forecast and sales differ, product by product, and on which side, in thousandths of what was sold: WAPE
 * and bias, which small numbers do not upset as a mean of percentages would (Kolassa and Schütz 2007).
 */
export function errorOf(lines: readonly Compared[]): { errorPermille: number; biasPermille: number } | null {
  const sold = lines.reduce((sum, line) => sum + line.sold, 0)
  if (sold === 0) return null
  const permille = (pieces: number) => Math.round((pieces / sold) * 1000)
  const apart = lines.reduce((sum, line) => sum + Math.abs(line.forecastThen - line.sold), 0)
  const above = lines.reduce((sum, line) => sum + line.forecastThen - line.sold, 0)
  return { errorPermille: permille(apart), biasPermille: permille(above) }
}

/** So long sales of a day may still be told by machines that were cut off. */
export const LATE_DAYS = 7

/** The days of a plan that are over, as far as they are looked at; null before the first is. */
export function overDays(
  plan: { fromOn: string; horizonDays: number },
  today: string,
): { from: string; to: string } | null {
  const [yesterday, last] = [addDays(today, -1), addDays(plan.fromOn, plan.horizonDays - 1)]
  const to = yesterday < last ? yesterday : last
  return to < plan.fromOn ? null : { from: plan.fromOn, to }
}
