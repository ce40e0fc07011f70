import {
  type addFeedback,
  type answerFeedback,
  type assignFeedback,
  type classifyFeedback,
  feedbackWork,
  type replyFeedback,
  type solveFeedback,
} from '@aisle/contract/support/feedback'
import type { UserKind } from '@aisle/contract/identity/permissions'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { send } from '../../kernel/outbox'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { mayAnswer } from './feedback.reads'
import {
  countSince,
  feedbacks,
  type Held,
  hold,
  holdOwn,
  insertFeedback,
  promiseFrom,
  say,
  type Verb,
} from './feedback.store'

/** A person who says more than this in an hour is a program. */
const MOST_AN_HOUR = 20
const HOUR_MS = 3600_000

type Id = { id: number }

export async function add(ctx: CommandContext, input: InputOf<typeof addFeedback>) {
  const { userId, merchantId } = ctx.actor
  // One person's at a time, or many sent at once would all count the same few.
  await sql`select pg_advisory_xact_lock(hashtext('support.feedback'), ${userId}::int)`.execute(ctx.tx)
  const lately = new Date(ctx.now().getTime() - HOUR_MS)
  if ((await countSince(ctx.tx, userId, lately, MOST_AN_HOUR)) >= MOST_AN_HOUR) refuse('feedback.tooMany')
  const dueAt = await promiseFrom(ctx.tx, ctx.now())
  const id = await insertFeedback(ctx, { ...input, dueAt })
  const state = feedbackWork.initial
  const after = { kind: input.kind, page: input.page, state }
  await ctx.audit({ merchantId, objectKind: 'feedback', objectId: id, before: null, after })
  return { id, state, dueAt: dueAt.toISOString() }
}

type Change = Parameters<typeof feedbacks.move>[3]

/** The row is moved, and who did it stands in the log. */
async function moved(ctx: CommandContext, held: Held, verb: Verb, change: Change, after: Record<string, unknown> = {}) {
  const { id, merchantId, state: was } = held
  const state = await feedbacks.move(ctx.tx, held, verb, change)
  const before = { state: was, assigneeId: held.assigneeId }
  const now = { state, assigneeId: change?.assigneeId ?? held.assigneeId, ...after }
  await ctx.audit({ merchantId, objectKind: 'feedback', objectId: id, before, after: now })
  return { id, state }
}

export async function take(ctx: CommandContext, { id }: Id) {
  return moved(ctx, await hold(ctx, id, 'take'), 'take', { assigneeId: ctx.actor.userId })
}

export async function assign(ctx: CommandContext, { id, assigneeId }: InputOf<typeof assignFeedback>) {
  const held = await hold(ctx, id, 'take')
  await refuseBlind(ctx, assigneeId, held)
  return moved(ctx, held, 'take', { assigneeId })
}

async function refuseBlind(ctx: CommandContext, userId: number, { merchantId }: Held): Promise<void> {
  const found = await sql<{ kind: UserKind; merchantId: number; name: string; isHelper: boolean }>`
    select u.kind, u.merchant_id as "merchantId", u.display_name as name, ${mayAnswer} as "isHelper" from app_user u
    where u.id = ${userId} and u.state = 'active'
      and ${merchantInSight(sightOf(ctx.actor), sql`u.merchant_id`)}`.execute(ctx.tx)
  const { name, isHelper, ...person } = existing(found.rows[0])
  const sees = await sql`select 1 from merchant m where m.id = ${merchantId}
    and ${merchantInSight(sightOf({ ...person, userId }), sql`m.id`)}`.execute(ctx.tx)
  if (!isHelper || sees.rows.length === 0) refuse('feedback.blind', { name })
}

/** Whoever answers what nobody has is the one who sees to it. */
export async function answer(ctx: CommandContext, { id, body, isQuestion }: InputOf<typeof answerFeedback>) {
  const held = await hold(ctx, id, 'take')
  const dueAt = isQuestion ? null : await promiseFrom(ctx.tx, ctx.now())
  await say(ctx, held, { kind: isQuestion ? 'question' : 'answer', body })
  await tellAsker(ctx, held, body)
  return moved(ctx, held, 'take', { assigneeId: held.assigneeId ?? ctx.actor.userId, dueAt }, { body, isQuestion })
}

