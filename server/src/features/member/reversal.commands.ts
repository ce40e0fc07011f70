import { cardState } from '@aisle/contract/member/card'
import type { previewReversal, reverseTopUp } from '@aisle/contract/member/cardTransaction'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { CommandContext, QueryContext, Reader } from '../../kernel/context'
import { must, only } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { cardPayOutPostings, movementsOf } from '../ledger/public'
import { findCards } from './card.store'
import { post } from './cardEnd.commands'
import { findLots } from './cardEnd.reads'
import { untouchedOf, usedLots } from './cardEnd.rules'
import { hold } from './cardVerb.commands'

/** Where a card was replaced since, what is left of its top-ups stands on the one in its place. */
export async function reverse(ctx: CommandContext, { id, reason }: InputOf<typeof reverseTopUp>) {
  const topUp = await findTopUp(ctx.tx, ctx, id)
  const card = await hold(ctx, await findStanding(ctx.tx, topUp.cardId))
  if (cardState.is(card.state, 'over')) refuse('card.state', { number: card.logicalNo })
  // Again, now that nobody else is at the card.
  if ((await findTopUp(ctx.tx, ctx, id)).isReversed) refuse('topUp.reversed', { number: card.logicalNo })
  if (topUp.byId === ctx.actor.userId) refuse('topUp.own')
  const back = await untouched(ctx.tx, card.id, id)
  if (back.balanceFen + back.giftFen === 0) refuse('topUp.used', { number: card.logicalNo })
  const { merchantId } = card
  const { paidFen, balanceFen, giftFen } = back
  await ctx.tx
    .insertInto('memberCardReversal')
    .values({
      topUpId: id,
      cardId: card.id,
      merchantId,
      balanceFen,
      giftFen,
      paidFen,
      reason,
      reversedBy: ctx.actor.userId,
      reversedAt: ctx.now(),
    })
    .execute()
  const postings = cardPayOutPostings({ cardId: card.id, merchantId, balanceFen, giftFen })
  await post(ctx, { kind: 'reversal', reference: `topUp/${id}`, merchantId, postings })
  const after = { reversed: id, paidFen, balanceFen: -balanceFen, giftFen: -giftFen, reason }
  await ctx.audit({ merchantId, objectKind: 'memberCard', objectId: card.id, before: null, after })
  return { id, paidFen }
}

export async function reversalPreview(
  ctx: QueryContext,
  { id }: InputOf<typeof previewReversal>,
): Promise<OutputOf<typeof previewReversal>> {
  const { cardId: first, merchantId } = await findTopUp(ctx.db, ctx, id)
  const cardId = await findStanding(ctx.db, first)
  const { usedFen, paidFen, balanceFen, giftFen } = await untouched(ctx.db, cardId, id)
  const movements = await movementsOf(ctx.db, cardPayOutPostings({ cardId, merchantId, balanceFen, giftFen }))
  return { usedFen, paidFen, balanceFen, giftFen, movements }
}

/** Unlocked: whoever holds it next finds it over where it was replaced meanwhile. */
async function findStanding(db: Reader, cardId: number): Promise<number> {
  const found = await sql<{ id: number }>`
    with recursive line as (select id, replaced_by from member_card where id = ${cardId}
      union all select c.id, c.replaced_by from line join member_card c on c.id = line.replaced_by)
    select id from line where replaced_by is null`.execute(db)
  return only(found).id
}

async function untouched(db: Reader, cardId: number, topUpId: number) {
  const worth = must((await findCards(db, [cardId])).get(cardId), 'card of a top-up')
  const lot = usedLots(await findLots(db, cardId), worth).find((each) => each.topUpId === topUpId)
  return { usedFen: lot?.usedFen ?? 0, ...untouchedOf(lot ?? { amountFen: 0, giftFen: 0, usedFen: 0 }, worth) }
}

type Found = { cardId: number; merchantId: number; byId: number | null; isReversed: boolean }

async function findTopUp(db: Reader, { actor }: Pick<QueryContext, 'actor'>, id: number): Promise<Found> {
  const found = await sql<Found>`
    select t.card_id as "cardId", t.merchant_id as "merchantId", t.topped_up_by as "byId",
      exists (select from member_card_reversal r where r.top_up_id = t.id) as "isReversed"
    from member_card_top_up t where t.id = ${id} and ${merchantInSight(sightOf(actor), sql`t.merchant_id`)}`.execute(db)
  return existing(found.rows[0])
}
