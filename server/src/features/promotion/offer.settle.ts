import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { clockTime } from '../../kernel/businessDay'
import type { Tx } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import type { StoredPlan } from './price.reads'
import { type Basket, isTime, type LivePlan, priceBasket, type PricedItem } from './price.rules'
import { findShownPlans, holdersOf, type Single, singlesOf } from './single.reads'

/** The job of planogram that tells a machine the prices of its slots. */
export const PUSH_PRICES = 'planogram.pushPrices'

/** Begins and ends what machines show, by their own clocks. Done again, it finds nothing to do. */
export async function settleAllOffers(tx: Tx, now: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('markdowns', 0))`.execute(tx)
  const turned = await turnShowing(tx, now)
  const due = await sql<{ slotId: number }>`select distinct slot_id as "slotId" from offer_due`.execute(tx)
  await settleOffers(tx, [...turned, ...due.rows.map(({ slotId }) => slotId)], now)
}

/** @returns the slots at which plans have begun or ended since the last time */
async function turnShowing(tx: Tx, now: Date): Promise<number[]> {
  const zones = await sql<{ timeZone: string; merchantIds: number[] }>`
    select time_zone as "timeZone", json_agg(distinct merchant_id) as "merchantIds" from machine
    where retired_at is null group by 1`.execute(tx)
  const live = await findShownPlans(
    tx,
    zones.rows.flatMap(({ merchantIds }) => merchantIds),
    now,
  )
  const wanted = zones.rows.flatMap(({ timeZone, merchantIds }) =>
    live
      .filter((plan) => plan.merchantIds.some((id) => merchantIds.includes(id)))
      .filter((plan) => isTime(plan, clockTime(now, timeZone)))
      .map(({ versionId }) => ({ versionId, timeZone })),
  )
  const given = rows('w', wanted, { versionId: 'bigint', timeZone: 'text' })
  const turned = await sql<{ versionId: number; timeZone: string }>`
    with wanted as (select * from ${given}), over as (
      delete from promotion_showing g where not exists (
        select from wanted w where w.version_id = g.version_id and w.time_zone = g.time_zone)
      returning version_id, time_zone
    ), begun as (
      insert into promotion_showing (version_id, time_zone) select version_id, time_zone from wanted
      on conflict do nothing returning version_id, time_zone
    ) select version_id as "versionId", time_zone as "timeZone" from (
      select * from over union select * from begun) turned`.execute(tx)
  if (turned.rows.length === 0) return []
  // Rather too many: where it holds is for the engine to say.
  const found = await sql<{ slotId: number }>`
    select distinct s.id as "slotId" from ${rows('t', turned.rows, { versionId: 'bigint', timeZone: 'text' })}
    join promotion_plan_version v on v.id = t.version_id join promotion_plan p on p.id = v.plan_id
    join merchant m on p.merchant_id = any(m.path)
    join machine a on a.merchant_id = m.id and a.time_zone = t.time_zone and a.retired_at is null
    join slot s on s.machine_id = a.id and s.price_fen > 0
    where (cardinality(v.machine_ids) = 0 or cardinality(v.group_ids) > 0 or a.id = any(v.machine_ids))
      and (cardinality(v.product_ids) = 0 or cardinality(v.category_ids) > 0 or s.product_id = any(v.product_ids))
    `.execute(tx)
  return found.rows.map(({ slotId }) => slotId)
}

type Slot = Single

/** What these slots are offered at now, due or not; machines of which one differs from before are told. */
export async function settleOffers(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  const slotIds = [...new Set(ids)]
  for (let from = 0; from < slotIds.length; from += AT_ONCE) {
    await settleSome(tx, slotIds.slice(from, from + AT_ONCE), now)
  }
}
const AT_ONCE = 5_000

async function settleSome(tx: Tx, slotIds: readonly number[], now: Date): Promise<void> {
  await sql`delete from offer_due where slot_id = any(${slotIds}::bigint[])`.execute(tx)
  const found = await sql<Slot>`
    select s.id, a.id as "machineId", a.merchant_id as "merchantId", a.time_zone as "timeZone",
      p.id as "productId", p.medicine_class as "medicineClass", s.price_fen as "priceFen"
    from slot s join machine a on a.id = s.machine_id and a.retired_at is null join product p on p.id = s.product_id
    where s.id = any(${slotIds}::bigint[]) and s.price_fen > 0`.execute(tx)
  const offers = await offersOf(tx, found.rows, now)
  const changed = await sql<{ machineId: number | null }>`
    with wanted as (
      select f.slot_id, f.machine_id, f.product_id, f.price_fen, f.kinds::text[] as kinds,
        f.amounts::bigint[] as amounts, f.version_ids::bigint[] as version_ids,
        f.member_kinds::text[] as member_kinds, f.member_amounts::bigint[] as member_amounts,
        f.member_version_ids::bigint[] as member_version_ids
      from ${rows('f', offers, {
        slotId: 'bigint',
        machineId: 'bigint',
        productId: 'bigint',
        priceFen: 'bigint',
        kinds: 'text',
        amounts: 'text',
        versionIds: 'text',
        memberKinds: 'text',
        memberAmounts: 'text',
        memberVersionIds: 'text',
      })}
    ), over as (
      delete from slot_offer o where o.slot_id = any(${slotIds}::bigint[]) and not exists (
        select from wanted w where w.slot_id = o.slot_id) returning o.slot_id
    ), begun as (
      insert into slot_offer as o (slot_id, product_id, kinds, amounts, version_ids, member_kinds, member_amounts,
        member_version_ids, struck_fen, began_at)
      select w.slot_id, w.product_id, w.kinds, w.amounts, w.version_ids, w.member_kinds, w.member_amounts,
        w.member_version_ids, struck.fen, ${now}
      from wanted w
      cross join lateral (
        select case when lowest > offered_fen(w.price_fen, w.kinds, w.amounts) then lowest end as fen
        from (select least(w.price_fen, min(i.price_fen)) as lowest from order_item i
          join orders o on o.merchant_id = i.merchant_id and o.occurred_at = i.occurred_at and o.id = i.order_id
          where i.product_id = w.product_id and i.occurred_at > ${now}::timestamptz - interval '7 days'
            and i.price_fen > 0 and o.paid_fen > 0 and o.machine_id = w.machine_id) seen) struck
      on conflict (slot_id) do update set product_id = excluded.product_id, kinds = excluded.kinds,
        amounts = excluded.amounts, version_ids = excluded.version_ids, member_kinds = excluded.member_kinds,
        member_amounts = excluded.member_amounts, member_version_ids = excluded.member_version_ids,
        struck_fen = excluded.struck_fen, began_at = excluded.began_at
      where (o.product_id, o.kinds, o.amounts, o.version_ids, o.member_kinds, o.member_amounts, o.member_version_ids)
        is distinct from (excluded.product_id, excluded.kinds, excluded.amounts, excluded.version_ids,
          excluded.member_kinds, excluded.member_amounts, excluded.member_version_ids)
      returning slot_id
    )
    select distinct s.machine_id as "machineId" from (select * from over union select * from begun) c
    join slot s on s.id = c.slot_id`.execute(tx)
  for (const { machineId } of changed.rows) if (machineId !== null) await addJob(tx, PUSH_PRICES, { machineId })
}

type Offer = {
  slotId: number
  machineId: number
  productId: number
  priceFen: number
  kinds: string
  amounts: string
  versionIds: string
  memberKinds: string | null
  memberAmounts: string | null
  memberVersionIds: string | null
}

async function offersOf(tx: Tx, slots: readonly Slot[], now: Date): Promise<Offer[]> {
  const singles = await singlesOf(tx, slots, now)
  return singles.flatMap(({ slot, basket, plans, cut }) => {
    const [item] = priceBasket(basket, plans).items
    if (!item) return []
    const member = memberItem(basket, plans, item.askedFen)
    if (item.steps.length === 0 && !member) return []
    const paidPercent = cut?.paidPercent ?? 100
    const { id: slotId, machineId, productId, priceFen } = slot
    const own = member && said(member, plans, paidPercent)
    return [
      {
        slotId,
        machineId,
        productId,
        priceFen,
        ...said(item, plans, paidPercent),
        memberKinds: own?.kinds ?? null,
        memberAmounts: own?.amounts ?? null,
        memberVersionIds: own?.versionIds ?? null,
      },
    ]
  })
}

/** What the holder who pays least is asked, where that is less than what anybody is. */
function memberItem(basket: Basket, plans: readonly LivePlan[], openFen: number): PricedItem | undefined {
  const theirs = holdersOf(plans.filter((plan) => plan.merchantIds.includes(basket.machine.merchantId)))
  return theirs
    .flatMap((buyer) => priceBasket({ ...basket, buyer }, plans).items)
    .filter(({ askedFen }) => askedFen < openFen)
    .sort((a, b) => a.askedFen - b.askedFen)[0]
}

/** Its steps, as the database says them again from another price (`offered_fen`). */
function said({ steps }: PricedItem, plans: readonly StoredPlan[], paidPercent: number) {
  const each = steps.map(({ kind, reference }) => {
    const plan = kind === 'plan' ? plans.find(({ versionId }) => versionId === reference) : undefined
    if (!plan) return { kind: 'rate', amount: paidPercent }
    return { kind: plan.kind, amount: (plan.kind === 'rate' ? plan.paidPercent : plan.amountFen) ?? 0 }
  })
  const list = (values: readonly (string | number)[]) => `{${values.join()}}`
  return {
    kinds: list(each.map(({ kind }) => kind)),
    amounts: list(each.map(({ amount }) => amount)),
    versionIds: list(steps.flatMap(({ kind, reference }) => (kind === 'plan' ? [reference] : []))),
  }
}
