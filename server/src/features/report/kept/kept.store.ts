import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { onOff } from '@aisle/contract/kernel/states'
import type { Language } from '@aisle/contract/kernel/text'
import type { editKeptReport, KeptReport, listKeptReports } from '@aisle/contract/report/kept'
import { type RawBuilder, sql } from 'kysely'
import type { CommandContext, QueryContext, Reader, Tx } from '../../../kernel/context'
import { holds, type Listing, listRows, mapRows } from '../../../kernel/list'
import { only } from '../../../kernel/must'
import { existing, refuse } from '../../../kernel/refuse'
import { stateful } from '../../../kernel/states'
import { screenOf, titleOf } from '../exported'
import type { Wanted } from '../request.store'

/** @throws Refusal keptReport.state */
export const keptReports = stateful('keptReport', 'state', onOff, {
  versioned: true,
  refuse: () => refuse('keptReport.state'),
})

type Row = Omit<KeptReport, 'title'> & { list: string }

/** One's own, and what is shared with a role that one has, by somebody of one's own merchant. */
const inSight = ({ userId, merchantId }: QueryContext['actor']): RawBuilder<boolean> => sql<boolean>`(
  k.user_id = ${userId} or (k.merchant_id = ${merchantId} and exists (select 1 from kept_report_role s
    join user_role mine on mine.role_id = s.role_id and mine.user_id = ${userId} where s.kept_report_id = k.id)))`

const rows = ({ actor }: Pick<QueryContext, 'actor'>) => sql<Row>`
  select k.id, k.name, k.list, k.state, k.period, k.cadence, k.at_hour as "atHour", k.format,
    to_json(k.next_at) #>> '{}' as "nextAt", to_json(last.requested_at) #>> '{}' as "lastAt",
    last.state as "lastState", u.display_name as "ownerName", (k.user_id = ${actor.userId}) as "isOwn",
    array(select r.name from kept_report_role s join role r on r.id = s.role_id
      where s.kept_report_id = k.id order by r.name) as "sharedWith"
  from kept_report k join app_user u on u.id = k.user_id
  left join lateral (select state, requested_at from report_request
    where kept_report_id = k.id and user_id = ${actor.userId} order by id desc limit 1) last on true
  where ${inSight(actor)}`

const titled = ({ list, ...row }: Row, language: Language): KeptReport => ({
  ...row,
  title: titleOf(list, language),
})

export function listKept(ctx: QueryContext, { of }: InputOf<typeof listKeptReports>): Listing<KeptReport> {
  const where = of && (of === 'own' ? sql`"isOwn"` : sql`not "isOwn"`)
  const order = { by: sql`id`, type: 'bigint', newestFirst: true } as const
  const listing = listRows({ rows: rows(ctx), order, ...(where && { where }) })
  return mapRows(listing, (found) => found.map((row) => titled(row, ctx.language)))
}

const MOST_FILES = 10

export async function findKept(ctx: QueryContext, { id }: { id: number }) {
  const { db, actor, language } = ctx
  const found = await sql<Row>`select * from (${rows(ctx)}) seen where id = ${id}`.execute(db)
  const row = existing(found.rows[0])
  const { version, query, columns } = await partsOf(db, id)
  const roles = await sql<{ id: number }>`select role_id as id from kept_report_role
    where kept_report_id = ${id} order by role_id`.execute(db)
  const files = await sql<{ id: number; state: Row['lastState'] & string; rows: number; requestedAt: string }>`
    select id, state, rows_done as rows, to_json(requested_at) #>> '{}' as "requestedAt" from report_request
    where kept_report_id = ${id} and user_id = ${actor.userId} order by id desc limit ${sql.lit(MOST_FILES)}`.execute(
    db,
  )
  return {
    ...titled(row, language),
    version,
    query,
    columns,
    screen: screenOf(row.list),
    roleIds: roles.rows.map((role) => role.id),
    files: files.rows,
  }
}

type Parts = { version: number; query: Record<string, string>; columns: string[] }

async function partsOf(db: Reader, id: number): Promise<Parts> {
  return only(await sql<Parts>`select version, query, columns from kept_report where id = ${id}`.execute(db))
}

