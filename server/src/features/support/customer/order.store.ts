import { itemState, orderState, type ItemState, type PaymentMethod } from '@aisle/contract/trade/states'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { isGoneBack } from '../../refund/public'
import { sharesOf } from '../../trade/public'
import { type Candidate, WITHIN_MS } from './match.rules'

export type FoundOrder = Candidate & {
  orderNo: string
  paidAt: string
  method: PaymentMethod
  leftFen: number
  goods: readonly { name: string; slot: string; state: ItemState }[]
}
type Item = { name: string; slot: string; state: ItemState; priceFen: number }
type Row = Omit<FoundOrder, 'failedFen' | 'isUntold' | 'goods'> & { isOpen: boolean; items: Item[] }

/** How long before it is paid for an order may be begun. */
const PAYING_MS = 15 * 60_000

/** @param caseId who asks: that it has an order itself speaks against none */
const orders = (which: RawBuilder<unknown>, caseId: number) => sql<Row>`
  select o.id as "orderId", o.order_no as "orderNo", (extract(epoch from o.paid_at) * 1000)::float8 as "paidAtMs",
    to_json(o.paid_at) #>> '{}' as "paidAt", o.method, o.paid_fen as "paidFen", o.paid_fen - o.held_fen as "leftFen",
    o.order_state = ${sql.lit(orderState.initial)} as "isOpen",
    exists (select 1 from refund r where r.order_id = o.id and ${isGoneBack}) as "isBack",
    (select c.id from customer_case c where c.order_id = o.id and c.id <> ${caseId}) as "claimedBy",
    (select json_agg(json_build_object('name', p.name, 'slot', s.code, 'state', i.state, 'priceFen', i.price_fen)
        order by i.index)
      from order_item i join product p on p.id = i.product_id join slot s on s.id = i.slot_id
      where i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id) as items
  from orders o where o.paid_at is not null and o.paid_fen > 0 and ${which}`

type Place = { id: number; machineId: number }

/** What was paid at the machine of a case near a time. */
export async function ordersNear(db: Reader, { id, machineId }: Place, at: Date): Promise<FoundOrder[]> {
  const [from, to] = [new Date(at.getTime() - WITHIN_MS), new Date(at.getTime() + WITHIN_MS)]
  const which = sql`o.machine_id = ${machineId}
    and o.occurred_at between ${new Date(from.getTime() - PAYING_MS)} and ${to}
    and o.paid_at between ${from} and ${to} order by o.occurred_at, o.id limit 100`
  const found = await orders(which, id).execute(db)
  return found.rows.map(shown)
}

export async function orderOf(db: Reader, { id, machineId }: Place, orderNo: string): Promise<FoundOrder | undefined> {
  const which = sql`o.machine_id = ${machineId} and (o.merchant_id, o.occurred_at, o.id) in (
    select n.merchant_id, n.occurred_at, n.order_id from order_number n where n.order_no = ${orderNo})`
  const found = await orders(which, id).execute(db)
  return found.rows.map(shown)[0]
}

function shown({ isOpen, items, ...row }: Row): FoundOrder {
  const all = items ?? []
  const shares = sharesOf(
    row,
    all.map(({ priceFen }) => priceFen),
  )
  const isFailed = ({ state }: Item) => itemState.is(state, 'told') && itemState.is(state, 'bad')
  return {
    ...row,
    failedFen: isOpen ? 0 : all.reduce((sum, item, at) => sum + (isFailed(item) ? (shares[at] ?? 0) : 0), 0),
    isUntold: isOpen || all.some(({ state }) => itemState.is(state, 'untold')),
    goods: all.map(({ name, slot, state }) => ({ name, slot, state })),
  }
}
