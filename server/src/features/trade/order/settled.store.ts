import { itemState, type paymentState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'

type PaymentState = (typeof paymentState.states)[number]
type Order = { merchantId: number; occurredAt: Date; id: number; paymentState: string; problem: string | null }

/** What refunds make of orders: moves that the caller has judged by the state table, on rows that it holds. */
export async function moveSettled(
  tx: Tx,
  all: readonly { order: Order; paymentState: PaymentState; problem: string | null }[],
): Promise<void> {
  const moved = all.filter(
    ({ order, paymentState, problem }) => order.paymentState !== paymentState || order.problem !== problem,
  )
  if (moved.length === 0) return
  const written = moved.map(({ order: { merchantId, occurredAt, id }, paymentState, problem }) => ({
    merchantId,
    occurredAt,
    id,
    paymentState,
    problem,
  }))
  await sql`update orders o set payment_state = c.payment_state, problem = c.problem
    from ${rows('c', written, {
      merchantId: 'bigint',
      occurredAt: 'timestamptz',
      id: 'bigint',
      paymentState: 'text',
      problem: 'text',
    })} where o.merchant_id = c.merchant_id and o.occurred_at = c.occurred_at and o.id = c.id`.execute(tx)
}

/** Nobody knows whether the pieces came out: they are owed in goods or in money from now on. */
export async function giveUpItems(
  tx: Tx,
  { merchantId, occurredAt, orderId }: { merchantId: number; occurredAt: Date; orderId: number },
): Promise<void> {
  await sql`update order_item set state = ${itemState.to('giveUp')}
    where merchant_id = ${merchantId} and occurred_at = ${occurredAt} and order_id = ${orderId}
      and state = any(${[...itemState.from('giveUp')]}::text[])`.execute(tx)
}
