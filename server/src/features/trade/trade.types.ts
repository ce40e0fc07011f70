import type { MessageRefusal } from '@aisle/contract/device/messages'
import type {
  BusinessType,
  ItemState,
  PaymentMethod,
  PaymentState,
  Problem,
  ShipState,
} from '@aisle/contract/trade/states'

/** A machine as trade needs it: whose it is, where its day begins, what it may sell. */
export type MachineRef = {
  id: number
  code: string
  merchantId: number
  pointId: number
  timeZone: string
  operation: 'in_operation' | 'stopped'
  licenceMode: 'none' | 'retail' | 'hospital'
  collectsPayment: boolean
  /** What did not come out is paid back at once. */
  autoRefund: boolean
  /** Pieces of an order are kept for it from the order on. */
  locksStock: boolean
  /** How many of a thousand plays win. */
  lotteryPermille: number
  /** Added to what a play is worth, in thousandths; below zero taken off. */
  upliftPermille: number
}

/** What a machine reports, already checked for shape; times are corrected by the machine's known skew. */
export type Reported<T> = { machine: MachineRef; occurredAt: Date; receivedAt: Date; isOffline: boolean; data: T }

export type Outcome = { ok: true } | { ok: false; reason: MessageRefusal }
/** By the report that each is the outcome of. */
export type Outcomes<R> = ReadonlyMap<R, Outcome>
export const taken: Outcome = { ok: true }
export const refused = (reason: MessageRefusal): Outcome => ({ ok: false, reason })

export type OrderRow = {
  id: number
  merchant_id: number
  machine_id: number
  point_id: number
  order_no: string
  machine_order_no: string
  business_type: BusinessType
  method: PaymentMethod
  payment_state: PaymentState
  ship_state: ShipState
  order_state: 'open' | 'done' | 'closed'
  problem: Problem | null
  is_lottery: boolean
  is_offline: boolean
  total_fen: number
  discount_fen: number
  paid_fen: number
  refunded_fen: number
  held_fen: number
  prescription_code: string | null
  tender_code: string | null
  third_party_no: string | null
  occurred_at: Date
  business_day: string
  received_at: Date
  ship_received_at: Date | null
}

export type ItemRow = {
  order_id: number
  index: number
  slot_id: number
  slot_code: string
  place_id: number
  product_id: number
  price_fen: number
  cost_fen: number
  state: ItemState
  batch: string | null
  trace_code: string | null
  /** Handed over from afar before the machine had answered for it. */
  redelivered_at: Date | null
}

/** A sale whose money has arrived, as ledger, rollups and wallboard take it. */
export type PaidSale = {
  orderId: number
  machine: MachineRef
  /** Where the machine stood when the order was opened. */
  pointId: number
  method: PaymentMethod
  businessType: BusinessType
  paidFen: number
  discountFen: number
  occurredAt: Date
  businessDay: string
  isOffline: boolean
  items: readonly { productId: number; priceFen: number; costFen: number }[]
}

/** A piece that came out, on the business day of its order. */
export type HandedOut = {
  businessDay: string
  machineId: number
  merchantId: number
  pointId: number
  productId: number
  batch: string | null
  priceFen: number
  costFen: number
}

/** A refund that was confirmed, as the figures take it; `businessDay` is the day of that. */
export type RefundedSale = {
  refundId: number
  orderId: number
  businessDay: string
  amountFen: number
  items: readonly { productId: number; quantity: number; amountFen: number }[]
}

export const handedOutOf = (order: OrderRow, item: ItemRow): HandedOut => ({
  businessDay: order.business_day,
  machineId: order.machine_id,
  merchantId: order.merchant_id,
  pointId: order.point_id,
  productId: item.product_id,
  batch: item.batch,
  priceFen: item.price_fen,
  costFen: item.cost_fen,
})

/** An order whose last item has its result, or that nobody waits for any more. */
export type Ended = { order: OrderRow; items: readonly ItemRow[]; at: Date }

/** An order that has been paid and must now be shipped by its machine. */
export type ToShip = {
  machine: MachineRef
  machineOrderNo: string
  orderNo: string
  items: { index: number; slot: string }[]
  /** When it was known to be paid: its machine is told from then on. */
  at: Date
}

/** What came of a play that has been paid; the machine shows it. */
export type Drawn = {
  machine: MachineRef
  machineOrderNo: string
  orderNo: string
  result: 'won' | 'lost'
  number: number
  oddsPermille: number
  /** Of who won: what stands for the prize. */
  prizeCode?: string
}

/** The order's number everywhere: the machine's code makes the machine's own number unique. */
export const orderNoOf = (machineCode: string, machineOrderNo: string) => `${machineCode}-${machineOrderNo}`
