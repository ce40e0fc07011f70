import { type addFeedback, feedbackWork, type FeedbackWord } from '@aisle/contract/support/feedback'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { businessHours, feedbackHours, worksAtWeekends } from '@aisle/contract/system/settings'
import { type RawBuilder, sql } from 'kysely'
import type { CommandContext, Reader, Tx } from '../../kernel/context'
import { only } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { stateful } from '../../kernel/states'
import { promisedAt } from './promise.rules'

/** @throws Refusal feedback.state */
export const feedbacks = stateful('feedback', 'state', feedbackWork, {
  versioned: true,
  refuse: ({ id }) => refuse('feedback.state', { id }),
})

export type Held = {
  id: number
  merchantId: number
  userId: number
  state: (typeof feedbackWork.states)[number]
  assigneeId: number | null
  isEssence: boolean
}
export type Verb = keyof typeof feedbackWork.moves

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export const hold = (ctx: CommandContext, id: number, verb: Verb | null) =>
  locked(ctx, id, verb, merchantInSight(sightOf(ctx.actor), sql`f.merchant_id`))

/** The same of what the caller has said themselves. */
export const holdOwn = (ctx: CommandContext, id: number) => locked(ctx, id, null, sql`f.user_id = ${ctx.actor.userId}`)

async function locked(ctx: CommandContext, id: number, verb: Verb | null, which: RawBuilder<unknown>): Promise<Held> {
  const found = await sql<Held>`select f.id, f.merchant_id as "merchantId", f.user_id as "userId", f.state,
      f.assignee_id as "assigneeId", f.is_essence as "isEssence"
    from feedback f where f.id = ${id} and ${which} for update`.execute(ctx.tx)
  const held = existing(found.rows[0])
  if (verb) feedbacks.must(held, verb)
  return held
}

/** Until when whoever waits since now is to hear of support, by the platform's clock. */
export async function promiseFrom(db: Reader, now: Date): Promise<Date> {
  const platform = await sql<{ timeZone: string }>`select time_zone as "timeZone" from merchant
    where parent_id is null`.execute(db)
  const { timeZone } = only(platform)
  const hours = await settingOf(db, feedbackHours, null)
  const window = await settingOf(db, businessHours, null)
  const atWeekends = await settingOf(db, worksAtWeekends, null)
  return promisedAt(now, hours, { ...window, atWeekends, timeZone })
}

/** What a person said since then; counting stops at `most`. */
export async function countSince(tx: Tx, userId: number, since: Date, most: number): Promise<number> {
  const found = await sql<{ count: number }>`select count(*) as count from (select 1 from feedback
    where user_id = ${userId} and created_at > ${since} limit ${sql.lit(most)}) counted`.execute(tx)
  return only(found).count
}

type Said = InputOf<typeof addFeedback> & { dueAt: Date }

export async function insertFeedback(ctx: CommandContext, said: Said): Promise<number> {
  const { kind, body, contact, page, seen, dueAt } = said
  const { merchantId, userId } = ctx.actor
  const agent = ctx.agent.slice(0, 300)
  const made = await sql<{ id: number }>`insert into feedback (merchant_id, user_id, kind, body, contact, page, seen,
      state, due_at, created_at)
    values (${merchantId}, ${userId}, ${kind}, ${body}, ${contact}, ${page}, ${JSON.stringify({ ...seen, agent })},
      ${feedbackWork.initial}, ${dueAt}, ${ctx.now()}) returning id`.execute(ctx.tx)
  return only(made).id
}

type Word = { kind: FeedbackWord['kind']; body: string }

export async function say(ctx: CommandContext, { id }: Pick<Held, 'id'>, { kind, body }: Word): Promise<void> {
  await sql`insert into feedback_word (feedback_id, user_id, kind, body, at)
    values (${id}, ${ctx.actor.userId}, ${kind}, ${body}, ${ctx.now()})`.execute(ctx.tx)
}
