import { type PaymentMethod, channelMethods } from '@aisle/contract/trade/states'
import type { AccountKind, Posting } from './ledger.rules'

type Refunded = {
  method: PaymentMethod
  amountFen: number
  merchantId: number
  machineCode: string
  collectsPayment: boolean
  /** How a person paid it back; null where the channel that had taken the money did. */
  byHand: 'transfer' | 'cash' | null
}

/**
 * What a refund posts once the money is with the customer: the sale the other way round (docs/decisions/0016). Paid
 * back by hand it leaves the bank or the cash at hand, and what the channel holds stays where it is. Cards are credited
 * by the domain that keeps them.
 */
export function refundPostings(refund: Refunded): Posting[] {
  const { method, amountFen, merchantId, byHand } = refund
  const owed = (kind: AccountKind): Posting => ({ account: { kind, merchantId, key: '' }, amountFen })
  const out = (kind: AccountKind, key: string): Posting => ({
    account: { kind, merchantId, key },
    amountFen: -amountFen,
  })
  if (amountFen === 0 || method === 'pickup_code') return []
  if (method === 'cash') {
    return [
      owed('cash_owned'),
      byHand === 'transfer' ? out('bank', byHand) : out('cash_in_machine', refund.machineCode),
    ]
  }
  if (refund.collectsPayment && method !== 'member_card') return []
  if (byHand) return [owed('pending'), out('bank', byHand)]
  return (channelMethods as readonly string[]).includes(method) ? [owed('pending'), out('clearing', method)] : []
}

type Loss = { merchantId: number; amountFen: number; key: 'dispensed_after_refund' | 'written_off_stock' }

/**
 * Goods that are lost: what came out after its money was back, for what it was sold (device protocol, 3.5), and what
 * was written off, at cost. Below 0 they are found again.
 */
export const lossPostings = (loss: Loss): Posting[] => [
  { account: { kind: 'loss', merchantId: loss.merchantId, key: loss.key }, amountFen: loss.amountFen },
  { account: { kind: 'goods', merchantId: loss.merchantId, key: '' }, amountFen: -loss.amountFen },
]
