import { replenishmentState } from '@aisle/contract/field/replenishmentOrder'
import { batchState, type BatchFacts, sellable } from '@aisle/contract/medicine/batchState'
import { outboundState } from '@aisle/contract/stock/outbound'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { CommandContext, Tx } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { stateful, statesIn, stateTo } from '../../kernel/states'
import type { NewLine } from './need.reads'

/** @throws Refusal replenishmentOrder.state */
export const orders = stateful('replenishmentOrder', 'state', replenishmentState, {
  versioned: true,
  refuse: ({ no }: HeldOrder) => refuse('replenishmentOrder.state', { no }),
})

export type HeldOrder = {
  id: number
  merchantId: number
  no: string
  state: (typeof replenishmentState.states)[number]
  warehouseId: number
  userId: number | null
  outboundId: number | null
  note: string
  version: number
}

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function holdOrder(
  ctx: CommandContext,
  id: number,
  verb: keyof typeof replenishmentState.moves | null,
): Promise<HeldOrder> {
  const found = await sql<HeldOrder>`
    select o.id, o.merchant_id as "merchantId", o.no, o.state, o.warehouse_id as "warehouseId", o.user_id as "userId",
      o.outbound_id as "outboundId", o.note, o.version
    from replenishment_order o
    where o.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`o.merchant_id`)} for update of o`.execute(ctx.tx)
  const held = existing(found.rows[0])
  if (verb) orders.must(held, verb)
  return held
}

type Stop = { id: number; merchantId: number }

/** Machines in sight of a route, as they are visited. */
export async function machinesOfRoute(ctx: CommandContext, routeId: number): Promise<Stop[]> {
  const sight = sightOf(ctx.actor)
  const route =
    await sql`select from route r where r.id = ${routeId} and ${merchantInSight(sight, sql`r.merchant_id`)}`.execute(
      ctx.tx,
    )
  existing(route.rows[0])
  const found = await sql<Stop>`select m.id, m.merchant_id as "merchantId" from machine m
    where m.route_id = ${routeId} and m.retired_at is null and ${machineInSight(sight, sql`m.id`)}
    order by m.route_order, m.code limit 500`.execute(ctx.tx)
  return found.rows
}

/** In the order in which they are named. @throws Refusal for one out of sight */
export async function machinesNamed(ctx: CommandContext, ids: readonly number[]): Promise<Stop[]> {
  const found = await sql<Stop>`select m.id, m.merchant_id as "merchantId" from machine m
    where m.id = any(${[...ids]}::bigint[]) and m.retired_at is null
      and ${machineInSight(sightOf(ctx.actor), sql`m.id`)}
    order by array_position(${[...ids]}::bigint[], m.id)`.execute(ctx.tx)
  if (found.rows.length < new Set(ids).size) refuse('request.notFound')
  return found.rows
}

export async function putStops(tx: Tx, id: number, machineIds: readonly number[], lines: readonly NewLine[]) {
  await sql`insert into replenishment_stop (order_id, machine_id, position)
    select ${id}, m.id, m.at from unnest(${[...machineIds]}::bigint[]) with ordinality as m (id, at)`.execute(tx)
  await sql`insert into replenishment_line (order_id, machine_id, slot_id, product_id, there, capacity, take_out, bring,
      reason, per_hundred_days, stake_fen)
    select ${id}, l.* from ${rows('l', lines, {
      machineId: 'bigint',
      slotId: 'bigint',
      productId: 'bigint',
      there: 'int',
      capacity: 'int',
      takeOut: 'int',
      bring: 'int',
      reason: 'text',
      perHundredDays: 'int',
      stakeFen: 'bigint',
    })}`.execute(tx)
}

export type Bring = { slotId: number; bring: number }

export async function bringsOf(tx: Tx, id: number): Promise<Bring[]> {
  const found = await sql<Bring>`select slot_id as "slotId", bring from replenishment_line
    where order_id = ${id} order by slot_id`.execute(tx)
  return found.rows
}

export async function setBrings(tx: Tx, id: number, brings: readonly Bring[]): Promise<number> {
  const { numAffectedRows } = await sql`update replenishment_line l set bring = b.bring
    from ${rows('b', brings, { slotId: 'bigint', bring: 'int' })}
    where l.order_id = ${id} and l.slot_id = b.slot_id`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export async function productsOf(tx: Tx, id: number): Promise<{ productId: number; quantity: number }[]> {
  const found = await sql<{ productId: number; quantity: number }>`
    select product_id as "productId", sum(bring)::int as quantity from replenishment_line
    where order_id = ${id} and bring > 0 group by product_id order by product_id`.execute(tx)
  return found.rows
}

type Lot = BatchFacts & { productId: number; quantity: number }

/**
 * Pieces that lie in a bag and may still be sold, by product: what its owner need not be given again. None while it is
 * loaded for another tour, whose goods they are.
 */
export async function spareOf(tx: Tx, bagId: number, { id, day }: { id: number; day: string }) {
  const found = await sql<Lot>`
    select l.product_id as "productId", x.state, x.expires_on as "expiresOn", x.quantity
    from bag g join stock_level l on l.place_id = g.place_id and l.quantity > 0 join product p on p.id = l.product_id
    cross join lateral (
      select null::text as state, null::text as expires_on, l.quantity where p.kind <> 'medicine'
      union all
      select coalesce(m.state, ${stateTo(batchState, 'lock')}), to_char(m.expires_on, 'YYYY-MM-DD'), b.quantity
      from batch_level b
      left join medicine_batch m on m.product_id = b.product_id and m.number = b.batch
      where p.kind = 'medicine' and b.place_id = l.place_id and b.product_id = l.product_id and b.quantity > 0) x
    where g.id = ${bagId} and not exists (
      select from replenishment_order o left join outbound_order b on b.id = o.outbound_id
      where o.id <> ${id} and o.merchant_id = g.merchant_id and o.user_id = g.user_id
        and o.state in ${statesIn(replenishmentState, 'packed')}
        and (b.id is null or b.state in ${statesIn(outboundState, 'out')}))`.execute(tx)
  const spare = new Map<number, number>()
  for (const { productId, quantity, ...lot } of found.rows) {
    if (sellable(lot, day)) spare.set(productId, (spare.get(productId) ?? 0) + quantity)
  }
  return spare
}

export async function stopsOf(tx: Tx, id: number): Promise<number[]> {
  const found = await sql<{ id: number }>`select machine_id as id from replenishment_stop
    where order_id = ${id} order by machine_id`.execute(tx)
  return found.rows.map((stop) => stop.id)
}
