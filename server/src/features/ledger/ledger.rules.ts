import { type PaymentMethod, channelMethods } from '@aisle/contract/trade/states'

export type AccountKind =
  | 'clearing'
  | 'pending'
  | 'available'
  | 'withdrawing'
  | 'fees'
  | 'cash_in_machine'
  | 'cash_owned'
  | 'card_liability'
  | 'loss'

export type AccountName = { kind: AccountKind; merchantId: number; key: string }
/** Debits are positive, credits negative; the entries of a transfer sum to zero. */
export type Posting = { account: AccountName; amountFen: number }

const isChannel = (method: PaymentMethod): boolean => (channelMethods as readonly string[]).includes(method)

/**
 * What a paid sale posts (docs/decisions/0003). A merchant that collects its own payment has the sale on the order and
 * no money here; a pick-up code was paid for elsewhere. Cash lies in the machine and is the merchant's own.
 */
export function salePostings(sale: {
  method: PaymentMethod
  paidFen: number
  merchantId: number
  machineCode: string
  collectsPayment: boolean
}): Posting[] {
  const { method, paidFen, merchantId } = sale
  if (paidFen === 0 || method === 'pickup_code') return []
  const from = (kind: AccountKind, key = ''): Posting => ({ account: { kind, merchantId, key }, amountFen: paidFen })
  const to = (kind: AccountKind): Posting => ({ account: { kind, merchantId, key: '' }, amountFen: -paidFen })
  if (method === 'cash') return [from('cash_in_machine', sale.machineCode), to('cash_owned')]
  if (method === 'member_card') return [from('card_liability'), to('pending')]
  if (!isChannel(method) || sale.collectsPayment) return []
  return [from('clearing', method), to('pending')]
}

/** Which side of zero an account must stay on: 1 not below, -1 not above, 0 free. */
export function boundOf(kind: AccountKind): -1 | 0 | 1 {
  if (kind === 'cash_in_machine') return 1
  if (kind === 'card_liability' || kind === 'available' || kind === 'withdrawing') return -1
  return 0
}
