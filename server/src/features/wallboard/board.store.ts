import { TAG_NEW_SALE, type Figures, type PushMessage, type SalePoint } from '@aisle/contract/wallboard/board'
import { yuan } from '@aisle/contract/kernel/money'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { SaleNotice } from '../../kernel/announce'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Reader } from '../../kernel/context'

/** A board shows one merchant's subtree; the platform's shows all. */
const subtree = (merchantId: number) => sql`select id from merchant where path @> array[${merchantId}]::bigint[]`

/** The merchant a board shows: by its display key, else the platform where the setting opens its board to all. */
export async function boardMerchant(db: Reader, keyHash: Buffer | null): Promise<number | 'closed' | 'invalid'> {
  if (keyHash) {
    const found = await sql<{ merchant_id: number }>`select merchant_id from display_key
      where key_hash = ${keyHash} and revoked_at is null`.execute(db)
    return found.rows[0]?.merchant_id ?? 'invalid'
  }
  const found = await sql<{ id: number }>`select m.id from merchant m join setting s
    on s.key = 'wallboard.open' and s.merchant_id is null and s.value = 'true'::jsonb
    where m.parent_id is null`.execute(db)
  return found.rows[0]?.id ?? 'closed'
}

/** Six sums over a handful of small rows, whatever the age of the network. */
export async function figuresOf(db: Reader, merchantId: number, now: Date): Promise<Figures> {
  const { day } = businessTime(now, PLATFORM_TIME_ZONE)
  const found = await sql<Record<'all_orders' | 'all_fen' | 'orders' | 'fen' | 'online_orders' | 'online_fen', number>>`
    select t.orders as all_orders, t.paid_fen as all_fen, d.orders, d.fen, d.online_orders, d.online_fen from
      (select coalesce(sum(orders), 0) as orders, coalesce(sum(paid_fen), 0) as paid_fen from rollup_total
        where merchant_id in (${subtree(merchantId)})) t,
      (select coalesce(sum(orders), 0) as orders, coalesce(sum(paid_fen), 0) as fen,
        coalesce(sum(online_orders), 0) as online_orders, coalesce(sum(online_fen), 0) as online_fen
        from rollup_day where business_day = ${day}::date and merchant_id in (${subtree(merchantId)})) d`.execute(db)
  const row = found.rows[0]
  if (!row) throw new Error('sums without a row')
  return {
    todaytransactionsSum: yuan(row.fen),
    todaytransactionsOnLine: yuan(row.online_fen),
    allTransactionSum: yuan(row.all_fen),
    todaytransactionsNumberSum: row.orders,
    todaytransactionsNumberOnLine: row.online_orders,
    allTransactionsNumberSum: row.all_orders,
  }
}

export type MethodRow = { method: string; orders: number; paidFen: number }

export async function methodsToday(db: Reader, merchantId: number, now: Date): Promise<MethodRow[]> {
  const { day } = businessTime(now, PLATFORM_TIME_ZONE)
  const found = await sql<MethodRow>`
    select method, sum(orders) as orders, sum(paid_fen) as "paidFen" from rollup_day
    where business_day = ${day}::date and merchant_id in (${subtree(merchantId)}) group by method`.execute(db)
  return found.rows
}

/** 24 amounts in fen. */
export async function hours(db: Reader, merchantId: number, day: string): Promise<number[]> {
  const found = await sql<{ hour: number; fen: number }>`
    select hour, sum(paid_fen) as fen from rollup_hour
    where business_day = ${day}::date and merchant_id in (${subtree(merchantId)}) group by hour`.execute(db)
  const byHour = new Map(found.rows.map((row) => [row.hour, row.fen]))
  return Array.from({ length: 24 }, (_, hour) => byHour.get(hour) ?? 0)
}

/** Fen of the same weekday last week up to the same minute: whole hours, and the present one by its share. */
export function soFar(hoursLastWeek: readonly number[], now: Date): number {
  const { hour } = businessTime(now, PLATFORM_TIME_ZONE)
  const past = hoursLastWeek.slice(0, hour).reduce((sum, fen) => sum + fen, 0)
  const share = (now.getTime() % 3_600_000) / 3_600_000
  return Math.round(past + (hoursLastWeek[hour] ?? 0) * share)
}

export const lastWeek = (day: string) => addDays(day, -7)

