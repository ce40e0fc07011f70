import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import { type LoadedTraces, loseSoldOut, type SoldTrace, takeTraces } from '../../medicine/public'
import type { MachineRef, Reported } from '../trade.types'
import type { Said } from './second.store'
import type { WrongPiece } from './wrongSale.rules'

/** A piece that came out; null where its machine does not name it by a code of its own. */
export type TracedPiece = Omit<SoldTrace, 'traceCode'> & { machine: MachineRef; slot: string; traceCode: string | null }

export const tracedOf = (all: readonly Said[], isSecond: boolean): TracedPiece[] =>
  all.flatMap(({ result, order, item }) =>
    pieceOf(
      result,
      { id: order.id, orderNo: order.order_no, occurredAt: order.occurred_at, merchantId: order.merchant_id },
      { ...result.data, index: item.index, isSecond, slot: item.slot_code, productId: item.product_id },
    ),
  )

type Order = { id: number; orderNo: string; occurredAt: Date; merchantId: number }
type Piece = { index: number; isSecond: boolean; slot: string; productId: number; ok: boolean }
type Codes = { batch?: string | undefined; traceCode?: string | undefined }

export function pieceOf(
  { machine, occurredAt, receivedAt }: Omit<Reported<unknown>, 'data'>,
  order: Order,
  { index, isSecond, slot, productId, ok, batch, traceCode }: Piece & Codes,
): TracedPiece[] {
  if (!ok) return []
  const sale = { orderId: order.id, orderNo: order.orderNo, orderAt: order.occurredAt, merchantId: order.merchantId }
  const when = { soldAt: occurredAt, heardAt: receivedAt }
  const named = { traceCode: traceCode || null, index, isSecond, slot, productId, batch: batch ?? null }
  return [{ ...sale, ...when, ...named, machine, machineId: machine.id }]
}

/**
 * What was put in and sold by its code, in one go for all that machines say at once. A code that was sold before,
 * anywhere in the network, makes its order a case: one of the two packs is not what it says. Codes that are left in a
 * slot whose last pack was sold without naming it have gone with the packs. @returns those pieces
 */
export async function takeTraced(
  tx: Tx,
  loads: readonly LoadedTraces[],
  pieces: readonly TracedPiece[],
): Promise<WrongPiece[]> {
  const twice = await takeTraces(
    tx,
    loads,
    pieces.flatMap(({ traceCode, ...piece }) => (traceCode === null ? [] : [{ ...piece, traceCode }])),
  )
  await loseSoldOut(
    tx,
    pieces.filter(({ traceCode }) => traceCode === null),
  )
  if (twice.length === 0) return []
  const items = twice.map(({ sold: { merchantId, orderAt, orderId, index, isSecond } }) => {
    return { merchantId, orderAt, orderId, index, isSecond }
  })
  const said = rows('c', items, {
    merchantId: 'bigint',
    orderAt: 'timestamptz',
    orderId: 'bigint',
    index: 'smallint',
    isSecond: 'boolean',
  })
  // What is the law's and money that is due stand above it; the alarm tells it either way.
  await sql`update orders o set problem = 'sold_twice' from ${said}
    where o.merchant_id = c.merchant_id and o.occurred_at = c.order_at and o.id = c.order_id
      and (o.problem is null or o.problem in ('late_result', 'goods_differ'))`.execute(tx)
  await sql`update order_item i set wrong = 'traceSoldTwice' from ${said}
    where i.merchant_id = c.merchant_id and i.occurred_at = c.order_at and i.order_id = c.order_id
      and i.index = c.index and not c.is_second and i.wrong is null`.execute(tx)
  const codes = await sql<{ id: number; code: string }>`select id, code from product
    where id = any(${twice.map(({ sold }) => sold.productId)}::bigint[])`.execute(tx)
  const codeOf = new Map(codes.rows.map(({ id, code }) => [id, code]))
  return twice.map(({ sold: { machine, slot, productId, orderNo, traceCode }, other }) => ({
    machine,
    slot,
    product: codeOf.get(productId) ?? '',
    orderNo,
    why: 'traceSoldTwice',
    twice: { code: traceCode, other },
  }))
}
