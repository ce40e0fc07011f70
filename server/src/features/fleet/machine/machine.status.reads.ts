import type { MachineStatus, listMachineStatus, mapMachines } from '@aisle/contract/fleet/machineStatus'
import { MEASURED_HOLDS_MS } from '@aisle/contract/fleet/states'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { type Listing, listRows, mapRows, type Order } from '../../../kernel/list'
import type { Sight } from '../../../kernel/scope'
import { conditionIs, filterOf, type MachineFilter, type StateRow, rowsInSight, worstFirst } from './machine.seen'

type Filter = InputOf<typeof listMachineStatus>

const orders: Record<Filter['sort'], Order> = {
  worst: worstFirst,
  code: { by: sql`code`, type: 'text' },
  lastSeen: { by: sql`-coalesce(extract(epoch from last_seen_at), 0)::bigint`, type: 'bigint' },
}

export function listMachineStatusIn(sight: Sight, filter: Filter, now: Date): Listing<MachineStatus> {
  const listed = { rows: rowsInSight(sight, now), where: filterOf(filter), order: orders[filter.sort] }
  return mapRows(listRows(listed), (rows, db) => withStock(db, rows, now))
}

/** Counted for the machines of a page alone: their slots are many. */
export async function withStock(db: Reader, rows: readonly StateRow[], now: Date): Promise<MachineStatus[]> {
  const found = await sql<{ id: number; percent: number | null }>`
    select s.machine_id as id,
      (100 * sum(greatest(coalesce(l.quantity, 0), 0)) / nullif(sum(s.capacity), 0))::int as percent
    from slot s left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    where s.machine_id = any(${rows.map(({ id }) => id)}::bigint[]) and s.machine_id is not null
      and s.product_id is not null
    group by s.machine_id`.execute(db)
  const percents = new Map(found.rows.map(({ id, percent }) => [id, percent]))
  return rows.map((row) => statusOf(row, percents.get(row.id) ?? null, now))
}

function statusOf(row: StateRow, percent: number | null, now: Date): MachineStatus {
  const seenAt = row.last_seen_at?.toISOString() ?? null
  const isStale = row.connection !== 'online'
  const heard = <T>(value: T | null) => ({
    value: seenAt === null ? null : value,
    at: row.beat_at?.toISOString() ?? seenAt,
    origin: 'heartbeat' as const,
    isStale,
  })
  const beaten = <T>(value: T | null) =>
    row.beat_at === null ? { ...heard<T>(null), at: null, isStale: true } : heard(value)
  const measured = (value: number | null, at: Date | null) => ({
    value: at && value,
    at: at?.toISOString() ?? null,
    origin: at && at.getTime() === row.beat_at?.getTime() ? ('heartbeat' as const) : ('measurement' as const),
    isStale: isStale || (at !== null && now.getTime() - at.getTime() > MEASURED_HOLDS_MS),
  })
  const versions = [row.app_version, row.board_version].filter(Boolean).join(' / ')
  const signal = row.signal_dbm === null ? heard<number>(null) : { ...heard(row.signal_dbm), at: seenAt }
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    pointName: row.point_name,
    city: row.city,
    merchantName: row.merchant_name,
    connection: row.connection,
    lastSeenAt: seenAt,
    operation: row.operation,
    conditions: row.conditions,
    temperature: measured(row.temperature_c, row.temperature_at),
    humidity: measured(row.humidity, row.humidity_at),
    // Sales of a silent machine come later, so what the books say of it may be too much.
    stock: { value: percent, at: seenAt, origin: 'books', isStale },
    emptySlots: row.empty_slots,
    // Only a heartbeat knows of these: who is connected and has not beaten yet has told nothing.
    change: beaten(row.low_change ? 'low' : 'enough'),
    faults: beaten(row.faults.length > 0 ? row.faults.join(', ') : null),
    versions: heard(versions || null),
    signal: { ...signal, origin: 'presence' },
  }
}

/** A point a city, in the middle of its machines. */
export async function findCities(
  db: Reader,
  sight: Sight,
  filter: MachineFilter,
  now: Date,
): Promise<OutputOf<typeof mapMachines>> {
  const found = await sql<OutputOf<typeof mapMachines>['items'][number]>`
    select province, city, avg(longitude) as longitude, avg(latitude) as latitude, count(*) as total,
      count(*) filter (where connection = 'online') as online,
      count(*) filter (where connection = 'offline') as offline,
      count(*) filter (where connection = 'unknown') as unknown,
      count(*) filter (where ${conditionIs.fault}) as fault,
      count(*) filter (where ${conditionIs.temperature_abnormal}) as temperature,
      count(*) filter (where ${conditionIs.low_stock}) as "lowStock",
      count(*) filter (where operation = 'stopped') as stopped,
      count(*) filter (where operation = 'stop_wanted') as "stopWanted"
    from (${rowsInSight(sight, now)}) seen where ${filterOf(filter)}
    group by province, city order by total desc, city limit 1000`.execute(db)
  return { items: found.rows }
}
