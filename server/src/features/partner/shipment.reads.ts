import type { getShipment, listShipments, Shipment, summariseShipments } from '@aisle/contract/partner/shipment'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { iso } from '../../db/instant'
import type { Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows } from '../../kernel/list'
import { dayAtHome, instantAtHome, withinDays } from '../../kernel/platformDays'
import { machineInSight, type Sight } from '../../kernel/scope'
import { resultOf } from './result.rules'

type Filter = InputOf<typeof listShipments>

const orderOf = sql`join order_number n on n.order_no = r.order_no
  join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id`
const itemsOf = sql`i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id`

/** The last callback says how it stands; `result` follows the rule of result.rules.ts, here for the filter. */
const rowsInSight = (sight: Sight): RawBuilder<Shipment> => sql`
  select r.id, r.request_no as "requestNo", ${iso('r.created_at')} as "createdAt", r.created_at as at,
    c.name as "merchantName", c.path as "merchantPath", i.contract_number as "contractNumber", m.code as "machineCode",
    m.name as "machineName", r.order_no as "orderNo", pieces.names as "productNames", o.item_count as "itemCount",
    pieces.dispensed as "dispensedCount",
    case when pieces.dispensed = o.item_count then 'dispensed' when pieces.dispensed > 0 then 'partly'
      when o.ship_state = 'timeout' then 'timeout' when o.ship_state = 'in_transit' then 'shipping'
      else 'failed' end as result,
    coalesce(k.state, 'none') as callback, coalesce(k.tries, 0) as tries, ${iso('k.next_try_at')} as "nextTryAt"
  from partner_request r join machine m on m.id = r.machine_id join merchant c on c.id = r.merchant_id
  join integration_config i on i.id = r.config_id ${orderOf}
  cross join lateral (select coalesce(string_agg(p.name, ' · ' order by i.index), '') as names,
      (count(*) filter (where i.state = 'dispensed'))::int as dispensed
    from order_item i join product p on p.id = i.product_id where ${itemsOf}) pieces
  left join lateral (select state, tries, next_try_at from partner_callback where request_id = r.id
    order by id desc limit 1) k on true
  where ${machineInSight(sight, sql`r.machine_id`)}`

export function listShipmentsIn(sight: Sight, filter: Filter): Listing<Shipment> {
  const where = allOf([
    filter.requestNo && sql`"requestNo" = ${filter.requestNo}`,
    filter.orderNo && sql`"orderNo" = ${filter.orderNo}`,
    filter.machineCode && sql`"machineCode" = ${filter.machineCode}`,
    filter.contractNumber && holds(sql`"contractNumber"`, filter.contractNumber),
    isAnyOf(sql`result`, filter.result),
    isAnyOf(sql`callback`, filter.callback),
    filter.merchantId && sql`"merchantPath" @> array[${filter.merchantId}]::bigint[]`,
    ...withinDays(sql`at`, filter),
  ])
  const order = { by: sql`id`, type: 'bigint', newestFirst: true } as const
  return listRows({ rows: rowsInSight(sight), where, order })
}

type Detail = OutputOf<typeof getShipment>

export async function findShipmentDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Detail & { shipState: string }>`
    select seen.*, r.config_id as "configId", config.path, r.ip, r.body as request, r.answer::text as answer,
      ${iso('o.finished_at')} as "endedAt", o.ship_state as "shipState",
      (select json_agg(json_build_object('index', i.index, 'slotCode', s.code, 'productName', p.name, 'state', i.state,
          'motorCode', i.motor_code, 'sensorCode', i.sensor_code, 'batch', i.batch, 'traceCode', i.trace_code,
          'shippedAt', i.shipped_at) order by i.index)
        from order_item i join slot s on s.id = i.slot_id join product p on p.id = i.product_id
        where ${itemsOf}) as items,
      coalesce((select json_agg(json_build_object('id', d.id, 'state', d.state, 'createdAt', d.created_at,
          'sentAt', d.sent_at, 'endedAt', d.finished_at) order by d.created_at)
        from device_command d where d.machine_id = r.machine_id and d.type = 'ship'
          and d.created_at >= r.created_at - interval '1 minute' and d.created_at < r.created_at + interval '1 day'
          and d.data ->> 'orderNo' = o.machine_order_no), '[]') as commands,
      coalesce((select json_agg(json_build_object('id', k.id, 'event', k.event, 'eventId', k.event_id,
          'state', k.state, 'body', k.body, 'tries', k.tries, 'nextTryAt', k.next_try_at, 'createdAt', k.created_at,
          'attempts', (select coalesce(json_agg(json_build_object('id', t.id, 'at', t.at, 'address', t.address,
              'status', t.status, 'problem', t.problem, 'answer', t.answer, 'durationMs', t.duration_ms,
              'byName', u.display_name) order by t.id desc), '[]')
            from partner_try t left join app_user u on u.id = t.user_id where t.callback_id = k.id)) order by k.id desc)
        from partner_callback k where k.request_id = r.id), '[]') as callbacks
    from (${rowsInSight(sight)}) seen join partner_request r on r.id = seen.id
    join integration_config config on config.id = r.config_id ${orderOf} where seen.id = ${id}`.execute(db)
  const row = found.rows[0]
  return (
    row && {
      ...row,
      result: resultOf(
        row.shipState,
        row.items.map(({ state }) => state),
      ),
    }
  )
}

type Summary = OutputOf<typeof summariseShipments>

export async function summary(db: Reader, sight: Sight, now: Date): Promise<Summary> {
  const today = instantAtHome(dayAtHome(now))
  const found = await sql<Summary>`
    select count(*) filter (where at >= ${today})::int as today,
      count(*) filter (where result = 'shipping')::int as shipping,
      count(*) filter (where at >= ${today} and result in ('failed', 'timeout', 'partly'))::int as undelivered,
      count(*) filter (where callback = 'waiting')::int as waiting,
      count(*) filter (where callback = 'failed')::int as failed
    from (${rowsInSight(sight)}) seen where at >= ${now}::timestamptz - interval '7 days'`.execute(db)
  return found.rows[0] ?? { today: 0, shipping: 0, undelivered: 0, waiting: 0, failed: 0 }
}
