import {
  type getUnclaimed,
  type listUnclaimed,
  type UnclaimedPayment,
  unclaimedState,
} from '@aisle/contract/refund/unclaimed'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { refundSecondPerson } from '@aisle/contract/system/settings'
import { type RawBuilder, sql } from 'kysely'
import { iso } from '../../db/instant'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, type Order, summed } from '../../kernel/list'
import { withinDays } from '../../kernel/platformDays'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { caseRefundNo } from '../payment/public'
import { statesIn } from '../../kernel/states'

type Filter = InputOf<typeof listUnclaimed>
type Detail = OutputOf<typeof getUnclaimed>

const rowsInSight = (sight: Sight): RawBuilder<UnclaimedPayment> => sql`
  select u.id, u.provider, u.channel_no as "channelNo", u.attempt_no as "attemptNo", u.amount_fen as "unclaimedFen",
    ${iso('u.paid_at')} as "paidAt", ${iso('u.noted_at')} as "notedAt", u.noted_at, u.cause, u.state, u.decision,
    u.order_no as "orderNo", p.name as "accountName", c.name as "merchantName", p.merchant_id as "merchantId", u.reason,
    a.display_name as "askedBy", d.display_name as "decidedBy", ${iso('u.ended_at')} as "endedAt"
  from unclaimed_payment u join provider_account p on p.id = u.provider_account_id
  join merchant c on c.id = p.merchant_id
  left join app_user a on a.id = u.asked_by left join app_user d on d.id = u.decided_by
  where ${merchantInSight(sight, sql`p.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  oldest: { by: sql`noted_at`, type: 'timestamptz' },
  newest: { by: sql`noted_at`, type: 'timestamptz', newestFirst: true },
}

const isUnsettled = sql`state in ${statesIn(unclaimedState, 'unsettled')}`

/** As many as the list shows by itself. */
export async function countUnsettled(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from (${rowsInSight(sight)}) seen
    where ${isUnsettled}`.execute(db)
  return found.rows[0]?.count ?? 0
}

export function listUnclaimedIn(ctx: QueryContext, filter: Filter): Listing<UnclaimedPayment> {
  const { no, provider, cause, state: wanted, merchantId, from, to } = filter
  const rows = rowsInSight(sightOf(ctx.actor))
  const where = allOf([
    wanted === 'unsettled' ? isUnsettled : sql`state = ${sql.lit(wanted)}`,
    no && sql`${no} in ("channelNo", "attemptNo", "orderNo")`,
    isAnyOf(sql`provider`, provider),
    isAnyOf(sql`cause`, cause),
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    ...withinDays(sql`noted_at`, { from, to }),
  ])
  const sums = summed('unclaimedFen')
  return listRows({ rows, where, order: orders[filter.sort], sums, isCountedWhole: true })
}

type Row = UnclaimedPayment &
  Pick<Detail, 'version' | 'times' | 'isAskedByMe' | 'askedAt' | 'decidedAt' | 'channelRefundNo' | 'detail'> &
  Pick<Detail, 'sentAt' | 'tries' | 'attempt' | 'difference'> & { merchantId: number; providerAccountId: number }

export async function findUnclaimedDetail(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const sight = sightOf(ctx.actor)
  const found = await sql<Row>`
    select seen.*, u.version, u.times, coalesce(u.asked_by = ${ctx.actor.userId}, false) as "isAskedByMe",
      ${iso('u.asked_at')} as "askedAt", ${iso('u.decided_at')} as "decidedAt", u.tries,
      u.channel_refund_no as "channelRefundNo", u.detail, ${iso('u.sent_at')} as "sentAt",
      u.provider_account_id as "providerAccountId",
      (select json_build_object('orderId', a.order_id, 'orderNo', a.order_no, 'state', a.state,
          'amountFen', a.amount_fen, 'paidFen', a.paid_fen, 'channelNo', a.channel_no, 'paidAt', a.paid_at)
        from payment_attempt a where a.attempt_no = u.attempt_no and ${machineInSight(sight, sql`a.machine_id`)})
        as attempt,
      (select json_build_object('id', d.id, 'day', to_char(r.day, 'YYYY-MM-DD'), 'state', d.state)
        from statement_line l join settlement_difference d on d.line_id = l.id and d.kind = 'only_theirs'
        join settlement_run r on r.id = d.run_id join settlement_channel s on s.id = d.channel_id
        where l.channel_no = u.channel_no and l.kind = 'payment' and s.provider_account_id = u.provider_account_id
        limit 1) as difference
    from (${rowsInSight(sight)}) seen join unclaimed_payment u on u.id = seen.id where seen.id = ${id}`.execute(ctx.db)
  const row = found.rows[0]
  if (!row) return undefined
  return {
    ...row,
    limitFen: await settingOf(ctx.db, refundSecondPerson, row.merchantId),
    refundNo: row.decision === 'refund' ? caseRefundNo('UP', row.id) : null,
    candidates: unclaimedState.is(row.state, 'open') ? await findCandidates(ctx, row) : [],
  }
}

/** Asked for within two hours before the money came: an order is closed after minutes. */
async function findCandidates(ctx: QueryContext, row: Row): Promise<Detail['candidates']> {
  const found = await sql<Detail['candidates'][number]>`
    select o.order_no as "orderNo", ${iso('o.occurred_at')} as "occurredAt", m.code as "machineCode",
      coalesce((select string_agg(product.name, ' · ' order by i.index) from order_item i
        join product on product.id = i.product_id where i.merchant_id = o.merchant_id
          and i.occurred_at = o.occurred_at and i.order_id = o.id), '') as "productNames"
    from orders o join machine m on m.id = o.machine_id
    where o.merchant_id in (select id from merchant where path @> array[${row.merchantId}]::bigint[])
      and o.occurred_at between ${row.paidAt}::timestamptz - interval '2 hours' and ${row.paidAt}::timestamptz
      and o.payment_state = 'closed' and o.method = ${row.provider} and not o.is_lottery
      and o.prescription_code is null and o.total_fen - o.discount_fen = ${row.unclaimedFen}
      and ${machineInSight(sightOf(ctx.actor), sql`o.machine_id`)}
    order by o.occurred_at desc limit 10`.execute(ctx.db)
  return found.rows
}
