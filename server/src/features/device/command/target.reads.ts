import type { Target } from '@aisle/contract/device/block'
import { type MachineFilter, type MachineTargets } from '@aisle/contract/device/batch'
import { OFFLINE_AFTER_MS } from '@aisle/contract/fleet/states'
import { type RawBuilder, sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf } from '../../../kernel/list'
import { machineInSight, type Sight } from '../../../kernel/scope'
import { owesOperation } from './operation.store'

export type FoundTarget = Target & { id: number; code: string; merchantId: number; appVersion: string | null }

/** Follows from the last message, as the list of machines says it. */
export const connectionOf = (now: Date): RawBuilder<unknown> => sql`
  case when s.last_seen_at is null then 'unknown'
    when s.is_connected and s.last_seen_at > ${new Date(now.getTime() - OFFLINE_AFTER_MS)} then 'online'
    else 'offline' end`

const isUnlicensed = (now: Date) => sql`(m.licence_mode <> 'none' and (
  select bool_and(l.revoked_at is not null or coalesce(l.valid_to, 'infinity') < ${dayOf(now)}::date) from licence l
  where l.merchant_id = m.merchant_id and l.kind = 'medicine_trade'))`
const dayOf = (now: Date) => businessTime(now, PLATFORM_TIME_ZONE).day

/** Machines in sight as commands look at them, by code. */
export async function findTargets(
  db: Reader,
  sight: Sight,
  which: { ids: readonly number[] } | { filter: MachineFilter },
  now: Date,
): Promise<FoundTarget[]> {
  const asked = 'ids' in which ? sql`m.id = any(${[...which.ids]}::bigint[])` : filterOf(which.filter, now)
  const found = await sql<FoundTarget>`
    select m.id, m.code, m.merchant_id as "merchantId", m.retired_at is not null as "isRetired",
      ${connectionOf(now)} as connection, m.operation, coalesce(${isUnlicensed(now)}, false) as "isUnlicensed",
      ${owesOperation('o', null)} as "owesOperation", s.app_version as "appVersion"
    from machine m join merchant o on o.id = m.merchant_id join machine_state s on s.machine_id = m.id
    join point p on p.id = m.point_id
    where ${asked} and ${machineInSight(sight, sql`m.id`)} order by m.code`.execute(db)
  return found.rows
}

/** Retired machines are found by no filter: nothing is ever asked of them. */
function filterOf(filter: MachineFilter, now: Date): RawBuilder<boolean> {
  const { q, merchantId, category, connection, operation, province, routeId, groupId, appVersion } = filter
  return allOf([
    sql`m.retired_at is null`,
    q && sql`(${holds(sql`m.code`, q)} or ${holds(sql`m.name`, q)} or ${holds(sql`p.name`, q)})`,
    merchantId && sql`m.merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    isAnyOf(sql`m.category`, category),
    connection && sql`${connectionOf(now)} = ${connection}`,
    operation && sql`m.operation = ${operation}`,
    province && holds(sql`p.province`, province),
    routeId && sql`m.route_id = ${routeId}`,
    groupId && sql`m.id in (select machine_id from machine_group_member where group_id = ${groupId})`,
    appVersion && sql`s.app_version = ${appVersion}`,
  ])
}

export const whichOf = (machines: MachineTargets): { ids: readonly number[] } | { filter: MachineFilter } =>
  'machineIds' in machines ? { ids: [...new Set(machines.machineIds)] } : { filter: machines.filter }
