import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { CardType } from '@aisle/contract/member/card'
import type { previewTopUp, topUpCard } from '@aisle/contract/member/memberCard'
import { cardMostNamed, cardMostUnnamed } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { CommandContext, QueryContext, Reader } from '../../kernel/context'
import { only } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { movementsOf, postTransfers, topUpPostings } from '../ledger/public'
import { giftRulesOf } from './benefit'
import { giftOf } from './benefit.rules'
import { topUpRefusal } from './card.rules'
import { lockCards } from './card.store'

/**
 * The holder pays at the desk: what was paid stands on the card at once, and is due from the issuer whose desk took it.
 * The card's row is locked, so that of two people who are at it the second finds what the first left.
 */
export async function topUp(
  ctx: CommandContext,
  input: InputOf<typeof topUpCard>,
): Promise<OutputOf<typeof topUpCard>> {
  const { id, physicalNo, amountFen, method, note } = input
  const now = ctx.now()
  const named = await findNamed(ctx, ctx.tx, id)
  const card = existing((await lockCards(ctx.tx, [id])).get(id))
  const limit = named.memberId === null ? cardMostUnnamed : cardMostNamed
  const mostFen = await settingOf(ctx.tx, limit, named.merchantId)
  const held = { balanceFen: card.balanceFen + amountFen, mostFen }
  const reason = topUpRefusal({ ...card, ...named }, physicalNo, held)
  if (reason) refuse(reason, { number: named.logicalNo, most: mostFen / 100 })
  const { merchantId } = card
  const giftFen = await giftFor(ctx, { ...card, amountFen }, input.giftFen)
  const made = await sql<{ id: number }>`insert into member_card_top_up
      (card_id, merchant_id, method, amount_fen, gift_fen, topped_up_by, topped_up_at, note)
    values (${id}, ${merchantId}, ${method}, ${amountFen}, ${giftFen}, ${ctx.actor.userId}, ${now}, ${note})
    returning id`.execute(ctx.tx)
  const topUpId = only(made).id
  await postTransfers(ctx.tx, [
    {
      kind: 'card_top_up',
      reference: String(topUpId),
      merchantId,
      postedAt: now,
      businessDay: businessTime(now, PLATFORM_TIME_ZONE).day,
      postings: topUpPostings({ cardId: id, merchantId, method, amountFen, giftFen }),
    },
  ])
  const before = { balanceFen: card.balanceFen, giftFen: card.giftFen }
  const after = { balanceFen: card.balanceFen + amountFen, giftFen: card.giftFen + giftFen }
  const paid = { amountFen, method, note }
  await ctx.audit({ merchantId, objectKind: 'memberCard', objectId: id, before, after: { ...after, ...paid } })
  return { id, ...after }
}

/** What the same would post, by the same rule. */
export async function topUpPreview(ctx: QueryContext, input: InputOf<typeof previewTopUp>) {
  const { id, amountFen, method } = input
  const { merchantId, type } = await findNamed(ctx, ctx.db, id)
  const ruleGiftFen = await ruleGift(ctx, ctx.db, { merchantId, type, amountFen })
  const giftFen = input.giftFen ?? ruleGiftFen ?? 0
  const postings = topUpPostings({ cardId: id, merchantId, method, amountFen, giftFen })
  return { movements: await movementsOf(ctx.db, postings), ruleGiftFen }
}

type Put = { merchantId: number; type: CardType; amountFen: number }

async function ruleGift(
  ctx: Pick<QueryContext, 'now'>,
  db: Reader,
  { merchantId, ...put }: Put,
): Promise<number | null> {
  const { day } = businessTime(ctx.now(), PLATFORM_TIME_ZONE)
  return giftOf(await giftRulesOf(db, merchantId), { ...put, day })
}

/** What the rules give or less; where there are none, what the desk likes. @throws Refusal card.giftAbove */
async function giftFor(ctx: CommandContext, put: Put, asked: number | null): Promise<number> {
  const most = await ruleGift(ctx, ctx.tx, put)
  if (most !== null && asked !== null && asked > most) refuse('card.giftAbove', { most: most / 100 })
  return asked ?? most ?? 0
}

type Named = { merchantId: number; type: CardType; physicalNo: string; logicalNo: string; memberId: number | null }

async function findNamed({ actor }: Pick<QueryContext, 'actor'>, db: Reader, id: number): Promise<Named> {
  const found = await sql<Named>`select merchant_id as "merchantId", type, physical_no as "physicalNo",
      logical_no as "logicalNo", member_id as "memberId" from member_card
    where id = ${id} and ${merchantInSight(sightOf(actor), sql`merchant_id`)}`.execute(db)
  return existing(found.rows[0])
}
