import type { ItemRow, MachineRef, OrderRow, PaidSale, ToShip } from '../trade.types'

/** An order whose money has just arrived, as ledger and figures take it. */
export const paidSaleOf = (
  order: OrderRow,
  machine: MachineRef,
  paidFen: number,
  items: readonly ItemRow[],
): PaidSale => ({
  orderId: order.id,
  machine,
  pointId: order.point_id,
  method: order.method,
  businessType: order.business_type,
  paidFen,
  discountFen: order.discount_fen,
  occurredAt: order.occurred_at,
  businessDay: order.business_day,
  isOffline: order.is_offline,
  items: items.map((item) => ({ productId: item.product_id, priceFen: item.price_fen, costFen: item.cost_fen })),
})

/** And as its machine is told. */
export const toShipOf = (order: OrderRow, machine: MachineRef, items: readonly ItemRow[], at: Date): ToShip => ({
  machine,
  machineOrderNo: order.machine_order_no,
  orderNo: order.order_no,
  items: items.map((item) => ({ index: item.index, slot: item.slot_code })),
  at,
})
