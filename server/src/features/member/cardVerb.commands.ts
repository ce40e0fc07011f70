import { cardState, cardTypeRules } from '@aisle/contract/member/card'
import type { DeskAction } from '@aisle/contract/member/cardTransaction'
import type { activateCard, bindCard, setCardLimits, unbindCard } from '@aisle/contract/member/cardVerb'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { cardMostUnnamed } from '@aisle/contract/system/settings'
import { timingSafeEqual } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../db/tables'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { must } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { machineInSight, sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { stateful } from '../../kernel/states'
import { activationDigest } from './activation'
import { type CardRow, findCards } from './card.store'
import { insertLog } from './cardLog.store'
import { memberInSight } from './member.reads'
import { type Holder, holdOwned, refuseUnable } from './member.store'

export type Held = Selectable<Tables['memberCard']>

/** @throws Refusal card.state */
export const cards = stateful('memberCard', 'state', cardState, {
  versioned: true,
  refuse: (row: { id: number; logicalNo: string }) => refuse('card.state', { number: row.logicalNo }),
})

/** Alone with it until the transaction ends: neither a purchase nor a refund gets at it meanwhile. */
export const hold = (ctx: CommandContext, id: number): Promise<Held> => holdOwned(ctx, 'memberCard', id)

export const worthOf = async (ctx: CommandContext, id: number): Promise<CardRow> =>
  must((await findCards(ctx.tx, [id])).get(id), 'card that is held')

type Facts = Record<string, unknown>

/** Said twice: to who looks after people, and to who looks after the card. */
export async function tell(
  ctx: CommandContext,
  { id, merchantId }: Pick<Held, 'id' | 'merchantId'>,
  action: DeskAction,
  { before, after, note = '' }: { before: Facts; after: Facts; note?: string },
): Promise<void> {
  await insertLog(ctx.tx, [{ cardId: id, merchantId, action, at: ctx.now(), userId: ctx.actor.userId, note }])
  const noted = note === '' ? after : { ...after, note }
  await ctx.audit({ merchantId, objectKind: 'memberCard', objectId: id, before, after: noted })
}

const actionOf = {
  lock: 'locked',
  unlock: 'unlocked',
  reportLost: 'lost',
  recover: 'recovered',
  keep: 'kept',
} as const satisfies Record<string, DeskAction>

export const move = (verb: keyof typeof actionOf) =>
  async function moveCard(ctx: CommandContext, { id, note }: { id: number; note: string }) {
    const card = await hold(ctx, id)
    const ended = verb === 'keep' ? { cancelWhy: null, cancelAskedBy: null, cancelAskedAt: null } : {}
    const state = await cards.move(ctx.tx, card, verb, ended)
    await tell(ctx, card, actionOf[verb], { before: { state: card.state }, after: { state }, note })
    return { id, state }
  }

export async function activate(ctx: CommandContext, { id, code }: InputOf<typeof activateCard>) {
  const card = await hold(ctx, id)
  cards.must(card, 'activate')
  const { activationDigest: wanted, physicalNo, logicalNo: number } = card
  const isRight = wanted === null || timingSafeEqual(wanted, activationDigest(ctx.services.keys, physicalNo, code))
  if (!isRight) refuse('card.wrongCode', { number })
  if (cardTypeRules[card.type].isNamed && card.memberId === null) refuse('card.nameless', { number })
  const state = await cards.move(ctx.tx, card, 'activate', { activatedAt: ctx.now() })
  await tell(ctx, card, 'activated', { before: { state: card.state }, after: { state } })
  return { id, state }
}

/** Somebody else's name is taken off first, so that no card changes hands unseen. */
export async function bind(ctx: CommandContext, { id, memberId }: InputOf<typeof bindCard>) {
  const card = await hold(ctx, id)
  const { logicalNo: number } = card
  if (!cardState.is(card.state, 'standing')) refuse('card.state', { number })
  if (card.memberId !== null) refuse('card.bound', { number })
  const found = await sql<Holder>`select m.number, m.state, m.birthday, m.consented_by as "consentedBy" from member m
    where m.id = ${memberId} and ${memberInSight(sightOf(ctx.actor))} for share`.execute(ctx.tx)
  const member = existing(found.rows[0])
  refuseUnable(ctx, member)
  await name(ctx, card, memberId)
  await tell(ctx, card, 'bound', { before: { memberId: null }, after: { memberId }, note: member.number })
  return { id }
}

export async function unbind(ctx: CommandContext, { id, note }: InputOf<typeof unbindCard>) {
  const card = await hold(ctx, id)
  const { logicalNo: number, memberId } = card
  if (!cardState.is(card.state, 'standing')) refuse('card.state', { number })
  if (memberId === null) refuse('card.unbound', { number })
  if (cardTypeRules[card.type].isNamed && !cardState.is(card.state, 'not_activated'))
    refuse('card.nameless', { number })
  const mostFen = await settingOf(ctx.tx, cardMostUnnamed, card.merchantId)
  if ((await worthOf(ctx, id)).balanceFen > mostFen) refuse('card.aboveLaw', { most: mostFen / 100 })
  await name(ctx, card, null)
  await tell(ctx, card, 'unbound', { before: { memberId }, after: { memberId: null }, note })
  return { id }
}

const name = (ctx: CommandContext, { id, version }: Held, memberId: number | null) =>
  ctx.tx
    .updateTable('memberCard')
    .set({ memberId, version: version + 1 })
    .where('id', '=', id)
    .execute()

export async function setLimits(ctx: CommandContext, input: InputOf<typeof setCardLimits>) {
  const { id, version, machineIds, ...limits } = input
  const card = await hold(ctx, id)
  if (!cardState.is(card.state, 'standing')) refuse('card.state', { number: card.logicalNo })
  const { level, dailyCountLimit, singleMaxFen, dailyAmountFen } = card
  const there = await sql<{ id: number }>`select machine_id as id from member_card_machine where card_id = ${id}
    order by 1`.execute(ctx.tx)
  const wanted = [...new Set(machineIds)].sort((a, b) => a - b)
  const before = { level, dailyCountLimit, singleMaxFen, dailyAmountFen, machineIds: there.rows.map((each) => each.id) }
  const after = { ...limits, machineIds: wanted }
  refuseStale(ctx, { version }, card, before, after)
  await refuseElsewhere(ctx, card, wanted)
  await sql`delete from member_card_machine where card_id = ${id}`.execute(ctx.tx)
  await sql`insert into member_card_machine (card_id, machine_id)
    select ${id}, unnest(${wanted}::bigint[])`.execute(ctx.tx)
  await ctx.tx
    .updateTable('memberCard')
    .set({ ...limits, isRestricted: wanted.length > 0, version: card.version + 1 })
    .where('id', '=', id)
    .execute()
  await tell(ctx, card, 'limits', { before, after })
  return { id }
}

/** A card pays at its issuer's machines and at those of merchants below it, and is tied to those in sight alone. */
async function refuseElsewhere(
  ctx: CommandContext,
  { merchantId }: Held,
  machineIds: readonly number[],
): Promise<void> {
  const found = await sql<{ count: number }>`select count(*)::int as count from machine k
    join merchant m on m.id = k.merchant_id
    where k.id = any(${[...machineIds]}::bigint[]) and ${merchantId} = any(m.path)
      and ${machineInSight(sightOf(ctx.actor), sql`k.id`)}`.execute(ctx.tx)
  if (found.rows[0]?.count !== machineIds.length) refuse('card.machines')
}
