import { type RawBuilder, sql } from 'kysely'
import { businessTime } from '../../../kernel/businessDay'
import type { Reader } from '../../../kernel/context'
import { machinesInSight, type Sight, subtreeOf } from '../../../kernel/scope'

/** A person's sight, or what was sold for a merchant and those below it, whoever has the machines now. */
export type Whose = Sight | { kind: 'sold'; merchantId: number }
export type Hour = { hour: number; fen: number; orders: number }
type Sold = { fen: number; orders: number }

/** What was sold in each hour of a business day, by the machines' own clocks; hours without a sale are missing. */
export async function salesByHour(db: Reader, whose: Whose, day: string): Promise<Hour[]> {
  const found = await sql<Hour>`
    select hour::int as hour, sum(fen)::bigint as fen, sum(orders)::int as orders
    from (${sql.join(partsOf(whose, day), sql` union all `)}) parts group by hour having sum(orders) <> 0`.execute(db)
  return found.rows
}

/**
 * What of a business day was sold up to an instant of it: the one figure that today is compared with, wherever it is
 * shown. Whole hours are rolled up; of the hour under way the orders are counted, and so are those of machines with
 * another clock than `zone`, whose hours are over at other times.
 * @param hours those of `salesByHour`, of the same day
 */
export async function soldUntil(
  db: Reader,
  whose: Whose,
  { day, until, zone, hours }: { day: string; until: Date; zone: string; hours: readonly Hour[] },
): Promise<Sold> {
  const { hour } = businessTime(until, zone)
  const sign = sql`((o.occurred_at <= ${until})::int - (${hourOf} < ${hour})::int)`
  const found = await sql<Sold>`
    select coalesce(sum(fen), 0)::bigint as fen, coalesce(sum(orders), 0)::int as orders from (
      select o.paid_fen as fen, 1 as orders ${paidOrders(day)} and ${isTheirs(whose)} and m.time_zone = ${zone}
        and o.occurred_at > ${new Date(until.getTime() - 3_600_000)} and o.occurred_at <= ${until}
        and ${hourOf} = ${hour}
      union all
      select ${sign} * o.paid_fen, ${sign} ${paidOrders(day)} and ${isTheirs(whose)} and ${around(day)}
        and o.machine_id in (select id from machine where time_zone <> ${zone})) counted`.execute(db)
  return [...hours.filter((each) => each.hour < hour), ...found.rows].reduce(
    (sum, each) => ({ fen: sum.fen + each.fen, orders: sum.orders + each.orders }),
    { fen: 0, orders: 0 },
  )
}

const hourOf = sql`extract(hour from o.occurred_at at time zone m.time_zone)`
const paidOrders = (day: string) => sql`from orders o join machine m on m.id = o.machine_id
  where o.business_day = ${day}::date and o.paid_at is not null`

/** A business day is at most 14 hours off UTC: lets PostgreSQL skip the other months. */
const around = (day: string) => sql`o.occurred_at >= ${day}::date::timestamp at time zone 'UTC' - interval '14 hours'
  and o.occurred_at < ${day}::date::timestamp at time zone 'UTC' + interval '38 hours'`

const subtree = (merchantId: number) => sql`(${subtreeOf(merchantId)})`

function isTheirs(whose: Whose): RawBuilder<unknown> {
  if (whose.kind === 'all') return sql`true`
  if (whose.kind === 'sold') return sql`o.merchant_id in ${subtree(whose.merchantId)}`
  return sql`(o.machine_id in (${machinesInSight(whose)})) is true`
}

/**
 * Whole merchants are rolled up by the hour. Whoever sees a subtree sees machines: what those sold for others is
 * added, and what machines that have gone sold for the subtree is taken off, from the orders of just these machines.
 */
function partsOf(whose: Whose, day: string): RawBuilder<unknown>[] {
  const rolled = (which: RawBuilder<unknown>) =>
    sql`select hour, paid_fen as fen, orders from rollup_hour where business_day = ${day}::date and ${which}`
  const counted = (sign: 1 | -1, which: RawBuilder<unknown>) => sql`
    select ${hourOf} as hour, ${sql.lit(sign)} * o.paid_fen as fen, ${sql.lit(sign)} as orders ${paidOrders(day)}
      and ${around(day)} and ${which}`
  if (whose.kind === 'all') return [rolled(sql`true`)]
  if (whose.kind === 'granted') return [counted(1, isTheirs(whose))]
  const below = subtree(whose.merchantId)
  const ours = sql`merchant_id in ${below}`
  if (whose.kind === 'sold') return [rolled(ours)]
  const seen = machinesInSight(whose)
  const moved = (pair: RawBuilder<unknown>) =>
    sql`o.machine_id in (select machine_id from rollup_machine_merchant where ${pair})`
  return [
    rolled(ours),
    counted(1, sql`${moved(sql`not ${ours} and machine_id in (${seen})`)} and o.merchant_id not in ${below}`),
    counted(-1, sql`${moved(sql`${ours} and machine_id not in (${seen})`)} and o.merchant_id in ${below}`),
  ]
}
