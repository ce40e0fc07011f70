import type { MessageData, MessageRefusal } from '@aisle/contract/device/messages'
import type { Tx } from '../../../kernel/context'
import { findFollowLinks, followFor } from '../../fleet/public'
import { commitmentsOf } from '../../lottery/public'
import { findOffers } from '../../payment/public'
import type { Reported } from '.././trade.types'

/** `msgId`: of the request, under which its answer goes back. */
export type OrderRequest = Reported<MessageData<'order.request'>> & { msgId: string; isInDoubt: boolean }

type Price = {
  amountFen: number
  expiresAt: Date
  isPaid: boolean
  /** A channel takes the money. */
  isOffered?: true
  payUrl?: string
  /** The hash that the draw of a play is bound to, and its odds. */
  play?: { seedHash: string; oddsPermille: number }
  follow?: { name: string; url: string }
}
export type Quote = Price | { refused: MessageRefusal }

/** A request with what it is answered. */
export type Quoted = { request: OrderRequest; orderNo: string; quote: Quote }
type Priced = Quoted & { quote: Price }

/** What machines show beside the price, of orders that are not refused. */
export async function withMore(tx: Tx, all: readonly Quoted[]): Promise<Quoted[]> {
  return withFollows(tx, await withOffers(tx, await withCommitments(tx, all)))
}

const isPriced = (one: Quoted): one is Priced => !('refused' in one.quote)
const isToPay = (one: Quoted): one is Priced => isPriced(one) && !one.quote.isPaid

/** What a draw is bound to is told before anybody has paid for it. */
async function withCommitments(tx: Tx, all: readonly Quoted[]): Promise<readonly Quoted[]> {
  const plays = all.filter(({ request }) => request.data.isPlay)
  if (plays.length === 0) return all
  const commitments = await commitmentsOf(
    tx,
    plays.map(({ orderNo }) => orderNo),
  )
  return all.map((one) => {
    const play = one.request.data.isPlay ? commitments.get(one.orderNo) : undefined
    return play && isPriced(one) ? { ...one, quote: { ...one.quote, play } } : one
  })
}

/** Where a channel takes the money, the machine waits for what is to be scanned; who asks again may have it at once. */
async function withOffers(tx: Tx, all: readonly Quoted[]): Promise<Quoted[]> {
  const offers = await findOffers(
    tx,
    all.filter(isToPay).map(({ orderNo }) => orderNo),
  )
  return all.map((one) => {
    const payUrl = offers.get(one.orderNo)
    if (payUrl === undefined || !isToPay(one)) return one
    return { ...one, quote: { ...one.quote, isOffered: true, ...(payUrl ? { payUrl } : {}) } }
  })
}

/** Where customers are to follow an account before they buy, the machine shows them where. */
async function withFollows(tx: Tx, all: readonly Quoted[]): Promise<Quoted[]> {
  const links = await findFollowLinks(
    tx,
    all.filter(isToPay).map(({ request }) => request.machine.id),
  )
  return all.map((one) => {
    if (!isToPay(one)) return one
    const { machine, data } = one.request
    const follow = followFor(links.get(machine.id) ?? [], data.method, machine.code)
    return follow ? { ...one, quote: { ...one.quote, follow } } : one
  })
}
