import { remoteShipState, type RemoteShipState } from '@aisle/contract/device/remoteShip'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../kernel/context'
import { must } from '../../../kernel/must'
import { releaseRedelivered } from '../../refund/public'
import { type Move, outsidePlaces, recordMoves } from '../../stock/public'
import { type Books, redeliver } from '../../trade/public'
import { stateful } from '../../../kernel/states'

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

export const remoteShips = stateful('remoteShip', 'state', remoteShipState, { versioned: false })

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
 * changes nothing. @returns whether the state allows such a result
 */
export async function bookOutcome(tx: Tx, books: Books, ship: ShipRow, outcome: Outcome): Promise<boolean> {
  const verb = outcome.isOut ? 'dispense' : 'jam'
  if (remoteShipState.is(ship.state, remoteShipState.to(verb))) return true
  if (!remoteShipState.can(ship.state, verb)) return false
  const { motorCode, sensorCode, at, detail = null } = outcome
  ship.state = await remoteShips.move(tx, ship, verb, {
    motorCode,
    sensorCode,
    finishedAt: at,
    receivedAt: sql`coalesce(received_at, ${at})`,
    detail: sql`coalesce(${detail}, detail)`,
  })
  if (outcome.isOut) await bookOut(tx, books, ship, outcome)
  return true
}

async function bookOut(tx: Tx, books: Books, ship: ShipRow, { motorCode, sensorCode, at }: Outcome): Promise<void> {
  const { orderNo, itemIndex, placeId, productId, merchantId } = ship
  if (orderNo !== null && itemIndex !== null) {
    const codes = { motorCode: motorCode ?? '', sensorCode: sensorCode ?? '' }
    const one = { orderNo, itemIndex, placeId, productId, merchantId, at, ...codes }
    if (await redeliver(tx, books, one)) return releaseRedelivered(tx, orderNo, itemIndex, at)
  }
  const customers = await outsidePlaces(tx, 'customer', [merchantId])
  const gift: Move = {
    merchantId,
    movedAt: at,
    productId,
    quantity: 1,
    fromPlaceId: placeId,
    toPlaceId: must(customers.get(merchantId), 'place of customers'),
    cause: 'free',
    reference: `remote/${ship.id}`,
    batch: null,
  }
  await recordMoves(tx, [gift])
}
