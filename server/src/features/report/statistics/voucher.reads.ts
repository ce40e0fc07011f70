import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { voucherState } from '@aisle/contract/promotion/voucher'
import type { listVoucherStatistics, VoucherRow } from '@aisle/contract/report/statistics/voucher'
import { type RawBuilder, sql } from 'kysely'
import { allOf, type Listing, mapRows } from '../../../kernel/list'
import { dayAtHome, withinDays } from '../../../kernel/platformDays'
import { merchantInSight, type Sight, subtreeOf } from '../../../kernel/scope'
import { stateTo } from '../../../kernel/states'
import {
  byChange,
  dayGroup,
  type Group,
  groupedFrom,
  inOrder,
  largest,
  merchantGroup,
  monthGroup,
  type Report,
  total,
} from '../grouped.reads'
import type { Days, Period } from '../period.rules'

type Filter = InputOf<typeof listVoucherStatistics>

const groups: Record<Filter['by'], Group> = {
  plan: { key: sql`plan_id`, name: sql`x.name`, join: sql`left join promotion_plan x on x.id = g.id` },
  merchant: merchantGroup,
  day: dayGroup,
  month: monthGroup,
}

const report: Report = {
  sumsBefore: true,
  measures: {
    issued: total('issued'),
    used: total('used'),
    expired: total('expired'),
    givenFen: total('given_fen'),
    salesFen: total('sales_fen'),
  },
  compared: 'salesFen',
  also: sql`, round(g."salesFen"::numeric / nullif(g.used, 0))::bigint as "averageFen",
    round(1000 * g."givenFen"::numeric / nullif(g."givenFen" + g."salesFen", 0))::int as "givenPermille"`,
  orders: {
    sales: largest('salesFen'),
    given: largest('givenFen'),
    used: largest('used'),
    change: byChange,
    group: inOrder(true),
  },
}

/** Of plans of merchants in sight, on the days on which each happened. */
export function listVouchersIn(sight: Sight, filter: Filter, period: Period): Listing<VoucherRow> {
  const events = (days: Days) => eventsIn(sight, filter, days)
  const how = { period, sort: filter.sort }
  const list = groupedFrom<Omit<VoucherRow, 'drill'>>(events, report, groups[filter.by], how)
  return mapRows(list, (found) => found.map((row) => ({ ...row, drill: drillOf(filter, period, row.id) })))
}

/** What was given out, spent and ran out in a time. */
const eventsIn = (sight: Sight, { merchantId, planId, voucherKind }: Filter, days: Days): RawBuilder<unknown> => sql`
  select e.plan_id, p.merchant_id, ${dayAtHome(sql`e.at`)} as business_day, issued, used, expired, given_fen, sales_fen
  from (
    select plan_id, created_at as at, made as issued, 0 as used, 0 as expired, 0::bigint as given_fen,
      0::bigint as sales_fen
    from voucher_batch where ${allOf(withinDays(sql`created_at`, days))}
    union all
    select plan_id, spent_at, 0, 1, 0, fen, sale_fen from promotion_use
    where spent_at is not null and released_at is null and ${allOf(withinDays(sql`spent_at`, days))}
    union all
    select plan_id, ended_at, 0, 0, 1, 0, 0 from voucher
    where state = ${stateTo(voucherState, 'expire')} and ${allOf(withinDays(sql`ended_at`, days))}
  ) e join promotion_plan p on p.id = e.plan_id where ${allOf([
    merchantInSight(sight, sql`p.merchant_id`),
    merchantId && sql`p.merchant_id in (${subtreeOf(merchantId)})`,
    planId && sql`p.id = ${planId}`,
    voucherKind && sql`p.voucher_kind = ${sql.lit(voucherKind)}`,
  ])}`

/** A merchant opens its plans, a plan its days. */
function drillOf({ by, against, voucherKind }: Filter, { from, to }: Period, id: number) {
  if (by !== 'plan' && by !== 'merchant') return null
  const narrowed = { from, to, ...(against ? { against } : {}), ...(voucherKind ? { voucherKind } : {}) }
  return by === 'plan'
    ? { ...narrowed, planId: String(id), by: 'day', sort: 'group' }
    : { ...narrowed, merchantId: String(id), by: 'plan' }
}
