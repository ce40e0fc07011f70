import type { MedicineClass } from '@aisle/contract/catalog/product'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import { must } from '../../kernel/must'
import { joinStockReport, type StockReport, stockDrift, stockReportColumns } from '../fleet/public'
import { endStockOuts } from '../stock/public'

export type SlotRow = {
  id: number
  code: string
  layer: number
  position: number
  placeId: number
  version: number
  productId: number | null
  productCode: string | null
  medicineClass: MedicineClass | null
  priceFen: number | null
  capacity: number
  alarmThreshold: number
  choice: 'none' | 'stopped_sale' | 'reserved_only'
  isLocked: boolean
  lockReason: string
  /** Of the product that should stand there. */
  stock: number
}

/** The slots of a machine from the top left, held when a transaction is going to change them. */
export async function findSlots(db: Reader, machineId: number, isHeld: boolean): Promise<SlotRow[]> {
  const found = await sql<SlotRow>`
    select s.id, s.code, s.layer, s.position, s.place_id as "placeId", s.version, s.product_id as "productId",
      p.code as "productCode", p.medicine_class as "medicineClass", s.price_fen as "priceFen", s.capacity,
      s.alarm_threshold as "alarmThreshold", s.choice, s.is_locked as "isLocked", s.lock_reason as "lockReason",
      coalesce(l.quantity, 0) as stock
    from slot s left join product p on p.id = s.product_id
    left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    where s.machine_id = ${machineId} order by s.layer, s.position
    ${isHeld ? sql`for update of s` : sql``}`.execute(db)
  return found.rows
}

/** Of these slots those where the machine would say another stock than the books, or has said none. */
export async function findDrifting(tx: Tx, machineId: number, codes: ReadonlySet<string>): Promise<string[]> {
  const found = await sql<StockReport & { code: string; stock: number }>`
    select s.code, coalesce(l.quantity, 0) as stock, ${stockReportColumns}
    from slot s join product p on p.id = s.product_id
    left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id ${joinStockReport}
    where s.machine_id = ${machineId} and s.code = any(${[...codes]}::text[])`.execute(tx)
  return found.rows
    .filter(({ stock, reportedStock, movedSince }) => stockDrift(stock, reportedStock, movedSince) !== 0)
    .map(({ code }) => code)
}

export type Level = { placeId: number; productId: number; quantity: number }

/** Whatever the books hold at these places, of any product. */
export async function findLevels(tx: Tx, placeIds: readonly number[]): Promise<Level[]> {
  const found = await sql<Level>`select place_id as "placeId", product_id as "productId", quantity from stock_level
    where place_id = any(${[...placeIds]}::bigint[]) and quantity <> 0 order by place_id, product_id`.execute(tx)
  return found.rows
}

export type Product = { id: number; code: string; name: string; medicineClass: MedicineClass | null }

/** Those that the merchant may sell: its own and those of merchants above, while they are offered. */
export async function findProducts(tx: Tx, merchantId: number, ids: readonly number[]): Promise<Map<number, Product>> {
  const found = await sql<Product>`
    select p.id, p.code, p.name, p.medicine_class as "medicineClass" from product p
    join merchant c on c.id = ${merchantId}
    where p.id = any(${[...new Set(ids)]}::bigint[]) and p.merchant_id = any(c.path) and p.state = 'online'`.execute(tx)
  return new Map(found.rows.map((product) => [product.id, product]))
}

export type Plan = {
  id: number
  productId: number | null
  priceFen: number | null
  capacity: number
  alarmThreshold: number
  choice: SlotRow['choice']
  isLocked: boolean
}

/** Saved as current; what waited for the next service is over for a slot that gets another product now. */
export async function writePlans(tx: Tx, plans: readonly Plan[], at: Date): Promise<void> {
  if (plans.length === 0) return
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
  await endStockOuts(tx, placedAt(written.rows, at))
}

type Placed = { placeId: number }
const placedAt = (slots: readonly Placed[], at: Date) => slots.map(({ placeId }) => ({ placeId, at }))

const unlessReplaced = (column: string) =>
  sql`case when s.product_id is distinct from w.product_id then null else s.${sql.ref(column)} end`

export type NextPlan = { id: number; productId: number; priceFen: number | null; capacity: number }

export async function writeNextPlans(
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

export async function clearNextPlans(tx: Tx, machineId: number, codes: readonly string[]): Promise<number> {
  const cleared = await sql`update slot set next_product_id = null, next_price_fen = null, next_capacity = null,
      next_at = null, next_by = null, version = version + 1
    where machine_id = ${machineId} and code = any(${[...codes]}::text[]) and next_at is not null`.execute(tx)
  return Number(cleared.numAffectedRows)
}

export type NewSlot = {
  machineId: number
  merchantId: number
  name: string
  code: string
  layer: number
  position: number
  productId: number | null
  priceFen: number | null
  capacity: number
  alarmThreshold: number
}

/** Each with its place; one statement whatever their number. */
export async function insertSlots(tx: Tx, slots: readonly NewSlot[]): Promise<void> {
  if (slots.length === 0) return
  const taken = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('place', 'id')) as id
    from generate_series(1, ${slots.length})`.execute(tx)
  const placed = slots.map((slot, i) => ({ ...slot, placeId: must(taken.rows[i], 'number').id }))
  await sql`insert into place (id, merchant_id, kind, name) select place_id, merchant_id, 'slot', name
    from ${rows('p', placed, { placeId: 'bigint', merchantId: 'bigint', name: 'text' })}`.execute(tx)
  await sql`insert into slot (machine_id, code, layer, position, place_id, product_id, price_fen, capacity,
      alarm_threshold)
    select * from ${rows('s', placed, {
      machineId: 'bigint',
      code: 'text',
      layer: 'int',
      position: 'int',
      placeId: 'bigint',
      productId: 'bigint',
      priceFen: 'bigint',
      capacity: 'int',
      alarmThreshold: 'int',
    })}`.execute(tx)
}

/** They hang on no machine from now on; orders and moves of the past still know them. */
export async function detachSlots(tx: Tx, slotIds: readonly number[], at: Date): Promise<void> {
  if (slotIds.length === 0) return
  const detached = await sql<Placed>`update slot set machine_id = null, version = version + 1,
      next_product_id = null, next_price_fen = null, next_capacity = null, next_at = null, next_by = null
    where id = any(${[...slotIds]}::bigint[]) returning place_id as "placeId"`.execute(tx)
  await endStockOuts(tx, placedAt(detached.rows, at))
}

/** Slots from which an order still waits for goods. */
export async function findAwaited(tx: Tx, machineIds: readonly number[]): Promise<Set<number>> {
  const found = await sql<{ id: number }>`select distinct i.slot_id as id from orders o
    join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
    where o.order_state = 'open' and o.machine_id = any(${[...machineIds]}::bigint[]) and i.state = 'waiting'`.execute(
    tx,
  )
  return new Set(found.rows.map((row) => row.id))
}
