import type { MessageRefusal } from '@aisle/contract/device/messages'
import { businessTime } from '../../kernel/businessDay'
import type { Tx } from '../../kernel/context'
import { guessedCards, judgeGuesses } from '../../kernel/guesses'
import { answers } from '../../kernel/must'
import { postTransfers, spentPostings } from '../ledger/public'
import { type CardFacts, chargeRefusal, creditShares, mostOf, sharesOf } from './card.rules'
import {
  type CardRow,
  findAllowed,
  findCards,
  findShown,
  findSpent,
  insertCharges,
  insertCredit,
  isCredited,
  lockCards,
  lockCharge,
  lockStanding,
  type NewCharge,
} from './card.store'

type CardAsk = {
  orderId: number
  machine: { id: number; merchantId: number }
  code: string | null
  amountFen: number
  businessDay: string
  receivedAt: Date
}

/**
 * Pays orders from the cards that were shown: what each takes from which balance is written here, and posted with the
 * sale in the same transaction. @returns why some are refused, by order; the others are paid
 */
export async function chargeCards(tx: Tx, asks: readonly CardAsk[]): Promise<Map<number, MessageRefusal>> {
  const { ids, refused: unknown } = await findMeant(tx, asks)
  const refused = new Map([...unknown].map(([ask, reason]) => [ask.orderId, reason]))
  const cards = await lockCards(tx, [...new Set(ids.values())])
  const { spent, factsOf } = await readToday(tx, ids)
  const charges: NewCharge[] = []
  for (const [ask, cardId] of ids) {
    const card = cards.get(cardId)
    if (!card) throw new Error(`card ${cardId} went away while it paid`)
    const day = `${cardId}/${ask.businessDay}`
    const today = spent.get(day) ?? { charges: 0, amountFen: 0 }
    const reason = chargeRefusal(factsOf(ask, card), ask.amountFen)
    if (reason) refused.set(ask.orderId, reason)
    if (reason) continue
    const shares = sharesOf(ask.amountFen, card)
    charges.push({
      ...shares,
      orderId: ask.orderId,
      cardId: card.id,
      merchantId: ask.machine.merchantId,
      machineId: ask.machine.id,
      businessDay: ask.businessDay,
      at: ask.receivedAt,
    })
    // The next of the same batch finds what this one left.
    card.balanceFen -= shares.balanceFen
    card.giftFen -= shares.giftFen
    spent.set(day, { charges: today.charges + 1, amountFen: today.amountFen + ask.amountFen })
  }
  await insertCharges(tx, charges)
  return refused
}

type Asked = { machine: { id: number; merchantId: number }; code: string | null; businessDay: string; receivedAt: Date }

/**
 * What cards may pay at the machines that ask; nothing is held by asking. A number that no card of the merchant or of
 * one above bears counts as a guess, as it does in an order.
 */
export async function checkCards<A extends Asked>(tx: Tx, asks: readonly A[]): Promise<Map<A, CheckedCard>> {
  if (asks.length === 0) return new Map()
  const { ids, refused } = await findMeant(tx, asks)
  const cards = await findCards(tx, [...new Set(ids.values())])
  const { factsOf } = await readToday(tx, ids)
  return answers(asks, (ask): CheckedCard => {
    const id = ids.get(ask)
    const card = id === undefined ? undefined : cards.get(id)
    const facts = card && factsOf(ask, card)
    const reason = refused.get(ask) ?? (facts ? chargeRefusal(facts, 0) : 'cardUnknown')
    if (reason || !facts) return { refused: reason ?? 'cardUnknown' }
    return { refused: null, balanceFen: facts.balanceFen, giftFen: facts.giftFen, mostFen: mostOf(facts) }
  })
}

export type CheckedCard =
  | { refused: MessageRefusal }
  | { refused: null; balanceFen: number; giftFen: number; mostFen: number }

/** Which cards are meant, by who asks; numbers that are nobody's here are counted, and refused once too often. */
async function findMeant<A extends Asked>(
  tx: Tx,
  asks: readonly A[],
): Promise<{ ids: Map<A, number>; refused: Map<A, MessageRefusal> }> {
  const [first] = asks
  const [ids, refused] = [new Map<A, number>(), new Map<A, MessageRefusal>()]
  if (!first) return { ids, refused }
  const found = await findShown(
    tx,
    asks.map(({ code, machine }, key) => ({ key, code: code ?? '', merchantId: machine.merchantId })),
  )
  const asked = asks.map((ask, key) => {
    const cardId = found.get(key)
    return { ask, cardId, machineId: ask.machine.id, isKnown: cardId !== undefined }
  })
  for (const [{ ask, cardId }, verdict] of await judgeGuesses(tx, guessedCards, asked, first.receivedAt)) {
    if (verdict === 'known' && cardId !== undefined) ids.set(ask, cardId)
    else refused.set(ask, verdict === 'blocked' ? 'cardsBlocked' : 'cardUnknown')
  }
  return { ids, refused }
}

/** What limits ask for, of the days on which the cards are shown. `spent` is by `card/day` and may be added to. */
async function readToday(tx: Tx, ids: ReadonlyMap<Asked, number>) {
  const asked = [...ids].map(([{ machine, businessDay }, cardId]) => ({ cardId, machineId: machine.id, businessDay }))
  const allowed = await findAllowed(tx, asked)
  const spent = await findSpent(tx, asked)
  const factsOf = ({ machine, businessDay }: Asked, card: CardRow): CardFacts => {
    const today = spent.get(`${card.id}/${businessDay}`) ?? { charges: 0, amountFen: 0 }
    const isForHere = !card.isRestricted || allowed.has(`${card.id}/${machine.id}`)
    return { ...card, isForHere, chargesToday: today.charges, spentTodayFen: today.amountFen }
  }
  return { spent, factsOf }
}

/**
 * Gives back to the card, or to the one in its place by now, what a refund returns of its order, to the same
 * balances in the same shares, and posts it as
 * the refund's transfer. Asked again with the same refund it does nothing.
 * @throws RangeError for more than the order took, Error when no card paid it
 */
export async function creditCard(
  tx: Tx,
  credit: { orderId: number; refundId: number; amountFen: number; at: Date },
): Promise<void> {
  const { orderId, refundId, amountFen, at } = credit
  const charge = await lockCharge(tx, orderId)
  if (!charge) throw new Error(`order ${orderId} was not paid by a card`)
  if (await isCredited(tx, refundId)) return
  const { balanceFen, giftFen } = creditShares(charge, amountFen)
  const cardId = await lockStanding(tx, charge.cardId)
  await insertCredit(tx, { orderId, refundId, cardId, balanceFen, giftFen, at })
  const { issuerId, merchantId } = charge
  const back = { cardId, issuerId, balanceFen: -balanceFen, giftFen: -giftFen }
  await postTransfers(tx, [
    {
      kind: 'refund',
      reference: String(refundId),
      merchantId,
      postedAt: at,
      businessDay: businessTime(at, charge.timeZone).day,
      postings: [{ account: { kind: 'pending', merchantId, key: '' }, amountFen }, ...spentPostings(back)],
    },
  ])
}
