import { type WriteOff, writeOffState } from '@aisle/contract/stock/writeOff'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import type { CommandContext, Tx } from '../../kernel/context'
import { dayAt } from '../../kernel/platformDays'
import { existing, refuse } from '../../kernel/refuse'
import { type Sight, machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { stateful } from '../../kernel/states'

/** @throws Refusal writeOff.state */
export const writeOffs = stateful('writeOff', 'state', writeOffState, {
  versioned: false,
  refuse: () => refuse('writeOff.state'),
})

/** What lies at a place `o` of slot `s`: in sight by its machine, or by whose warehouse or bag it is. */
export const placeInSight = (sight: Sight) => sql<boolean>`case when s.machine_id is null
  then ${merchantInSight(sight, sql`o.merchant_id`)} else ${machineInSight(sight, sql`s.machine_id`)} end`

export type Spot = { placeId: number; productId: number; batch: string }
export const spotOf = ({ placeId, productId, batch }: Spot) => `${placeId}/${productId}/${batch}`

export type Lying = Spot & {
  merchantId: number
  quantity: number
  /** Of all of it: as the store's pieces have cost, elsewhere as the product's card says. */
  costFen: number
  isOnWay: boolean
}

/** What lies at these spots in sight, held, in one order, until the transaction ends. */
export async function holdLying(ctx: CommandContext, spots: readonly Spot[]): Promise<Lying[]> {
  const given = rows('w', spots, { placeId: 'bigint', productId: 'bigint', batch: 'text' })
  await sql`select from stock_level l
    where (l.place_id, l.product_id) in (select w.place_id, w.product_id from ${given})
    order by l.place_id, l.product_id for update of l`.execute(ctx.tx)
  const found = await sql<Lying>`
    select there.*, case when v.pieces > 0 then round(v.value_fen::numeric * there.quantity / v.pieces)::bigint
      else there.quantity * coalesce(p.cost_fen, 0) end as "costFen"
    from (
      select coalesce(k.merchant_id, o.merchant_id) as "merchantId", w.place_id as "placeId",
        w.product_id as "productId", w.batch, o.kind = 'transit' as "isOnWay",
        greatest(0, case when w.batch = '' then l.quantity - coalesce((select sum(b.quantity) from batch_level b
            where b.place_id = w.place_id and b.product_id = w.product_id and b.quantity > 0), 0)::int
          else coalesce((select b.quantity from batch_level b
            where b.place_id = w.place_id and b.product_id = w.product_id and b.batch = w.batch), 0) end) as quantity
      from ${given} join stock_level l on l.place_id = w.place_id and l.product_id = w.product_id
      join place o on o.id = w.place_id left join slot s on s.place_id = w.place_id
      left join machine k on k.id = s.machine_id
      where ${placeInSight(sightOf(ctx.actor))}) there
    join product p on p.id = there."productId"
    left join stock_value v on v.place_id = there."placeId" and v.product_id = there."productId"
    order by 2, 3, 4`.execute(ctx.tx)
  return found.rows
}

/** The spots of rows of `batch_level`, wherever they are; who may see them is asked when they are held. */
export async function spotsOf(tx: Tx, which: RawBuilder<unknown>): Promise<(Spot & { id: number })[]> {
  const found = await sql<Spot & { id: number }>`select b.id, b.place_id as "placeId", b.product_id as "productId",
      b.batch from batch_level b where ${which} order by b.id`.execute(tx)
  return found.rows
}

export type Held = Spot & {
  id: number
  merchantId: number
  quantity: number
  costFen: number
  state: WriteOff['state']
  askedBy: number | null
  /** Whether it was decided today, where the merchant is. */
  isToday: boolean
}

export const isToday = (now: Date) => sql<boolean>`coalesce(
  (w.decided_at at time zone m.time_zone)::date = ${dayAt(now, sql`m.time_zone`)}, false)`

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function holdWriteOff(
  ctx: CommandContext,
  id: number,
  verb: keyof typeof writeOffState.moves,
): Promise<Held> {
  const found = await sql<Held>`
    select w.id, w.merchant_id as "merchantId", w.place_id as "placeId", w.product_id as "productId", w.batch,
      w.quantity, w.cost_fen as "costFen", w.state, w.asked_by as "askedBy", ${isToday(ctx.now())} as "isToday"
    from write_off w join merchant m on m.id = w.merchant_id join place o on o.id = w.place_id
    left join slot s on s.place_id = w.place_id
    where w.id = ${id} and ${placeInSight(sightOf(ctx.actor))} for update of w`.execute(ctx.tx)
  const held = existing(found.rows[0])
  writeOffs.must(held, verb)
  return held
}
