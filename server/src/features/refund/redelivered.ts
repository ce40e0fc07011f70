import { refundState } from '@aisle/contract/refund/states'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { openDue } from './due.commands'
import { lockOrders } from './order.store'
import { lockRefunds, moveRefund, appendEvents } from './refund.store'
import { statesFrom } from '../../kernel/states'

/**
 * An item was handed out after all, by a remote dispense: refunds of it that nobody sent are dropped, and what the
 * order still owes for others is asked for anew.
 */
export async function releaseRedelivered(tx: Tx, orderNo: string, itemIndex: number, now: Date): Promise<void> {
  const found = await sql<{ id: number }>`select order_id as id from order_number where order_no = ${orderNo}`.execute(
    tx,
  )
  const id = found.rows[0]?.id
  if (id === undefined) return
  await lockOrders(tx, [id])
  const refunds = await lockRefunds(
    tx,
    sql`r.order_id = ${id} and r.state in ${statesFrom(refundState, 'reject')} and r.tries = 0
      and r.pay_back_way is null and exists (
      select 1 from refund_item i where i.refund_id = r.id and i.item_index = ${itemIndex})`,
  )
  for (const refund of refunds) {
    await moveRefund(tx, refund, 'reject', { endedAt: now, detail: 'redelivered' }, now)
    await appendEvents(tx, [{ refundId: refund.id, verb: 'redelivered' }], now)
  }
  await openDue(tx, [id], now)
}
