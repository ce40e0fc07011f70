import { type MessageRefusal } from '@aisle/contract/device/messages'
import { slotState } from '@aisle/contract/fleet/states'
import { itemState, paymentState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { businessTime } from '../../kernel/businessDay'
import type { Tx } from '../../kernel/context'
import { checkMedicines } from '../pharmacy/public'
import { findSlots, type SlotRef, slotKey } from '../stock/public'
import { orderRefusal } from './order.rules'
import { freeNumbers, insertItems, insertOrders, type NewOrder, takeNumbers } from './order.store'
import { type MachineRef, orderNoOf, type PaidSale, type ToShip } from './trade.types'

/** Numbers of orders that another program asked for; machines make none of the kind. */
const PARTNER_PREFIX = 'OPEN-'

type Asked = { machine: MachineRef; requestNo: string; slots: readonly string[]; promised: Promised; at: Date }
/** Pieces by the slot that they are to come out of. */
export type Promised = ReadonlyMap<number, number>
type Made = {
  orderId: number
  orderNo: string
  items: { index: number; slotCode: string; productCode: string }[]
  paid: PaidSale[]
  toShip: ToShip[]
}

/**
 * What is paid for and not out yet: it still lies in stock and is nobody else's. Until the transaction ends nobody else
 * promises anything of this machine, so that the last piece is promised once.
 */
export async function holdPromised(tx: Tx, machineId: number): Promise<Promised> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`promised/${machineId}`}, 0))`.execute(tx)
  const found = await sql<{ slotId: number; pieces: number }>`
    select i.slot_id as "slotId", count(*)::int as pieces from orders o
    join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
    where o.order_state = 'open' and o.machine_id = ${machineId} and o.payment_state = 'paid' and i.state = 'waiting'
    group by i.slot_id`.execute(tx)
  return new Map(found.rows.map(({ slotId, pieces }) => [slotId, pieces]))
}

/**
 * Opens an order that was paid elsewhere: it costs nothing here, so the books hear of no money, and everything else
 * (law, stock, shipment, result) is as for any other. The transaction must end with `bookPaid`.
 */
export async function openForPartner(tx: Tx, asked: Asked): Promise<Made | { refused: MessageRefusal }> {
  const { machine, requestNo } = asked
  const found = await findSlots(
    tx,
    asked.slots.map((code) => ({ machineId: machine.id, code })),
  )
  const slots = asked.slots.flatMap((code) => found.get(slotKey(machine.id, code)) ?? [])
  if (slots.length < asked.slots.length) return { refused: 'unknownSlot' }
  const refused = orderRefusal(machine, { method: 'other' }, slots.map(stateIn(slots, asked.promised)))
  if (refused) return { refused }
  const order = orderOf(asked, await nextNo(tx))
  const id = (await takeNumbers(tx, [order])).get(order.orderNo)
  if (id === undefined) return { refused: 'orderNoReused' }
  const unlawful = (await checkMedicines(tx, [medicinesOf(id, { order, machine }, slots)])).get(id)
  if (unlawful) {
    await freeNumbers(tx, [id])
    return { refused: unlawful }
  }
  await insertOrders(tx, [{ ...order, id, tenderCode: requestNo }])
  await insertItems(
    tx,
    slots.map((slot, index) => ({ ...itemOf(order, slot), orderId: id, index })),
  )
  const items = slots.map((slot, index) => ({ index, slotCode: slot.code, productCode: slot.product_code ?? '' }))
  const shipped = items.map(({ index, slotCode }) => ({ index, slot: slotCode }))
  const { orderNo, machineOrderNo } = order
  const toShip = [{ machine, machineOrderNo, orderNo, items: shipped }]
  return { orderId: id, orderNo, items, paid: [paidSale(id, order, machine, slots)], toShip }
}

/** Its own place in the row of slots counts: the second piece of a slot finds one less. */
const stateIn = (slots: readonly SlotRef[], promised: Promised) => (slot: SlotRef, at: number) => ({
  state: slotState({
    ...slot,
    stock: slot.stock - (promised.get(slot.id) ?? 0) - slots.slice(0, at).filter((before) => before === slot).length,
    priceFen: slot.price_fen,
    hasProduct: slot.product_id !== null,
    isLocked: slot.is_locked,
  }),
  medicineClass: slot.medicine_class,
})

async function nextNo(tx: Tx): Promise<string> {
  const found = await sql<{ no: number }>`select nextval('partner_order_no') as no`.execute(tx)
  return `${PARTNER_PREFIX}${found.rows[0]?.no ?? 0}`
}

const orderOf = ({ machine, slots, at }: Asked, machineOrderNo: string): NewOrder => ({
  orderNo: orderNoOf(machine.code, machineOrderNo),
  machineOrderNo,
  merchantId: machine.merchantId,
  machineId: machine.id,
  pointId: machine.pointId,
  businessType: 'sale',
  method: 'other',
  paymentState: paymentState.to('pay'),
  shipState: 'in_transit',
  orderState: 'open',
  problem: null,
  isOffline: false,
  itemCount: slots.length,
  totalFen: 0,
  discountFen: 0,
  paidFen: 0,
  occurredAt: at,
  receivedAt: at,
  businessDay: businessTime(at, machine.timeZone).day,
  paidAt: at,
  finishedAt: null,
})

const medicinesOf = (
  orderId: number,
  { order, machine }: { order: NewOrder; machine: MachineRef },
  slots: readonly SlotRef[],
) => ({
  orderId,
  machine,
  businessDay: order.businessDay,
  prescription: null,
  at: order.occurredAt,
  receivedAt: order.receivedAt,
  items: slots.map((slot) => ({
    placeId: slot.place_id,
    productId: slot.product_id ?? 0,
    medicineClass: slot.medicine_class,
    priceFen: 0,
  })),
})

const itemOf = (order: NewOrder, slot: SlotRef) => ({
  merchantId: order.merchantId,
  occurredAt: order.occurredAt,
  slotId: slot.id,
  productId: slot.product_id ?? 0,
  listPriceFen: slot.price_fen ?? 0,
  priceFen: 0,
  costFen: slot.cost_fen ?? 0,
  state: itemState.initial,
  motorCode: null,
  sensorCode: null,
  batch: null,
  traceCode: null,
  shippedAt: null,
})

const paidSale = (orderId: number, order: NewOrder, machine: MachineRef, slots: readonly SlotRef[]): PaidSale => ({
  orderId,
  machine,
  pointId: order.pointId,
  method: 'other',
  businessType: 'sale',
  paidFen: 0,
  discountFen: 0,
  occurredAt: order.occurredAt,
  businessDay: order.businessDay,
  isOffline: false,
  items: slots.map((slot) => ({ productId: slot.product_id ?? 0, priceFen: 0, costFen: slot.cost_fen ?? 0 })),
})