type PointRow = {
  productName: string
  picture: string | null
  longitude: number
  latitude: number
  place: string
  amountFen: number
  at: Date
}

const toPoint = (row: PointRow): SalePoint => ({
  productName: row.productName,
  value: [row.longitude, row.latitude, row.picture ?? ''],
  place: row.place,
  amountFen: row.amountFen,
  at: row.at.toISOString(),
})

/** The newest sales of a board's subtree. */
export async function newestPoints(db: Reader, merchantId: number, most: number, now: Date): Promise<SalePoint[]> {
  const since = new Date(now.getTime() - 2 * 86_400_000)
  const found = await sql<PointRow>`
    with o as materialized (
      select o.id, o.merchant_id, o.occurred_at, o.machine_id, o.paid_fen from orders o
      where o.paid_at is not null and o.occurred_at > ${since} and o.merchant_id in (${subtree(merchantId)})
      order by o.occurred_at desc, o.id desc limit ${most})
    select p.name as "productName", p.picture, t.longitude, t.latitude, t.city || ' ' || t.name as place,
      o.paid_fen as "amountFen", o.occurred_at as at
    from o join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
      and i.index = 0
    join product p on p.id = i.product_id join machine m on m.id = o.machine_id join point t on t.id = m.point_id
    order by o.occurred_at desc, o.id desc`.execute(db)
  return found.rows.map(toPoint)
}

/** Sales just announced, as points of the map, with the merchants whose boards show them. */
export async function pointsOf(
  db: Reader,
  notices: readonly SaleNotice[],
): Promise<{ point: SalePoint; merchantPath: number[] }[]> {
  const found = await sql<PointRow & { path: string }>`
    select p.name as "productName", p.picture, t.longitude, t.latitude, t.city || ' ' || t.name as place,
      n.amount_fen as "amountFen", n.at, array_to_string(c.path, ',') as path
    from ${rows('n', notices, { machineId: 'bigint', productId: 'bigint', amountFen: 'bigint', at: 'timestamptz' })}
    join product p on p.id = n.product_id join machine m on m.id = n.machine_id join point t on t.id = m.point_id
    join merchant c on c.id = m.merchant_id order by n.at`.execute(db)
  return found.rows.map((row) => ({ point: toPoint(row), merchantPath: row.path.split(',').map(Number) }))
}

export const pushOf = (figures: Figures, point: SalePoint | null): PushMessage =>
  point ? { ...figures, tag: TAG_NEW_SALE, ...point } : figures

export async function machinesOf(
  db: Reader,
  merchantId: number,
  onlineSince: Date,
): Promise<{ online: number; total: number }> {
  const found = await sql<{ online: number; total: number }>`
    select count(*) as total, count(*) filter (where s.is_connected and s.last_seen_at > ${onlineSince}) as online
    from machine m join machine_state s on s.machine_id = m.id where m.merchant_id in (${subtree(merchantId)})`.execute(
    db,
  )
  return found.rows[0] ?? { online: 0, total: 0 }
}

export async function registerClient(
  db: Reader,
  clientId: string,
  tab: number,
  keyHash: Buffer | null,
  now: Date,
): Promise<void> {
  await sql`insert into board_client (client_id, tab, key_hash, seen_at)
    values (${clientId}, ${tab}, ${keyHash}, ${now})
    on conflict (client_id) do update set tab = excluded.tab, key_hash = excluded.key_hash,
      seen_at = excluded.seen_at`.execute(db)
}

/** The key that a board registered with; null where it shows the open board. */
export async function findClient(db: Reader, clientId: string): Promise<{ keyHash: Buffer | null } | undefined> {
  const found = await sql<{ keyHash: Buffer | null }>`
    select key_hash as "keyHash" from board_client where client_id = ${clientId}`.execute(db)
  return found.rows[0]
}

/** Boards register again when they reconnect; what has been silent for days is gone. */
export async function forgetClients(db: Reader, before: Date): Promise<void> {
  await sql`delete from board_client where seen_at < ${before}`.execute(db)
}

/** Boards that registered within the day. */
export async function countClients(db: Reader, now: Date): Promise<number> {
  const found = await sql<{ count: number }>`select count(*) as count from board_client
    where seen_at > ${new Date(now.getTime() - 86_400_000)}`.execute(db)
  return found.rows[0]?.count ?? 0
}
