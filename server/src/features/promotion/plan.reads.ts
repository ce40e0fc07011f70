import { type Conflict, type getPlan, type listPlans, type Plan, planState } from '@aisle/contract/promotion/plan'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { businessTime } from '../../kernel/businessDay'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, type Order } from '../../kernel/list'
import { must, only } from '../../kernel/must'
import { existing } from '../../kernel/refuse'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { conflictsOf, marksOf } from './plan.rules'
import { findMet, type Said } from './plan.store'
import { findWith } from './price.reads'

type Row = Omit<Plan, 'marks'> & { timeZone: string }
type Filter = InputOf<typeof listPlans>

const rowsInSight = (sight: Sight): RawBuilder<Row> => sql`
  select p.id, p.merchant_id as "merchantId", m.name as "merchantName", p.name, v.kind, v.priority,
    v.paid_percent as "paidPercent", v.amount_fen as "amountFen", v.pieces, v.least_fen as "leastFen", v.stacks,
    p.state, to_char(v.starts_on, 'YYYY-MM-DD') as "startsOn", to_char(v.ends_on, 'YYYY-MM-DD') as "endsOn", v.number,
    v.max_uses as "maxUses", coalesce(t.uses, 0) as uses, v.budget_fen as "budgetFen",
    coalesce(t.spent_fen, 0)::bigint as "spentFen", u.display_name as "createdBy",
    to_json(p.created_at) #>> '{}' as "createdAt", m.time_zone as "timeZone"
  from promotion_plan p join promotion_plan_version v on v.id = p.version_id join merchant m on m.id = p.merchant_id
  left join promotion_tally t on t.plan_id = p.id left join app_user u on u.id = p.created_by
  where p.voucher_kind is null and ${merchantInSight(sight, sql`p.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  priority: { by: sql`priority::bigint`, type: 'bigint' },
}

const marked =
  (now: Date) =>
  ({ timeZone, ...plan }: Row): Plan => ({
    ...plan,
    marks: marksOf({ ...plan, isListed: planState.is(plan.state, 'listed') }, businessTime(now, timeZone).day),
  })

