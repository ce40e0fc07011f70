import { cardState } from '@aisle/contract/member/card'
import * as contract from '@aisle/contract/member/cardApplication'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../db/tables'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext, Tx } from '../../kernel/context'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { stateful } from '../../kernel/states'
import { replace } from './cardEnd.commands'
import { issueKnown } from './cardIssue.commands'
import { hold as holdCard, move as moveCard } from './cardVerb.commands'
import { holdOwned, refuseUnable } from './member.store'

type Application = Selectable<Tables['cardApplication']>
type NewApplication = Pick<Application, 'merchantId' | 'memberId' | 'kind' | 'type' | 'level' | 'replaces' | 'note'>

/** @throws Refusal application.state */
const applications = stateful('cardApplication', 'state', contract.applicationState, {
  versioned: true,
  refuse: ({ id }: { id: number }) => refuse('application.state', { id }),
})

export async function apply(ctx: CommandContext, input: InputOf<typeof contract.applyForCard>) {
  const { memberId, type, level, note } = input
  const { merchantId, number } = await eligible(ctx, memberId)
  const made = insert(ctx, { merchantId, memberId, kind: 'new', type, level, replaces: null, note })
  return refusedBy('card_application_open', made, () => refusal('application.open', { about: number }))
}

/** A nameless card has no holder to whom another could be given. */
export async function applyForReplacement(ctx: CommandContext, input: InputOf<typeof contract.applyForReplacement>) {
  const { cardId: replaces, isLost, note } = input
  const { logicalNo: number, merchantId, memberId, type, level, state } = await holdCard(ctx, replaces)
  if (!cardState.can(state, 'replace')) refuse('card.state', { number })
  if (memberId === null) return refuse('card.nameless', { number })
  if (isLost && cardState.can(state, 'reportLost')) await moveCard('reportLost')(ctx, { id: replaces, note })
  const made = insert(ctx, { merchantId, memberId, kind: 'replacement', type, level, replaces, note })
  return refusedBy('card_application_open_card', made, () => refusal('application.open', { about: number }))
}

async function insert(ctx: CommandContext, asked: NewApplication) {
  const { id } = await ctx.tx
    .insertInto('cardApplication')
    .values({
      ...asked,
      state: contract.applicationState.initial,
      createdBy: ctx.actor.userId,
      createdAt: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { merchantId, ...after } = asked
  await ctx.audit({ merchantId, objectKind: 'cardApplication', objectId: id, before: null, after })
  return { id, state: contract.applicationState.initial }
}

export async function approve(ctx: CommandContext, { id }: { id: number }) {
  const row = await holdForeign(ctx, id)
  // Whose name an old card bears was looked at when it was put on.
  if (row.replaces === null) await eligible(ctx, row.memberId)
  return moveOn(ctx, row, 'approve', { decidedBy: ctx.actor.userId, decidedAt: ctx.now() })
}

export async function refuseIt(ctx: CommandContext, { id, reason }: { id: number; reason: string }) {
  const row = await holdForeign(ctx, id)
  return moveOn(ctx, row, 'refuse', { decidedBy: ctx.actor.userId, decidedAt: ctx.now(), reason })
}

export const withdraw = async (ctx: CommandContext, { id }: { id: number }) =>
  moveOn(ctx, await hold(ctx, id), 'withdraw', {})

/** The card comes about as at the desk: by the same commands, with all that they refuse. */
export async function issueApplied(ctx: CommandContext, input: InputOf<typeof contract.issueApplied>) {
  const { id, isActive, ...numbers } = input
  const row = await hold(ctx, id)
  applications.must(row, 'issue')
  const { cardId, code } = row.replaces
    ? { cardId: (await replace(ctx, { id: row.replaces, ...numbers, note: row.note })).id, code: null }
    : await issueNew(ctx, row, { ...numbers, isActive })
  const issued = { cardId, issuedBy: ctx.actor.userId, issuedAt: ctx.now() }
  return { ...(await moveOn(ctx, row, 'issue', issued)), cardId, code }
}

async function issueNew(
  ctx: CommandContext,
  { merchantId, memberId, type, level }: Application,
  { physicalNo, logicalNo, isActive }: { physicalNo: string; logicalNo: string; isActive: boolean },
): Promise<{ cardId: number; code: string | null }> {
  const { number } = await eligible(ctx, memberId)
  const limits = { dailyCountLimit: null, singleMaxFen: null, dailyAmountFen: null }
  const lines = [{ physicalNo, logicalNo, memberNumber: number }]
  const { report, made } = await issueKnown(ctx, { merchantId, type, level, lines, ...limits, isActive })
  const cardId = made.get(physicalNo) ?? refuse('card.issued', { number: `${physicalNo} / ${logicalNo}` })
  return { cardId, code: report.lines[0]?.code ?? null }
}

/** A member in sight who may be given a card. @throws Refusal card.memberStopped, card.consent */
async function eligible(ctx: CommandContext, memberId: number) {
  const found = await ctx.tx
    .selectFrom('member')
    .select(['merchantId', 'number', 'state', 'birthday', 'consentedBy'])
    .where('id', '=', memberId)
    .where(merchantInSight(sightOf(ctx.actor), sql`merchant_id`))
    .forShare()
    .executeTakeFirst()
  const member = existing(found)
  refuseUnable(ctx, member)
  return member
}

const hold = (ctx: CommandContext, id: number): Promise<Application> => holdOwned(ctx, 'cardApplication', id)

/** Who asked does not decide. */
async function holdForeign(ctx: CommandContext, id: number): Promise<Application> {
  const row = await hold(ctx, id)
  if (row.createdBy === ctx.actor.userId) refuse('application.own')
  return row
}

type Verb = Parameters<typeof applications.move>[2]
type Change = Parameters<typeof applications.move>[3]

async function moveOn(ctx: CommandContext, row: Application, verb: Verb, change: NonNullable<Change>) {
  const { id, merchantId } = row
  const state = await applications.move(ctx.tx, row, verb, change)
  const after = { ...change, state }
  await ctx.audit({ merchantId, objectKind: 'cardApplication', objectId: id, before: { state: row.state }, after })
  return { id, state }
}

/** Who is forgotten wants no card any more, and what was noted of it may name them. */
export async function forgetApplications(tx: Tx, memberId: number): Promise<void> {
  await applications.moveAll(tx, sql`member_id = ${memberId}`, 'withdraw')
  await tx.updateTable('cardApplication').set({ note: '', reason: '' }).where('memberId', '=', memberId).execute()
}
