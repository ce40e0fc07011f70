import { grouped, must } from '../../../kernel/must'
import { type Asked, findHeld, findProfiles } from './forecast.reads'
import { type Held, rateOf, sumOver, targetOf, usualOf, type Week } from './forecast.rules'
import type { Reader } from '../../../kernel/context'
import { bestOf, type Lot, proposalOf, usableOf } from './plan.rules'
import { comingOf, type Offered, optionsFor, priceFor, stockOf } from './plan.store'

export type Behind = {
  machineId: number
  slots: number
  perDay: number
  forecast: number
  there: number
  slotTarget: number
}
export type NewLine = ReturnType<typeof lineOf>
type Planned = Asked & { warehouseId: number; horizonDays: number; marginDays: number }

/** So many of the machines that need most of a product are kept by name. */
const MOST_BEHIND = 20

/** Line by line what should be ordered for a merchant's machines; nothing is written yet. */
export async function propose(db: Reader, plan: Planned): Promise<NewLine[]> {
  const held = await findHeld(db, plan)
  const profiles = await findProfiles(db, plan)
  const byProduct = grouped(held, ({ productId }) => productId)
  const productIds = [...byProduct.keys()]
  const stock = grouped(await stockOf(db, plan.merchantId, productIds), ({ productId }) => productId)
  const coming = await comingOf(db, plan.merchantId)
  const options = await optionsFor(db, plan, productIds)
  return [...byProduct].map(([productId, machines]) =>
    lineOf(plan, productId, {
      ...demandOf(machines, profiles, plan.coverDays),
      stock: stock.get(productId) ?? [],
      ordered: coming.get(productId) ?? 0,
      options: options.get(productId) ?? [],
    }),
  )
}

type Rated = Held & { week: Week; perDay: number; slotTarget: number }
type Demand = { machines: readonly Rated[]; week: Week }

/** What each machine sells by the days of its week, and all of them together. */
function demandOf(held: readonly Held[], profiles: ReadonlyMap<number, Week>, coverDays: number): Demand {
  const usual = usualOf(held)
  const machines = held.map((one) => {
    const rate = rateOf(one, usual)
    const perDay = rate ?? 0
    const week = must(profiles.get(one.machineId), 'the week of a machine').map((factor) => factor * perDay)
    return { ...one, perDay, week, slotTarget: targetOf(one.capacity, rate, coverDays) }
  })
  const week = Array.from({ length: 7 }, (_, at) => machines.reduce((sum, one) => sum + (one.week[at] ?? 0), 0))
  return { machines, week }
}

type Around = Demand & {
  stock: readonly (Lot & { kind: 'warehouse' | 'transit' | 'replenisher' })[]
  ordered: number
  options: readonly Offered[]
}

function lineOf(plan: Planned, productId: number, { machines, week, stock, ordered, options }: Around) {
  const option = bestOf(options) as Offered | null
  const sum = (of: (one: Rated) => number) => machines.reduce((all, one) => all + of(one), 0)
  const lying = (kind: (typeof stock)[number]['kind']) =>
    stock.reduce((all, lot) => all + (lot.kind === kind ? lot.quantity : 0), 0)
  const [inStore, inBags, onWay] = [lying('warehouse'), lying('replenisher'), lying('transit')]
  const usable = usableOf(stock, week, { from: plan.today, marginDays: plan.marginDays })
  const [slotTarget, inSlots] = [sum((one) => one.slotTarget), sum(({ there }) => there)]
  const asked = { week, from: plan.today, horizonDays: plan.horizonDays, slotTarget, inSlots, usable, coming: ordered }
  const proposal = proposalOf(asked, option)
  const isOrdered = option !== null && proposal.hindrance === null
  return {
    ...proposal,
    productId,
    machines: machines.length,
    slots: sum(({ slots }) => slots),
    week,
    slotTarget,
    inSlots,
    inStore,
    inBags,
    coming: ordered + onWay,
    unusable: inStore + inBags + onWay - usable,
    hindrance: proposal.short > 0 ? proposal.hindrance : null,
    supplierProductId: option?.supplierProductId ?? null,
    packUnits: option?.packUnits ?? null,
    priceFen: option && priceFor(option, proposal.proposedPacks),
    packs: isOrdered ? proposal.proposedPacks : 0,
    behind: behindOf(machines, plan.today, proposal.needDays),
  }
}

function behindOf(machines: readonly Rated[], from: string, days: number): Behind[] {
  const needs = machines.map(({ machineId, slots, perDay, week, there, slotTarget }) => {
    const forecast = sumOver(week, from, days)
    return { machineId, slots, perDay, forecast, there, slotTarget, needs: forecast + slotTarget - there }
  })
  return needs
    .sort((a, b) => b.needs - a.needs || a.machineId - b.machineId)
    .slice(0, MOST_BEHIND)
    .map(({ needs: _needs, ...one }) => one)
}
