import {
  type CustomerCase,
  customerState,
  type getCustomerCase,
  type listCustomerCases,
  type summariseCustomerCases,
} from '@aisle/contract/support/customer'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, mapRows, type Order } from '../../../kernel/list'
import { only } from '../../../kernel/must'
import { machineInSight, type Sight, sightOf } from '../../../kernel/scope'
import { holdsAny } from '../../../kernel/search'
import { statesIn } from '../../../kernel/states'

type Filter = InputOf<typeof listCustomerCases>
export type Row = CustomerCase & { rank: number; assigneeId: number | null; merchantId: number }

const waiting = sql`c.state in ${statesIn(customerState, 'waiting')}`

const rowsWhere = (which: RawBuilder<unknown>, now: Date): RawBuilder<Row> => sql`
  select c.id, c.kind, case when c.due_at < ${now} then 'overdue' else c.state end as state,
    c.amount_fen as "amountFen", to_json(c.happened_at) #>> '{}' as "happenedAt", c.goods, c.body,
    c.machine_id as "machineId", m.code as "machineCode", m.name as "machineName", p.name as "pointName",
    c.merchant_id as "merchantId", o.name as "merchantName",
    case when c.phone_end = '' then '' else '•••• ' || c.phone_end end as phone, c.picture is not null as "hasPicture",
    n.order_no as "orderNo", c.sureness, c.assignee_id as "assigneeId", a.display_name as "assigneeName",
    to_json(c.due_at) #>> '{}' as "dueAt", to_json(c.created_at) #>> '{}' as "createdAt",
    to_json(c.closed_at) #>> '{}' as "closedAt", c.rank
  from customer_case c join machine m on m.id = c.machine_id join point p on p.id = m.point_id
  join merchant o on o.id = c.merchant_id left join order_number n on n.order_id = c.order_id
  left join app_user a on a.id = c.assignee_id where ${which}`

const mine = (ctx: QueryContext) => machineInSight(sightOf(ctx.actor), sql`c.machine_id`)
export const inSight = (ctx: QueryContext, which: RawBuilder<unknown>): RawBuilder<Row> =>
  rowsWhere(sql`${which} and ${mine(ctx)}`, ctx.now())

const orders: Record<Filter['sort'], Order> = {
  due: { by: sql`rank`, type: 'bigint' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

export function listIn(ctx: QueryContext, filter: Filter): Listing<CustomerCase> {
  const { q, state, kind, assignee, machineId, merchantId, sort } = filter
  const which = allOf([
    isAnyOf(sql`c.state`, state, {
      toAnswer: waiting,
      overdue: sql`${waiting} and c.due_at < ${ctx.now()}`,
    }),
    isAnyOf(sql`c.kind`, kind),
    assignee === 'me' && sql`c.assignee_id = ${ctx.actor.userId}`,
    assignee === 'nobody' && sql`c.assignee_id is null`,
    assignee && !state && sql`c.closed_at is null`,
    machineId && sql`c.machine_id = ${machineId}`,
    merchantId && sql`c.merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    q && sql`(${holdsAny([sql`c.body`, sql`c.goods`], q)} or c.phone_end <> '' and c.phone_end = ${q})`,
  ])
  return mapRows(listRows({ rows: inSight(ctx, which), order: orders[sort] }), (rows) => rows.map(shown))
}

export const shown = ({ rank: _, assigneeId: __, merchantId: ___, ...row }: Row): CustomerCase => row

type Summary = OutputOf<typeof summariseCustomerCases>

export async function summary(ctx: QueryContext): Promise<Summary> {
  const counted = await sql<Summary>`select count(*)::int as "toAnswer",
      count(*) filter (where c.due_at < ${ctx.now()})::int as overdue,
      count(*) filter (where c.assignee_id = ${ctx.actor.userId})::int as mine,
      count(*) filter (where c.state = ${sql.lit(customerState.to('reopen'))})::int as reopened
    from customer_case c where ${waiting} and ${mine(ctx)}`.execute(ctx.db)
  return only(counted)
}

export async function countWaitingCases(db: Reader, sight: Sight): Promise<number> {
  const counted = await sql<{ count: number }>`select count(*)::int as count from customer_case c
    where ${waiting} and ${machineInSight(sight, sql`c.machine_id`)}`.execute(db)
  return only(counted).count
}

export type Detail = OutputOf<typeof getCustomerCase>
