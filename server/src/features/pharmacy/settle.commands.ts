import { fillItemState, type FillItemState, prescriptionState } from '@aisle/contract/pharmacy/states'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { countChange, isSpent, leftOf, nextState, settledState } from './fill.rules'
import {
  findFillItems,
  type Loaded,
  lockPrescriptions,
  removeFills,
  saveCounts,
  saveFillItems,
  type SettledItem,
} from './fill.store'
import { recountTakes, removeTakes } from './limit.store'

/** What came of an order, item by item in the order's own order; no items: it was never opened. */
export type SettledOrder = {
  orderId: number
  at: Date
  items: readonly { isDispensed: boolean; isUnknown: boolean; batch: string | null; traceCode: string | null }[]
}

/**
 * What came out is spent, what jammed is free again, what nobody knows of stays held. May be told again of the same
 * order, also after its end: what is already counted is not counted twice.
 */
export async function settlePrescriptions(tx: Tx, settled: readonly SettledOrder[]): Promise<void> {
  const byOrder = new Map(settled.map((each) => [each.orderId, each]))
  const steps = (await findFillItems(tx, [...byOrder.keys()])).map((item) => stepOf(item, byOrder.get(item.orderId)))
  await settleItems(tx, steps, settled[0]?.at ?? null)
  const idsOf = (isOpened: boolean) =>
    settled.filter(({ items }) => items.length > 0 === isOpened).map(({ orderId }) => orderId)
  await recountTakes(tx, idsOf(true))
  const neverOpened = idsOf(false)
  await removeFills(tx, neverOpened)
  await removeTakes(tx, neverOpened)
}

/** `to`: what is now known of the piece. */
type Step = SettledItem & { to: FillItemState }

function stepOf(item: Awaited<ReturnType<typeof findFillItems>>[number], order: SettledOrder | undefined): Step {
  const said = order?.items[item.index]
  const to = said ? settledState(said) : 'free'
  return { ...item, to, batch: said?.batch ?? null, traceCode: said?.traceCode ?? null }
}

/** Takes each step off its prescription's counts, once. */
export async function settleItems(tx: Tx, all: readonly Step[], at: Date | null): Promise<void> {
  if (all.length === 0 || at === null) return
  const ids = [...new Set(all.map(({ prescriptionId }) => prescriptionId))]
  const locked = await lockPrescriptions(tx, sql`p.id = any(${ids}::bigint[])`)
  const byId = new Map(locked.map((each) => [each.id, each]))
  // Read again now that the prescriptions are locked: another step of theirs may have come first.
  const now = await findFillItems(tx, [...new Set(all.map(({ orderId }) => orderId))])
  const states = new Map(now.map((item) => [`${item.orderId}/${item.index}`, item.state]))
  const excess = new Map<string, number>()
  const changed = all.flatMap(({ to, ...item }): SettledItem[] => {
    const from = states.get(`${item.orderId}/${item.index}`) ?? item.state
    const state = nextState(from, to)
    const line = byId.get(item.prescriptionId)?.lines.find(({ productId }) => productId === item.productId)
    if (!line || state === from) return []
    const change = countChange(from, to, leftOf(line))
    line.held += change.held
    line.dispensed += change.dispensed
    const key = `${item.prescriptionId}/${item.productId}`
    excess.set(key, (excess.get(key) ?? 0) + change.excess)
    return [{ ...item, state }]
  })
  if (changed.length === 0) return
  await saveFillItems(tx, changed, at)
  await saveCounts(
    tx,
    locked.map((each) => ({
      ...each,
      lines: each.lines.map((line) => ({ ...line, excess: excess.get(`${each.id}/${line.productId}`) ?? 0 })),
    })),
  )
  await markDispensed(tx, locked, changed, at)
  await recountTakes(tx, [...new Set(changed.map(({ orderId }) => orderId))])
}

async function markDispensed(
  tx: Tx,
  locked: readonly Loaded[],
  changed: readonly SettledItem[],
  at: Date,
): Promise<void> {
  const out = new Set(
    changed.flatMap(({ state, prescriptionId }) => (fillItemState.is(state, 'dispensed') ? [prescriptionId] : [])),
  )
  const spent = locked.filter((each) => out.has(each.id) && isSpent(each)).map(({ id }) => ({ id }))
  await sql`update prescription set last_dispensed_at = greatest(last_dispensed_at, ${at}), version = version + 1
    where id = any(${[...out]}::bigint[])`.execute(tx)
  if (spent.length === 0) return
  await sql`update prescription p set state = ${prescriptionState.to('dispense')}
    from ${rows('s', spent, { id: 'bigint' })}
    where p.id = s.id and p.state = any(${prescriptionState.from('dispense')}::text[])`.execute(tx)
}
