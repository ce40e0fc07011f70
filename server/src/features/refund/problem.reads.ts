import {
  type getProblem,
  type listProblems,
  type ProblemCase,
  problemState,
  type summariseProblems,
} from '@aisle/contract/refund/problem'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { refundSecondPerson } from '@aisle/contract/system/settings'
import { problems } from '@aisle/contract/trade/states'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, type Order, summed } from '../../kernel/list'
import { withinDays } from '../../kernel/platformDays'
import { machineInSight, type Sight, sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { dueBack } from '../trade/public'
import { findItems, findOrderInSight } from './order.store'
import { saysOfChannel, saysOfMachine, saysOfUs } from './problem.evidence'
import { statesIn } from '../../kernel/states'

type Filter = InputOf<typeof listProblems>
type Detail = OutputOf<typeof getProblem>

const rowsInSight = (sight: Sight): RawBuilder<ProblemCase> => sql`
  select k.id, k.order_id as "orderId", o.order_no as "orderNo", k.kind, k.state, k.outcome,
    to_json(k.opened_at) #>> '{}' as "openedAt", k.opened_at, k.machine_id as "machineId", m.code as "machineCode",
    m.name as "machineName", k.merchant_id as "merchantId", c.name as "merchantName", o.method,
    o.paid_fen as "paidFen", o.refunded_fen as "refundedFen", o.held_fen as "heldFen", o.is_lottery as "isLottery",
    k.reason, a.display_name as "askedBy", u.display_name as "closedBy", to_json(k.closed_at) #>> '{}' as "closedAt",
    coalesce((select string_agg(product.name, ' · ' order by i.index) from order_item i
      join product on product.id = i.product_id where i.merchant_id = k.merchant_id and i.occurred_at = k.occurred_at
        and i.order_id = k.order_id), '') as "productNames"
  from problem_case k
  join orders o on o.merchant_id = k.merchant_id and o.occurred_at = k.occurred_at and o.id = k.order_id
  join machine m on m.id = k.machine_id join merchant c on c.id = k.merchant_id
  left join app_user a on a.id = k.asked_by left join app_user u on u.id = k.closed_by
  where ${machineInSight(sight, sql`k.machine_id`)}`

const orders: Record<Filter['sort'], Order> = {
  oldest: { by: sql`opened_at`, type: 'timestamptz' },
  newest: { by: sql`opened_at`, type: 'timestamptz', newestFirst: true },
}

export function listProblemsIn(ctx: QueryContext, filter: Filter): Listing<ProblemCase> {
  const { orderNo, machineCode, kind, state: wanted, merchantId, from, to, sort } = filter
  const rows = rowsInSight(sightOf(ctx.actor))
  const where = allOf([
    wanted === 'unsettled' ? sql`state in ${statesIn(problemState, 'unsettled')}` : sql`state = ${sql.lit(wanted)}`,
    orderNo && sql`"orderNo" = ${orderNo}`,
    machineCode && sql`"machineCode" = ${machineCode}`,
    isAnyOf(sql`kind`, kind),
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    ...withinDays(sql`opened_at`, { from, to }),
  ])
  const sums = summed('paidFen', 'heldFen', 'refundedFen')
  return listRows({ rows, where, order: orders[sort], sums, isCountedWhole: true })
}

/** As many as the list shows by itself. */
export async function countOpen(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from problem_case k
    where k.state <> 'closed' and ${machineInSight(sight, sql`k.machine_id`)}`.execute(db)
  return found.rows[0]?.count ?? 0
}

export async function summary(ctx: QueryContext): Promise<OutputOf<typeof summariseProblems>> {
  const found = await sql<{ kind: string; count: number }>`select k.kind, count(*)::int as count from problem_case k
    where k.state <> 'closed' and ${machineInSight(sightOf(ctx.actor), sql`k.machine_id`)}
    group by k.kind`.execute(ctx.db)
  const counts = new Map(found.rows.map(({ kind, count }) => [kind, count]))
  const entries = problems.map((kind) => [kind, counts.get(kind) ?? 0])
  return Object.fromEntries(entries) as OutputOf<typeof summariseProblems>
}

type Row = ProblemCase &
  Pick<Detail, 'version' | 'askedAt' | 'isAskedByMe' | 'thirdPartyNo'> & { merchantId: number; occurred_at: Date }

export async function findProblemDetail(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const sight = sightOf(ctx.actor)
  const found = await sql<Row>`
    select seen.*, k.version, to_json(k.asked_at) #>> '{}' as "askedAt", k.occurred_at,
      coalesce(k.asked_by = ${ctx.actor.userId}, false) as "isAskedByMe",
      (select third_party_no from orders o where o.merchant_id = k.merchant_id and o.occurred_at = k.occurred_at
        and o.id = k.order_id) as "thirdPartyNo"
    from (${rowsInSight(sight)}) seen join problem_case k on k.id = seen.id where seen.id = ${id}`.execute(ctx.db)
  const row = found.rows[0]
  const order = row && (await findOrderInSight(ctx.db, sight, row.orderNo))
  if (!row || !order) return undefined
  const items = (await findItems(ctx.db, [order])).get(order.id) ?? []
  const due = dueBack(order, items)
  const isWhole = due.amountFen === due.items.reduce((sum, { shareFen }) => sum + shareFen, 0)
  const key = { merchantId: row.merchantId, occurredAt: row.occurred_at, id: row.orderId }
  return {
    ...row,
    stakeFen: order.paidFen - order.refundedFen,
    limitFen: await settingOf(ctx.db, refundSecondPerson, row.merchantId),
    dueBackFen: due.amountFen,
    owedItems: isWhole ? due.items.map(({ index }) => index) : [],
    leftFen: order.isPlayed ? 0 : order.paidFen - order.heldFen,
    ours: await saysOfUs(ctx.db, key),
    machine: await saysOfMachine(ctx.db, key, row.machineId),
    channel: await saysOfChannel(ctx.db, row.orderId),
    refunds: await findRefunds(ctx, row.orderId),
  }
}

async function findRefunds(ctx: QueryContext, orderId: number): Promise<Detail['refunds']> {
  const found = await sql<Detail['refunds'][number]>`
    select id, refund_no as "refundNo", amount_fen as "amountFen", state,
      to_json(requested_at) #>> '{}' as "requestedAt" from refund where order_id = ${orderId} order by id`.execute(
    ctx.db,
  )
  return found.rows
}