export type Kept = Wanted &
  Pick<KeptReport, 'id' | 'name' | 'period' | 'cadence' | 'atHour' | 'state'> & {
    merchantId: number
    userId: number
    version: number
  }

const columns = sql`k.id, k.merchant_id as "merchantId", k.user_id as "userId", k.name, k.list, k.query, k.columns,
  k.format, k.language, k.period, k.cadence, k.at_hour as "atHour", k.state, k.version`

/** Locked. @throws Refusal for one that is neither one's own nor shared */
export async function holdKept(ctx: CommandContext, id: number): Promise<Kept> {
  const found = await sql<Kept>`select ${columns} from kept_report k where k.id = ${id} and ${inSight(ctx.actor)}
    for update`.execute(ctx.tx)
  return existing(found.rows[0])
}

/** Those whose hour has come, each held by one worker alone. */
export async function holdDue(tx: Tx, now: Date, most: number): Promise<(Kept & { isLetIn: boolean })[]> {
  const found = await sql<Kept & { isLetIn: boolean }>`select ${columns},
      (select u.state = 'active' and m.state = 'active' from app_user u join merchant m on m.id = u.merchant_id
        where u.id = k.user_id) as "isLetIn"
    from kept_report k where k.next_at <= ${now}
    order by k.next_at, k.id limit ${sql.lit(most)} for update skip locked`.execute(tx)
  return found.rows
}

export async function countKept(tx: Tx, userId: number): Promise<number> {
  // One person's at a time, or many kept at once would all count the same few.
  await sql`select pg_advisory_xact_lock(hashtext('report.kept'), ${userId}::int)`.execute(tx)
  const found = await sql<{ count: number }>`select count(*)::int as count from kept_report
    where user_id = ${userId}`.execute(tx)
  return only(found).count
}

type New = Omit<Kept, 'id' | 'state' | 'version'> & { nextAt: Date | null; at: Date }

export async function insertKept(tx: Tx, made: New): Promise<number> {
  const { merchantId, userId, name, list, query, format, language, period, cadence, atHour, nextAt, at } = made
  const found = await sql<{ id: number }>`insert into kept_report (merchant_id, user_id, name, list, query, columns,
      format, language, period, cadence, at_hour, next_at, created_at)
    values (${merchantId}, ${userId}, ${name}, ${list}, ${JSON.stringify(query)}, ${[...made.columns]}::text[],
      ${format}, ${language}, ${period}, ${cadence}, ${atHour}, ${nextAt}, ${at}) returning id`.execute(tx)
  return only(found).id
}

type Change = Pick<InputOf<typeof editKeptReport>, 'name' | 'period' | 'format' | 'cadence' | 'atHour'>

export async function updateKept(tx: Tx, id: number, change: Change & { nextAt: Date | null }): Promise<void> {
  const { name, period, format, cadence, atHour, nextAt } = change
  await sql`update kept_report set name = ${name}, period = ${period}, format = ${format}, cadence = ${cadence},
    at_hour = ${atHour}, next_at = ${nextAt}, version = version + 1 where id = ${id}`.execute(tx)
}

export async function setNext(tx: Tx, id: number, nextAt: Date | null): Promise<void> {
  await sql`update kept_report set next_at = ${nextAt} where id = ${id}`.execute(tx)
}

export async function deleteKept(tx: Tx, id: number): Promise<void> {
  await sql`delete from kept_report where id = ${id}`.execute(tx)
}

/** Of the roles named those of the merchant; what else is named is left out. */
export async function share(tx: Tx, id: number, merchantId: number, roleIds: readonly number[]): Promise<void> {
  await sql`delete from kept_report_role where kept_report_id = ${id}`.execute(tx)
  await sql`insert into kept_report_role (kept_report_id, role_id)
    select ${id}, id from role where merchant_id = ${merchantId} and id = any(${[...roleIds]}::bigint[])`.execute(tx)
}

export const shareRoles = (merchantId: number, q: string | undefined): Listing<{ id: number; name: string }> =>
  listRows({
    rows: sql<{ id: number; name: string }>`select id, name from role where merchant_id = ${merchantId}`,
    order: { by: sql`name`, type: 'text' },
    ...(q && { where: holds(sql`name`, q) }),
  })
