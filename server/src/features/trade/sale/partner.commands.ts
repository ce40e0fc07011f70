import type { MessageRefusal } from '@aisle/contract/device/messages'
import { itemState, paymentState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { businessTime } from '../../../kernel/businessDay'
import type { Tx } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { checkMedicines } from '../../pharmacy/public'
import { findSlots } from '../../stock/public'
import type { Books } from './books'
import { choose, type Promised, type SaleSlot } from './choice'
import { freeNumbers, insertItems, insertOrders, type NewOrder, takeNumbers } from '../order/order.store'
import { type MachineRef, orderNoOf, type PaidSale, type ToShip } from '.././trade.types'

/** Numbers of orders that another program asked for; machines make none of the kind. */
const PARTNER_PREFIX = 'OPEN-'

type Asked = { machine: MachineRef; requestNo: string; slots: readonly string[]; promised: Promised; at: Date }
type Made = {
  orderId: number
  orderNo: string
  items: { index: number; slotCode: string; productCode: string }[]
  toShip: ToShip[]
}

/**
 * Opens an order that was paid elsewhere: it costs nothing here, so the books hear of no money, and everything else
 * (law, stock, shipment, result) is as for any other.
 */
export async function openForPartner(tx: Tx, books: Books, asked: Asked): Promise<Made | { refused: MessageRefusal }> {
  const { machine, requestNo } = asked
  const found = await findSlots(
    tx,
    asked.slots.map((code) => ({ machineId: machine.id, code })),
  )
  const { slots: codes, promised } = asked
  const chosen = choose(machine, { method: 'other', slots: codes, promised }, found)
  if (chosen.refused !== null) return chosen
  const { slots } = chosen
  const [numbered] = await takeNumbers(tx, [{ order: orderOf(asked, await nextNo(tx)) }])
  if (!numbered) return { refused: 'orderNoReused' }
  const { order } = numbered
  const { id } = order
  const medicines = medicinesOf(order, machine, slots)
  const unlawful = (await checkMedicines(tx, [medicines])).get(medicines)
  if (unlawful) {
    await freeNumbers(tx, [id])
    return { refused: unlawful }
  }
  await insertOrders(tx, [{ ...order, tenderCode: requestNo }])
  await insertItems(
    tx,
    slots.map((slot, index) => ({ ...itemOf(order, slot), orderId: id, index })),
  )
  const items = slots.map((slot, index) => ({ index, slotCode: slot.code, productCode: slot.product_code }))
  const shipped = items.map(({ index, slotCode }) => ({ index, slot: slotCode }))
  const { orderNo, machineOrderNo } = order
  const toShip = [{ machine, machineOrderNo, orderNo, items: shipped, at: order.receivedAt }]
  books.paid([paidSale(id, order, machine, slots)])
  return { orderId: id, orderNo, items, toShip }
}

async function nextNo(tx: Tx): Promise<string> {
  const next = await sql<{ no: number }>`select nextval('partner_order_no') as no`.execute(tx)
  return `${PARTNER_PREFIX}${only(next).no}`
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

const medicinesOf = (order: NewOrder, machine: MachineRef, slots: readonly SaleSlot[]) => ({
  machine,
  businessDay: order.businessDay,
  prescription: null,
  person: null,
  at: order.occurredAt,
  receivedAt: order.receivedAt,
  items: slots.map((slot) => ({
    placeId: slot.place_id,
    productId: slot.product_id,
    medicineClass: slot.medicine_class,
    priceFen: 0,
  })),
})

const itemOf = (order: NewOrder, slot: SaleSlot) => ({
  merchantId: order.merchantId,
  occurredAt: order.occurredAt,
  slotId: slot.id,
  productId: slot.product_id,
  listPriceFen: slot.price_fen,
  priceFen: 0,
  costFen: slot.cost_fen,
  state: itemState.initial,
  motorCode: null,
  sensorCode: null,
  batch: null,
  traceCode: null,
  shippedAt: null,
})

const paidSale = (orderId: number, order: NewOrder, machine: MachineRef, slots: readonly SaleSlot[]): PaidSale => ({
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
  items: slots.map((slot) => ({ productId: slot.product_id, priceFen: 0, costFen: slot.cost_fen })),
})
