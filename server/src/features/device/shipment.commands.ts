import { randomUUID } from 'node:crypto'
import type { Tx } from '../../kernel/context'
import { markShipSent, type ToShip } from '../trade/public'
import { type Dispatch, type NewCommand, queueCommands, takeForSending } from './command.store'

/** A ship command for each order just paid, in the payment's own transaction; published after its commit. */
export async function sendShipments(tx: Tx, orders: readonly ToShip[], now: Date | undefined): Promise<Dispatch[]> {
  if (orders.length === 0 || !now) return []
  const commands = orders.map(
    (order): NewCommand => ({
      id: randomUUID(),
      merchantId: order.machine.merchantId,
      machineId: order.machine.id,
      type: 'ship',
      data: { orderNo: order.machineOrderNo, items: order.items },
      reason: null,
      createdBy: null,
    }),
  )
  await queueCommands(tx, commands, now)
  await markShipSent(
    tx,
    orders.map((order) => order.orderNo),
    now,
  )
  return takeForSending(tx, [...new Set(orders.map((order) => order.machine.id))], false, now)
}
