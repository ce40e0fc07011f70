import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  type getPriceChange,
  type getPricedSlots,
  type listPriceChanges,
  type listPricedMachines,
  type PriceChange,
  type PricedMachine,
  priceChangeState,
  pricedState,
} from '@aisle/contract/planogram/priceChange'
import { sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows } from '../../../kernel/list'
import { existing } from '../../../kernel/refuse'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../../kernel/scope'
import { statesFrom, statesIn } from '../../../kernel/states'
import { findMachine } from '../machine.store'
import { isOther, nowFen } from './change.store'

const rowsInSight = (sight: Sight) => sql<PriceChange>`
  select c.id, o.name as "merchantName", c.state, c.rule, c.amount_fen as "amountFen", c.percent,
    c.round_to as "roundTo", c.scope, c.scope_name as "scopeName", c.changes_products as "changesProducts", c.reason,
    (select count(*)::int from price_change_machine m
      where m.change_id = c.id and ${machineInSight(sight, sql`m.machine_id`)}) as "machineCount",
    c.products, c.product_count as "productCount", u.display_name as "createdBy",
    to_json(c.created_at) #>> '{}' as "createdAt", to_json(c.applied_at) #>> '{}' as "appliedAt",
    to_json(c.undone_at) #>> '{}' as "undoneAt"
  from price_change c join merchant o on o.id = c.merchant_id join app_user u on u.id = c.created_by
  where ${merchantInSight(sight, sql`c.merchant_id`)}`

export function listChangesIn(
  sight: Sight,
  { state, product }: InputOf<typeof listPriceChanges>,
): Listing<PriceChange> {
  const where = allOf([
    isAnyOf(sql`state`, state),
    product &&
      sql`id in (select l.change_id from price_change_slot l join product p on p.id = l.product_id
        where p.code = ${product} or ${holds(sql`p.name`, product)})`,
  ])
  return listRows({ rows: rowsInSight(sight), where, order: { by: sql`id`, type: 'bigint', newestFirst: true } })
}

type Detail = OutputOf<typeof getPriceChange>
type Head = PriceChange & Pick<Detail, 'version' | 'appliedBy' | 'undoneBy'>

export async function findChange(ctx: QueryContext, id: number): Promise<Detail> {
  const sight = sightOf(ctx.actor)
  const found = await sql<Head>`select seen.*, c.version, a.display_name as "appliedBy", u.display_name as "undoneBy"
    from (${rowsInSight(sight)}) seen join price_change c on c.id = seen.id
    left join app_user a on a.id = c.applied_by left join app_user u on u.id = c.undone_by
    where seen.id = ${id}`.execute(ctx.db)
  const head = existing(found.rows[0])
  return {
    ...head,
    ...(await progressOf(ctx.db, sight, id)),
    outcomes: await outcomesOf(ctx.db, sight, id),
    staleCount: priceChangeState.is(head.state, 'draft') ? await countStale(ctx.db, sight, id) : 0,
    productPrices: await findProducts(ctx.db, sight, id),
  }
}

async function outcomesOf(db: Reader, sight: Sight, id: number): Promise<Detail['outcomes']> {
  const found = await sql<Detail['outcomes'][number]>`select state, why, count(*)::int as count
    from price_change_slot l where l.change_id = ${id} and ${machineInSight(sight, sql`l.machine_id`)}
    group by state, why order by count(*) desc, state, why`.execute(db)
  return found.rows
}

