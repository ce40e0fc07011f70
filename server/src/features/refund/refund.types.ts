import type { RefundCause, RefundState } from '@aisle/contract/refund/states'
import type {
  BusinessType,
  ItemState,
  PaymentMethod,
  PaymentState,
  Problem,
  ShipState,
} from '@aisle/contract/trade/states'

/** An order as refunds need it: its money, its machine, and the attempt by which a channel took the money. */
export type RefundOrder = {
  id: number
  orderNo: string
  merchantId: number
  machineId: number
  machineCode: string
  occurredAt: Date
  timeZone: string
  autoRefund: boolean
  collectsPayment: boolean
  method: PaymentMethod
  businessType: BusinessType
  paymentState: PaymentState
  shipState: ShipState
  orderState: 'open' | 'done' | 'closed'
  problem: Problem | null
  /** A lottery order whose play took place. */
  isPlayed: boolean
  totalFen: number
  paidFen: number
  refundedFen: number
  heldFen: number
  paidAt: Date | null
  attemptId: number | null
  /** How many refunds it has, whatever became of them: numbers go on from there. */
  refunds: number
  /** What people asked for so far and no second one has looked at: parts of an amount count as the whole. */
  unseenFen: number
}

/** An item with its part of the payment. `isHeld`: a refund that was not rejected stands for it. */
export type RefundItem = {
  orderId: number
  index: number
  productId: number
  state: ItemState
  shareFen: number
  isHeld: boolean
  /** A second piece came out after one was handed over from afar. */
  isOutTwice: boolean
}

export type NewRefund = {
  order: RefundOrder
  amountFen: number
  cause: RefundCause
  reason: string
  state: RefundState
  detail: string | null
  items: readonly RefundItem[]
  requestedById: number | null
  /** Above which a second person looks, as it stands now; null where no person asks. */
  limitFen: number | null
}

export type RefundRow = {
  id: number
  refundNo: string
  orderId: number
  orderNo: string
  merchantId: number
  machineId: number
  method: PaymentMethod
  attemptId: number | null
  amountFen: number
  cause: RefundCause
  reason: string
  state: RefundState
  detail: string | null
  tries: number
  asks: number
  sentAt: Date | null
  requestedById: number | null
  limitFen: number | null
  requestedAt: Date
  channelRefundNo: string | null
  payBackById: number | null
  payBackWay: 'transfer' | 'cash' | null
}
