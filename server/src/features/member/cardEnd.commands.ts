import { cardState } from '@aisle/contract/member/card'
import type { cancelCard, payOutCard, previewPayOut, replaceCard } from '@aisle/contract/member/cardVerb'
import { TOP_UP_SECOND_LOOK_FEN } from '@aisle/contract/member/memberCard'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { CommandContext, QueryContext, Reader } from '../../kernel/context'
import { must } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { cardMovePostings, cardPayOutPostings, movementsOf, postTransfers, type Transfer } from '../ledger/public'
import type { Worth } from './card.rules'
import { findCards } from './card.store'
import { findLots } from './cardEnd.reads'
import { owedBack, payOutRefusal, usedLots } from './cardEnd.rules'
import { insertLog } from './cardLog.store'
import { cards, type Held, hold, tell, worthOf } from './cardVerb.commands'

/** The old one ends, and all that is on it and known of it is the new one's: balance, gift, limits, machines, name. */
export async function replace(ctx: CommandContext, input: InputOf<typeof replaceCard>) {
  const { id, physicalNo, logicalNo, note } = input
  const old = await hold(ctx, id)
  cards.must(old, 'replace')
  if (physicalNo === old.physicalNo || logicalNo === old.logicalNo) refuse('card.sameNumber')
  const { balanceFen, giftFen } = await worthOf(ctx, id)
  const newId = await copy(ctx, old, { physicalNo, logicalNo })
  await cards.move(ctx.tx, old, 'replace', { replacedBy: newId })
  const { merchantId } = old
  const moved = { fromId: id, toId: newId, merchantId, balanceFen, giftFen }
  const reference = String(id)
  await post(ctx, { kind: 'card_move', reference, merchantId, postings: cardMovePostings(moved) })
  const about = { merchantId, at: ctx.now(), userId: ctx.actor.userId, note, moved: { kind: 'card_move', reference } }
  await insertLog(ctx.tx, [
    { ...about, cardId: id, action: 'replaced' },
    { ...about, cardId: newId, action: 'replacement' },
  ])
  await ctx.audit({
    merchantId,
    objectKind: 'memberCard',
    objectId: id,
    before: { physicalNo: old.physicalNo, logicalNo: old.logicalNo, state: old.state },
    after: { physicalNo, logicalNo, replacedBy: newId, balanceFen, giftFen, note },
  })
  return { id: newId, balanceFen, giftFen }
}

/** @throws Refusal card.issued where one of the numbers is somebody's, were it a cancelled card's */
async function copy(
  ctx: CommandContext,
  { id }: Held,
  { physicalNo, logicalNo }: { physicalNo: string; logicalNo: string },
): Promise<number> {
  const made = await sql<{ id: number }>`
    insert into member_card (merchant_id, member_id, physical_no, logical_no, type, level, state, daily_count_limit,
      single_max_fen, daily_amount_fen, is_restricted, created_at, activated_at)
    select merchant_id, member_id, ${physicalNo}, ${logicalNo}, type, level, ${sql.lit(cardState.to('activate'))},
      daily_count_limit, single_max_fen, daily_amount_fen, is_restricted, ${ctx.now()}::timestamptz,
      ${ctx.now()}::timestamptz
    from member_card where id = ${id} on conflict do nothing returning id`.execute(ctx.tx)
  const newId = made.rows[0]?.id
  if (newId === undefined) return refuse('card.issued', { number: `${physicalNo} / ${logicalNo}` })
  await sql`insert into member_card_machine (card_id, machine_id)
    select ${newId}, machine_id from member_card_machine where card_id = ${id}`.execute(ctx.tx)
  return newId
}

/** An empty card is over at once; else it waits until its holder has the money. */
export async function cancel(ctx: CommandContext, { id, why, note }: InputOf<typeof cancelCard>) {
  const card = await hold(ctx, id)
  const { balanceFen, giftFen } = await worthOf(ctx, id)
  const waiting = await cards.move(ctx.tx, card, 'cancel', {
    cancelWhy: why,
    cancelAskedBy: ctx.actor.userId,
    cancelAskedAt: ctx.now(),
  })
  const before = { state: card.state }
  await tell(ctx, card, 'cancelAsked', { before, after: { state: waiting, why, balanceFen, giftFen }, note })
  if (balanceFen + giftFen > 0) return { id, state: waiting }
  return { id, state: await close(ctx, { ...card, state: waiting }) }
}

