import { OFFLINE_AFTER_MS, slotState } from '@aisle/contract/fleet/states'
import type { getMachine, listMachines, listSlots, Machine, summariseMachines } from '@aisle/contract/fleet/machine'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Reader } from '../../kernel/context'
import { machineInSight, type Sight } from '../../kernel/scope'

type Filter = InputOf<typeof listMachines>
export type MachineKey = { key: string | number; id: number }
const isTextSort = (sort: Filter['sort']) => sort === 'code' || sort === 'name'
/** A cursor belongs to its sort: text to texts, whole numbers to figures. */
export const isMachineKey =
  (sort: Filter['sort']) =>
  (value: unknown): value is MachineKey =>
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    'id' in value &&
    Number.isSafeInteger(value.id) &&
    (isTextSort(sort) ? typeof value.key === 'string' : Number.isSafeInteger(value.key))

/** Machines in sight with what follows from their facts now: connection, conditions, today's sales. */
const seen = (sight: Sight, now: Date): RawBuilder<unknown> => sql`
  select m.id, m.code, m.name, m.category, m.merchant_id, c.name as merchant_name, p.name as point_name, p.province,
    p.city, operation_of(m, c) as operation, s.last_seen_at, s.slot_count, s.empty_slots, s.low_slots,
    case when s.last_seen_at is null then 'unknown'
      when s.is_connected and s.last_seen_at > ${new Date(now.getTime() - OFFLINE_AFTER_MS)} then 'online'
      else 'offline' end as connection,
    array_remove(array[
      case when cardinality(s.faults) > 0 then 'fault' end,
      case when s.temperature_c not between coalesce(m.temperature_min_c, -273) and coalesce(m.temperature_max_c, 1000)
        then 'temperature_abnormal' end,
      case when s.low_slots + s.empty_slots > 0 then 'low_stock' end,
      case when s.low_change then 'low_change' end], null) as conditions,
    coalesce(r.orders, 0) as today_count, coalesce(r.paid_fen, 0) as today_fen
  from machine m join machine_state s on s.machine_id = m.id join merchant c on c.id = m.merchant_id
  join point p on p.id = m.point_id
  left join rollup_day_machine r on r.machine_id = m.id
    and r.business_day = ${businessTime(now, PLATFORM_TIME_ZONE).day}::date
  where ${machineInSight(sight, sql`m.id`)}`

/** Faults first, then what is warm, silent, short of change or of goods; among equals the emptier one. */
const worst = sql`-(
  case when 'fault' = any(conditions) then 32000 else 0 end
  + case when 'temperature_abnormal' = any(conditions) then 16000 else 0 end
  + case connection when 'offline' then 8000 when 'unknown' then 4000 else 0 end
  + case when 'low_change' = any(conditions) then 2000 else 0 end
  + least(empty_slots * 10 + low_slots, 1999))`

const sortKeys: Record<Filter['sort'], RawBuilder<unknown>> = {
  worst,
  code: sql`code`,
  name: sql`name`,
  lastSeen: sql`-coalesce(extract(epoch from last_seen_at), 0)::bigint`,
  today: sql`-today_fen`,
}

const columns = sql`id, code, name, category, merchant_id as "merchantId", merchant_name as "merchantName",
  point_name as "pointName", province, city, connection, to_json(last_seen_at) #>> '{}' as "lastSeenAt", operation,
  conditions, slot_count as "slotCount", empty_slots as "emptySlots", low_slots as "lowSlots",
  today_count as "todayCount", today_fen as "todayFen"`

export type MachineRow = Machine & { sortKey: string | number }

export async function page(
  db: Reader,
  sight: Sight,
  filter: Filter,
  after: MachineKey | null,
  now: Date,
): Promise<MachineRow[]> {
  const key = sortKeys[filter.sort]
  const type = sql.raw(isTextSort(filter.sort) ? 'text' : 'bigint')
  const afterKey = after ? sql`(${key}, id) > (${after.key}::${type}, ${after.id})` : sql`true`
  const found = await sql<MachineRow>`
    select ${columns}, ${key} as "sortKey" from (${seen(sight, now)}) seen
    where ${filterOf(filter)} and ${afterKey} order by ${key}, id limit ${filter.pageSize + 1}`.execute(db)
  return found.rows
}

