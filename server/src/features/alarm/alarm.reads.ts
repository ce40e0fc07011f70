import type { Alarm, getAlarm, listAlarms, listAssignees, summariseAlarms } from '@aisle/contract/alarm/alarm'
import { alarmLevels, alarmState, type AlarmCause } from '@aisle/contract/alarm/states'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { Language } from '@aisle/contract/kernel/text'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, type Order, summed } from '../../kernel/list'
import { withinDays } from '../../kernel/platformDays'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { detailOf } from './alarm.words'

type Filter = InputOf<typeof listAlarms>

/** Alarms that began as close together at one point have one cause: a power cut is one line, not twelve. */
const AT_ONCE = sql`interval '30 minutes'`

/** As bad first, then as dear; `closed` after all. Steady within five minutes, so that a page by key misses nothing. */
const rank = sql`array_position(${[...alarmLevels]}::text[], a.level)`

/** Alarms in sight with what stands beside them. @param which more conditions on alarm `a` and machine `m` */
const each = (
  sight: Sight,
  now: Date,
  which: RawBuilder<unknown>,
  more: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select a.*, m.point_id, m.code as machine_code, m.name as machine_name, c.name as merchant_name,
    p.name as point_name, u.display_name as assignee_name, ${rank} as rank,
    round(a.usual_fen_hour * extract(epoch from coalesce(a.closed_at, ${steady(now)}) - a.opened_at) / 3600)::bigint
      as stake_fen, ${more}
  from alarm a join machine m on m.id = a.machine_id join merchant c on c.id = m.merchant_id
  join point p on p.id = m.point_id left join app_user u on u.id = a.assignee_id
  where ${machineInSight(sight, sql`a.machine_id`)} and ${which}`

const beginsLine = sql`case when a.opened_at - lag(a.opened_at) over (partition by m.point_id, a.cause,
  a.state = 'closed', a.slot_code = '' order by a.opened_at, a.id) <= ${AT_ONCE} then 0 else 1 end as is_new`

/**
 * Alarms in sight. Those of whole machines that last carry their line: the same cause at the same point, each begun
 * within half an hour of the one before it; the first of a line leads it. All of them are looked at: for those that
 * last, or a few.
 */
const rowsInSight = (sight: Sight, now: Date, which: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select *, row_number() over (line order by opened_at, id) = 1 as leads,
    (count(*) over line)::int as line_alarms, sum(stake_fen) over line as line_stake, min(rank) over line as line_rank
  from (
    select *, case when state = 'closed' or slot_code <> '' then 'alarm/' || id
      else point_id || '/' || cause || '/' || (sum(is_new) over (
        partition by point_id, cause, state = 'closed', slot_code = '' order by opened_at, id)) end as line
    from (${each(sight, now, which, beginsLine)}) one) lined
  window line as (partition by line)`

/** Each by itself: of a history of years a page is read, and nothing is worked out over the rest of it. */
const single = (sight: Sight, now: Date, which: RawBuilder<unknown>): RawBuilder<unknown> =>
  each(sight, now, which, sql`'alarm/' || a.id as line, true as leads`)

const FIVE_MINUTES = 300_000
const steady = (now: Date): Date => new Date(Math.floor(now.getTime() / FIVE_MINUTES) * FIVE_MINUTES)

const lasting = sql`a.state <> 'closed'`

const columns = sql`id, machine_id as "machineId", machine_code as "machineCode", machine_name as "machineName",
  merchant_id as "merchantId", merchant_name as "merchantName", point_name as "pointName", cause,
  case when cause = 'device' then coalesce(facts ->> 'slot', '') else slot_code end as "slotCode", facts, level, state,
  to_json(opened_at) #>> '{}' as "openedAt", to_json(seen_at) #>> '{}' as "seenAt",
  to_json(closed_at) #>> '{}' as "closedAt", count,
  assignee_id as "assigneeId", assignee_name as "assigneeName", repair_order_id as "repairOrderId", version,
  usual_fen_hour as "usualFenHour", line, leads, opened_at, worst`

/** One line each; a list that asks for one machine, or for what is over, shows each alarm by itself. */
const lines = (rows: RawBuilder<unknown>, isLined: boolean): RawBuilder<Row> =>
  isLined
    ? sql`select ${columns}, line_alarms as machines, line_stake::bigint as "stakeFen", line_rank as rank
        from (${rows}) lined where leads`
    : sql`select ${columns}, 1 as machines, stake_fen as "stakeFen", rank from (${rows}) single`

/** A decimal so wide that no loss of a line reaches the next rank. */
const worst = sql`rank * 1000000000000
  - least(coalesce("stakeFen", 0), 999999999999)`

const orders: Record<Filter['sort'], Order> = {
  worst: { by: worst, type: 'bigint' },
  newest: { by: sql`opened_at`, type: 'timestamptz', newestFirst: true },
}

const worstKept: Order = { by: sql`worst`, type: 'bigint' }

type Row = Omit<Alarm, 'detail'> & { facts: Record<string, string | number>; cause: AlarmCause }

export function listAlarmsIn(ctx: QueryContext, filter: Filter): Listing<Alarm> {
  const { machineId, sort } = filter
  const phase = phaseOf(filter)
  const isLined = phase === 'lasting' && machineId === undefined
  const which = conditionsOf(ctx, filter)
  const rows = lines((isLined ? rowsInSight : single)(sightOf(ctx.actor), ctx.now(), which), isLined)
  // What is over is a history of years: its order is kept with it.
  const order = sort === 'worst' && phase !== 'lasting' ? worstKept : orders[sort]
  const sums = sql`sum(machines)::int as alarms, ${summed('stakeFen')}`
  return mapRows(listRows({ rows, order, sums }), (found) => found.map((row) => worded(row, ctx.language)))
}

/** Who asks for what is closed asks for a history, whatever else is said. */
const phaseOf = ({ phase = 'lasting', state = [] }: Filter) => {
  if (!state.some((each) => alarmState.is(each, 'closed'))) return phase
  return state.length > 1 ? 'all' : 'closed'
}

function conditionsOf(ctx: QueryContext, filter: Filter): RawBuilder<boolean> {
  const phase = phaseOf(filter)
  const { q, code, state, level, cause, merchantId, machineId, assignee } = filter
  const name = (column: string) => sql.ref(column)
  return allOf([
    phase === 'lasting' && lasting,
    phase === 'closed' && sql`a.state = 'closed'`,
    isAnyOf(sql`a.state`, state),
    isAnyOf(sql`a.level`, level),
    isAnyOf(sql`a.cause`, cause),
    machineId && sql`a.machine_id = ${machineId}`,
    code && sql`m.code = ${code}`,
    q && sql`(${holds(name('m.code'), q)} or ${holds(name('m.name'), q)} or ${holds(name('p.name'), q)})`,
    merchantId && sql`m.merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    assignee === 'me' && sql`a.assignee_id = ${ctx.actor.userId}`,
    assignee === 'nobody' && sql`a.assignee_id is null`,
    ...withinDays(sql`a.opened_at`, filter),
  ])
}

function worded<R extends Row>({ facts, ...row }: R, language: Language) {
  return { ...row, detail: detailOf(language, row.cause, facts) }
}

type Summary = OutputOf<typeof summariseAlarms>

export async function summary(ctx: QueryContext): Promise<Summary> {
  const found = await sql<Summary>`
    select count(*) filter (where level = 'critical')::int as critical,
      count(*) filter (where level = 'warning')::int as warning,
      count(*) filter (where level = 'notice')::int as notice,
      count(*) filter (where state = 'open')::int as unseen,
      count(*) filter (where assignee_id = ${ctx.actor.userId})::int as mine,
      coalesce(sum(stake_fen), 0)::bigint as "stakeFen"
    from (${rowsInSight(sightOf(ctx.actor), ctx.now(), lasting)}) seen`.execute(ctx.db)
  const [row] = found.rows
  if (!row) throw new Error('a count without a row')
  return row
}

type Detail = OutputOf<typeof getAlarm>
type DetailRow = Omit<Detail, 'detail' | 'story' | 'others'> & { merchantId: number; line: string }

/** With its line, where it lasts: the alarms of its point and cause are looked at, no others. */
export async function findAlarmDetail(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const sight = sightOf(ctx.actor)
  const near = sql`(a.id = ${id} or ${lasting} and (a.cause, m.point_id) = (
    select x.cause, y.point_id from alarm x join machine y on y.id = x.machine_id where x.id = ${id}))`
  const found = await sql<DetailRow & { closedBy: string | null; closedNote: string }>`
    select one.*, (select display_name from app_user where id = a.closed_by) as "closedBy",
      a.closed_note as "closedNote"
    from (${lines(rowsInSight(sight, ctx.now(), near), false)}) one join alarm a on a.id = one.id`.execute(ctx.db)
  const row = found.rows.find((each) => each.id === id)
  if (!row) return undefined
  const others = found.rows.filter((each) => each.id !== id && each.line === row.line)
  return {
    ...row,
    machines: others.length + 1,
    detail: detailOf(ctx.language, row.cause, row.facts),
    story: await findStory(ctx.db, id),
    others: others.map(({ id: other, machineCode, machineName, slotCode, state, openedAt }) => ({
      id: other,
      machineCode,
      machineName,
      slotCode,
      state,
      openedAt,
    })),
  }
}

async function findStory(db: Reader, id: number): Promise<Detail['story']> {
  const found = await sql<Detail['story'][number]>`
    select e.id, to_json(e.at) #>> '{}' as at, e.verb, u.display_name as who, b.display_name as assignee, e.note
    from alarm_event e left join app_user u on u.id = e.user_id left join app_user b on b.id = e.assignee_id
    where e.alarm_id = ${id} order by e.id desc limit 100`.execute(db)
  return found.rows
}

export type Meant = { id: number; merchantId: number; machineId: number; state: Alarm['state']; line: string }

/** The alarms that a verb is turned on, locked; those that stand in their lines too, where that is asked. */
export async function lockMeant(
  ctx: QueryContext & { tx: Reader },
  ids: readonly number[],
  wholeLine: boolean,
): Promise<Meant[]> {
  const wanted = sql`${[...ids]}::bigint[]`
  const near = sql`(a.id = any(${wanted}) or ${lasting} and (a.cause, m.point_id) in (
    select x.cause, y.point_id from alarm x join machine y on y.id = x.machine_id where x.id = any(${wanted})))`
  const found = await sql<Meant>`
    with seen as materialized (select id, line from (${rowsInSight(sightOf(ctx.actor), ctx.now(), near)}) s)
    select a.id, a.merchant_id as "merchantId", a.machine_id as "machineId", a.state, seen.line
    from alarm a join seen on seen.id = a.id
    where a.id = any(${wanted})
      or ${wholeLine} and seen.line in (select line from seen chosen where chosen.id = any(${wanted}))
    order by a.id for update of a`.execute(ctx.tx)
  return found.rows
}

type Assignee = OutputOf<typeof listAssignees>['items'][number]

export function assignees(sight: Sight, filter: InputOf<typeof listAssignees>): Listing<Assignee> {
  const rows = sql<Assignee>`select u.id, u.display_name as name, u.account, c.name as "merchantName",
      (select count(*)::int from alarm a where a.assignee_id = u.id and ${lasting}) as lasting
    from app_user u join merchant c on c.id = u.merchant_id
    where u.state = 'active' and u.kind <> 'doctor' and ${merchantInSight(sight, sql`u.merchant_id`)}`
  const { q } = filter
  const where = q ? sql`(${holds(sql`name`, q)} or ${holds(sql`account`, q)})` : sql`true`
  return listRows({ rows, where, order: { by: sql`name`, type: 'text' } })
}
