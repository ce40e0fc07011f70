import type { getCouponPlan, listCouponPlans } from '@aisle/contract/promotion/coupon'
import { planState } from '@aisle/contract/promotion/plan'
import type { VoucherKind } from '@aisle/contract/promotion/voucher'
import type { VoucherBatch, VoucherPlan } from '@aisle/contract/promotion/voucherPlan'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { iso } from '../../../db/instant'
import { businessTime } from '../../../kernel/businessDay'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows } from '../../../kernel/list'
import { existing } from '../../../kernel/refuse'
import { merchantInSight, type Sight, sightOf, subtreeOf } from '../../../kernel/scope'
import { findConflicts, findSaid, findScope } from '../plan.reads'
import { marksOf } from '../plan.rules'

type Row = Omit<VoucherPlan, 'marks'> & { timeZone: string }
type Filter = InputOf<typeof listCouponPlans>

const rowsInSight = (sight: Sight, kind: VoucherKind): RawBuilder<Row> => sql`
  select p.id, p.merchant_id as "merchantId", m.name as "merchantName", p.name, v.kind, p.state, v.priority, v.stacks,
    v.paid_percent as "paidPercent", v.least_fen as "leastFen", v.amount_fen as "amountFen",
    to_char(v.starts_on, 'YYYY-MM-DD') as "startsOn", to_char(v.ends_on, 'YYYY-MM-DD') as "endsOn",
    v.valid_days as "validDays", v.uses_per_code as "usesPerCode", v.per_member as "perMember",
    coalesce(v.is_returned, false) as "isReturned", v.max_issued as "maxIssued", t.issued, t.used, t.expired,
    t.cancelled, t.given_fen as "givenFen", t.sales_fen as "salesFen", v.number, u.display_name as "createdBy",
    ${iso('p.created_at')} as "createdAt", m.time_zone as "timeZone"
  from promotion_plan p join promotion_plan_version v on v.id = p.version_id join merchant m on m.id = p.merchant_id
  join voucher_tally t on t.plan_id = p.id left join app_user u on u.id = p.created_by
  where p.voucher_kind = ${sql.lit(kind)} and ${merchantInSight(sight, sql`p.merchant_id`)}`

const marked =
  (now: Date) =>
  ({ timeZone, ...plan }: Row): VoucherPlan => ({
    ...plan,
    marks: marksOf(
      {
        ...plan,
        isListed: planState.is(plan.state, 'listed'),
        maxUses: plan.maxIssued,
        uses: plan.issued,
        budgetFen: null,
        spentFen: 0,
      },
      businessTime(now, timeZone).day,
    ),
  })

export const listPlansOf =
  (kind: VoucherKind) =>
  (ctx: QueryContext, { q, state, kind: how, merchantId }: Filter): Listing<VoucherPlan> => {
    const where = allOf([
      q && holds(sql`name`, q),
      isAnyOf(sql`state`, state),
      isAnyOf(sql`kind`, how),
      merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
    ])
    const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
    return mapRows(listRows({ rows: rowsInSight(sightOf(ctx.actor), kind), where, order }), (found) =>
      found.map(marked(ctx.now())),
    )
  }

type Detail = OutputOf<typeof getCouponPlan>

export const detailOf =
  (kind: VoucherKind) =>
  async (ctx: QueryContext, { id }: { id: number }): Promise<Detail> => {
    const found = await sql<Row & Pick<Detail, 'version' | 'endedAt'>>`
      select seen.*, p.version, ${iso('p.ended_at')} as "endedAt"
      from (${rowsInSight(sightOf(ctx.actor), kind)}) seen join promotion_plan p on p.id = seen.id
      where seen.id = ${id}`.execute(ctx.db)
    const { version, endedAt, ...row } = existing(found.rows[0])
    return {
      ...marked(ctx.now())(row),
      version,
      endedAt,
      ...(await findScope(ctx.db, await findSaid(ctx.db, id))),
      conflicts: planState.can(row.state, 'list') ? await findConflicts(ctx.db, id, ctx.now()) : [],
      batches: await findBatches(ctx.db, id),
    }
  }

async function findBatches(db: Reader, planId: number): Promise<VoucherBatch[]> {
  const found = await sql<VoucherBatch>`
    select b.id, b.kind, b.state, b.count, b.made,
      (select count(*) from voucher w where w.batch_id = b.id and w.state = 'unused')::int as unused, b.reason,
      u.display_name as "createdBy", ${iso('b.created_at')} as "createdAt", ${iso('b.expires_at')} as "expiresAt",
      ${iso('b.cancelled_at')} as "cancelledAt"
    from voucher_batch b left join app_user u on u.id = b.created_by
    where b.plan_id = ${planId} order by b.id desc limit 20`.execute(db)
  return found.rows
}
