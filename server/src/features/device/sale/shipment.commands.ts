import { randomUUID } from 'node:crypto'
import { announce } from '../../../kernel/announce'
import type { Tx } from '../../../kernel/context'
import { markShipSent, type ToShip } from '../../trade/public'
import { type Dispatch, type NewCommand, queueCommands, takeForSending } from '../command/command.store'

/** A ship command for each order just paid, in the payment's own transaction; published after its commit. */
export async function sendShipments(tx: Tx, orders: readonly ToShip[], now: Date): Promise<Dispatch[]> {
  if (orders.length === 0) return []
  await queueShipments(tx, orders, now)
  return takeForSending(tx, [...new Set(orders.map((order) => order.machine.id))], false, now)
}

/** Of orders that were not paid at their machine: the gateway that has it hears of it with the commit. */
export async function announceShipments(tx: Tx, orders: readonly ToShip[], now: Date): Promise<void> {
  if (orders.length === 0) return
  await queueShipments(tx, orders, now)
  await announce(tx, { topic: 'commands', machineIds: [...new Set(orders.map((order) => order.machine.id))] })
}

async function queueShipments(tx: Tx, orders: readonly ToShip[], now: Date): Promise<void> {
  const commands = orders.map(
    (order): NewCommand => ({
      id: randomUUID(),
      merchantId: order.machine.merchantId,
      machineId: order.machine.id,
      type: 'ship',
      data: { orderNo: order.machineOrderNo, items: order.items },
      reason: null,
      createdBy: null,
      at: order.at,
    }),
  )
  await queueCommands(tx, commands, now)
  await markShipSent(tx, orders)
}
