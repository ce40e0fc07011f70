import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type GrantableMachine, grantStates, type listMerchantMachines } from '@aisle/contract/sight/authorisation'
import { type RawBuilder, sql } from 'kysely'
import { allOf, holds, type Listing, listRows } from '../../kernel/list'
import { isInForce, machineInSight, machinesInSight, merchantInSight, type Sight } from '../../kernel/scope'
import { grantTables } from '../fleet/public'
import type { FoundGrantee } from './grantee.store'

type Asked = InputOf<typeof listMerchantMachines>
export type MachineFilter = Pick<Asked, 'q' | 'province' | 'category' | 'ownerId' | 'groupId' | 'state'>

/**
 * Machines that the caller may authorise to the grantee, and those that are. A merchant is given what others own, by
 * the owner or who stands above it; people are given what their merchant sees, by who sees it too.
 */
export function grantable(sight: Sight, grantee: FoundGrantee): RawBuilder<GrantableMachine> {
  const { table, column } = grantTables[grantee.kind]
  return sql`
    select m.id, m.code, m.name, m.category, p.name as "pointName", p.province, p.city, owner.name as "ownerName",
      owner.path as "ownerPath", g.machine_id is not null as "isGranted", may.id is not null as "mayChange",
      to_json(g.granted_at) #>> '{}' as "grantedAt", to_json(g.ends_at) #>> '{}' as "endsAt",
      giver.display_name as "grantedBy"
    from machine m join merchant owner on owner.id = m.merchant_id join point p on p.id = m.point_id
    left join (${changeable(sight, grantee)}) may on may.id = m.id
    left join ${table} g on g.machine_id = m.id and g.${column} = ${grantee.id} and ${isInForce(sql`g.ends_at`)}
    left join app_user giver on giver.id = g.granted_by and ${merchantInSight(sight, sql`giver.merchant_id`)}
    where ${machineInSight(sight, sql`m.id`)} and (g.machine_id is not null or may.id is not null)`
}

/** Each machine once, whether the caller sees it or not. */
function changeable(sight: Sight, { kind, merchantId }: FoundGrantee): RawBuilder<unknown> {
  if (kind !== 'merchant') return machinesInSight({ kind: 'subtree', merchantId })
  const isTheCallers = sight.kind === 'all' ? sql`true` : sql`above.path @> array[${sight.merchantId}]::bigint[]`
  return sql`select machine.id from machine join merchant above on above.id = machine.merchant_id
    where not above.path @> array[${merchantId}]::bigint[] and ${isTheCallers}`
}

export const filterOf = ({ q, province, category, ownerId, groupId, state }: MachineFilter): RawBuilder<boolean> =>
  allOf([
    q && sql`(${holds(sql`code`, q)} or ${holds(sql`name`, q)} or ${holds(sql`"pointName"`, q)})`,
    province && sql`province = ${province}`,
    category && sql`category = ${category}`,
    groupId && sql`id in (select machine_id from machine_group_member where group_id = ${groupId})`,
    ownerId && sql`"ownerPath" @> array[${ownerId}]::bigint[]`,
    state && sql`"isGranted" = ${grantStates[state]}`,
  ])

/** The sums count exactly whatever the size: what is authorised all at once is told by its number. */
export const listGrantable = (sight: Sight, grantee: FoundGrantee, asked: Asked): Listing<GrantableMachine> =>
  listRows({
    rows: grantable(sight, grantee),
    where: filterOf(asked),
    order: { by: sql`code`, type: 'text' },
    sums: sql`count(*) as found, count(*) filter (where "mayChange") as changeable`,
    isCountedWhole: true,
  })
