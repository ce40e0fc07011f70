import { type OutboundState, outboundState } from '@aisle/contract/stock/outbound'
import { medicineMarginDays } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { CommandContext, Reader, Tx } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { dayAt } from '../../../kernel/platformDays'
import { existing, refuse } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { settingOf } from '../../../kernel/settings'
import { stateful, stateTo } from '../../../kernel/states'
import { addPlace, namePlace } from '../../fleet/public'
import type { Goods } from '../goods.store'
import type { FreeLot } from './outbound.rules'

/** @throws Refusal outbound.state */
export const outbounds = stateful('outboundOrder', 'state', outboundState, {
  versioned: true,
  refuse: ({ no }: HeldOutbound) => refuse('outbound.state', { no }),
})

export type HeldOutbound = {
  id: number
  merchantId: number
  no: string
  state: OutboundState
  warehouseId: number
  warehousePlaceId: number
  bagId: number
  bagPlaceId: number
  note: string
  version: number
}

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function holdOutbound(
  ctx: CommandContext,
  id: number,
  verb: keyof typeof outboundState.moves | null,
): Promise<HeldOutbound> {
  const found = await sql<HeldOutbound>`
    select o.id, o.merchant_id as "merchantId", o.no, o.state, o.warehouse_id as "warehouseId",
      w.place_id as "warehousePlaceId", o.bag_id as "bagId", b.place_id as "bagPlaceId", o.note, o.version
    from outbound_order o join warehouse w on w.id = o.warehouse_id join bag b on b.id = o.bag_id
    where o.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`o.merchant_id`)} for update of o`.execute(ctx.tx)
  const held = existing(found.rows[0])
  if (verb) outbounds.must(held, verb)
  return held
}

/** The bag in which a person carries goods of a merchant. @throws Refusal outbound.replenisher */
export async function bagOf(ctx: CommandContext, merchantId: number, userId: number): Promise<number> {
  // Held, so that two who need the first bag of a person make one.
  const found = await sql<{ name: string }>`select u.display_name as name
    from app_user u join merchant own on own.id = ${merchantId}
    where u.id = ${userId} and u.state = 'active' and u.kind <> 'doctor' and u.merchant_id = any(own.path)
      and ${merchantInSight(sightOf(ctx.actor), sql`u.merchant_id`)} for no key update of u`.execute(ctx.tx)
  const [person] = found.rows
  if (!person) refuse('outbound.replenisher')
  const known = await sql<{ id: number; placeId: number }>`select id, place_id as "placeId" from bag
    where merchant_id = ${merchantId} and user_id = ${userId}`.execute(ctx.tx)
  const [bag] = known.rows
  if (bag) {
    await namePlace(ctx.tx, bag.placeId, person.name)
    return bag.id
  }
  const placeId = await addPlace(ctx.tx, 'replenisher', { merchantId, name: person.name })
  const made = await sql<{ id: number }>`insert into bag (merchant_id, user_id, place_id)
    values (${merchantId}, ${userId}, ${placeId}) returning id`.execute(ctx.tx)
  return only(made).id
}

/** Whoever puts into a bag or takes out of it by hand comes one after the other. */
export async function holdBag(tx: Tx, bagId: number): Promise<void> {
  await sql`select from bag where id = ${bagId} for no key update`.execute(tx)
}

export type Wanted = { productId: number; quantity: number }
export type Pick = Wanted & { batch: string }

export async function putLines(tx: Tx, id: number, lines: readonly Wanted[]): Promise<void> {
  await sql`delete from outbound_line where outbound_id = ${id}`.execute(tx)
  const numbered = lines.map((line, at) => ({ ...line, line: at + 1 }))
  await sql`insert into outbound_line (outbound_id, line, product_id, quantity)
    select ${id}, l.line, l.product_id, l.quantity
    from ${rows('l', numbered, { line: 'int', productId: 'bigint', quantity: 'int' })}`.execute(tx)
}

