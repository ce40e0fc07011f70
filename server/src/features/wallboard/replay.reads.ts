import type { SalePoint } from '@aisle/contract/wallboard/board'
import {
  REPLAY_POINTS_A_SPAN,
  REPLAY_SPAN_SECONDS,
  type SoldInSecond,
  type SoldInSpan,
} from '@aisle/contract/wallboard/replay'
import { paymentMethods } from '@aisle/contract/trade/states'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { machineInSight, type Sight } from '../../kernel/scope'
import { type PointRow, toPoint } from './board.store'
import { dawn, day as dayIn } from './section.parts'

/** Sums of a whole day of the platform, one pass over its orders; spans without any are left out. */
export function spansOfDay(db: Reader, sight: Sight, day: string): Promise<SoldInSpan[]> {
  const within = sql`o.occurred_at >= ${dawn(dayIn(day))} and o.occurred_at < ${dawn(sql`${dayIn(day)} + 1`)}`
  return soldBy<SoldInSpan>(db, sight, { within, from: dawn(dayIn(day)), name: 'span', seconds: REPLAY_SPAN_SECONDS })
}

/** Sums of one span, second by second. */
export function secondsOfSpan(db: Reader, sight: Sight, day: string, span: number): Promise<SoldInSecond[]> {
  const { within, from } = spanOf(day, span)
  return soldBy<SoldInSecond>(db, sight, { within, from, name: 'second', seconds: 1 })
}

/** The first product of evenly chosen orders of a span, oldest first, and how many orders there are in all. */
export async function pointsOfSpan(
  db: Reader,
  sight: Sight,
  day: string,
  span: number,
): Promise<{ points: SalePoint[]; orders: number }> {
  const { within } = spanOf(day, span)
  const found = await sql<PointRow & { orders: number }>`
    with numbered as materialized (
      select o.id, o.merchant_id, o.occurred_at, o.machine_id, o.paid_fen,
        row_number() over (order by o.occurred_at, o.id) as number, count(*) over () as orders
      from orders o where o.paid_at is not null and ${within} and ${ofMachines(sight)}),
    o as materialized (
      select * from numbered
      where number * ${REPLAY_POINTS_A_SPAN}::bigint / orders
        <> (number - 1) * ${REPLAY_POINTS_A_SPAN}::bigint / orders)
    select p.name as "productName", p.picture, t.longitude, t.latitude, t.city, t.name as "pointName",
      o.paid_fen as "amountFen", o.occurred_at as at, m.country <> 'CN' as "isAbroad", o.orders
    from o join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
      and i.index = 0
    join product p on p.id = i.product_id join machine m on m.id = o.machine_id join point t on t.id = m.point_id
    order by o.occurred_at, o.id`.execute(db)
  return { points: found.rows.map((row) => toPoint(row)), orders: found.rows[0]?.orders ?? 0 }
}

type Sold = { at: string; longitude: number; latitude: number; amountFen?: number | undefined }

/** How far beside its machine the point of a board that hides names may lie, in degrees. */
const COARSE_DEGREES = 0.0501

/** A point of a board says when, to the millisecond, and about where: of two at once the nearer, then the later. */
export async function soldOrder(db: Reader, sight: Sight, sold: Sold): Promise<number | undefined> {
  const { at, longitude, latitude, amountFen = null } = sold
  const found = await sql<{ id: number }>`
    select o.id from orders o join machine m on m.id = o.machine_id join point t on t.id = m.point_id
    where o.occurred_at = ${at}::timestamptz and ${away(sql`t.longitude`, longitude)} <= ${COARSE_DEGREES}
      and ${away(sql`t.latitude`, latitude)} <= ${COARSE_DEGREES}
      and (${amountFen}::bigint is null or o.paid_fen = ${amountFen}::bigint) and ${ofMachines(sight)}
    order by ${away(sql`t.longitude`, longitude)} + ${away(sql`t.latitude`, latitude)}, o.id desc limit 1`.execute(db)
  return found.rows[0]?.id
}

const away = (place: RawBuilder<unknown>, degrees: number) => sql`abs(${place} - ${degrees}::float8)`

type Steps = { within: RawBuilder<unknown>; from: RawBuilder<unknown>; name: 'span' | 'second'; seconds: number }

async function soldBy<T>(db: Reader, sight: Sight, { within, from, name, seconds }: Steps): Promise<T[]> {
  const found = await sql<T>`
    select floor(extract(epoch from o.occurred_at - ${from}) / ${seconds}::int)::int as ${sql.ref(name)},
      array_position(${[...paymentMethods]}::text[], o.method) - 1 as method, count(*) as orders,
      sum(o.paid_fen)::bigint as "paidFen", count(*) filter (where not o.is_offline) as "onlineOrders",
      coalesce(sum(o.paid_fen) filter (where not o.is_offline), 0)::bigint as "onlineFen"
    from orders o where o.paid_at is not null and ${within} and ${ofMachines(sight)}
    group by 1, 2 order by 1, 2`.execute(db)
  return found.rows
}

function spanOf(day: string, span: number): { within: RawBuilder<unknown>; from: RawBuilder<unknown> } {
  const from = sql`(${dawn(dayIn(day))} + make_interval(secs => ${span * REPLAY_SPAN_SECONDS}::int))`
  const until = sql`(${from} + make_interval(secs => ${REPLAY_SPAN_SECONDS}::int))`
  return { from, within: sql`o.occurred_at >= ${from} and o.occurred_at < ${until}` }
}

/** `is true` keeps PostgreSQL from joining the machines in: it asks a hash of them for each order. */
const ofMachines = (sight: Sight) => sql`(${machineInSight(sight, sql.ref('o.machine_id'))}) is true`
