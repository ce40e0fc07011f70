import { campaignState } from '@aisle/contract/promotion/campaign'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import { stateTo } from '../../kernel/states'
import type { LivePlan, Room } from './price.rules'
import { lockOf } from './voucher/hold.commands'

/** Version `v` of plan `p` as the engine takes it, but for where it is asked for and what is left of it. */
const saysColumns = sql`p.id as "planId", v.id as "versionId", p.name, v.kind,
  p.voucher_kind as "voucherKind", v.priority, v.stacks,
  v.paid_percent as "paidPercent", v.amount_fen as "amountFen", v.pieces, v.least_fen as "leastFen",
  v.per_order as "perOrder", to_json(v.product_ids) as "productIds", to_json(v.category_ids) as "categoryIds",
  to_json(v.machine_ids) as "machineIds", to_json(v.group_ids) as "groupIds",
  array_to_json(array(select out.machine_id from campaign_machine out join campaign g on g.id = out.campaign_id
    where out.campaign_id = p.campaign_id and out.is_control
      and g.state = ${stateTo(campaignState, 'begin')})) as "leftOutIds",
  to_json(v.levels) as levels, to_json(v.card_types) as "cardTypes",
  to_json(v.weekdays) as weekdays, v.from_minute as "fromMinute", v.to_minute as "toMinute",
  to_char(v.starts_on, 'YYYY-MM-DD') as "startsOn", to_char(v.ends_on, 'YYYY-MM-DD') as "endsOn",
  v.is_first_purchase as "isFirstPurchase"`

export type StoredPlan = LivePlan & { isLimited: boolean; perMember: number | null }
type Row = Omit<StoredPlan, 'room'> & { leftUses: number | null; leftFen: number | null }

/** Plans with what is left of them now; `merchantIds` are those of the asked that each holds for. */
async function findPlans(
  db: Reader,
  merchantIds: readonly number[],
  which: RawBuilder<unknown>,
  version: RawBuilder<unknown> = sql`p.version_id`,
): Promise<StoredPlan[]> {
  const found = await sql<Row>`
    select ${saysColumns}, t.plan_id is not null
        or (v.per_member is not null and p.voucher_kind is distinct from 'coupon') as "isLimited",
      v.per_member as "perMember", t.max_uses - t.uses as "leftUses", t.budget_fen - t.spent_fen as "leftFen",
      array_to_json(array(select m.id from merchant m where m.id = any(${[...new Set(merchantIds)]}::bigint[])
        and p.merchant_id = any(m.path))) as "merchantIds"
    from promotion_plan p join promotion_plan_version v on v.plan_id = p.id and v.id = ${version}
    left join promotion_tally t on t.plan_id = p.id
    where ${which} order by p.id`.execute(db)
  return found.rows.map(({ leftUses, leftFen, ...plan }) => ({ ...plan, room: { uses: leftUses, fen: leftFen } }))
}

/** Those listed that may hold at machines of these merchants, somewhere in the world today. */
export const findLive = (db: Reader, merchantIds: readonly number[], now: Date): Promise<StoredPlan[]> =>
  findPlans(
    db,
    merchantIds,
    sql`p.state = 'listed' and p.voucher_kind is null
      and (v.starts_on is null or v.starts_on <= (${now}::timestamptz + interval '1 day')::date)
      and (v.ends_on is null or v.ends_on >= (${now}::timestamptz - interval '1 day')::date)
      and exists (select from merchant m where m.id = any(${[...new Set(merchantIds)]}::bigint[])
        and p.merchant_id = any(m.path))`,
  )

/** One as it is written now, listed or not, and all others that are listed. */
export const findWith = (db: Reader, merchantIds: readonly number[], planId: number): Promise<StoredPlan[]> =>
  findPlans(db, merchantIds, sql`(p.state = 'listed' and p.voucher_kind is null) or p.id = ${planId}`)

/** By versions that vouchers name, listed or not: what is out stays good, on the days that each voucher says itself. */
export async function findVersions(
  db: Reader,
  merchantIds: readonly number[],
  versionIds: readonly number[],
): Promise<StoredPlan[]> {
  if (versionIds.length === 0) return []
  const found = await findPlans(db, merchantIds, sql`v.id = any(${[...new Set(versionIds)]}::bigint[])`, sql`v.id`)
  return found.map((plan) => ({ ...plan, startsOn: null, endsOn: null }))
}

