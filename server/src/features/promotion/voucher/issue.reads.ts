import type { PlanState } from '@aisle/contract/promotion/plan'
import type { WantedIssue } from '@aisle/contract/promotion/coupon'
import type { VoucherKind } from '@aisle/contract/promotion/voucher'
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { merchantInSight, type Sight } from '../../../kernel/scope'

/** A plan of which something may be given out, with the time for which that would be good. */
export type Issuable = {
  id: number
  name: string
  state: PlanState
  versionId: number
  merchantId: number
  perMember: number | null
  left: number | null
  validFrom: Date
  expiresAt: Date
}

/** Days begin and end by the calendar of its merchant. */
export async function findIssuable(
  db: Reader,
  sight: Sight,
  { id, kind, now }: { id: number; kind: VoucherKind; now: Date },
): Promise<Issuable | undefined> {
  const found = await sql<Issuable>`
    with plan as (
      select p.id, p.name, p.state, p.merchant_id, v.id as version_id, v.per_member, v.starts_on, v.ends_on,
        v.valid_days, m.time_zone as zone, t.max_issued - t.issued as left_over
      from promotion_plan p join promotion_plan_version v on v.id = p.version_id
      join merchant m on m.id = p.merchant_id join voucher_tally t on t.plan_id = p.id
      where p.id = ${id} and p.voucher_kind = ${kind} and ${merchantInSight(sight, sql`p.merchant_id`)}
    ), begun as (
      select *, greatest(${now}::timestamptz, starts_on::timestamp at time zone zone) as valid_from from plan
    )
    select id, name, state, version_id as "versionId", merchant_id as "merchantId", per_member as "perMember",
      left_over as "left", valid_from as "validFrom",
      least((ends_on + 1)::timestamp at time zone zone,
        ((valid_from at time zone zone)::date + valid_days)::timestamp at time zone zone) as "expiresAt"
    from begun`.execute(db)
  return found.rows[0]
}

type Member = { id: number; own: number }
/** One more than may be given out at once, so that too many are noticed. */
const MOST = 10_001

/** Members of the plan's merchant and of those below it, with how many of its coupons each has had. */
export async function findMembers(
  db: Reader,
  sight: Sight,
  plan: Pick<Issuable, 'id' | 'merchantId'>,
  { audience, memberIds, level, unitId }: WantedIssue,
): Promise<Member[]> {
  const which = {
    members: sql`m.id = any(${memberIds}::bigint[])`,
    level: sql`m.level = ${level}`,
    unit: sql`m.unit_id in (with recursive below as (
      select id from member_unit where id = ${unitId} union all
      select u.id from member_unit u join below on u.parent_id = below.id) select id from below)`,
    bearer: sql`false`,
  }[audience]
  const found = await sql<Member>`
    select m.id, (select count(*) from voucher w where w.member_id = m.id and w.plan_id = ${plan.id}
      and w.state <> 'cancelled')::int as own
    from member m
    where m.state = 'active' and ${which} and exists (
      select from member_merchant t join merchant o on o.id = t.merchant_id
      where t.member_id = m.id and t.unlinked_at is null and o.path @> array[${plan.merchantId}]::bigint[]
        and ${merchantInSight(sight, sql`t.merchant_id`)})
    order by m.id limit ${sql.lit(MOST)}`.execute(db)
  return found.rows
}
