import type { MedicineClass } from '@aisle/contract/catalog/product'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'
import { isOffline } from '../catalog/public'
import {
  joinStockReport,
  savePlans,
  type SlotPlan,
  type StockReport,
  stockDrift,
  stockReportColumns,
  takeOffSlots,
} from '../fleet/public'
import { memberFen, shownFen, struckFen } from '../promotion/public'
import { endStockOuts } from '../stock/public'
import { holdsRecalled, isOffered } from '../medicine/public'

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
  /** Its price, less what it is marked down by: what its machine may show. */
  shownFen: number | null
  /** What may be struck through beside it. */
  struckFen: number | null
  /** What holders of cards pay from so much on. */
  memberFen: number | null
  capacity: number
  alarmThreshold: number
  choice: 'none' | 'stopped_sale' | 'reserved_only'
  isLocked: boolean
  isRecalled: boolean
  lockReason: string
  /** Its product is sold nowhere for the time being. */
  isOffline: boolean
  /** Of the product that should stand there. */
  stock: number
}

/** The slots of a machine from the top left, held when a transaction is going to change them. */
export async function findSlots(db: Reader, machineId: number, isHeld: boolean): Promise<SlotRow[]> {
  const found = await sql<SlotRow>`
    select s.id, s.code, s.layer, s.position, s.place_id as "placeId", s.version, s.product_id as "productId",
      p.code as "productCode", p.medicine_class as "medicineClass", s.price_fen as "priceFen",
      ${shownFen} as "shownFen", ${struckFen} as "struckFen",
      ${memberFen} as "memberFen", s.capacity,
      s.alarm_threshold as "alarmThreshold", s.choice,
      s.is_locked as "isLocked", ${holdsRecalled} as "isRecalled", s.lock_reason as "lockReason",
      ${isOffline} as "isOffline",
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
    where p.id = any(${[...new Set(ids)]}::bigint[]) and p.merchant_id = any(c.path) and p.state = 'online'
      and ${isOffered(sql`c.path`, sql`p.id`)}`.execute(tx)
  return new Map(found.rows.map((product) => [product.id, product]))
}

/** Saved as current: a slot that got another product wants for what it held no longer. */
export async function writePlans(tx: Tx, plans: readonly SlotPlan[], at: Date): Promise<void> {
  await endStockOuts(tx, changedAt(await savePlans(tx, plans), at))
}

export async function detachSlots(tx: Tx, slotIds: readonly number[], at: Date): Promise<void> {
  await endStockOuts(tx, changedAt(await takeOffSlots(tx, slotIds), at))
}

const changedAt = (placeIds: readonly number[], at: Date) => placeIds.map((placeId) => ({ placeId, at }))

/** Slots from which an order still waits for goods. */
export async function findAwaited(tx: Tx, machineIds: readonly number[]): Promise<Set<number>> {
  const found = await sql<{ id: number }>`select distinct i.slot_id as id from orders o
    join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
    where o.order_state = 'open' and o.machine_id = any(${[...machineIds]}::bigint[]) and i.state = 'waiting'`.execute(
    tx,
  )
  return new Set(found.rows.map((row) => row.id))
}
