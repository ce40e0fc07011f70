import type { MedicineClass } from '@aisle/contract/catalog/product'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { addUnknown, isOffline } from '../catalog/public'

export type SlotRef = {
  id: number
  machine_id: number
  code: string
  place_id: number
  product_id: number | null
  product_code: string | null
  price_fen: number | null
  /** What a piece of its product costs the merchant. */
  cost_fen: number | null
  choice: 'none' | 'stopped_sale' | 'reserved_only'
  fault: string | null
  is_locked: boolean
  /** Its product is sold nowhere for the time being. */
  is_offline: boolean
  stock: number
  medicine_class: MedicineClass | null
}

export const slotKey = (machineId: number, code: string) => `${machineId}/${code}`

/** The slots that a batch of messages names, by machine and code; a slot that isn't there is missing. */
export async function findSlots(
  tx: Tx,
  wanted: readonly { machineId: number; code: string }[],
): Promise<Map<string, SlotRef>> {
  const found = await sql<SlotRef>`
    select s.id, s.machine_id, s.code, s.place_id, s.product_id, p.code as product_code, s.price_fen, p.cost_fen,
      s.choice, s.fault, s.is_locked, ${isOffline} as is_offline,
      coalesce(l.quantity, 0) as stock, p.medicine_class
    from (select distinct machine_id, code from ${rows('w', wanted, { machineId: 'bigint', code: 'text' })}) w
    join slot s on s.machine_id is not null and s.machine_id = w.machine_id and s.code = w.code
    left join product p on p.id = s.product_id
    left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id`.execute(tx)
  return new Map(found.rows.map((slot) => [slotKey(slot.machine_id, slot.code), slot]))
}

export type ProductRef = {
  id: number
  code: string
  cost_fen: number
  medicine_class: MedicineClass | null
  /** Only sales of machines have named it. */
  is_unknown: boolean
}

const productColumns = sql`p.id, p.code, p.cost_fen, p.medicine_class, p.is_unknown`

type Named = { merchantId: number; code: string }
export const productKey = ({ merchantId, code }: Named): string => `${merchantId}/${code}`

/**
 * What a merchant means by a code: its own product, else that of the merchant next above it. Where a machine has
 * changed hands since, the one product of that code is meant.
 * @returns by `productKey`
 */
export async function findProducts(tx: Tx, named: readonly Named[]): Promise<Map<string, ProductRef>> {
  const found = await sql<ProductRef & { merchantId: number }>`
    select distinct on (w.merchant_id, w.code) w.merchant_id as "merchantId", ${productColumns}
    from ${rows('w', named, { merchantId: 'bigint', code: 'text' })} join merchant own on own.id = w.merchant_id
    join product p on p.code = w.code
    where p.merchant_id = any(own.path) or not exists (
      select from product o where o.code = p.code and o.id <> p.id)
    order by w.merchant_id, w.code, array_position(own.path, p.merchant_id) desc nulls last`.execute(tx)
  return new Map(found.rows.map(({ merchantId, ...row }) => [productKey({ merchantId, code: row.code }), row]))
}

/**
 * Products that nobody has entered and a machine has sold: what came out keeps the name under which it was sold, is
 * placed nowhere, and can be told from the catalogue.
 */
export async function openUnknownProducts(tx: Tx, sold: readonly Named[]): Promise<Map<string, ProductRef>> {
  if (sold.length === 0) return new Map()
  const wanted = [...new Map(sold.map((each) => [productKey(each), each])).values()]
  await addUnknown(tx, wanted)
  return findProducts(tx, wanted)
}
