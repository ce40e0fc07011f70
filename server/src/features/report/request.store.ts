import { type listReportRequests, type ReportRequest, reportState } from '@aisle/contract/report/request'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'
import { forgetLinks } from '../../kernel/files/fileLink'
import { allOf, isAnyOf, type Listing, listRows } from '../../kernel/list'
import { only } from '../../kernel/must'
import { statesFrom, statesIn, stateTo } from '../../kernel/states'

export type Wanted = {
  list: string
  query: Record<string, string>
  columns: readonly string[]
  format: 'xlsx' | 'csv'
  language: Language
}

export type Listed = Omit<ReportRequest, 'title'> & { list: string }

const own = (
  userId: number,
) => sql<Listed>`select id, list, format, state, rows_done as "rowsDone", rows_total as "rowsTotal",
  bytes, to_json(requested_at) #>> '{}' as "requestedAt", to_json(finished_at) #>> '{}' as "finishedAt",
  to_json(expires_at) #>> '{}' as "expiresAt" from report_request where user_id = ${userId}`

export const listRequestsOf = (userId: number, filter: InputOf<typeof listReportRequests>): Listing<Listed> =>
  listRows({
    rows: own(userId),
    where: allOf([isAnyOf(sql`state`, filter.state)]),
    order: { by: sql`id`, type: 'bigint', newestFirst: true },
  })

export async function findListed(db: Reader, userId: number, id: number): Promise<Listed | undefined> {
  const found = await sql<Listed>`select * from (${own(userId)}) own where id = ${id}`.execute(db)
  return found.rows[0]
}

export async function insert(
  tx: Tx,
  request: Wanted & { merchantId: number; userId: number; keptReportId?: number; at: Date },
): Promise<number> {
  const { list, query, columns, format, language, merchantId, userId, keptReportId, at } = request
  const made = await sql<{ id: number }>`insert into report_request
      (merchant_id, user_id, list, query, columns, format, language, kept_report_id, requested_at, touched_at)
    values (${merchantId}, ${userId}, ${list}, ${JSON.stringify(query)}, ${[...columns]}::text[], ${format},
      ${language}, ${keptReportId ?? null}, ${at}, ${at}) returning id`.execute(tx)
  return only(made).id
}

/** Of this user, waiting or being made. */
export async function countOpen(db: Reader, userId: number): Promise<number> {
  const found = await sql<{ count: number }>`select count(*) as count from report_request
    where user_id = ${userId} and state in ${statesIn(reportState, 'underWay')}`.execute(db)
  return found.rows[0]?.count ?? 0
}

export type Request = Wanted & {
  id: number
  userId: number
  merchantId: number
  state: ReportRequest['state']
  requestedAt: Date
}

export async function find(db: Reader, id: number): Promise<(Request & { file: string | null }) | undefined> {
  const found = await sql<Request & { file: string | null }>`
    select id, user_id as "userId", merchant_id as "merchantId", list, query, columns, format, language, state, file,
      requested_at as "requestedAt" from report_request where id = ${id}`.execute(db)
  return found.rows[0]
}

/** Compare-and-set. @returns whether it could still be cancelled */
export async function cancel(db: Reader, id: number, now: Date): Promise<boolean> {
  const moved = await sql`update report_request set state = ${stateTo(reportState, 'cancel')}, finished_at = ${now}
    where id = ${id} and state in ${statesFrom(reportState, 'cancel')}`.execute(db)
  return moved.numAffectedRows === 1n
}

/** @returns those that nobody works at any more */
export async function takeStranded(db: Reader, since: Date, now: Date): Promise<number[]> {
  const found = await sql<{ id: number }>`update report_request set touched_at = ${now}
    where state in ${statesIn(reportState, 'underWay')} and touched_at < ${since} returning id`.execute(db)
  return found.rows.map((row) => row.id)
}

export async function expire(db: Reader, now: Date): Promise<void> {
  await forgetLinks(db, now)
  await sql`update report_request set state = ${stateTo(reportState, 'expire')}
    where state in ${statesFrom(reportState, 'expire')} and expires_at < ${now}`.execute(db)
}