/** The categories of products and all above those. */
export async function findCategories(db: Reader, productIds: readonly number[]): Promise<Map<number, number[]>> {
  if (productIds.length === 0) return new Map()
  const found = await sql<{ id: number; categoryIds: number[] }>`
    select p.id, array_to_json(array_remove(array[c.id, c2.id, c3.id, c4.id], null)) as "categoryIds"
    from product p join category c on c.id = p.category_id
    left join category c2 on c2.id = c.parent_id left join category c3 on c3.id = c2.parent_id
    left join category c4 on c4.id = c3.parent_id
    where p.id = any(${[...new Set(productIds)]}::bigint[])`.execute(db)
  return new Map(found.rows.map(({ id, categoryIds }) => [id, categoryIds]))
}

export async function findGroups(db: Reader, machineIds: readonly number[]): Promise<Map<number, number[]>> {
  if (machineIds.length === 0) return new Map()
  const found = await sql<{ id: number; groupIds: number[] }>`
    select g.machine_id as id, json_agg(g.group_id) as "groupIds" from machine_group_member g
    where g.machine_id = any(${[...new Set(machineIds)]}::bigint[]) group by 1`.execute(db)
  return new Map(found.rows.map(({ id, groupIds }) => [id, groupIds]))
}

/** What is left of plans, held until the transaction ends, in the order of their ids. */
export async function lockRooms(tx: Tx, planIds: readonly number[]): Promise<Map<number, Room>> {
  const ids = [...new Set(planIds)]
  // The plan's row stands for those that have a limit a member alone.
  await sql`select from promotion_plan where id = any(${ids}::bigint[]) order by id for no key update`.execute(tx)
  const found = await sql<{ id: number } & Room>`
    select p.id, t.max_uses - t.uses as uses, t.budget_fen - t.spent_fen as fen
    from promotion_plan p left join promotion_tally t on t.plan_id = p.id
    where p.id = any(${ids}::bigint[])`.execute(tx)
  return new Map(found.rows.map(({ id, ...room }) => [id, room]))
}

/** How often each of these has had it, by `plan/buyer`. */
export async function findBought(
  tx: Tx,
  asked: readonly { planId: number; buyer: string }[],
): Promise<Map<string, number>> {
  if (asked.length === 0) return new Map()
  const found = await sql<{ planId: number; buyer: string; uses: number }>`
    select u.plan_id as "planId", coalesce(u.buyer, '') as buyer, count(*)::int as uses
    from (select distinct * from ${rows('a', asked, { planId: 'bigint', buyer: 'text' })}) a
    join promotion_use u on u.plan_id = a.plan_id and u.buyer = a.buyer and u.released_at is null
    group by 1, 2`.execute(tx)
  return new Map(found.rows.map(({ planId, buyer, uses }) => [`${planId}/${buyer}`, uses]))
}

export type NewUse = {
  planId: number
  versionId: number
  orderId: number
  buyer: string | null
  fen: number
  usedAt: Date
  voucherId: number | null
}

export async function insertUses(tx: Tx, uses: readonly NewUse[]): Promise<void> {
  if (uses.length === 0) return
  await sql`insert into promotion_use (plan_id, order_id, version_id, buyer, fen, used_at, voucher_id)
    select u.plan_id, u.order_id, u.version_id, u.buyer, u.fen, u.used_at, u.voucher_id
    from ${rows('u', uses, {
      planId: 'bigint',
      orderId: 'bigint',
      versionId: 'bigint',
      buyer: 'text',
      fen: 'bigint',
      usedAt: 'timestamptz',
      voucherId: 'bigint',
    })} order by u.plan_id`.execute(tx)
}

/** Back to what is left of their plans. Once given back it stays so, also where a piece comes out late. */
export async function releaseUses(tx: Tx, orderIds: readonly number[], at: Date): Promise<void> {
  if (orderIds.length === 0) return
  const ids = [...orderIds]
  await sql`select from promotion_plan where id in (select plan_id from promotion_use
    where order_id = any(${ids}::bigint[])) order by id for no key update`.execute(tx)
  await lockOf(tx, ids)
  // A voucher that was paid with stays spent where its plan says so.
  await sql`update promotion_use u set released_at = ${at}
    where u.order_id = any(${ids}::bigint[]) and u.released_at is null and (u.spent_at is null or exists (
      select from promotion_plan_version v where v.id = u.version_id and v.is_returned))`.execute(tx)
}