export function listPlansIn(ctx: QueryContext, filter: Filter): Listing<Plan> {
  const { q, state, kind, merchantId, sort } = filter
  const where = allOf([
    q && holds(sql`name`, q),
    isAnyOf(sql`state`, state),
    isAnyOf(sql`kind`, kind),
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  return mapRows(listRows({ rows: rowsInSight(sightOf(ctx.actor)), where, order: orders[sort] }), (found) =>
    found.map(marked(ctx.now())),
  )
}

/** A plan as it was typed. */
export async function findSaid(db: Reader, id: number): Promise<Said> {
  const time = (minute: RawBuilder<unknown>) => sql`to_char(time '00:00' + make_interval(mins => ${minute}), 'HH24:MI')`
  const found = await sql<Said>`
    select p.name, v.kind, v.priority, v.paid_percent as "paidPercent", v.amount_fen as "amountFen", v.pieces,
      v.least_fen as "leastFen", v.per_order as "perOrder", v.stacks, to_json(v.product_ids) as "productIds",
      to_json(v.category_ids) as "categoryIds", to_json(v.machine_ids) as "machineIds",
      to_json(v.group_ids) as "groupIds", to_json(v.levels) as levels,
      to_json(v.card_types) as "cardTypes", v.is_first_purchase as "isFirstPurchase",
      to_char(v.starts_on, 'YYYY-MM-DD') as "startsOn", to_char(v.ends_on, 'YYYY-MM-DD') as "endsOn",
      to_json(v.weekdays) as weekdays, ${time(sql`v.from_minute::int`)} as "fromTime",
      ${time(sql`v.to_minute::int`)} as "toTime", v.max_uses as "maxUses", v.budget_fen as "budgetFen",
      v.per_member as "perMember", v.valid_days as "validDays", v.max_issued as "maxIssued",
      v.uses_per_code as "usesPerCode", v.is_returned as "isReturned"
    from promotion_plan p join promotion_plan_version v on v.id = p.version_id where p.id = ${id}`.execute(db)
  return only(found)
}

export async function findConflicts(db: Reader, id: number, now: Date): Promise<Conflict[]> {
  const owner = await sql<{ merchantId: number; merchantIds: number[] }>`
    select p.merchant_id as "merchantId", json_agg(m.id) as "merchantIds"
    from promotion_plan p join merchant m on p.merchant_id = any(m.path) where p.id = ${id} group by 1`.execute(db)
  const { merchantId, merchantIds } = only(owner)
  const all = await findWith(db, merchantIds, id)
  const plan = must(
    all.find(({ planId }) => planId === id),
    `plan ${id}`,
  )
  return conflictsOf(plan, all, await findMet(db, { ...plan, merchantId }, now))
}

type Detail = OutputOf<typeof getPlan>

export async function detail(ctx: QueryContext, id: number): Promise<Detail> {
  const sight = sightOf(ctx.actor)
  const found = await sql<Row & Pick<Detail, 'version' | 'endedAt'>>`
    select seen.*, p.version, to_json(p.ended_at) #>> '{}' as "endedAt"
    from (${rowsInSight(sight)}) seen join promotion_plan p on p.id = seen.id where seen.id = ${id}`.execute(ctx.db)
  const { version, endedAt, ...row } = existing(found.rows[0])
  const said = await findSaid(ctx.db, id)
  return {
    ...marked(ctx.now())(row),
    version,
    endedAt,
    perOrder: said.perOrder,
    perMember: said.perMember,
    levels: said.levels,
    cardTypes: said.cardTypes,
    weekdays: said.weekdays,
    fromTime: said.fromTime,
    toTime: said.toTime,
    isFirstPurchase: said.isFirstPurchase,
    ...(await findScope(ctx.db, said)),
    conflicts: planState.can(row.state, 'list') ? await findConflicts(ctx.db, id, ctx.now()) : [],
    sold: await findSold(ctx.db, sight, id),
    versions: await findVersions(ctx.db, id),
  }
}

type Scope = Pick<Detail, 'products' | 'categories' | 'machines' | 'groups'>

/** What a plan names, in words. */
export async function findScope(db: Reader, said: Said): Promise<Scope> {
  const { productIds, categoryIds, machineIds, groupIds } = said
  const found = await sql<Scope>`
    select ${named(sql`product`, productIds)} as products, ${named(sql`category`, categoryIds)} as categories,
      ${named(sql`machine`, machineIds)} as machines, ${named(sql`machine_group`, groupIds)} as groups`.execute(db)
  return only(found)
}

const named = (table: RawBuilder<unknown>, ids: readonly number[]) => sql`coalesce((
  select json_agg(json_build_object('id', x.id, 'name', x.name) order by x.name)
  from ${table} x where x.id = any(${[...ids]}::bigint[])), '[]')`

/** Of pieces that came out at machines in sight. */
async function findSold(db: Reader, sight: Sight, id: number): Promise<Detail['sold']> {
  const found = await sql<Detail['sold']>`
    select count(distinct t.order_id)::int as orders, count(*)::int as pieces,
      coalesce(sum(i.price_fen), 0)::bigint as "paidFen",
      coalesce(sum(t.before_fen - t.after_fen), 0)::bigint as "forgoneFen"
    from promotion_plan_version v join order_price_step t on t.kind = 'plan' and t.reference = v.id
    join order_number n on n.order_id = t.order_id
    join order_item i on i.merchant_id = n.merchant_id and i.occurred_at = n.occurred_at and i.order_id = n.order_id
      and i.index = t.index
    where v.plan_id = ${id} and i.state = 'dispensed' and ${machineInSight(sight, sql`n.machine_id`)}`.execute(db)
  return only(found)
}

async function findVersions(db: Reader, id: number): Promise<Detail['versions']> {
  const found = await sql<Detail['versions'][number]>`
    select v.id, v.number, to_json(v.listed_at) #>> '{}' as "listedAt", coalesce(u.display_name, '') as "createdBy",
      (select count(distinct t.order_id)::int from order_price_step t
        where t.kind = 'plan' and t.reference = v.id) as orders
    from promotion_plan_version v left join app_user u on u.id = v.created_by
    where v.plan_id = ${id} order by v.number desc`.execute(db)
  return found.rows
}
