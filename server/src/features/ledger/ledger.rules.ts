import { type PaymentMethod, channelMethods } from '@aisle/contract/trade/states'

/** Assets and expenses are debits, what is owed and earned are credits. */
export type AccountKind =
  /** Paid by customers, and not yet found in the channel's bill. */
  | 'clearing'
  /** What the channel holds for us by its own bill; key: the channel. */
  | 'channel_balance'
  /** Paid out by the channel, and not yet seen at the bank. */
  | 'payout_in_transit'
  | 'bank'
  | 'pending'
  | 'available'
  | 'withdrawing'
  | 'fees'
  | 'channel_fee'
  /** What a bill says and nobody can explain yet. */
  | 'suspense'
  | 'cash_in_machine'
  | 'cash_in_transit'
  | 'cash_counted'
  | 'cash_owned'
  | 'card_liability'
  | 'gift_liability'
  /** What an issuer has yet to bring in for its cards: what its desk took, and gifts that were spent. */
  | 'card_due'
  /** Given on top and not spent yet: the other side of `gift_liability`. */
  | 'coupon_cost'
  /** What is owed to who shares in orders; key: the receiver. */
  | 'split_payable'
  | 'tax_payable'
  | 'goods'
  | 'loss'
  /** What is owed to a supplier; key: its id. Above 0 the supplier owes us. */
  | 'supplier_due'
  /** What invoices were accepted at beyond what had been agreed. */
  | 'price_difference'

export type AccountName = { kind: AccountKind; merchantId: number; key: string }
/** Debits are positive, credits negative; the entries of a transfer sum to zero. */
export type Posting = { account: AccountName; amountFen: number }

/** @param key what the account is kept for; '' where there is one a merchant */
export const entry = (kind: AccountKind, merchantId: number, key: string, amountFen: number): Posting => ({
  account: { kind, merchantId, key },
  amountFen,
})

/** An entry of nothing is none. */
export const moving = (postings: readonly Posting[]): Posting[] => postings.filter(({ amountFen }) => amountFen !== 0)

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
  /** Of a sale that a member card paid: whose card, and what each of its balances gave. */
  card?: { cardId: number; issuerId: number; balanceFen: number; giftFen: number }
}): Posting[] {
  const { method, paidFen, merchantId } = sale
  if (paidFen === 0) return []
  const from = (kind: AccountKind, key: string): Posting => ({ account: { kind, merchantId, key }, amountFen: paidFen })
  const to = (kind: AccountKind): Posting => ({ account: { kind, merchantId, key: '' }, amountFen: -paidFen })
  if (method === 'cash') return [from('cash_in_machine', sale.machineCode), to('cash_owned')]
  if (method === 'member_card') return [...cardPostings(sale.card), to('pending')]
  if (!isChannel(method) || sale.collectsPayment) return []
  return [from('clearing', method), to('pending')]
}

function cardPostings(card: Parameters<typeof salePostings>[0]['card']): Posting[] {
  if (!card) throw new Error('a sale was paid by a card that is not named')
  return spentPostings(card)
}

/**
 * What is spent of a card its issuer owes no longer to the customer. For what was paid in the money is there; for what
 * was given on top nobody ever paid, so the issuer owes it from now on (docs/decisions/0024). Below 0: given back.
 */
export function spentPostings(card: {
  cardId: number
  issuerId: number
  balanceFen: number
  giftFen: number
}): Posting[] {
  const { cardId, issuerId: merchantId, balanceFen, giftFen } = card
  return moving([
    entry('card_liability', merchantId, String(cardId), balanceFen),
    entry('gift_liability', merchantId, String(cardId), giftFen),
    entry('card_due', merchantId, '', giftFen),
    entry('coupon_cost', merchantId, '', -giftFen),
  ])
}

/** How a desk takes money for a card: the issuer has it then, and brings it in (docs/decisions/0024). */
const deskMethods: readonly string[] = ['cash', 'transfer']

/**
 * What putting money on a card posts: what was paid is owed to who holds it; what is given on top is the issuer's cost
 * and is kept apart (docs/decisions/0017).
 */
export function topUpPostings(topUp: {
  cardId: number
  merchantId: number
  method: string
  amountFen: number
  giftFen: number
}): Posting[] {
  const { cardId, merchantId, method, amountFen, giftFen } = topUp
  const [kind, key] = deskMethods.includes(method) ? (['card_due', ''] as const) : (['clearing', method] as const)
  const paid = [
    entry(kind, merchantId, key, amountFen),
    entry('card_liability', merchantId, String(cardId), -amountFen),
  ]
  const given = [
    entry('coupon_cost', merchantId, '', giftFen),
    entry('gift_liability', merchantId, String(cardId), -giftFen),
  ]
  return [...paid, ...moving(given)]
}

/** Which side of zero an account must stay on: 1 not below, -1 not above, 0 free. */
export function boundOf(kind: AccountKind): -1 | 0 | 1 {
  if (assets.has(kind)) return 1
  return debts.has(kind) ? -1 : 0
}

const assets = new Set<AccountKind>(['cash_in_transit', 'cash_counted'])
const debts = new Set<AccountKind>(['card_liability', 'gift_liability', 'available', 'withdrawing', 'split_payable'])
