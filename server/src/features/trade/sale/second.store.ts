import type { MessageData } from '@aisle/contract/device/messages'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import type { ItemRow, OrderRow, Reported } from '../trade.types'

/** What a machine said of a piece, with the piece as it stood. */
export type Said = { result: Reported<MessageData<'vend.result'>>; order: OrderRow; item: ItemRow }

export const codesOf = ({ result: { data } }: Said) => ({
  motorCode: data.motorCode,
  sensorCode: data.sensorCode,
  batch: data.batch ?? null,
  traceCode: data.traceCode ?? null,
})

/**
 * The first command of an item that was handed over again brought a piece out after all.
 * @returns the pieces that are told of for the first time
 */
export async function keepSeconds(tx: Tx, all: readonly Said[]): Promise<Said[]> {
  if (all.length === 0) return []
  const told = all.map((said) => ({
    orderId: said.order.id,
    index: said.item.index,
    merchantId: said.order.merchant_id,
    cameAt: said.result.occurredAt,
    ...codesOf(said),
  }))
  const fresh = await sql<{ key: string }>`insert into second_piece
      (order_id, index, merchant_id, came_at, motor_code, sensor_code, batch, trace_code)
    select * from ${rows('s', told, {
      orderId: 'bigint',
      index: 'smallint',
      merchantId: 'bigint',
      cameAt: 'timestamptz',
      motorCode: 'text',
      sensorCode: 'text',
      batch: 'text',
      traceCode: 'text',
    })} on conflict do nothing returning order_id || '/' || index as key`.execute(tx)
  const keys = new Set(fresh.rows.map(({ key }) => key))
  return all.filter(({ order, item }) => keys.delete(`${order.id}/${item.index}`))
}

/** Somebody looks at what left the slot twice; what is wrong with the order besides stays what it is. */
export async function flagSeconds(tx: Tx, orders: readonly OrderRow[]): Promise<void> {
  const keys = orders.map(({ merchant_id: merchantId, occurred_at: occurredAt, id }) => ({
    merchantId,
    occurredAt,
    id,
  }))
  if (keys.length === 0) return
  await sql`update orders o set problem = 'late_result'
    from ${rows('c', keys, { merchantId: 'bigint', occurredAt: 'timestamptz', id: 'bigint' })}
    where o.merchant_id = c.merchant_id and o.occurred_at = c.occurred_at and o.id = c.id and o.problem is null
  `.execute(tx)
}
