import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getOrder } from '@aisle/contract/trade/order'
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { machineInSight, type Sight } from '../../../kernel/scope'
import { findEntriesByOrder } from '../../ledger/public'
import { isPlayed } from '../../lottery/public'
import { dueBack } from '../sale/due.rules'
import { findActs } from './order.acts.reads'
import { findSteps } from './priceStep.store'
import { type Story, timelineOf } from './order.timeline'
import { sharesOf } from '../sale/share.rules'

type Detail = OutputOf<typeof getOrder>

type Row = Omit<
  Detail,
  'productNames' | 'items' | 'timeline' | 'entries' | 'dueBackFen' | 'refundingFen' | 'occurredAt' | 'receivedAt'
> &
  Story & { isPlayed: boolean; heldFen: number; merchantId: number; receivedAt: Date; occurredAt: Date }

/** Everything about one order; undefined when it isn't there or not in sight, which is the same answer. */
export async function findOrderDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Row>`
    select o.id, o.order_no as "orderNo", o.occurred_at as "occurredAt", o.business_day as "businessDay",
      o.machine_id as "machineId", m.code as "machineCode", m.name as "machineName", c.name as "merchantName",
      o.merchant_id as "merchantId", o.item_count as "itemCount", o.method, o.business_type as "businessType",
      o.total_fen as "totalFen", o.discount_fen as "discountFen", o.paid_fen as "paidFen",
      o.refunded_fen as "refundedFen", o.payment_state as "paymentState", o.ship_state as "shipState",
      o.order_state as "orderState", o.problem, o.is_offline as "isOffline", ${isPlayed} as "isPlayed",
      o.held_fen as "heldFen",
      o.third_party_no as "thirdPartyNo", o.machine_order_no as "machineOrderNo", o.received_at as "receivedAt",
      o.paid_at as "paidAt", o.ship_sent_at as "shipSentAt", o.ship_received_at as "shipReceivedAt",
      o.finished_at as "finishedAt", c.currency,
      case when c.currency is not null then (o.paid_fen / c.exchange_rate / 100)::float8 end as "paidAbroad"
    from order_number n
    join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
    join machine m on m.id = o.machine_id join merchant c on c.id = o.merchant_id
    where n.order_id = ${id} and ${machineInSight(sight, sql.ref('o.machine_id'))}`.execute(db)
  const row = found.rows[0]
  if (!row) return undefined
  const items = await findItemsOf(db, row)
  const entries = await findEntriesByOrder(db, id)
  const lines = await findLines(db, id)
  const shares = sharesOf(
    row,
    items.map(({ priceFen }) => priceFen),
  )
  const held = await findHeld(db, id)
  const steps = await findSteps(db, id)
  const owing = items.map(({ index, state }, at) => ({ state, shareFen: shares[at] ?? 0, isHeld: held.has(index) }))
  return {
    ...row,
    productNames: items.map((item) => item.productName).join(' · '),
    occurredAt: row.occurredAt.toISOString(),
    receivedAt: row.receivedAt.toISOString(),
    dueBackFen: dueBack(row, owing).amountFen,
    refundingFen: row.heldFen - row.refundedFen,
    items: items.map((item) => ({
      ...item,
      shippedAt: item.shippedAt?.toISOString() ?? null,
      priceSteps: steps.filter(({ index }) => index === item.index).map(({ index: _, ...step }) => step),
    })),
    timeline: timelineOf(row, items, { entries, acts: await findActs(db, id) }),
    entries: entries.map(({ reference, ...entry }) => ({
      ...entry,
      postedAt: entry.postedAt.toISOString(),
      line: lines.get(entry.kind === 'sale' ? 'sale' : `${entry.kind}/${reference}`) ?? null,
    })),
  }
}

type Line = NonNullable<Detail['entries'][number]['line']>

/** Lines of channels' bills that were found to be the order's payment (`sale`) and refunds (`refund/<id>`). */
async function findLines(db: Reader, orderId: number): Promise<Map<string, Line>> {
  const found = await sql<Line & { about: string }>`
    select case m.kind when 'payment' then 'sale' else 'refund/' || m.matched_id end as about, m.run_id as "runId",
      to_char(r.day, 'YYYY-MM-DD') as day, l.channel_no as "channelNo", l.amount_fen as "amountFen"
    from statement_match m join statement_line l on l.id = m.line_id join settlement_run r on r.id = m.run_id
    where m.order_id = ${orderId}`.execute(db)
  return new Map(found.rows.map(({ about, ...line }) => [about, line]))
}

/** Items that refunds stand for. */
async function findHeld(db: Reader, orderId: number): Promise<Set<number>> {
  const found = await sql<{ index: number }>`select item_index as index from refund_item
    where order_id = ${orderId} and is_live`.execute(db)
  return new Set(found.rows.map(({ index }) => index))
}

export type DetailItem = Omit<Detail['items'][number], 'shippedAt' | 'priceSteps'> & { shippedAt: Date | null }

async function findItemsOf(db: Reader, order: Row): Promise<DetailItem[]> {
  const found = await sql<DetailItem>`
    select i.index, s.code as "slotCode", p.id as "productId", p.code as "productCode", p.name as "productName",
      p.picture,
      i.list_price_fen as "listPriceFen", i.price_fen as "priceFen", i.state, i.motor_code as "motorCode",
      i.sensor_code as "sensorCode", i.batch, i.trace_code as "traceCode", i.shipped_at as "shippedAt"
    from order_item i join slot s on s.id = i.slot_id join product p on p.id = i.product_id
    where i.merchant_id = ${order.merchantId} and i.occurred_at = ${order.occurredAt} and i.order_id = ${order.id}
    order by i.index`.execute(db)
  return found.rows
}
