import type { getIntegration, IntegrationConfig, listIntegrations } from '@aisle/contract/merchant/integration'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../kernel/list'
import type { Sight } from '../../kernel/scope'
import { integrationInSight } from './integration.store'

type Filter = InputOf<typeof listIntegrations>

/** Why it can't be called now, worst first: the same order as `mayCall` asks in. */
const hindrance = sql`case when i.state = 'disabled' then 'disabled'
  when i.expires_on < (${sql.ref('at.now')} at time zone m.time_zone)::date then 'expired'
  when i.use_count >= i.max_count then 'spent' end`

const rowsInSight = (sight: Sight, now: Date): RawBuilder<IntegrationConfig> => sql`
  select i.id, i.merchant_id as "merchantId", m.name as "merchantName", m.code as "merchantCode",
    machine.code as "machineCode", i.parent_class as "parentClass", i.child_class as "childClass",
    i.interface_type as "interfaceType", i.path, i.use_count as "useCount", i.max_count as "maxCount", i.state,
    ${hindrance} as hindrance, i.expires_on as "expiresOn", i.contract_number as "contractNumber"
  from integration_config i join merchant m on m.id = i.merchant_id
  cross join (select ${now}::timestamptz as now) at
  left join machine on machine.id = i.machine_id
  where ${integrationInSight(sight)}`

const orders: Record<Filter['sort'], Order> = {
  worst: { by: sql`coalesce(array_position(array['expired', 'spent'], hindrance), 9)`, type: 'bigint' },
  merchant: { by: sql`"merchantName"`, type: 'text' },
  uses: { by: sql`-"useCount"::bigint`, type: 'bigint' },
}

export function listIntegrationsIn(sight: Sight, filter: Filter, now: Date): Listing<IntegrationConfig> {
  const { integration: q, merchantId, parentClass, childClass, state, sort } = filter
  const where = allOf([
    q && sql`(${holds(sql`"merchantName"`, q)} or ${holds(sql`path`, q)} or ${holds(sql`"contractNumber"`, q)})`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    isAnyOf(sql`"parentClass"`, parentClass),
    isAnyOf(sql`"childClass"`, childClass),
    isAnyOf(sql`state`, state),
    filter.hindrance && sql`hindrance = ${filter.hindrance}`,
  ])
  return listRows({ rows: rowsInSight(sight, now), where, order: orders[sort] })
}

type Detail = OutputOf<typeof getIntegration>

export async function findIntegrationDetail(
  db: Reader,
  sight: Sight,
  id: number,
  now: Date,
): Promise<Detail | undefined> {
  const found = await sql<Detail>`
    select seen.*, i.version, to_json(i.created_at) #>> '{}' as "createdAt",
      to_json(i.secret_set_at) #>> '{}' as "secretSetAt"
    from (${rowsInSight(sight, now)}) seen join integration_config i on i.id = seen.id where seen.id = ${id}`.execute(
    db,
  )
  return found.rows[0]
}
