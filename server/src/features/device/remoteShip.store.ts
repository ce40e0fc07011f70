import { remoteShipState, type RemoteShipState } from '@aisle/contract/device/remoteShip'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { releaseRedelivered } from '../refund/public'
import { type Move, outsidePlaces, recordMoves } from '../stock/public'
import { type HandedOut, redeliver } from '../trade/public'

export type ShipRow = {
  id: number
  merchantId: number
  machineId: number
  slotCode: string
  placeId: number
  productId: number
  machineOrderNo: string
  orderNo: string | null
  itemIndex: number | null
  state: RemoteShipState
}

/** Locked, in the order of their ids. @param which on `remote_ship r` */
export async function lockShips(tx: Tx, which: RawBuilder<unknown>): Promise<ShipRow[]> {
  const found = await sql<ShipRow>`
    select r.id, r.merchant_id as "merchantId", r.machine_id as "machineId", r.slot_code as "slotCode",
      r.place_id as "placeId", r.product_id as "productId", r.order_no as "machineOrderNo", n.order_no as "orderNo",
      r.item_index as "itemIndex", r.state
    from remote_ship r left join order_number n on n.order_id = r.order_id
    where ${which} order by r.id for update of r`.execute(tx)
  return found.rows
}

export type Outcome = { isOut: boolean; motorCode: string | null; sensorCode: string | null; at: Date; detail?: string }

/**
 * What came out: the state moves, and the piece leaves the stock, for its order or as a gift. A result that comes again
 * changes nothing. @returns what came out of an order, for the figures; null where the state allows no such result
 */
export async function bookOutcome(tx: Tx, ship: ShipRow, outcome: Outcome): Promise<HandedOut[] | null> {
  const verb = outcome.isOut ? 'dispense' : 'jam'
  if (ship.state === remoteShipState.to(verb)) return []
  if (!remoteShipState.can(ship.state, verb)) return null
  const { motorCode, sensorCode, at, detail = null } = outcome
  await sql`update remote_ship set state = ${remoteShipState.to(verb)}, motor_code = ${motorCode},
      sensor_code = ${sensorCode}, finished_at = ${at}, received_at = coalesce(received_at, ${at}),
      detail = coalesce(${detail}, detail) where id = ${ship.id}`.execute(tx)
  ship.state = remoteShipState.to(verb)
  return outcome.isOut ? bookOut(tx, ship, outcome) : []
}

async function bookOut(tx: Tx, ship: ShipRow, { motorCode, sensorCode, at }: Outcome): Promise<HandedOut[]> {
  const { orderNo, itemIndex, placeId, productId, merchantId } = ship
  if (orderNo !== null && itemIndex !== null) {
    const codes = { motorCode: motorCode ?? '', sensorCode: sensorCode ?? '' }
    const one = { orderNo, itemIndex, placeId, productId, merchantId, at, ...codes }
    const { taken, handedOut } = await redeliver(tx, [one])
    if (taken[0]) {
      await releaseRedelivered(tx, orderNo, itemIndex, at)
      return handedOut
    }
  }
  const customers = await outsidePlaces(tx, 'customer', [merchantId])
  const gift: Move = {
    merchantId,
    movedAt: at,
    productId,
    quantity: 1,
    fromPlaceId: placeId,
    toPlaceId: customers.get(merchantId) ?? 0,
    cause: 'free',
    reference: `remote/${ship.id}`,
    batch: null,
  }
  await recordMoves(tx, [gift])
  return []
}
