import { TAG_NEW_SALE, type Figures, type PushMessage, type SalePoint } from '@aisle/contract/wallboard/board'
import { yuan } from '@aisle/contract/kernel/money'
import { wallboardOpen } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { SaleNotice } from '../../kernel/announce'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Reader } from '../../kernel/context'
import { findPlatform } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { subtree } from './section.parts'

/** Whose figures, and whether the names of merchants, machines and points stand there whole. */
export type Showing = { merchantId: number; hidesNames: boolean }

/** What a board shows: by its display key, else the platform where the setting opens its board to all. */
export async function findShowing(db: Reader, keyHash: Buffer | null): Promise<Showing | 'closed' | 'invalid'> {
  if (keyHash) {
    const found = await sql<Showing>`select merchant_id as "merchantId", hides_names as "hidesNames" from display_key
      where key_hash = ${keyHash} and revoked_at is null`.execute(db)
    return found.rows[0] ?? 'invalid'
  }
  if (!(await settingOf(db, wallboardOpen, null))) return 'closed'
  const platformId = await findPlatform(db)
  return platformId === null ? 'closed' : { merchantId: platformId, hidesNames: false }
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

export type PointRow = {
  productName: string
  picture: string | null
  longitude: number
  latitude: number
  city: string
  pointName: string
  amountFen: number
  at: Date
  isAbroad: boolean
}

/** A tenth of a degree, some ten kilometres: which town, and not which house. */
const coarse = (degrees: number): number => Math.round(degrees * 10) / 10

/** @param hidesNames then the city alone is told, and a place somewhere about it */
export const toPoint = (row: PointRow, hidesNames = false): SalePoint => ({
  productName: row.productName,
  value: [
    hidesNames ? coarse(row.longitude) : row.longitude,
    hidesNames ? coarse(row.latitude) : row.latitude,
    row.picture ?? '',
  ],
  place: hidesNames ? row.city : `${row.city} ${row.pointName}`,
  amountFen: row.amountFen,
  at: row.at.toISOString(),
  isAbroad: row.isAbroad,
})

/** The newest sales that a board shows. */
export async function newestPoints(db: Reader, showing: Showing, most: number, now: Date): Promise<SalePoint[]> {
  const { merchantId, hidesNames } = showing
  const since = new Date(now.getTime() - 2 * 86_400_000)
  const found = await sql<PointRow>`
    with o as materialized (
      select o.id, o.merchant_id, o.occurred_at, o.machine_id, o.paid_fen from orders o
      where o.paid_at is not null and o.occurred_at > ${since} and o.merchant_id in (${subtree(merchantId)})
      order by o.occurred_at desc, o.id desc limit ${sql.lit(most)})
    select p.name as "productName", p.picture, t.longitude, t.latitude, t.city, t.name as "pointName",
      o.paid_fen as "amountFen", o.occurred_at as at, m.country <> 'CN' as "isAbroad"
    from o join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
      and i.index = 0
    join product p on p.id = i.product_id join machine m on m.id = o.machine_id join point t on t.id = m.point_id
    order by o.occurred_at desc, o.id desc`.execute(db)
  return found.rows.map((row) => toPoint(row, hidesNames))
}

/** A sale just announced, and the merchants whose boards show it. */
export type Announced = { row: PointRow; merchantPath: readonly number[] }

export async function findAnnounced(db: Reader, notices: readonly SaleNotice[]): Promise<Announced[]> {
  const found = await sql<PointRow & { path: string }>`
    select p.name as "productName", p.picture, t.longitude, t.latitude, t.city, t.name as "pointName",
      n.amount_fen as "amountFen", n.at, m.country <> 'CN' as "isAbroad", array_to_string(c.path, ',') as path
    from ${rows('n', notices, { machineId: 'bigint', productId: 'bigint', amountFen: 'bigint', at: 'timestamptz' })}
    join product p on p.id = n.product_id join machine m on m.id = n.machine_id join point t on t.id = m.point_id
    join merchant c on c.id = m.merchant_id order by n.at`.execute(db)
  return found.rows.map(({ path, ...row }) => ({ row, merchantPath: path.split(',').map(Number) }))
}

export const pushOf = (figures: Figures, point: SalePoint | null): PushMessage =>
  point ? { ...figures, tag: TAG_NEW_SALE, ...point } : figures

export async function machinesOf(
  db: Reader,
  merchantId: number,
  onlineSince: Date,
): Promise<{ online: number; total: number; abroad: number }> {
  const found = await sql<{ online: number; total: number; abroad: number }>`
    select count(*) as total, count(*) filter (where m.country <> 'CN') as abroad,
      count(*) filter (where s.is_connected and s.last_seen_at > ${onlineSince}) as online
    from machine m join machine_state s on s.machine_id = m.id
    where m.merchant_id in (${subtree(merchantId)})`.execute(db)
  return found.rows[0] ?? { online: 0, total: 0, abroad: 0 }
}

type Registered = { clientId: string; tab: number; keyHash: Buffer | null; network: string }

/** Boards that say nothing for so long are gone; those that are connected are alive whatever they say. */
const ALIVE_MS = 15 * 60_000
/** Of one network at once: those of the open board, which anybody may open, and those that were given a key. */
const MOST_OPEN = 200
const MOST_KEYED = 2_000

/** A board that is known may always say its tab. @returns whether there was room for it */
export async function registerClient(db: Reader, board: Registered, now: Date): Promise<boolean> {
  const { clientId, tab, keyHash, network } = board
  const most = keyHash ? MOST_KEYED : MOST_OPEN
  const known = sql`select 1 from board_client where client_id = ${clientId}`
  const alive = sql`select 1 from board_client where network = ${network} and seen_at > ${aliveSince(now)}
    and (key_hash is null) = ${keyHash === null}`
  const made = await sql`insert into board_client (client_id, tab, key_hash, network, seen_at)
    select ${clientId}, ${tab}::smallint, ${keyHash}::bytea, ${network}, ${now}::timestamptz
    where exists (${known}) or (select count(*) from (${alive} limit ${sql.lit(most)}) alive) < ${most}::int
    on conflict (client_id) do update set tab = excluded.tab, key_hash = excluded.key_hash,
      network = excluded.network, seen_at = excluded.seen_at returning 1`.execute(db)
  return made.rows.length > 0
}

const aliveSince = (now: Date): Date => new Date(now.getTime() - ALIVE_MS)

/** Those that are connected. */
export async function keepAlive(db: Reader, clientIds: readonly string[], now: Date): Promise<void> {
  await sql`update board_client set seen_at = ${now} where client_id = any(${[...clientIds]}::text[])`.execute(db)
}

/** The key that a board registered with; null where it shows the open board. */
export async function findClient(db: Reader, clientId: string): Promise<{ keyHash: Buffer | null } | undefined> {
  const found = await sql<{ keyHash: Buffer | null }>`
    select key_hash as "keyHash" from board_client where client_id = ${clientId}`.execute(db)
  return found.rows[0]
}

/** Of these boards, those that show another tab than sales. */
export async function findOnSections(db: Reader, clientIds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await sql<{ id: string }>`select client_id as id from board_client
    where client_id = any(${[...clientIds]}::text[]) and tab > 0`.execute(db)
  return new Set(found.rows.map(({ id }) => id))
}

/** Boards register again when they reconnect. Those that were given a key are counted for a day. */
export async function forgetClients(db: Reader, now: Date): Promise<void> {
  await sql`delete from board_client where seen_at < ${aliveSince(now)}
    and (key_hash is null or seen_at < ${new Date(now.getTime() - 86_400_000)})`.execute(db)
}

/** Boards that registered within the day. */
export async function countClients(db: Reader, now: Date): Promise<number> {
  const found = await sql<{ count: number }>`select count(*) as count from board_client
    where seen_at > ${new Date(now.getTime() - 86_400_000)}`.execute(db)
  return found.rows[0]?.count ?? 0
}
