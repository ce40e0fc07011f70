import { itemState } from '@aisle/contract/trade/states'
import { refundState } from '@aisle/contract/refund/states'
import { sql } from 'kysely'
import { businessTime } from '../../kernel/businessDay'
import type { Tx } from '../../kernel/context'
import { grouped } from '../../kernel/must'
import { lossPostings, postTransfers } from '../ledger/public'
import { findItems, lockOrders } from './order.store'
import { paymentAfter, problemAfter, type StandingItem } from './refund.rules'
import type { RefundItem, RefundOrder } from './refund.types'
import { moveSettled } from '../trade/public'
import { statesIn } from '../../kernel/states'

/**
 * An item that a refund stands for because it had not come out; not what is paid back for other reasons. `isGone`: its
 * money went to the customer, or is on its way and nobody stops it.
 */
type Standing = { orderId: number; index: number; amountFen: number; isGone: boolean; isOver: boolean }

/**
 * What follows for orders from the refunds that they have now: how their payment stands, whether their problem is
 * solved or has become another, and what is lost where goods came out although their money went back. Twice is once.
 */
export async function settleOrders(tx: Tx, orderIds: readonly number[], now: Date): Promise<void> {
  const orders = await lockOrders(tx, orderIds)
  const items = await findItems(tx, orders)
  const standing = grouped(await findStanding(tx, orderIds), ({ orderId }) => orderId)
  const underWay = await findUnderWay(tx, orderIds)
  await moveSettled(
    tx,
    orders.map((order) => {
      const isUnderWay = underWay.has(order.id)
      return {
        order,
        paymentState: paymentAfter(order.paymentState, { ...order, isUnderWay }),
        problem: problemAfter(order, withStanding(items.get(order.id) ?? [], standing.get(order.id) ?? [])),
      }
    }),
  )
  await bookLosses(tx, orders, items, standing, now)
}

const withStanding = (items: readonly RefundItem[], standing: readonly Standing[]): StandingItem[] =>
  items.map((item) => ({ ...item, isGone: standing.some(({ index, isGone }) => isGone && index === item.index) }))

async function findStanding(tx: Tx, orderIds: readonly number[]): Promise<Standing[]> {
  const found = await sql<Standing>`
    select i.order_id as "orderId", i.item_index as index, i.amount_fen as "amountFen",
      r.state in ${statesIn(refundState, 'gone')} or (r.state = 'needs_handling' and r.tries > 0)
        as "isGone", r.state in ${statesIn(refundState, 'back')} as "isOver"
    from refund_item i join refund r on r.id = i.refund_id
    where i.order_id = any(${[...orderIds]}::bigint[]) and i.is_live and r.cause <> 'other'
    order by i.order_id, i.item_index`.execute(tx)
  return found.rows
}

async function findUnderWay(tx: Tx, orderIds: readonly number[]): Promise<Set<number>> {
  const found = await sql<{ id: number }>`select distinct order_id as id from refund
    where order_id = any(${[...orderIds]}::bigint[]) and state in ${statesIn(refundState, 'underWay')}`.execute(tx)
  return new Set(found.rows.map(({ id }) => id))
}

/** Money that a merchant collects itself is in none of our books, its loss neither. */
async function bookLosses(
  tx: Tx,
  orders: readonly RefundOrder[],
  items: ReadonlyMap<number, RefundItem[]>,
  standing: ReadonlyMap<number, Standing[]>,
  now: Date,
): Promise<void> {
  const lost = orders
    .filter(({ collectsPayment, method }) => !collectsPayment || method === 'cash' || method === 'member_card')
    .flatMap((order) => {
      const out = (items.get(order.id) ?? []).filter(({ state }) => itemState.is(state, 'dispensed'))
      const paid = (standing.get(order.id) ?? []).filter(({ isOver }) => isOver)
      const free = paid.filter((one) => out.some(({ index }) => index === one.index))
      // One piece was paid for, two are gone.
      const seconds = out.filter(({ isOutTwice }) => isOutTwice)
      return [
        ...free.map(({ index, amountFen }) => ({ order, amountFen, reference: `${order.id}/${index}` })),
        ...seconds.map(({ index, shareFen: amountFen }) => {
          return { order, amountFen, reference: `${order.id}/${index}/second` }
        }),
      ].filter(({ amountFen }) => amountFen > 0)
    })
  await postTransfers(
    tx,
    lost.map(({ order, reference, amountFen }) => ({
      kind: 'loss' as const,
      reference,
      merchantId: order.merchantId,
      postedAt: now,
      businessDay: businessTime(now, order.timeZone).day,
      postings: lossPostings({ merchantId: order.merchantId, amountFen, key: 'dispensed_after_refund' }),
    })),
  )
}