export async function solve(ctx: CommandContext, { id, body }: InputOf<typeof solveFeedback>) {
  const held = await hold(ctx, id, 'solve')
  await say(ctx, held, { kind: 'solution', body })
  await tellAsker(ctx, held, body)
  const assigneeId = held.assigneeId ?? ctx.actor.userId
  return moved(ctx, held, 'solve', { assigneeId, dueAt: null, closedAt: ctx.now() }, { body })
}

const anew = async (ctx: CommandContext) =>
  ({ isEssence: false, closedAt: null, dueAt: await promiseFrom(ctx.tx, ctx.now()) }) as const

export async function reopen(ctx: CommandContext, { id, body }: InputOf<typeof solveFeedback>) {
  const held = await hold(ctx, id, 'reopen')
  await say(ctx, held, { kind: 'reopening', body })
  return moved(ctx, held, 'reopen', await anew(ctx), { body })
}

export async function remove(ctx: CommandContext, { id }: Id) {
  const held = await hold(ctx, id, 'remove')
  return moved(ctx, held, 'remove', { isEssence: false, dueAt: null, closedAt: ctx.now() })
}

export async function restore(ctx: CommandContext, { id }: Id) {
  return moved(ctx, await hold(ctx, id, 'restore'), 'restore', await anew(ctx))
}

export async function classify(ctx: CommandContext, { id, kind, fault }: InputOf<typeof classifyFeedback>) {
  const { merchantId, state } = await hold(ctx, id, null)
  await sql`update feedback set kind = ${kind}, fault = ${fault ?? ''}, version = version + 1 where id = ${id}`.execute(
    ctx.tx,
  )
  await ctx.audit({ merchantId, objectKind: 'feedback', objectId: id, before: null, after: { kind, fault } })
  return { id, state }
}

/** A mark on what is solved, as it is or as it was not yet. */
export const mark =
  (isEssence: boolean) =>
  async (ctx: CommandContext, { id }: Id) => {
    const held = await hold(ctx, id, 'reopen')
    if (held.isEssence === isEssence) refuse('feedback.state', { id })
    await sql`update feedback set is_essence = ${isEssence}, version = version + 1 where id = ${id}`.execute(ctx.tx)
    const { merchantId, state } = held
    const [before, after] = [{ isEssence: held.isEssence }, { isEssence }]
    await ctx.audit({ merchantId, objectKind: 'feedback', objectId: id, before, after })
    return { id, state }
  }

/** By who asked: the promise runs anew, and what was solved is not. */
export async function reply(ctx: CommandContext, { id, body }: InputOf<typeof replyFeedback>) {
  const held = await holdOwn(ctx, id)
  const isOver = !feedbackWork.is(held.state, 'unsolved')
  if (isOver) feedbacks.must(held, 'reopen')
  await say(ctx, held, { kind: isOver ? 'reopening' : 'reply', body })
  if (held.assigneeId !== null) await tell(ctx, 'feedback.replied', held, held.assigneeId, body)
  if (isOver) return moved(ctx, held, 'reopen', await anew(ctx), { body })
  const dueAt = await promiseFrom(ctx.tx, ctx.now())
  await sql`update feedback set due_at = ${dueAt}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  const { merchantId, state } = held
  await ctx.audit({ merchantId, objectKind: 'feedback', objectId: id, before: null, after: { body } })
  return { id, state }
}

const tellAsker = (ctx: CommandContext, held: Held, body: string) =>
  tell(ctx, 'feedback.answered', held, held.userId, body)

async function tell(ctx: CommandContext, type: string, held: Held, userId: number, words: string): Promise<void> {
  if (userId === ctx.actor.userId) return
  await send(ctx.tx, ctx.services.keys, {
    type,
    channel: 'web',
    merchantId: held.merchantId,
    userId,
    receiver: '',
    title: `#${held.id}`,
    body: words,
    vars: { no: String(held.id), who: ctx.actor.displayName, words },
    at: ctx.now(),
  })
}
