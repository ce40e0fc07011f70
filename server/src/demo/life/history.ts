import { sql } from 'kysely'
import { commitSeeds, revealSeeds } from '../../features/lottery/series.store'
import { type DemoDay, DAY_MS, HOUR_MS } from '../calendar'
import { claimDay } from './claims'
import { decideDay } from './decisions'
import { type DemoFill, type DemoSale, machineDay, openingStock } from './machineDay'
import { shipDay } from './partner'
import { newTelling, playSpan, type Span, type Telling } from './span'
import type { Network, Standing } from './standing'
import type { Past } from './within'

/** A span has some hundreds of sales, since each round of the ingest costs much the same for one as for a hundred. */
const SALES_A_SPAN = 300
const SHORTEST_MS = 10 * 60_000
/** What was sold so lately that it might not be over is left to the machines. */
const UNTIL_NOW_MS = 3 * 60_000

/** Before anybody bought anything: each slot as each of its days begins. Who came today was filled on arrival. */
export async function fillShelves(past: Past, network: Network, days: readonly DemoDay[]): Promise<void> {
  const [first] = days
  if (!first) return
  for (const isNew of [false, true]) {
    const untilMs = isNew ? past.latestMs - 2 * HOUR_MS : first.startMs - HOUR_MS
    const about = { before: 0, atMs: untilMs - 60_000, lot: 'open' }
    const some = network.filter(({ machine }) => (machine.deployedDaysAgo === 0) === isNew)
    const fills = some.flatMap((standing) =>
      openingStock(standing).map((quantity, slot) => ({ ...about, standing, slot, quantity, coded: quantity })),
    )
    const put = fills.filter(({ quantity }) => quantity > 0)
    await playSpan(past, { day: first, boot: `open${first.day}`, untilMs, sales: [], fills: put }, newTelling())
  }
}

/** All of a day, to its end or to now, in the past's one transaction. */
export async function playDay(past: Past, network: Network, day: DemoDay) {
  const telling = newTelling()
  await beginDay(past, network, day)
  for (const span of spansOf(network, day, past.latestMs)) await playSpan(past, span, telling)
  await shipDay(past, network, day)
  if (day.daysAgo > 0) await endDay(past, network, day, telling)
  await settleDay(past, day)
}

/** What people make of a day. */
export async function settleDay(past: Past, day: DemoDay): Promise<void> {
  // Asked for each decision: planned blindly, they read all that was ever sold and paid.
  await sql`analyze orders, order_number, payment_attempt, refund, device_command`.execute(past.tx)
  await decideDay(past, day)
  await claimDay(past, day)
}

/** The spans of a day up to now, each with what happened everywhere in it. */
export function spansOf(network: Network, day: DemoDay, nowMs: number): Span[] {
  const lived = network.map((standing) => ({ standing, day: machineDay(standing, openingStock(standing), day) }))
  const endMs = Math.min(day.startMs + DAY_MS, nowMs - UNTIL_NOW_MS)
  const of = <T extends DemoSale | DemoFill>(standing: Standing, told: readonly T[]) =>
    told.map((each) => ({ ...each, standing }))
  const sales = lived
    .flatMap((one) => of(one.standing, one.day.sales))
    .filter(({ receivedMs }) => receivedMs < endMs)
    .sort((a, b) => a.receivedMs - b.receivedMs)
  const fills = lived.flatMap((one) => of(one.standing, one.day.fills)).filter(({ atMs }) => atMs < endMs)
  const lengthMs = Math.max(SHORTEST_MS, (DAY_MS * SALES_A_SPAN) / Math.max(1, sales.length))
  const count = Math.max(0, Math.ceil((endMs - day.startMs) / lengthMs))
  const placeOf = (ms: number) => Math.floor((ms - day.startMs) / lengthMs)
  return Array.from({ length: count }, (_, at) => ({
    day,
    boot: `h${day.day}`,
    untilMs: Math.min(endMs + UNTIL_NOW_MS / 2, day.startMs + (at + 1) * lengthMs),
    sales: sales.filter(({ receivedMs }) => placeOf(receivedMs) === at),
    fills: fills.filter(({ atMs }) => placeOf(atMs) === at),
  }))
}

/** What stands before the day's first customer. */
export async function beginDay({ services, tx }: Past, network: Network, day: DemoDay): Promise<void> {
  const wanted = network.filter(({ isPlaying }) => isPlaying)
  const seeds = wanted.map(({ id, merchantId }) => ({ machineId: id, merchantId, businessDay: day.day }))
  await commitSeeds(tx, services.keys, seeds, new Date(day.startMs - DAY_MS))
}

/** Prizes and what a shop elsewhere has sold were not planned: the filler of the evening puts them in. */
export async function endDay(past: Past, network: Network, day: DemoDay, telling: Telling): Promise<void> {
  const untilMs = day.startMs + DAY_MS
  const won = await sql<{ machine: string; slot: string; quantity: number }>`
    select m.code as machine, s.code as slot, count(*)::int as quantity
    from orders o join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at
      and i.order_id = o.id join slot s on s.id = i.slot_id join machine m on m.id = o.machine_id
    where o.business_day = ${day.day}::date and o.occurred_at >= ${new Date(day.startMs)}
      and o.occurred_at < ${new Date(untilMs)} and (o.is_lottery or o.machine_order_no like 'OPEN%')
      and i.state = 'dispensed' group by 1, 2`.execute(past.tx)
  const fills = won.rows.flatMap(({ machine, slot, quantity }) => {
    const standing = network.find((each) => each.machine.code === machine)
    const at = standing?.slots.findIndex(({ code }) => code === slot) ?? -1
    if (!standing || at < 0) return []
    const before = (openingStock(standing)[at] ?? 0) - quantity
    return [{ standing, slot: at, before, quantity, atMs: untilMs - 5 * 60_000, lot: '', coded: 0 }]
  })
  await playSpan(past, { day, boot: `h${day.day}`, untilMs, sales: [], fills }, telling)
  await revealSeeds(past.tx, past.services.keys, new Date(untilMs + HOUR_MS))
}
