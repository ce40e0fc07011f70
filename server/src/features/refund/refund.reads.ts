import type { listRefunds, Refund, summariseRefunds } from '@aisle/contract/refund/refund'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { refundState, type RefundState } from '@aisle/contract/refund/states'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, type Order, summed } from '../../kernel/list'
import { withinDays } from '../../kernel/platformDays'
import { machineInSight, type Sight, sightOf } from '../../kernel/scope'
import { statesIn } from '../../kernel/states'

type Filter = InputOf<typeof listRefunds>

/** Refunds of machines in sight. Names of goods are those it stands for, else all of the order's. */
export const rowsInSight = (sight: Sight): RawBuilder<unknown> => sql`
  select r.id, r.refund_no as "refundNo", r.order_id as "orderId", r.order_no as "orderNo",
    r.machine_id as "machineId", m.code as "machineCode", m.name as "machineName", c.name as "merchantName",
    r.merchant_id as "merchantId", r.method, r.amount_fen as "amountFen", r.cause, r.reason, r.state, r.detail,
    r.tries, u.display_name as "requestedBy", r.requested_by as "requestedById",
    to_json(r.requested_at) #>> '{}' as "requestedAt", r.requested_at, d.display_name as "decidedBy",
    to_json(r.decided_at) #>> '{}' as "decidedAt", to_json(r.ended_at) #>> '{}' as "endedAt",
    r.pay_back_way is not null and r.state <> 'paid_back' as "isPayBackAsked", r.channel_refund_no,
    r.occurred_at, r.attempt_id
  from refund r join machine m on m.id = r.machine_id join merchant c on c.id = r.merchant_id
  left join app_user u on u.id = r.requested_by left join app_user d on d.id = r.decided_by
  where ${machineInSight(sight, sql`r.machine_id`)}`

/** Read beside each row of a page, and not for those that are only counted. */
const beside = sql`
  (select o.paid_fen from orders o where o.merchant_id = p."merchantId" and o.occurred_at = p.occurred_at
    and o.id = p."orderId") as "paidFen",
  coalesce((select string_agg(product.name, ' · ' order by i.index) from order_item i
    join product on product.id = i.product_id
    where i.merchant_id = p."merchantId" and i.occurred_at = p.occurred_at and i.order_id = p."orderId"
      and (not exists (select 1 from refund_item s where s.refund_id = p.id)
        or exists (select 1 from refund_item s where s.refund_id = p.id and s.item_index = i.index))), '')
    as "productNames"`

export const withOrder = (rows: RawBuilder<unknown>): RawBuilder<Refund> => sql`
  select p.*, ${beside} from (${rows}) p`

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  oldest: { by: sql`id`, type: 'bigint' },
}

export const listRefundsIn = (ctx: QueryContext, filter: Filter): Listing<Refund> =>
  listRows({
    rows: withOrder(rowsInSight(sightOf(ctx.actor))),
    where: filterOf(ctx, filter),
    order: orders[filter.sort],
    sums: sql`${summed('amountFen')},
      coalesce(sum("amountFen") filter (where state in ${statesIn(refundState, 'back')}), 0)::bigint as "refundedFen"`,
    isCountedWhole: true,
  })

function filterOf(ctx: QueryContext, filter: Filter): RawBuilder<boolean> {
  const { no, machineCode, state, cause, method, by, merchantId, sellerId, from, to } = filter
  return allOf([
    no && sql`(${no} in ("refundNo", "orderNo", channel_refund_no))`,
    machineCode && sql`"machineCode" = ${machineCode}`,
    isAnyOf(sql`state`, state, { waiting: sql`state in ${statesIn(refundState, 'waiting')}` }),
    isAnyOf(sql`cause`, cause),
    isAnyOf(sql`method`, method),
    by === 'rule' && sql`"requestedById" is null`,
    by === 'person' && sql`"requestedById" is not null`,
    by === 'me' && sql`"requestedById" = ${ctx.actor.userId}`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    sellerId && sql`"merchantId" = ${sellerId}`,
    ...asReported(filter),
    ...withinDays(sql`requested_at`, { from, to }),
  ])
}

/** What a report counts as its refunds: by the day on which they were done, and by what was sold where. */
function asReported({ doneFrom, doneTo, businessType, pointId, hospitalId }: Filter) {
  const ofOrder = (condition: RawBuilder<unknown>) => sql`exists (select from orders o
    where o.merchant_id = seen."merchantId" and o.occurred_at = seen.occurred_at and o.id = seen."orderId"
      and ${condition})`
  return [
    (doneFrom || doneTo) &&
      sql`id in (select refund_id from refund_done where business_day
        between ${doneFrom ?? '2000-01-01'}::date and ${doneTo ?? '9999-12-31'}::date)`,
    businessType && ofOrder(isAnyOf(sql`o.business_type`, businessType)),
    pointId && ofOrder(sql`o.point_id = ${pointId}`),
    hospitalId && ofOrder(sql`o.point_id in (select id from point where hospital_id = ${hospitalId})`),
  ]
}

export async function summary(ctx: QueryContext): Promise<OutputOf<typeof summariseRefunds>> {
  const found = await sql<{ state: RefundState; count: number; fen: number }>`
    select r.state, count(*)::int as count, sum(r.amount_fen)::bigint as fen from refund r
    where r.state in ${statesIn(refundState, 'waiting')}
      and ${machineInSight(sightOf(ctx.actor), sql`r.machine_id`)} group by r.state`.execute(ctx.db)
  const of = (wanted: RefundState) => {
    const row = found.rows.find(({ state }) => state === wanted)
    return { count: row?.count ?? 0, fen: row?.fen ?? 0 }
  }
  return {
    pending_review: of('pending_review'),
    refunding: of('refunding'),
    unknown: of('unknown'),
    failed: of('failed'),
    needs_handling: of('needs_handling'),
  }
}

export async function countPendingReviews(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from refund r
    where r.state = 'pending_review' and ${machineInSight(sight, sql`r.machine_id`)}`.execute(db)
  return found.rows[0]?.count ?? 0
}
