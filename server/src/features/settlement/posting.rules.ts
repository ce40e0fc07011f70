import type { AccountKind, Posting } from '../ledger/public'

/** Lines of a day's bill, summed for each merchant whose orders or refunds they are. */
export type Matched = { merchantId: number; theirFen: number; ourFen: number; feeFen: number }
export type StatementSums = {
  payments: readonly Matched[]
  refunds: readonly Matched[]
  /** Lines that nothing of ours was found for; refunds are positive here, too. */
  strayPaymentFen: number
  strayRefundFen: number
  strayFeeFen: number
  payoutFen: number
  /** To those who share in orders, below 0; what came back from them, above. */
  splitFen: number
  otherFen: number
}

type Channel = { id: number; merchantId: number; provider: string }
export const channelKey = (channel: Pick<Channel, 'id'>) => String(channel.id)

/**
 * What a day's bill posts: what was found leaves `clearing` for the balance that the channel says it
 * holds, less its fee; what nobody can explain stands in `suspense` until it is decided.
 */
export function statementPostings(sums: StatementSums, channel: Channel): Posting[] {
  const { merchantId, provider } = channel
  const own = (kind: AccountKind, key: string, amountFen: number): Posting => ({
    account: { kind, merchantId, key },
    amountFen,
  })
  const of = (kind: AccountKind, owner: number, amountFen: number): Posting => ({
    account: { kind, merchantId: owner, key: provider },
    amountFen,
  })
  const { payments, refunds, strayPaymentFen, strayRefundFen, strayFeeFen, payoutFen, splitFen, otherFen } = sums
  const fees = [...payments, ...refunds].reduce((sum, { feeFen }) => sum + feeFen, strayFeeFen)
  const came = payments.reduce((sum, { theirFen }) => sum + theirFen, strayPaymentFen)
  const went = refunds.reduce((sum, { theirFen }) => sum + theirFen, strayRefundFen)
  return added([
    own('channel_balance', channelKey(channel), came - went - fees - payoutFen + splitFen + otherFen),
    own('clearing', provider, -splitFen),
    own('channel_fee', provider, fees),
    own('payout_in_transit', channelKey(channel), payoutFen),
    own('suspense', provider, strayRefundFen - strayPaymentFen - otherFen),
    ...payments.flatMap((each) => [
      of('clearing', each.merchantId, -each.ourFen),
      of('suspense', each.merchantId, each.ourFen - each.theirFen),
    ]),
    ...refunds.flatMap((each) => [
      of('clearing', each.merchantId, each.ourFen),
      of('suspense', each.merchantId, each.theirFen - each.ourFen),
    ]),
  ])
}

/** What is missing of the wanted postings after those that stand; posting it makes them true. */
export const deltaOf = (wanted: readonly Posting[], posted: readonly Posting[]): Posting[] =>
  added([...wanted, ...posted.map((each) => ({ ...each, amountFen: -each.amountFen }))])

/** One posting an account, none of nothing. */
function added(postings: readonly Posting[]): Posting[] {
  const sums = new Map<string, Posting>()
  for (const { account, amountFen } of postings) {
    const name = `${account.kind}/${account.merchantId}/${account.key}`
    sums.set(name, { account, amountFen: amountFen + (sums.get(name)?.amountFen ?? 0) })
  }
  return [...sums.values()].filter(({ amountFen }) => amountFen !== 0)
}

type PayoutReceived = { payoutFen: number; amountFen: number; owedFen: number; bankFeeFen: number }

/**
 * What the bank's word for a payout posts; null where the amounts do not explain each other. A channel that keeps no
 * balance takes a day of more refunds than payments off what it pays later: less came in, by no more than it was owed.
 * What the bank kept for itself is a cost, and no reason to ask the channel.
 * @param owedFen what our books say that the channel is owed
 * @param bankFeeFen what the bank's statement says that it kept
 */
export function receiptPostings(
  { payoutFen, amountFen, owedFen, bankFeeFen }: PayoutReceived,
  channel: { channelId: number; merchantId: number },
): Posting[] | null {
  const takenOffFen = payoutFen - amountFen - bankFeeFen
  if (takenOffFen < 0 || takenOffFen > owedFen) return null
  const { merchantId } = channel
  const key = channelKey({ id: channel.channelId })
  return added([
    { account: { kind: 'bank', merchantId, key: '' }, amountFen },
    { account: { kind: 'channel_fee', merchantId, key: 'bank' }, amountFen: bankFeeFen },
    { account: { kind: 'channel_balance', merchantId, key }, amountFen: takenOffFen },
    { account: { kind: 'payout_in_transit', merchantId, key }, amountFen: -payoutFen },
  ])
}

/**
 * What a decision to give something up posts; gains stand on the same account, as credits. In `direct` mode the money
 * is not in our books, so there is nothing to give up in them.
 */
export function writeOffPostings(difference: {
  kind: string
  provider: string
  fundsMode: string
  /** Of the channel, and of the order where there is one. */
  merchantId: number
  orderMerchantId: number | null
  ourFen: number | null
  theirFen: number | null
}): Posting[] {
  const { kind, provider, merchantId, orderMerchantId } = difference
  if (difference.fundsMode === 'direct') return []
  const gapFen = (difference.theirFen ?? 0) - (difference.ourFen ?? 0)
  const owner = orderMerchantId ?? merchantId
  const isStray = kind === 'only_theirs' || kind === 'refund_only_theirs'
  const held: AccountKind = kind === 'only_ours' || kind === 'refund_only_ours' ? 'clearing' : 'suspense'
  // A refund is money that goes: what they gave back more than we know is our loss.
  const lossFen = kind.startsWith('refund') ? gapFen : -gapFen
  return added([
    { account: { kind: 'loss', merchantId, key: 'write_off' }, amountFen: lossFen },
    { account: { kind: held, merchantId: isStray ? merchantId : owner, key: provider }, amountFen: -lossFen },
  ])
}