export async function wantedOf(tx: Tx, id: number): Promise<Wanted[]> {
  const found = await sql<Wanted>`select product_id as "productId", quantity from outbound_line
    where outbound_id = ${id} order by line`.execute(tx)
  return found.rows
}

export async function putPicks(tx: Tx, id: number, picks: readonly Pick[]): Promise<void> {
  await sql`delete from outbound_pick where outbound_id = ${id}`.execute(tx)
  await sql`insert into outbound_pick (outbound_id, product_id, batch, quantity)
    select ${id}, l.product_id, l.batch, l.quantity
    from ${rows('l', picks, { productId: 'bigint', batch: 'text', quantity: 'int' })}`.execute(tx)
}

export async function picksOf(tx: Tx, id: number): Promise<Pick[]> {
  const found = await sql<Pick>`select product_id as "productId", batch, quantity from outbound_pick
    where outbound_id = ${id} order by product_id, batch`.execute(tx)
  return found.rows
}

export async function putReturns(tx: Tx, id: number, returns: readonly Pick[]): Promise<void> {
  await sql`insert into outbound_return (outbound_id, product_id, batch, quantity)
    select ${id}, l.product_id, l.batch, l.quantity
    from ${rows('l', returns, { productId: 'bigint', batch: 'text', quantity: 'int' })}`.execute(tx)
}

export type Lying = FreeLot & {
  productId: number
  productCode: string
  productName: string
  specification: string
  /** With what others have picked of it. */
  quantity: number
}

/**
 * What lies at a warehouse of these, batch by batch; `free` is what no other order has picked.
 * @param ownId the order that asks: what it has picked itself is free to it
 */
export async function lyingAt(
  db: Reader,
  warehouseId: number,
  productIds: readonly number[],
  ownId: number,
): Promise<Lying[]> {
  const picked = stateTo(outboundState, 'pick')
  const found = await sql<Lying>`
    select p.id as "productId", p.code as "productCode", p.name as "productName", p.specification, x.batch, b.state,
      to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn", x.quantity, x.quantity - coalesce(k.kept, 0) as free
    from warehouse w join stock_level l on l.place_id = w.place_id and l.product_id = any(${[...productIds]}::bigint[])
    join product p on p.id = l.product_id
    cross join lateral (
      select '' as batch, l.quantity where p.kind <> 'medicine' and l.quantity > 0
      union all
      select v.batch, v.quantity from batch_level v
      where p.kind = 'medicine' and v.place_id = l.place_id and v.product_id = l.product_id and v.quantity > 0) x
    left join medicine_batch b on b.product_id = p.id and b.number = x.batch
    left join lateral (select sum(k.quantity)::int as kept from outbound_order o join outbound_pick k
        on k.outbound_id = o.id and k.product_id = p.id and k.batch = x.batch
      where o.warehouse_id = w.id and o.state = ${picked} and o.id <> ${ownId}) k on true
    where w.id = ${warehouseId} order by p.id, b.expires_on, x.batch`.execute(db)
  return found.rows
}

/** The same goods, without what others have picked of them: it lies there, and is spoken for. */
export async function withoutPicked(tx: Tx, warehouseId: number, goods: readonly Goods[], ownId = 0): Promise<Goods[]> {
  const ids = [...new Set(goods.map(({ productId }) => productId))]
  const lying = await lyingAt(tx, warehouseId, ids, ownId)
  const free = new Map(lying.map((lot) => [`${lot.productId}/${lot.batch}`, lot.free]))
  return goods.map((one) => ({ ...one, there: Math.max(0, free.get(`${one.productId}/${one.batch}`) ?? 0) }))
}

/** By which a batch is judged where the merchant is. */
export async function leavingDay(db: Reader, now: Date, merchantId: number) {
  const found = await sql<{ day: string }>`select to_char(${dayAt(now, sql`m.time_zone`)}, 'YYYY-MM-DD') as day
    from merchant m where m.id = ${merchantId}`.execute(db)
  return { day: only(found).day, marginDays: await settingOf(db, medicineMarginDays, merchantId) }
}
