import type { Delivery, getDelivery, listDeliveries } from '@aisle/contract/events/delivery'
import type { Webhook } from '@aisle/contract/events/webhook'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { iso } from '../../db/instant'
import type { Reader } from '../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, type Order } from '../../kernel/list'
import { withinDays } from '../../kernel/platformDays'
import type { Sight } from '../../kernel/scope'
import { integrationInSight } from '../merchant/public'
import { eventColumns } from './log.store'

/** @returns undefined for an interface that is not in sight */
export async function webhooksOfInterface(db: Reader, sight: Sight, configId: number): Promise<Webhook[] | undefined> {
  const seen = await sql`select from integration_config i where i.id = ${configId} and ${integrationInSight(sight)}
    `.execute(db)
  if (seen.rows.length === 0) return undefined
  const counted = (state: string) => sql`(select count(*)::int from webhook_delivery d
    where d.endpoint_id = e.id and d.state = ${sql.lit(state)})`
  const found = await sql<Webhook>`select e.id, e.config_id as "configId", e.address, e.kinds, e.state,
      e.ended_by as "endedBy", ${iso('e.failing_since')} as "failingSince", ${counted('waiting')} as waiting,
      ${counted('dead')} as dead, e.version, (select to_json(max(d.tried_at)) #>> '{}' from webhook_delivery d
        where d.endpoint_id = e.id and d.state = 'delivered') as "lastDeliveredAt"
    from webhook_endpoint e where e.config_id = ${configId} order by e.id`.execute(db)
  return found.rows
}

type Filter = InputOf<typeof listDeliveries>

const rowsInSight = (sight: Sight): RawBuilder<Delivery> => sql`
  select d.id, 'evt_' || d.number as "eventId", d.kind, d.object, ${iso('d.numbered_at')} as "numberedAt",
    m.name as "merchantName", i.contract_number as "contractNumber", e.id as "webhookId", e.address, d.state, d.tries,
    ${iso('d.tried_at')} as "triedAt", ${iso('d.next_try_at')} as "nextTryAt", d.status, d.problem,
    d.duration_ms as "durationMs", d.number, d.numbered_at, i.merchant_id, d.endpoint_id
  from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
  join integration_config i on i.id = e.config_id join merchant m on m.id = i.merchant_id
  where ${integrationInSight(sight)}`

const newest: Order = { by: sql`number`, type: 'bigint', newestFirst: true }

export function listDeliveriesIn(sight: Sight, filter: Filter): Listing<Delivery> {
  const { event, contractNumber, webhookId, merchantId, kind, state, from, to } = filter
  const where = allOf([
    event && sql`${event} in ("eventId", object)`,
    contractNumber && sql`"contractNumber" = ${contractNumber}`,
    webhookId && sql`endpoint_id = ${webhookId}`,
    merchantId && sql`merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    isAnyOf(sql`kind`, kind),
    isAnyOf(sql`state`, state),
    ...withinDays(sql`numbered_at`, { from, to }),
  ])
  return listRows({ rows: rowsInSight(sight), where, order: newest })
}

type Detail = OutputOf<typeof getDelivery>

export async function findDelivery(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Detail>`
    select seen.*, e.config_id as "configId", d.answer, u.display_name as "askedBy",
      (select row_to_json(one)::text from (select ${eventColumns}) one) as body
    from (${rowsInSight(sight)}) seen join webhook_delivery d on d.id = seen.id
    join webhook_endpoint e on e.id = d.endpoint_id left join app_user u on u.id = d.asked_by
    join event_log l on l.numbered_at = d.numbered_at and l.number = d.number
    where seen.id = ${id}`.execute(db)
  const row = found.rows[0]
  // As it is told: PostgreSQL writes JSON its own way.
  return row && { ...row, body: JSON.stringify(JSON.parse(row.body)) }
}
