import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'

export type SlotPlan = {
  id: number
  productId: number | null
  priceFen: number | null
  capacity: number
  alarmThreshold: number
  choice: 'none' | 'stopped_sale' | 'reserved_only'
  isLocked: boolean
}

/**
 * Saved as current; what waited for the next service is over for a slot that gets another product now.
 * @returns their places
 */
export async function savePlans(tx: Tx, plans: readonly SlotPlan[]): Promise<number[]> {
  if (plans.length === 0) return []
  const written =
    await sql<Placed>`update slot s set product_id = w.product_id, price_fen = w.price_fen, capacity = w.capacity,
      alarm_threshold = w.alarm_threshold, choice = w.choice, is_locked = w.is_locked,
      lock_reason = case when w.is_locked then s.lock_reason else '' end, version = s.version + 1,
      next_product_id = ${unlessReplaced('next_product_id')}, next_price_fen = ${unlessReplaced('next_price_fen')},
      next_capacity = ${unlessReplaced('next_capacity')}, next_at = ${unlessReplaced('next_at')},
      next_by = ${unlessReplaced('next_by')}
    from ${rows('w', plans, {
      id: 'bigint',
      productId: 'bigint',
      priceFen: 'bigint',
      capacity: 'int',
      alarmThreshold: 'int',
      choice: 'text',
      isLocked: 'boolean',
    })} where s.id = w.id returning s.place_id as "placeId"`.execute(tx)
  return written.rows.map(({ placeId }) => placeId)
}

type Placed = { placeId: number }

const unlessReplaced = (column: string) =>
  sql`case when s.product_id is distinct from w.product_id then null else s.${sql.ref(column)} end`

export type SlotPrice = { slotId: number; machineId: number; productId: number } & Record<
  'fromFen' | 'toFen',
  number | null
>

/**
 * Only slots that still hang there, hold this product and cost that much; or that still wait for it at that price.
 * @returns those that were changed
 */
export async function setSlotPrices(tx: Tx, prices: readonly SlotPrice[], when: 'now' | 'next'): Promise<number[]> {
  if (prices.length === 0) return []
  const columns = {
    slotId: 'bigint',
    machineId: 'bigint',
    productId: 'bigint',
    fromFen: 'bigint',
    toFen: 'bigint',
  } as const
  const [price, product] = when === 'now' ? ['price_fen', 'product_id'] : ['next_price_fen', 'next_product_id']
  const changed = await sql<{ id: number }>`update slot s set ${sql.ref(price)} = w.to_fen, version = s.version + 1
    from ${rows('w', prices, columns)}
    where s.id = w.slot_id and s.machine_id = w.machine_id and s.${sql.ref(product)} = w.product_id
      and s.${sql.ref(price)} is not distinct from w.from_fen returning s.id`.execute(tx)
  return changed.rows.map(({ id }) => id)
}

export type NextPlan = { id: number; productId: number; priceFen: number | null; capacity: number }

export async function saveNextPlans(
  tx: Tx,
  plans: readonly NextPlan[],
  by: { userId: number; at: Date },
): Promise<void> {
  if (plans.length === 0) return
  await sql`update slot s set next_product_id = w.product_id, next_price_fen = w.price_fen, next_capacity = w.capacity,
      next_at = ${by.at}, next_by = ${by.userId}, version = s.version + 1
    from ${rows('w', plans, { id: 'bigint', productId: 'bigint', priceFen: 'bigint', capacity: 'int' })}
    where s.id = w.id`.execute(tx)
}

const withoutNext = sql`next_product_id = null, next_price_fen = null, next_capacity = null, next_at = null,
  next_by = null, version = version + 1`

/** @returns of how many slots */
export async function clearNextPlans(tx: Tx, machineId: number, codes: readonly string[]): Promise<number> {
  const cleared = await sql`update slot set ${withoutNext}
    where machine_id = ${machineId} and code = any(${[...codes]}::text[]) and next_at is not null`.execute(tx)
  return Number(cleared.numAffectedRows)
}

/** What waited for the next service is what these slots should hold from now on. */
export async function beginPlans(tx: Tx, placeIds: readonly number[]): Promise<void> {
  await sql`update slot set product_id = next_product_id, price_fen = coalesce(next_price_fen, price_fen),
      capacity = next_capacity, ${withoutNext}
    where place_id = any(${[...placeIds]}::bigint[])`.execute(tx)
}

export type NewSlot = {
  machineId: number
  merchantId: number
  machineCode: string
  code: string
  layer: number
  position: number
  productId: number | null
  priceFen: number | null
  capacity: number
  alarmThreshold: number
}

export async function hangSlots(tx: Tx, slots: readonly NewSlot[]): Promise<void> {
  if (slots.length === 0) return
  const wanted = rows('w', slots, {
    machineId: 'bigint',
    merchantId: 'bigint',
    machineCode: 'text',
    code: 'text',
    layer: 'int',
    position: 'int',
    productId: 'bigint',
    priceFen: 'bigint',
    capacity: 'int',
    alarmThreshold: 'int',
  })
  await insertSlots(tx, sql`select * from ${wanted}`)
}

/** Each with its place. @param wanted a `select` of the columns of `NewSlot` */
export async function insertSlots(tx: Tx, wanted: RawBuilder<unknown>): Promise<void> {
  await sql`with wanted as (${wanted}), made as (
      insert into place (merchant_id, kind, name)
      select merchant_id, 'slot', machine_code || ' ' || code from wanted returning id, name)
    insert into slot (machine_id, code, layer, position, place_id, product_id, capacity, alarm_threshold, price_fen)
    select w.machine_id, w.code, w.layer, w.position, made.id, w.product_id, w.capacity, w.alarm_threshold, w.price_fen
    from wanted w join made on made.name = w.machine_code || ' ' || w.code`.execute(tx)
}

/** They hang on no machine from now on; orders and moves of the past still know them. @returns their places */
export async function takeOffSlots(tx: Tx, slotIds: readonly number[]): Promise<number[]> {
  if (slotIds.length === 0) return []
  const detached = await sql<Placed>`update slot set machine_id = null, ${withoutNext}
    where id = any(${[...slotIds]}::bigint[]) returning place_id as "placeId"`.execute(tx)
  return detached.rows.map(({ placeId }) => placeId)
}

/** After each change of what should stand in machines. @returns the new version of each, by its id */
export async function raisePlans(tx: Tx, machineIds: readonly number[]): Promise<Map<number, number>> {
  const raised = await sql<{ id: number; version: number }>`update machine set plan_version = plan_version + 1
    where id = any(${[...machineIds]}::bigint[]) returning id, plan_version as version`.execute(tx)
  await sql`select recount_slots(${[...machineIds]}::bigint[])`.execute(tx)
  return new Map(raised.rows.map(({ id, version }) => [id, version]))
}
