import type { MessageRefusal } from '@aisle/contract/device/messages'
import type { ItemState, PaymentMethod, PaymentState, Problem, ShipState } from '@aisle/contract/trade/states'

/** A machine as trade needs it: whose it is, where its day begins, what it may sell. */
export type MachineRef = {
  id: number
  code: string
  merchantId: number
  timeZone: string
  operation: 'in_operation' | 'stopped'
  licenceMode: 'none' | 'retail' | 'hospital'
  collectsPayment: boolean
}

/** What a machine reports, already checked for shape; times are corrected by the machine's known skew. */
export type Reported<T> = { machine: MachineRef; occurredAt: Date; receivedAt: Date; isOffline: boolean; data: T }

export type Outcome = { ok: true } | { ok: false; reason: MessageRefusal }
export const taken: Outcome = { ok: true }
export const refused = (reason: MessageRefusal): Outcome => ({ ok: false, reason })

export type OrderRow = {
  id: number
  merchant_id: number
  machine_id: number
  order_no: string
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
  state: ItemState
}

/** A sale whose money has arrived, as ledger, rollups and wallboard take it. */
export type PaidSale = {
  orderId: number
  machine: MachineRef
  method: PaymentMethod
  paidFen: number
  discountFen: number
  occurredAt: Date
  businessDay: string
  isOffline: boolean
  items: readonly { productId: number; priceFen: number }[]
}

/** The order's number everywhere: the machine's code makes the machine's own number unique. */
export const orderNoOf = (machineCode: string, machineOrderNo: string) => `${machineCode}-${machineOrderNo}`
