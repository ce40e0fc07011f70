import { slotState } from '@aisle/contract/fleet/states'
import type { getMachine, listMachines, listSlots, Machine, summariseMachines } from '@aisle/contract/fleet/machine'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { Reader } from '../../../kernel/context'
import type { Blocks } from '../../../kernel/guesses'
import { type Listing, listRows, mapRows, type Order } from '../../../kernel/list'
import { machineInSight, type Sight } from '../../../kernel/scope'
import { isOffline } from '../../catalog/public'
import { type EditableRow, editableColumns, factsOf } from './machine.columns'
import { conditionIs, filterOf, rowsInSight, worstFirst } from './machine.seen'
import { stockDrift } from './stockReport.rules'
import { joinStockReport, stockReportColumns } from './stockReport.store'

type Filter = InputOf<typeof listMachines>

/** With today's sales, by the platform's calendar. */
const selling = (sight: Sight, now: Date): RawBuilder<Row> => sql`
  select seen.*, coalesce(r.orders, 0) as today_count, coalesce(r.paid_fen, 0) as today_fen
  from (${rowsInSight(sight, now)}) seen
  left join (
    select machine_id, sum(orders)::bigint as orders, sum(paid_fen)::bigint as paid_fen from rollup_day_machine
    where business_day = ${businessTime(now, PLATFORM_TIME_ZONE).day}::date group by 1
  ) r on r.machine_id = seen.id`

const orders: Record<Filter['sort'], Order> = {
  worst: worstFirst,
  code: { by: sql`code`, type: 'text' },
  name: { by: sql`name`, type: 'text' },
  lastSeen: { by: sql`-coalesce(extract(epoch from last_seen_at), 0)::bigint`, type: 'bigint' },
  today: { by: sql`-today_fen`, type: 'bigint' },
}

type Row = {
  id: number
  code: string
  name: string
  category: Machine['category']
  merchant_id: number
  merchant_name: string
  point_name: string
  province: string
  city: string
  connection: Machine['connection']
  last_seen_at: Date | null
  operation: Machine['operation']
  conditions: Machine['conditions']
  service: Machine['service']
  slot_count: number
  empty_slots: number
  low_slots: number
  today_count: number
  today_fen: number
}

export function listMachinesIn(sight: Sight, filter: Filter, now: Date): Listing<Machine> {
  const sums = sql`coalesce(sum(empty_slots), 0)::int as "emptySlots", coalesce(sum(low_slots), 0)::int as "lowSlots"`
  const listed = { rows: selling(sight, now), where: filterOf(filter), order: orders[filter.sort], sums }
  return mapRows(listRows(listed), (rows) => rows.map(machineOf))
}

const iso = (at: Date | string | null) => (at === null ? null : new Date(at).toISOString())

const machineOf = (row: Row): Machine => ({
  id: row.id,
  code: row.code,
  name: row.name,
  category: row.category,
  merchantId: row.merchant_id,
  merchantName: row.merchant_name,
  pointName: row.point_name,
  province: row.province,
  city: row.city,
  connection: row.connection,
  lastSeenAt: iso(row.last_seen_at),
  operation: row.operation,
  conditions: row.conditions,
  service: row.service,
  slotCount: row.slot_count,
  emptySlots: row.empty_slots,
  lowSlots: row.low_slots,
  todayCount: row.today_count,
  todayFen: row.today_fen,
})

export async function summary(db: Reader, sight: Sight, now: Date): Promise<OutputOf<typeof summariseMachines>> {
  const found = await sql<OutputOf<typeof summariseMachines>>`
    select count(*) as total, count(*) filter (where connection = 'online') as online,
      count(*) filter (where connection = 'offline') as offline,
      count(*) filter (where connection = 'unknown') as unknown,
      count(*) filter (where operation = 'stopped') as stopped,
      count(*) filter (where operation = 'stop_wanted') as "stopWanted",
      count(*) filter (where ${conditionIs.fault}) as fault,
      count(*) filter (where ${conditionIs.temperature_abnormal}) as temperature,
      count(*) filter (where ${conditionIs.low_stock}) as "lowStock"
    from (${rowsInSight(sight, now)}) seen where retired_at is null`.execute(db)
  const [row] = found.rows
  if (!row) throw new Error('a count without a row')
  return row
}

type Detail = Omit<OutputOf<typeof getMachine>, keyof Blocks>
type Moment =
  | 'snapshotAt'
  | 'beatAt'
  | 'temperatureAt'
  | 'humidityAt'
  | 'secretRotatedAt'
  | 'createdAt'
  | 'updatedAt'
  | 'retiredAt'
const reported = [
  'version',
  'flowCard',
  'isLicenceQueued',
  'flagsTold',
  'routeName',
  'operatorName',
  'deployerName',
  'appVersion',
  'boardVersion',
  'temperatureC',
  'humidity',
  'signalDbm',
  'network',
  'doorOpen',
  'faults',
  'clockSkewMs',
  'longitude',
  'latitude',
  'address',
] as const satisfies readonly (keyof Detail)[]

