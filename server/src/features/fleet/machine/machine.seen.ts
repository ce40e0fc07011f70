import type { listMachines } from '@aisle/contract/fleet/machine'
import type { MachineStatus } from '@aisle/contract/fleet/machineStatus'
import { OFFLINE_AFTER_MS } from '@aisle/contract/fleet/states'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { allOf, holds, isAnyOf, type Order } from '../../../kernel/list'
import { machineRowInSight, type Sight } from '../../../kernel/scope'

export type MachineFilter = Omit<InputOf<typeof listMachines>, 'cursor' | 'pageSize' | 'sort'>

export type StateRow = {
  id: number
  code: string
  name: string
  point_name: string
  city: string
  merchant_name: string
  connection: MachineStatus['connection']
  last_seen_at: Date | null
  operation: MachineStatus['operation']
  conditions: MachineStatus['conditions']
  temperature_c: number | null
  humidity: number | null
  signal_dbm: number | null
  network: string | null
  app_version: string | null
  board_version: string | null
  faults: string[]
  low_change: boolean
  empty_slots: number
  beat_at: Date | null
  temperature_at: Date | null
  humidity_at: Date | null
}

/** Its alarm says so: what is short by the rule of its stock is decided in one place. */
const isShort = sql`exists (select 1 from alarm a
  where a.machine_id = m.id and a.cause = 'out_of_stock' and a.state <> 'closed')`

/**
 * Machines in sight with what follows from their facts now. Everything but the state hangs on by the left, so that a
 * count that doesn't ask for it doesn't read it.
 */
export const rowsInSight = (sight: Sight, now: Date): RawBuilder<StateRow> => sql`
  select m.id, m.code, m.name, m.category, m.merchant_id, m.point_id, m.route_id, m.operator_id, m.retired_at,
    c.name as merchant_name, p.name as point_name, p.province, p.city, p.longitude, p.latitude, p.hospital_id,
    case when m.retired_at is null then 'in_service' else 'retired' end as service,
    operation_shown(m, c) as operation, ${isShort} as is_short, s.last_seen_at,
    s.slot_count, s.empty_slots, s.low_slots, s.worst,
    s.app_version, s.board_version, s.temperature_c, s.humidity, s.signal_dbm, s.network, s.low_change, s.faults,
    s.beat_at, s.snapshot_at, s.temperature_at, s.humidity_at, s.temperature_min_c, s.temperature_max_c,
    case when s.last_seen_at is null then 'unknown'
      when s.is_connected and s.last_seen_at > ${silentSince(now)} then 'online'
      else 'offline' end as connection,
    array_remove(array[
      case when cardinality(s.faults) > 0 then 'fault' end,
      case when s.temperature_c < s.temperature_min_c or s.temperature_c > s.temperature_max_c
        then 'temperature_abnormal' end,
      case when ${isShort} then 'low_stock' end,
      case when s.low_change then 'low_change' end], null) as conditions
  from machine m join machine_state s on s.machine_id = m.id left join merchant c on c.id = m.merchant_id
  left join point p on p.id = m.point_id
  where ${machineRowInSight(sight, 'm')}`

export const silentSince = (now: Date): Date => new Date(now.getTime() - OFFLINE_AFTER_MS)

/** Faults first, then what is warm, silent, short of change or of goods; among equals the emptier one. */
export const worstFirst: Order = { by: sql`worst`, type: 'bigint' }

/** In the columns of `seen`. A condition is asked as it stands in the facts, not looked for in a list made of them. */
export const conditionIs = {
  fault: sql`cardinality(faults) > 0`,
  temperature_abnormal: sql`(temperature_c < temperature_min_c or temperature_c > temperature_max_c)`,
  low_stock: sql`is_short`,
  low_change: sql`low_change`,
}

export function filterOf(filter: MachineFilter): RawBuilder<boolean> {
  const { q, code, merchantId, connection, operation, condition, category, province, city } = filter
  const { pointId, routeId, groupId, operatorId, hospitalId, version, service, gaps } = filter
  return allOf([
    service === 'retired' ? sql`retired_at is not null` : sql`retired_at is null`,
    q && sql`(${holds(sql`code`, q)} or ${holds(sql`name`, q)} or ${holds(sql`point_name`, q)})`,
    code && sql`code = ${code}`,
    merchantId && sql`merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    isAnyOf(sql`connection`, connection),
    isAnyOf(sql`operation`, operation),
    condition && conditionIs[condition],
    gaps && sql`low_slots + empty_slots > 0`,
    isAnyOf(sql`category`, category),
    province && sql`province = ${province}`,
    city && sql`city = ${city}`,
    pointId && sql`point_id = ${pointId}`,
    routeId && sql`route_id = ${routeId}`,
    groupId && sql`id in (select machine_id from machine_group_member where group_id = ${groupId})`,
    operatorId && sql`operator_id = ${operatorId}`,
    hospitalId && sql`hospital_id = ${hospitalId}`,
    version && sql`app_version = ${version}`,
  ])
}
