import { itemState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import { stoppedBatches } from '../../medicine/public'
import type { Said } from './second.store'
import type { WrongPiece } from './wrongSale.rules'

/**
 * Pieces of orders that were sold by the rules, of which the machine says only now of which batch they were: expired,
 * locked or recalled. The order is a case from then on. @returns those pieces
 */
export async function flagStopped(tx: Tx, out: readonly Said[]): Promise<WrongPiece[]> {
  const pieceOf = ({ order, item }: Said) => ({
    productId: item.product_id,
    batch: item.batch,
    businessDay: order.business_day,
  })
  const dispensed = out.filter(({ item }) => itemState.is(item.state, 'dispensed') && item.batch !== null)
  const isStopped = await stoppedBatches(tx, dispensed.map(pieceOf))
  const wrong = dispensed.filter((said) => isStopped(pieceOf(said)))
  if (wrong.length === 0) return []
  const keys = wrong.map(({ order: { merchant_id: merchantId, occurred_at: occurredAt, id } }) => ({
    merchantId,
    occurredAt,
    id,
  }))
  await sql`update orders o set problem = 'unlawful_sale'
    from ${rows('c', keys, { merchantId: 'bigint', occurredAt: 'timestamptz', id: 'bigint' })}
    where o.merchant_id = c.merchant_id and o.occurred_at = c.occurred_at and o.id = c.id`.execute(tx)
  const items = wrong.map(({ order, item: { index } }) => ({ orderId: order.id, occurredAt: order.occurred_at, index }))
  await sql`update order_item i set wrong = 'batchNotForSale'
    from ${rows('c', items, { orderId: 'bigint', occurredAt: 'timestamptz', index: 'smallint' })}
    where i.occurred_at = c.occurred_at and i.order_id = c.order_id and i.index = c.index`.execute(tx)
  const codes = await sql<{ id: number; code: string }>`select id, code from product
    where id = any(${wrong.map(({ item }) => item.product_id)}::bigint[])`.execute(tx)
  const codeOf = new Map(codes.rows.map(({ id, code }) => [id, code]))
  return wrong.map(({ result: { machine }, order, item }) => ({
    machine,
    slot: item.slot_code,
    product: codeOf.get(item.product_id) ?? '',
    orderNo: order.order_no,
    why: 'batchNotForSale',
  }))
}