/** The machine goes by it, or the newest command about it says so. */
const isLicenceQueued = sql`(m.licence_mode = m.licence_mode_told or coalesce((
  select c.data ->> 'mode' = m.licence_mode from device_command c
  where c.machine_id = m.id and c.type = 'set_license_mode' order by c.seq desc limit 1), false))`

type DetailRow = Row & EditableRow & Pick<Detail, (typeof reported)[number]> & { [M in Moment]: Date | null }

export async function findMachineDetail(db: Reader, sight: Sight, id: number, now: Date): Promise<Detail | undefined> {
  const found = await sql<DetailRow>`
    select seen.*, ${editableColumns}, m.version,
      ${isLicenceQueued} as "isLicenceQueued", nullif(m.flags_told, 'null') as "flagsTold",
      (select json_build_object('iccid', f.iccid, 'carrier', f.carrier, 'cardType', f.type) from flow_card f
        where f.machine_id = m.id) as "flowCard", r.name as "routeName", o.name as "operatorName",
      u.display_name || ' · ' || u.account as "deployerName", s.app_version as "appVersion",
      s.board_version as "boardVersion", s.temperature_c as "temperatureC",
      s.temperature_at as "temperatureAt", s.humidity_at as "humidityAt", s.signal_dbm as "signalDbm",
      s.beat_at as "beatAt", s.door_open as "doorOpen", s.snapshot_at as "snapshotAt",
      s.clock_skew_ms as "clockSkewMs", p.address, m.secret_rotated_at as "secretRotatedAt",
      m.created_at as "createdAt", m.updated_at as "updatedAt", m.retired_at as "retiredAt"
    from (${selling(sight, now)}) seen
    join machine m on m.id = seen.id join machine_state s on s.machine_id = m.id
    join point p on p.id = m.point_id left join route r on r.id = m.route_id
    left join organisation o on o.id = m.operator_id left join app_user u on u.id = m.deployer_id
    where seen.id = ${id}`.execute(db)
  const row = found.rows[0]
  if (!row) return undefined
  const heard = Object.fromEntries(reported.map((name) => [name, row[name]])) as Pick<Detail, (typeof reported)[number]>
  return {
    ...machineOf(row),
    ...factsOf(row),
    ...heard,
    snapshotAt: iso(row.snapshotAt),
    beatAt: iso(row.beatAt),
    temperatureAt: iso(row.temperatureAt),
    humidityAt: iso(row.humidityAt),
    secretRotatedAt: iso(row.secretRotatedAt),
    createdAt: iso(row.createdAt) ?? '',
    updatedAt: iso(row.updatedAt) ?? '',
    retiredAt: iso(row.retiredAt),
  }
}

type Slots = OutputOf<typeof listSlots>
type SlotRow = Omit<Slots['items'][number], 'state' | 'stockDrift'> & {
  movedSince: number
  choice: 'none' | 'stopped_sale' | 'reserved_only'
  fault: string | null
  isLocked: boolean
  isOffline: boolean
}

export async function findSlots(db: Reader, machineId: number): Promise<Slots> {
  const found = await sql<SlotRow>`
    select s.code, s.layer, s.position, s.product_id as "productId", p.code as "productCode", p.name as "productName",
      p.picture,
      s.price_fen as "priceFen", s.capacity, coalesce(l.quantity, 0) as stock, s.alarm_threshold as "alarmThreshold",
      s.choice, s.fault, s.is_locked as "isLocked", ${isOffline} as "isOffline", ${stockReportColumns}
    from slot s left join product p on p.id = s.product_id
    left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id ${joinStockReport}
    where s.machine_id = ${machineId} order by s.layer, s.position`.execute(db)
  const heard = await sql<{ at: Date | null }>`select snapshot_at as at from machine_state
    where machine_id = ${machineId}`.execute(db)
  const items = found.rows.map(({ movedSince, ...row }) => ({
    ...row,
    state: slotState({ ...row, hasProduct: row.productCode !== null }),
    stockDrift: stockDrift(row.stock, row.reportedStock, movedSince),
  }))
  return { items, reportedAt: iso(heard.rows[0]?.at ?? null) }
}

export type InSight = { id: number; code: string; merchantId: number; operation: 'in_operation' | 'stopped' }

/** The machine if it is in sight, else nothing: not there and not yours are one answer. */
export async function findInSight(db: Reader, sight: Sight, id: number): Promise<InSight | undefined> {
  const found = await sql<InSight>`select m.id, m.code, m.merchant_id as "merchantId", m.operation from machine m
    where m.id = ${id} and ${machineInSight(sight, sql`m.id`)}`.execute(db)
  return found.rows[0]
}
