import type {
  getRepairOrder,
  listRepairOrders,
  RepairOrder,
  summariseRepairOrders,
} from '@aisle/contract/maintenance/repairOrder'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, type Order } from '../../kernel/list'
import { machineInSight, type Sight, sightOf } from '../../kernel/scope'
import { marksOf, type Passed, testsOf } from './repairOrder.rules'

type Filter = InputOf<typeof listRepairOrders>

/** Orders of machines in sight, with how many days of the machine's calendar they have left. */
const rowsInSight = (sight: Sight, now: Date): RawBuilder<Row> => sql`
  select o.id, o.machine_id as "machineId", m.code as "machineCode", m.name as "machineName", p.name as "pointName",
    m.merchant_id as "merchantId", c.name as "merchantName", o.kind, o.source, o.problem, o.slots, o.state,
    o.assignee_id as "assigneeId", u.display_name as "assigneeName", to_char(o.due_on, 'YYYY-MM-DD') as "dueOn",
    case when o.closed_at is null and o.state <> 'done'
      then o.due_on - (${now}::timestamptz at time zone m.time_zone)::date end as "daysLeft",
    to_json(o.created_at) #>> '{}' as "createdAt", to_json(o.started_at) #>> '{}' as "startedAt",
    to_json(o.done_at) #>> '{}' as "doneAt", to_json(o.closed_at) #>> '{}' as "closedAt",
    coalesce((select sum(part.quantity * part.cost_fen) from repair_part part where part.order_id = o.id), 0)::bigint
      as "costFen"
  from repair_order o join machine m on m.id = o.machine_id join merchant c on c.id = m.merchant_id
  join point p on p.id = m.point_id left join app_user u on u.id = o.assignee_id
  where ${machineInSight(sight, sql`o.machine_id`)}`

/** What is over stands last, work without a day before it, and what is longest overdue first of all. */
const due = sql`case when "closedAt" is not null then 2000000000 - id % 1000000000
  when state = 'done' then 900000 else coalesce("daysLeft", 800000) end`

const orders: Record<Filter['sort'], Order> = {
  due: { by: sql`(${due})::bigint`, type: 'bigint' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

type Row = Omit<RepairOrder, 'marks'>
const marked = <R extends Row>(row: R) => ({ ...row, marks: marksOf(row.daysLeft) })

export function listRepairOrdersIn(ctx: QueryContext, filter: Filter): Listing<RepairOrder> {
  const { q, code, state, kind, assignee, due: asked, machineId, merchantId, sort } = filter
  const where = allOf([
    q && sql`(${holds(sql`"machineCode"`, q)} or ${holds(sql`problem`, q)} or ${holds(sql`"pointName"`, q)})`,
    code && sql`"machineCode" = ${code}`,
    isAnyOf(sql`state`, state),
    isAnyOf(sql`kind`, kind),
    machineId && sql`"machineId" = ${machineId}`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    assignee === 'me' && sql`"assigneeId" = ${ctx.actor.userId}`,
    // What lies before one, as the tally counts it; what one has behind oneself is asked for by its state.
    assignee === 'me' && !state && sql`"closedAt" is null`,
    assignee === 'nobody' && sql`"assigneeId" is null and "closedAt" is null`,
    asked === 'overdue' && sql`"daysLeft" < 0`,
    asked === 'week' && sql`"daysLeft" < 7`,
  ])
  const rows = rowsInSight(sightOf(ctx.actor), ctx.now())
  return mapRows(listRows({ rows, where, order: orders[sort] }), (found) => found.map(marked))
}

type Summary = OutputOf<typeof summariseRepairOrders>

export async function summary(ctx: QueryContext): Promise<Summary> {
  const found = await sql<Summary>`
    select count(*) filter (where "daysLeft" < 0)::int as overdue,
      count(*) filter (where "assigneeId" is null and state = 'open')::int as unassigned,
      count(*) filter (where state = 'in_progress')::int as "inProgress",
      count(*) filter (where state = 'done')::int as done,
      count(*) filter (where "assigneeId" = ${ctx.actor.userId})::int as mine
    from (${rowsInSight(sightOf(ctx.actor), ctx.now())}) seen where "closedAt" is null`.execute(ctx.db)
  const [row] = found.rows
  if (!row) throw new Error('a count without a row')
  return row
}

type Detail = OutputOf<typeof getRepairOrder>
type DetailRow = Row &
  Pick<Detail, 'version' | 'solution' | 'pictures' | 'cancelReason' | 'createdBy' | 'planName'> & {
    assigneeId: number | null
  }

export async function findRepairOrderDetail(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const found = await sql<DetailRow>`
    select seen.*, o.version, o.solution, o.pictures, o.cancel_reason as "cancelReason",
      (select display_name from app_user where id = o.created_by) as "createdBy",
      (select name from repair_plan where id = o.plan_id) as "planName"
    from (${rowsInSight(sightOf(ctx.actor), ctx.now())}) seen join repair_order o on o.id = seen.id
    where seen.id = ${id}`.execute(ctx.db)
  const row = found.rows[0]
  if (!row) return undefined
  const startedAt = row.startedAt ? new Date(row.startedAt) : null
  const tests = testsOf({ ...row, startedAt }, await findPassed(ctx.db, row.machineId, startedAt))
  return {
    ...marked(row),
    parts: await findParts(ctx.db, id),
    alarms: await findAlarms(ctx.db, id),
    tests: tests.map(({ slot, passedAt }) => ({ slot, passedAt: passedAt?.toISOString() ?? null })),
    story: await findStory(ctx.db, id),
  }
}

/** Test vends that passed on the machine since then. */
export async function findPassed(db: Reader, machineId: number, since: Date | null): Promise<Passed[]> {
  if (!since) return []
  const found = await sql<Passed>`select s.slot_code as slot, s.ended_at as at
    from machine_test t join machine_test_slot s on s.test_id = t.id
    where t.machine_id = ${machineId} and s.state = 'passed'
      and s.ended_at is not null and s.ended_at >= ${since}`.execute(db)
  return found.rows
}

async function findParts(db: Reader, id: number): Promise<Detail['parts']> {
  const found = await sql<Detail['parts'][number]>`
    select p.id, p.name, p.quantity, p.cost_fen as "costFen", u.display_name as "addedBy",
      to_json(p.added_at) #>> '{}' as "addedAt"
    from repair_part p left join app_user u on u.id = p.added_by where p.order_id = ${id} order by p.id`.execute(db)
  return found.rows
}

async function findAlarms(db: Reader, id: number): Promise<Detail['alarms']> {
  const found = await sql<Detail['alarms'][number]>`
    select id, cause, slot_code as "slotCode", state, to_json(seen_at) #>> '{}' as "seenAt"
    from alarm where repair_order_id = ${id} order by id`.execute(db)
  return found.rows
}

async function findStory(db: Reader, id: number): Promise<Detail['story']> {
  const found = await sql<Detail['story'][number]>`
    select e.id, to_json(e.at) #>> '{}' as at, e.verb, u.display_name as who, e.note
    from repair_event e left join app_user u on u.id = e.user_id
    where e.order_id = ${id} order by e.id desc limit 100`.execute(db)
  return found.rows
}
