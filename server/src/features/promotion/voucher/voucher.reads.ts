import type { getCoupon, listCoupons, Voucher, VoucherKind } from '@aisle/contract/promotion/voucher'
import { isVoucherCode } from '@aisle/contract/promotion/voucherCode'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { plainCode } from '@aisle/contract/kernel/codes'
import { type RawBuilder, sql } from 'kysely'
import { iso } from '../../../db/instant'
import type { AuthKeys, QueryContext } from '../../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows } from '../../../kernel/list'
import { existing } from '../../../kernel/refuse'
import { merchantInSight, type Sight, sightOf, subtreeOf } from '../../../kernel/scope'
import { digestOf } from './secret'

type Filter = InputOf<typeof listCoupons>

const rowsInSight = (sight: Sight, kind: VoucherKind): RawBuilder<Voucher> => sql`
  select w.id, w.tail, w.digest, w.plan_id as "planId", p.name as "planName", w.merchant_id as "merchantId",
    m.name as "merchantName", w.batch_id as "batchId", w.state, w.member_id as "memberId", h.number as "memberNumber",
    h.name as "memberName", w.taken as uses, w.uses_allowed as "usesAllowed", last.order_id as "orderId",
    last.order_no as "orderNo", coalesce((select sum(u.fen) from promotion_use u where u.voucher_id = w.id
      and u.spent_at is not null and u.released_at is null), 0)::bigint as "givenFen",
    ${iso('last.used_at')} as "usedAt", ${iso('w.valid_from')} as "validFrom", ${iso('w.expires_at')} as "expiresAt",
    ${iso('w.created_at')} as "createdAt"
  from voucher w join promotion_plan p on p.id = w.plan_id
  join merchant m on m.id = w.merchant_id left join member h on h.id = w.member_id
  left join lateral (select u.order_id, n.order_no, u.used_at from promotion_use u
    join order_number n on n.order_id = u.order_id
    where u.voucher_id = w.id and u.released_at is null order by u.used_at desc limit 1) last on true
  where w.kind = ${sql.lit(kind)} and ${voucherInSight(sight)}`

const voucherInSight = (sight: Sight): RawBuilder<unknown> =>
  sight.kind === 'all'
    ? sql`true`
    : sql`w.merchant_id = any(array(select own.id from merchant own where ${merchantInSight(sight, sql`own.id`)}))`

/** A whole number is looked up; of anything else its end is. */
function isNumbered(keys: AuthKeys, typed: string): RawBuilder<unknown> {
  if (isVoucherCode(typed)) return sql`digest = ${digestOf(keys)(typed)}`
  return sql`tail like ${`${plainCode(typed).slice(-4)}%`}`
}

export const listVouchersOf =
  (kind: VoucherKind) =>
  (ctx: QueryContext, { tail, state, planId, batchId, memberNumber, merchantId }: Filter): Listing<Voucher> => {
    const where = allOf([
      tail && isNumbered(ctx.services.keys, tail),
      isAnyOf(sql`state`, state),
      planId && sql`"planId" = ${planId}`,
      batchId && sql`"batchId" = ${batchId}`,
      memberNumber && sql`"memberId" = (select id from member where number = ${memberNumber})`,
      merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
    ])
    const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
    return listRows({ rows: rowsInSight(sightOf(ctx.actor), kind), where, order })
  }

type Detail = OutputOf<typeof getCoupon>

export const voucherDetailOf =
  (kind: VoucherKind) =>
  async (ctx: QueryContext, { id }: { id: number }): Promise<Detail> => {
    const sight = sightOf(ctx.actor)
    const found = await sql<Omit<Detail, 'orders'>>`
      select seen.*, b.reason, maker.display_name as "createdBy", ${iso('w.ended_at')} as "endedAt",
        ender.display_name as "endedBy", w.end_reason as "endReason"
      from (${rowsInSight(sight, kind)}) seen join voucher w on w.id = seen.id
      join voucher_batch b on b.id = w.batch_id left join app_user maker on maker.id = b.created_by
      left join app_user ender on ender.id = w.ended_by where seen.id = ${id}`.execute(ctx.db)
    const row = existing(found.rows[0])
    const orders = await sql<Detail['orders'][number]>`
      select u.order_id as "orderId", n.order_no as "orderNo", a.code as "machineCode", u.fen, u.sale_fen as "saleFen",
        ${iso('u.used_at')} as "usedAt", ${iso('u.spent_at')} as "spentAt", ${iso('u.released_at')} as "releasedAt"
      from promotion_use u join order_number n on n.order_id = u.order_id join machine a on a.id = n.machine_id
      where u.voucher_id = ${id} order by u.used_at desc limit 50`.execute(ctx.db)
    return { ...row, orders: orders.rows }
  }