const close = async (ctx: CommandContext, card: Held) => {
  const { id, merchantId, state: before } = card
  const state = await cards.move(ctx.tx, card, 'payOut')
  await insertLog(ctx.tx, [{ cardId: id, merchantId, action: 'cancelled', at: ctx.now(), userId: ctx.actor.userId }])
  await ctx.audit({ merchantId, objectKind: 'memberCard', objectId: id, before: { state: before }, after: { state } })
  return state
}

/** What came back to a card that is over already is its holder's whole. */
export async function payOut(ctx: CommandContext, input: InputOf<typeof payOutCard>) {
  const { id, method, paidFen: shownFen, note } = input
  const card = await hold(ctx, id)
  const { logicalNo: number, merchantId, cancelWhy } = card
  if (!cardState.is(card.state, 'over')) refuse('card.state', { number })
  const worth = await worthOf(ctx, id)
  if (worth.balanceFen + worth.giftFen === 0) refuse('card.paidOut', { number })
  const why = cancelWhy ?? 'issuer'
  const isOver = cardState.is(card.state, 'cancelled')
  const paidFen = isOver ? worth.balanceFen : owedBack(usedLots(await findLots(ctx.tx, id), worth), worth, why)
  const isOwn = card.cancelAskedBy === ctx.actor.userId
  const reason = payOutRefusal({ paidFen, shownFen, method, isOwn, secondLookFen: TOP_UP_SECOND_LOOK_FEN })
  if (reason) refuse(reason, { number, amount: paidFen / 100 })
  const made = await ctx.tx
    .insertInto('memberCardPayout')
    .values({
      cardId: id,
      merchantId,
      why,
      balanceFen: worth.balanceFen,
      giftFen: worth.giftFen,
      paidFen,
      method,
      note,
      paidBy: ctx.actor.userId,
      paidAt: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const postings = cardPayOutPostings({
    cardId: id,
    merchantId,
    balanceFen: worth.balanceFen,
    giftFen: worth.giftFen,
  })
  await post(ctx, { kind: 'card_payout', reference: String(made.id), merchantId, postings })
  const before = { balanceFen: worth.balanceFen, giftFen: worth.giftFen }
  const after = { balanceFen: 0, giftFen: 0, paidFen, method, note }
  await ctx.audit({ merchantId, objectKind: 'memberCard', objectId: id, before, after })
  return { id, state: isOver ? card.state : await close(ctx, card) }
}

/** What the same would pay and post, by the same rules; whose wish it is may be tried out before it is asked. */
export async function payOutPreview(
  ctx: QueryContext,
  { id, why: tried }: InputOf<typeof previewPayOut>,
): Promise<OutputOf<typeof previewPayOut>> {
  const card = await findNamed(ctx.db, ctx, id)
  const worth: Worth = must((await findCards(ctx.db, [id])).get(id), 'card in sight')
  const { balanceFen, giftFen } = worth
  const why = tried ?? card.cancelWhy ?? 'holder'
  const lots = usedLots(await findLots(ctx.db, id), worth)
  const isOver = cardState.is(card.state, 'cancelled')
  const postings = cardPayOutPostings({ cardId: id, merchantId: card.merchantId, balanceFen, giftFen })
  return {
    why,
    paidFen: isOver ? balanceFen : owedBack(lots, worth, why),
    balanceFen,
    giftFen,
    lots: lots.map((lot) => ({ amountFen: lot.amountFen, giftFen: lot.giftFen, usedFen: lot.usedFen })),
    movements: await movementsOf(ctx.db, postings),
  }
}

async function findNamed(db: Reader, { actor }: Pick<QueryContext, 'actor'>, id: number) {
  const found = await sql<Pick<Held, 'merchantId' | 'state' | 'cancelWhy'>>`
    select merchant_id as "merchantId", state, cancel_why as "cancelWhy" from member_card
    where id = ${id} and ${merchantInSight(sightOf(actor), sql`merchant_id`)}`.execute(db)
  return existing(found.rows[0])
}

type Posted = Pick<Transfer, 'kind' | 'reference' | 'merchantId' | 'postings'>

export const post = (ctx: CommandContext, transfer: Posted): Promise<void> =>
  postTransfers(ctx.tx, [
    { ...transfer, postedAt: ctx.now(), businessDay: businessTime(ctx.now(), PLATFORM_TIME_ZONE).day },
  ])
