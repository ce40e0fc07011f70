import { type PlanSaid, type PlanState, planState, valuesOfKind } from '@aisle/contract/promotion/plan'
import type { VoucherKind } from '@aisle/contract/promotion/voucher'
import { sql } from 'kysely'
import { minuteOf } from '../../kernel/businessDay'
import type { CommandContext, Reader } from '../../kernel/context'
import { only } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { stateful } from '../../kernel/states'
import { findCategories, findGroups, type StoredPlan } from './price.reads'
import type { Met } from './plan.rules'

/** @throws Refusal plan.state */
export const plans = stateful('promotionPlan', 'state', planState, {
  versioned: true,
  refuse: ({ id }) => refuse('plan.state', { id }),
})

export type Held = {
  id: number
  merchantId: number
  name: string
  state: PlanState
  versionId: number
  number: number
  isListedVersion: boolean
  version: number
}
type Verb = keyof typeof planState.moves

/**
 * Locked. @param kind of voucher that it asks for
 * @throws Refusal for one out of sight, and for a state from which the verb does not lead
 */
export async function hold(
  ctx: CommandContext,
  id: number,
  verb: Verb | null,
  kind: VoucherKind | null,
): Promise<Held> {
  const found = await sql<Held>`
    select p.id, p.merchant_id as "merchantId", p.name, p.state, v.id as "versionId", v.number,
      v.listed_at is not null as "isListedVersion", p.version
    from promotion_plan p join promotion_plan_version v on v.id = p.version_id
    where p.id = ${id} and p.voucher_kind is not distinct from ${kind}
      and ${merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)} for update of p`.execute(ctx.tx)
  const held = existing(found.rows[0])
  if (verb) plans.must(held, verb)
  return held
}

/** What a plan that asks for a voucher says beside. */
export type VoucherTerms = {
  validDays: number | null
  maxIssued: number | null
  usesPerCode: number | null
  isReturned: boolean | null
}
const noTerms: VoucherTerms = { validDays: null, maxIssued: null, usesPerCode: null, isReturned: null }
export type Said = PlanSaid & Partial<VoucherTerms>

/** Values that the kind of plan has no use for are not kept. */
function written(said: Said) {
  const own = valuesOfKind[said.kind]
  const terms: VoucherTerms = { ...noTerms, ...said }
  const value = (name: (typeof own)[number]) => (own.includes(name) ? said[name] : null)
  const minute = (time: string | null) => (time === null ? null : minuteOf(time))
  const list = (of: readonly (number | string)[], type: 'bigint' | 'smallint' | 'text') =>
    sql`${[...of]}::${sql.raw(type)}[]`
  return {
    kind: said.kind,
    priority: said.priority,
    stacks: said.stacks,
    paid_percent: value('paidPercent'),
    amount_fen: value('amountFen'),
    pieces: value('pieces'),
    least_fen: value('leastFen'),
    per_order: said.perOrder,
    product_ids: list(said.productIds, 'bigint'),
    category_ids: list(said.categoryIds, 'bigint'),
    machine_ids: list(said.machineIds, 'bigint'),
    group_ids: list(said.groupIds, 'bigint'),
    levels: list(said.levels, 'smallint'),
    card_types: list(said.cardTypes, 'text'),
    weekdays: list(said.weekdays, 'smallint'),
    from_minute: minute(said.fromTime),
    to_minute: minute(said.toTime),
    starts_on: sql`${said.startsOn}::date`,
    ends_on: sql`${said.endsOn}::date`,
    is_first_purchase: said.isFirstPurchase,
    max_uses: said.maxUses,
    budget_fen: said.budgetFen,
    per_member: said.perMember,
    valid_days: terms.validDays,
    max_issued: terms.maxIssued,
    uses_per_code: terms.usesPerCode,
    is_returned: terms.isReturned,
  }
}

/** A version of its own, where the last one was listed; else the last one is written anew. */
export async function writeVersion(ctx: CommandContext, plan: { id: number; number: number }, said: Said) {
  const columns = written(said)
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  const made = await sql<{ id: number }>`
    insert into promotion_plan_version as v (plan_id, number, created_by, created_at, ${names})
    values (${plan.id}, ${plan.number}, ${ctx.actor.userId}, ${ctx.now()}, ${sql.join(Object.values(columns))})
    on conflict (plan_id, number) do update set (created_by, created_at, ${names})
      = row (excluded.created_by, excluded.created_at, ${sql.join(
        Object.keys(columns).map((name) => sql`excluded.${sql.ref(name)}`),
      )})
    returning v.id`.execute(ctx.tx)
  return only(made).id
}

type MetRow = Omit<Met, 'machine' | 'categoryIds'> & { machineId: number; machineCode: string; merchantId: number }

/** Slots of machines of a merchant and of those below it, with what was paid for their goods lately. */
export async function findMet(db: Reader, plan: StoredPlan & { merchantId: number }, now: Date): Promise<Met[]> {
  const isNamed = plan.machineIds.length > 0 && plan.groupIds.length === 0
  const named = isNamed ? sql`a.id = any(${[...plan.machineIds]}::bigint[])` : sql`true`
  const isOfGoods = plan.productIds.length > 0 && plan.categoryIds.length === 0
  const goods = isOfGoods ? sql`s.product_id = any(${[...plan.productIds]}::bigint[])` : sql`true`
  const found = await sql<MetRow>`
    with met as (
      select a.id as machine_id, a.code as machine_code, a.merchant_id, s.code, p.id as product_id, s.price_fen,
        p.name, p.medicine_class, p.cost_fen
      from merchant m join machine a on a.merchant_id = m.id and a.retired_at is null
      join slot s on s.machine_id = a.id and s.price_fen > 0 join product p on p.id = s.product_id
      where m.path @> array[${plan.merchantId}]::bigint[] and ${named} and ${goods} order by a.id, s.id limit 50000
    ), paid as (
      select o.machine_id, i.product_id, min(i.price_fen) as fen
      from order_item i join orders o on o.merchant_id = i.merchant_id and o.occurred_at = i.occurred_at
        and o.id = i.order_id
      where i.merchant_id in (select distinct merchant_id from met)
        and i.occurred_at > ${now}::timestamptz - interval '7 days' and i.price_fen > 0 and o.paid_fen > 0
        and i.product_id in (select distinct product_id from met)
      group by 1, 2
    )
    select t.machine_id as "machineId", t.machine_code as "machineCode", t.merchant_id as "merchantId",
      t.code as "slotCode", t.product_id as "productId", t.name as "productName",
      t.medicine_class as "medicineClass", t.price_fen as "priceFen", t.cost_fen as "costFen",
      paid.fen as "lowestFen"
    from met t left join paid on paid.machine_id = t.machine_id and paid.product_id = t.product_id`.execute(db)
  const categories = await findCategories(
    db,
    found.rows.map(({ productId }) => productId),
  )
  const groups = await findGroups(
    db,
    found.rows.map(({ machineId }) => machineId),
  )
  return found.rows.map(({ machineId: id, machineCode: code, merchantId, ...slot }) => ({
    ...slot,
    machine: { id, code, merchantId, groupIds: groups.get(id) ?? [] },
    categoryIds: categories.get(slot.productId) ?? [],
  }))
}
