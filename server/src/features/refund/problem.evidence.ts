import { itemState } from '@aisle/contract/trade/states'
import type { getProblem } from '@aisle/contract/refund/problem'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { statesIn } from '../../kernel/states'

type Detail = OutputOf<typeof getProblem>
type Key = { merchantId: number; occurredAt: Date; id: number }

const isIt = ({ merchantId, occurredAt, id }: Key) =>
  sql`o.merchant_id = ${merchantId} and o.occurred_at = ${occurredAt} and o.id = ${id}`

/** What our own order says. */
export async function saysOfUs(db: Reader, key: Key): Promise<Detail['ours']> {
  const found = await sql<Detail['ours']>`
    select to_json(o.occurred_at) #>> '{}' as "occurredAt", o.total_fen as "totalFen",
      o.discount_fen as "discountFen", o.payment_state as "paymentState", o.ship_state as "shipState",
      to_json(o.paid_at) #>> '{}' as "paidAt", to_json(o.ship_sent_at) #>> '{}' as "shipSentAt",
      to_json(o.finished_at) #>> '{}' as "finishedAt" from orders o where ${isIt(key)}`.execute(db)
  const row = found.rows[0]
  if (!row) throw new Error(`a problem without its order ${key.id}`)
  return row
}

/** What the machine reported, item by item, and what it could hand out now. */
export async function saysOfMachine(db: Reader, key: Key, machineId: number): Promise<Detail['machine']> {
  const { merchantId, occurredAt, id } = key
  const items = await sql<Detail['machine']['items'][number]>`
    select i.index, s.code as "slotCode", p.id as "productId", p.name as "productName",
      i.price_fen as "priceFen", i.state,
      i.motor_code as "motorCode", i.sensor_code as "sensorCode", to_json(i.shipped_at) #>> '{}' as "shippedAt",
      to_json(second.came_at) #>> '{}' as "cameAgainAt", i.wrong
    from order_item i join slot s on s.id = i.slot_id join product p on p.id = i.product_id
    left join second_piece second on second.order_id = i.order_id and second.index = i.index
    where i.merchant_id = ${merchantId} and i.occurred_at = ${occurredAt} and i.order_id = ${id}
    order by i.index`.execute(db)
  const slots = await sql<Detail['machine']['slots'][number]>`
    select s.code, p.name as "productName", coalesce(l.quantity, 0)::int as stock
    from slot s join product p on p.id = s.product_id
    left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    where s.machine_id = ${machineId} and s.product_id in (select i.product_id from order_item i
      where i.merchant_id = ${merchantId} and i.occurred_at = ${occurredAt} and i.order_id = ${id}
        and i.state in ${statesIn(itemState, 'bad')})
    order by coalesce(l.quantity, 0) desc, s.code limit 20`.execute(db)
  const seen = await sql<{ shipReceivedAt: string | null; lastSeenAt: string | null }>`
    select to_json(o.ship_received_at) #>> '{}' as "shipReceivedAt",
      (select to_json(m.last_seen_at) #>> '{}' from machine_state m where m.machine_id = ${machineId}) as "lastSeenAt"
    from orders o where ${isIt(key)}`.execute(db)
  const { shipReceivedAt = null, lastSeenAt = null } = seen.rows[0] ?? {}
  return { shipReceivedAt, lastSeenAt, items: items.rows, slots: slots.rows }
}

/** What the channel says took the money, if one of ours did. */
export async function saysOfChannel(db: Reader, orderId: number): Promise<Detail['channel']> {
  const found = await sql<NonNullable<Detail['channel']>>`
    select attempt_no as "attemptNo", state, channel_no as "channelNo", paid_fen as "paidFen",
      to_json(paid_at) #>> '{}' as "paidAt"
    from payment_attempt where order_id = ${orderId} order by state = 'paid' desc, id desc limit 1`.execute(db)
  return found.rows[0] ?? null
}
