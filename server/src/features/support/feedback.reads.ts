import { grantsGiving } from '@aisle/contract/identity/permissions'
import {
  type Feedback,
  feedbackWork,
  type FeedbackWord,
  type getFeedback,
  type listFeedback,
  type listHelpers,
  type listOwnFeedback,
  type summariseFeedback,
} from '@aisle/contract/support/feedback'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, type Order } from '../../kernel/list'
import { only } from '../../kernel/must'
import { merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { holdsAny } from '../../kernel/search'
import { statesIn } from '../../kernel/states'

type Filter = InputOf<typeof listFeedback>
type Row = Feedback & { rank: number; assigneeId: number | null; merchantId: number }

/** What is open beyond its promise is overdue; the mark on what is solved goes before its state. */
const shownState = (now: Date) => sql<Feedback['state']>`case when f.is_essence then 'essence'
  when f.due_at < ${now} then 'timeout' else f.state end`

const rowsWhere = (which: RawBuilder<unknown>, now: Date): RawBuilder<Row> => sql`
  select f.id, f.body, ${shownState(now)} as state, f.kind, f.page, u.display_name as "userName",
    f.merchant_id as "merchantId", c.name as "merchantName", f.assignee_id as "assigneeId",
    a.display_name as "assigneeName", to_json(f.due_at) #>> '{}' as "dueAt",
    (select count(*)::int from feedback_word w where w.feedback_id = f.id) as "wordCount",
    to_json(f.created_at) #>> '{}' as "createdAt", to_json(f.closed_at) #>> '{}' as "closedAt", f.rank
  from feedback f join app_user u on u.id = f.user_id join merchant c on c.id = f.merchant_id
  left join app_user a on a.id = f.assignee_id where ${which}`

const inSight = (ctx: QueryContext, which: RawBuilder<unknown>): RawBuilder<Row> =>
  rowsWhere(sql`${which} and ${merchantInSight(sightOf(ctx.actor), sql`f.merchant_id`)}`, ctx.now())

const orders: Record<Filter['sort'], Order> = {
  due: { by: sql`rank`, type: 'bigint' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

/** What was deleted is shown to who asks for it. */
const kept = sql`f.state in ${statesIn(feedbackWork, 'kept')}`
const gone = sql`f.state in ${statesIn(feedbackWork, 'gone')}`
/** What waits for somebody of support, not for who asked. */
const toAnswer = sql`f.closed_at is null and f.due_at is not null`

export function listFeedbackIn(ctx: QueryContext, filter: Filter): Listing<Feedback> {
  const { q, state, kind, assignee, merchantId, sort } = filter
  const which =
    isAnyOf(shownState(ctx.now()), state, {
      deleted: sql`${gone} and not f.is_essence`,
      essence: sql`f.is_essence`,
      unsolved: sql`f.closed_at is null`,
      toAnswer,
      timeout: sql`f.closed_at is null and f.due_at < ${ctx.now()} and not f.is_essence`,
    }) ?? kept
  const where = allOf([
    q && found(q),
    isAnyOf(sql`kind`, kind),
    assignee === 'me' && sql`"assigneeId" = ${ctx.actor.userId}`,
    assignee === 'nobody' && sql`"assigneeId" is null`,
    assignee && !state && sql`"closedAt" is null`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  return mapRows(listRows({ rows: inSight(ctx, which), where, order: orders[sort] }), (rows) => rows.map(shown))
}

const shown = ({ rank: _, assigneeId: __, merchantId: ___, ...row }: Row): Feedback => row

/** In what was said, where, and by whom; each part by its own index. */
const found = (q: string) => sql`id in (
  select f.id from feedback f where ${holdsAny([sql`f.body`, sql`f.page`, sql`f.contact`], q)}
  union all select f.id from feedback f join app_user u on u.id = f.user_id where ${holds(sql`u.display_name`, q)})`

export async function summary(ctx: QueryContext): Promise<OutputOf<typeof summariseFeedback>> {
  const counted = await sql<OutputOf<typeof summariseFeedback>>`
    select count(*) filter (where state = ${sql.lit(feedbackWork.initial)})::int as unprocessed,
      count(*) filter (where state = 'timeout')::int as timeout,
      count(*) filter (where state = 'processing')::int as processing,
      count(*) filter (where "assigneeId" = ${ctx.actor.userId})::int as mine
    from (${inSight(ctx, sql`f.closed_at is null`)}) seen`.execute(ctx.db)
  return only(counted)
}

export async function countWaitingFeedback(db: Reader, sight: Sight): Promise<number> {
  const counted = await sql<{ count: number }>`select count(*)::int as count from feedback f
    where ${toAnswer} and ${merchantInSight(sight, sql`f.merchant_id`)}`.execute(db)
  return only(counted).count
}

type Detail = OutputOf<typeof getFeedback>
type More = Pick<Detail, 'work' | 'contact' | 'seen' | 'fault'>

export async function findFeedback(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const rows = inSight(ctx, sql`f.id = ${id}`)
  const found = await sql<Row & More & { userId: number }>`
    select seen.*, f.state as work, f.contact, f.seen, nullif(f.fault, '') as fault, f.user_id as "userId"
    from (${rows}) seen join feedback f on f.id = seen.id`.execute(ctx.db)
  const row = found.rows[0]
  if (!row) return undefined
  const { userId, assigneeId, ...rest } = row
  return {
    ...shown({ ...rest, assigneeId }),
    ...moreOf(row),
    assigneeId,
    words: await wordsOf(ctx.db, id),
    others: await othersOf(ctx, id, userId),
  }
}

const moreOf = ({ work, contact, seen, fault }: More): More => ({ work, contact, seen, fault })

const words = (feedbackId: RawBuilder<unknown>) => sql`select w.id, w.kind, u.display_name as who, w.body,
    to_json(w.at) #>> '{}' as at
  from feedback_word w join app_user u on u.id = w.user_id where w.feedback_id = ${feedbackId}
  order by w.id desc limit 100`

async function wordsOf(db: Reader, id: number): Promise<FeedbackWord[]> {
  const found = await sql<FeedbackWord>`${words(sql`${id}`)}`.execute(db)
  return found.rows
}

async function othersOf(ctx: QueryContext, id: number, userId: number): Promise<Detail['others']> {
  const which = sql`f.user_id = ${userId} and f.id <> ${id} and ${kept}`
  const found = await sql<Detail['others'][number]>`select id, body, state, "createdAt"
    from (${inSight(ctx, which)}) seen order by id desc limit 5`.execute(ctx.db)
  return found.rows
}

type Own = OutputOf<typeof listOwnFeedback>['items'][number]

export function listOwn(ctx: QueryContext): Listing<Own> {
  const rows = sql<Own>`select id, body, state, page, "dueAt", "createdAt",
      coalesce((select json_agg(said order by said.id desc) from (${words(sql`seen.id`)}) said), '[]') as words
    from (${rowsWhere(sql`f.user_id = ${ctx.actor.userId} and ${kept}`, ctx.now())}) seen`
  return listRows({ rows, order: orders.newest })
}

/** Whether a role of user `u` allows to answer. */
export const mayAnswer = sql<boolean>`exists (select 1 from user_role r join role_permission p on p.role_id = r.role_id
  where r.user_id = u.id and p.permission = any(${grantsGiving('feedback.write')}::text[]))`

type Helper = OutputOf<typeof listHelpers>['items'][number]

export function helpers(ctx: QueryContext, { q }: InputOf<typeof listHelpers>): Listing<Helper> {
  const rows = sql<Helper>`select u.id, u.display_name as name, u.account, c.name as "merchantName",
      (select count(*)::int from feedback f where f.assignee_id = u.id and f.closed_at is null) as unsolved
    from app_user u join merchant c on c.id = u.merchant_id
    where u.state = 'active' and ${mayAnswer} and ${merchantInSight(sightOf(ctx.actor), sql`u.merchant_id`)}`
  const where = q ? sql`(${holds(sql`name`, q)} or ${holds(sql`account`, q)})` : sql`true`
  return listRows({ rows, where, order: { by: sql`name`, type: 'text' } })
}