async function countStale(db: Reader, sight: Sight, id: number): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count
    from price_change_slot l join slot s on s.id = l.slot_id
    where l.change_id = ${id} and l.state in ${statesFrom(pricedState, 'set')} and ${isOther}
      and ${machineInSight(sight, sql`l.machine_id`)}`.execute(db)
  return found.rows[0]?.count ?? 0
}

async function progressOf(db: Reader, sight: Sight, id: number): Promise<Pick<Detail, 'waiting' | 'commands'>> {
  const found = await sql<{ state: string | null; machines: number; waiting: number }>`
    select d.state, count(*)::int as machines, (count(*) filter (where m.is_waiting))::int as waiting
    from price_change_machine m left join device_command d on d.id = coalesce(m.undo_command, m.set_command)
    where m.change_id = ${id} and ${machineInSight(sight, sql`m.machine_id`)} group by d.state`.execute(db)
  return {
    waiting: found.rows.reduce((sum, { waiting }) => sum + waiting, 0),
    commands: Object.fromEntries(found.rows.flatMap(({ state, machines }) => (state ? [[state, machines]] : []))),
  }
}

async function findProducts(db: Reader, sight: Sight, id: number): Promise<Detail['productPrices']> {
  const found = await sql<Detail['productPrices'][number]>`select p.id, p.code, p.name, p.price_fen as "nowFen",
      l.before_fen as "beforeFen", l.after_fen as "afterFen", l.state
    from price_change_product l join product p on p.id = l.product_id
    where l.change_id = ${id} and ${merchantInSight(sight, sql`p.merchant_id`)} order by p.name, p.id`.execute(db)
  return found.rows
}

/** @throws Refusal for a change out of sight */
export async function listMachinesIn(
  ctx: QueryContext,
  { id, machine }: InputOf<typeof listPricedMachines>,
): Promise<Listing<PricedMachine>> {
  const sight = sightOf(ctx.actor)
  await seeChange(ctx, id)
  const rows = sql<PricedMachine>`
    select m.id, m.code, m.name, l.slots, l.changes, l.slots - l.changes as skipped, c.is_waiting as "isWaiting",
      d.state as command
    from price_change_machine c join machine m on m.id = c.machine_id
    left join device_command d on d.id = coalesce(c.undo_command, c.set_command)
    cross join lateral (select count(*)::int as slots,
      (count(*) filter (where s.state in ${statesIn(pricedState, 'moved')}))::int as changes
      from price_change_slot s where s.change_id = c.change_id and s.machine_id = c.machine_id) l
    where c.change_id = ${id} and ${machineInSight(sight, sql`c.machine_id`)}`
  const where = allOf([machine && sql`(${holds(sql`code`, machine)} or ${holds(sql`name`, machine)})`])
  return listRows({ rows, where, order: { by: sql`code`, type: 'text' } })
}

async function seeChange({ db, actor }: QueryContext, id: number): Promise<void> {
  const found = await sql`select 1 from price_change c
    where c.id = ${id} and ${merchantInSight(sightOf(actor), sql`c.merchant_id`)}`.execute(db)
  existing(found.rows[0])
}

type Slots = OutputOf<typeof getPricedSlots>

/** Beside what the machine said of each slot last. */
export async function findSlotsOf(
  ctx: QueryContext,
  { id, machineId }: InputOf<typeof getPricedSlots>,
): Promise<Slots> {
  await seeChange(ctx, id)
  existing(await findMachine(ctx.db, sightOf(ctx.actor), machineId))
  const found = await sql<Slots['slots'][number]>`
    select l.id, l.slot_code as code, p.name as "productName", l.before_fen as "beforeFen", l.after_fen as "afterFen",
      l.is_next as "isNext", ${nowFen} as "nowFen", (select (r.slot ->> 'priceFen')::bigint
        from jsonb_array_elements(h.snapshot -> 'slots') r(slot)
        where r.slot ->> 'code' = l.slot_code and not l.is_next limit 1) as "reportedFen", l.state, l.why
    from price_change_slot l join product p on p.id = l.product_id join slot s on s.id = l.slot_id
    left join machine_state h on h.machine_id = l.machine_id
    where l.change_id = ${id} and l.machine_id = ${machineId}
      and ${machineInSight(sightOf(ctx.actor), sql`l.machine_id`)}
    order by s.layer, s.position, l.slot_code, l.is_next`.execute(ctx.db)
  return { slots: found.rows }
}