export async function count(db: Reader, sight: Sight, filter: Filter, now: Date): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(*) as count from (${seen(sight, now)}) seen where ${filterOf(filter)}`.execute(db)
  return found.rows[0]?.count ?? 0
}

function filterOf(filter: Filter): RawBuilder<boolean> {
  const parts: RawBuilder<unknown>[] = [sql`true`]
  if (filter.q) {
    const like = `%${filter.q.replace(/[\\%_]/g, '\\$&')}%`
    parts.push(sql`(code ilike ${like} or name ilike ${like} or point_name ilike ${like})`)
  }
  if (filter.code) parts.push(sql`code = ${filter.code}`)
  if (filter.merchantId) {
    parts.push(sql`merchant_id in (select id from merchant where path @> array[${filter.merchantId}]::bigint[])`)
  }
  if (filter.connection) parts.push(sql`connection = ${filter.connection}`)
  if (filter.operation) parts.push(sql`operation = ${filter.operation}`)
  if (filter.condition) parts.push(sql`${filter.condition} = any(conditions)`)
  if (filter.category) parts.push(sql`category = ${filter.category}`)
  return sql<boolean>`${sql.join(parts, sql` and `)}`
}

export async function summary(db: Reader, sight: Sight, now: Date): Promise<OutputOf<typeof summariseMachines>> {
  const found = await sql<OutputOf<typeof summariseMachines>>`
    select count(*) as total, count(*) filter (where connection = 'online') as online,
      count(*) filter (where connection = 'offline') as offline,
      count(*) filter (where connection = 'unknown') as unknown,
      count(*) filter (where operation = 'stopped') as stopped,
      count(*) filter (where 'fault' = any(conditions)) as fault,
      count(*) filter (where 'low_stock' = any(conditions)) as "lowStock"
    from (${seen(sight, now)}) seen`.execute(db)
  const [row] = found.rows
  if (!row) throw new Error('a count without a row')
  return row
}

type Detail = OutputOf<typeof getMachine>
type DetailRow = Omit<Detail, 'snapshotAt' | 'deployedAt' | 'secretRotatedAt'> & {
  snapshotAt: Date | null
  deployedAt: Date | null
  secretRotatedAt: Date | null
}

export async function findDetail(db: Reader, sight: Sight, id: number, now: Date): Promise<Detail | undefined> {
  const found = await sql<DetailRow>`
    select seen.*, m.model, m.manufacturer, m.licence_mode as "licenceMode", m.time_zone as "timeZone",
      m.auto_refund as "autoRefund", s.app_version as "appVersion", s.board_version as "boardVersion",
      s.temperature_c as "temperatureC", s.door_open as "doorOpen", s.faults, s.snapshot_at as "snapshotAt",
      s.clock_skew_ms as "clockSkewMs", p.longitude, p.latitude, p.address, m.deployed_at as "deployedAt",
      m.secret_rotated_at as "secretRotatedAt"
    from (select ${columns} from (${seen(sight, now)}) inner_seen where id = ${id}) seen
    join machine m on m.id = seen.id join machine_state s on s.machine_id = m.id
    join point p on p.id = m.point_id`.execute(db)
  const row = found.rows[0]
  if (!row) return undefined
  const iso = (at: Date | null) => at?.toISOString() ?? null
  return {
    ...row,
    snapshotAt: iso(row.snapshotAt),
    deployedAt: iso(row.deployedAt),
    secretRotatedAt: iso(row.secretRotatedAt),
  }
}

type Slot = OutputOf<typeof listSlots>['items'][number]
type SlotRow = Omit<Slot, 'state'> & {
  choice: 'none' | 'stopped_sale' | 'reserved_only'
  fault: string | null
  isLocked: boolean
}

export async function findSlots(db: Reader, machineId: number): Promise<Slot[]> {
  const found = await sql<SlotRow>`
    select s.code, s.layer, s.position, p.code as "productCode", p.name as "productName", p.picture,
      s.price_fen as "priceFen", s.capacity, coalesce(l.quantity, 0) as stock, s.alarm_threshold as "alarmThreshold",
      s.choice, s.fault, s.is_locked as "isLocked"
    from slot s left join product p on p.id = s.product_id
    left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    where s.machine_id = ${machineId} order by s.layer, s.position`.execute(db)
  return found.rows.map((row) => ({ ...row, state: slotState({ ...row, hasProduct: row.productCode !== null }) }))
}

export type InSight = { id: number; code: string; merchantId: number; operation: 'in_operation' | 'stopped' }

/** The machine if it is in sight, else nothing: not there and not yours are one answer. */
export async function findInSight(db: Reader, sight: Sight, id: number): Promise<InSight | undefined> {
  const found = await sql<InSight>`select m.id, m.code, m.merchant_id as "merchantId", m.operation from machine m
    where m.id = ${id} and ${machineInSight(sight, sql`m.id`)}`.execute(db)
  return found.rows[0]
}
