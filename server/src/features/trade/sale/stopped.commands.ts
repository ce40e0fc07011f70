import { itemState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { businessTime } from '../../../kernel/businessDay'
import type { Tx } from '../../../kernel/context'
import { must } from '../../../kernel/must'
import { blockedAsks } from '../../medicine/public'
import { finishOf } from '../order/order.rules'
import { findItems, lockByNumbers, markFinished, markItems } from '../order/order.store'
import type { OrderRow, ToShip } from '../trade.types'
import { settleHolds } from './tender'

/**
 * Of orders that have just been paid, those whose goods were stopped since they were quoted: a batch was recalled,
 * locked or ended meanwhile, or the cabinet grew too warm and its slots are locked. Nothing is shipped, they end here,
 * and their money is due back.
 * @returns what ships, and the ids of those that ended
 */
export async function holdBackStopped(
  tx: Tx,
  toShip: readonly ToShip[],
  now: Date,
): Promise<{ toShip: ToShip[]; ended: number[] }> {
  const numbers = await withMedicine(tx, toShip)
  if (numbers.length === 0) return { toShip: [...toShip], ended: [] }
  const orders = await lockByNumbers(tx, numbers)
  const items = await findItems(tx, [...orders.values()])
  const zones = new Map(toShip.map(({ machine }) => [machine.id, machine.timeZone]))
  const asks = [...orders.values()].map((order) => ({
    order,
    machine: { merchantId: order.merchant_id },
    // It leaves today: a batch may have ended since it was quoted.
    businessDay: businessTime(now, must(zones.get(order.machine_id), 'zone of a machine')).day,
    items: (items.get(order.id) ?? []).map(({ place_id: placeId, product_id: productId }) => ({ placeId, productId })),
  }))
  const locked = await lockedAmong(
    tx,
    asks.flatMap((ask) => ask.items.map(({ placeId }) => placeId)),
  )
  const blocked = await blockedAsks(tx, asks)
  const isStopped = (ask: (typeof asks)[number]) =>
    blocked.has(ask) || ask.items.some(({ placeId }) => locked.has(placeId))
  const stopped = asks.filter(isStopped).map(({ order }) => order)
  await endUnshipped(tx, stopped, items, now)
  const out = new Set(stopped.map(({ order_no: no }) => no))
  return { toShip: toShip.filter(({ orderNo }) => !out.has(orderNo)), ended: stopped.map(({ id }) => id) }
}

async function withMedicine(tx: Tx, toShip: readonly ToShip[]): Promise<string[]> {
  if (toShip.length === 0) return []
  const found = await sql<{ orderNo: string }>`select n.order_no as "orderNo" from order_number n
    where n.order_no = any(${toShip.map(({ orderNo }) => orderNo)}::text[]) and exists (
      select from order_item i join product p on p.id = i.product_id and p.kind = 'medicine'
      where i.merchant_id = n.merchant_id and i.occurred_at = n.occurred_at and i.order_id = n.order_id)`.execute(tx)
  return found.rows.map(({ orderNo }) => orderNo)
}

async function lockedAmong(tx: Tx, placeIds: readonly number[]): Promise<Set<number>> {
  const found = await sql<{ placeId: number }>`select place_id as "placeId" from slot
    where place_id = any(${placeIds}::bigint[]) and is_locked`.execute(tx)
  return new Set(found.rows.map(({ placeId }) => placeId))
}

type Items = Awaited<ReturnType<typeof findItems>>

async function endUnshipped(tx: Tx, orders: readonly OrderRow[], items: Items, now: Date): Promise<void> {
  const keyOf = ({ merchant_id: merchantId, occurred_at: occurredAt, id }: OrderRow) => ({ merchantId, occurredAt, id })
  const none = { motorCode: null, sensorCode: null, batch: null, traceCode: null, shippedAt: now }
  const state = itemState.to('fail')
  await markItems(
    tx,
    orders.flatMap((order) =>
      (items.get(order.id) ?? []).map(({ index }) => ({ ...keyOf(order), ...none, index, state })),
    ),
  )
  const ended = orders.map((order) => {
    const own = (items.get(order.id) ?? []).map((item) => ({ ...item, state }))
    const states = own.map((item) => item.state)
    return { order, items: own, finish: must(finishOf(order, states), 'end of an order') }
  })
  await markFinished(
    tx,
    ended.map(({ order, finish }) => ({ ...keyOf(order), ...finish, finishedAt: now })),
  )
  await settleHolds(
    tx,
    ended.map((each) => ({ order: each.order, items: each.items, at: now })),
  )
}
