import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Reader } from '../kernel/context'

/** Codes of one width, however many files a worker has run before: P998 and P1000 sort apart. */
let made = 100_000
export const nextNumber = (): number => {
  made += 1
  return made
}

/** The secret of every machine that `addMachine` makes. */
export const MACHINE_SECRET = 'a-secret-that-only-tests-know'

const idOf = async (query: { execute: (db: Reader) => Promise<{ rows: { id: number }[] }> }, db: Reader) => {
  const id = (await query.execute(db)).rows[0]?.id
  if (id === undefined) throw new Error('nothing was inserted')
  return id
}

export function addMerchant(
  db: Reader,
  merchant: { parentId?: number; collectsPayment?: boolean } = {},
): Promise<number> {
  const n = nextNumber()
  const type = merchant.parentId === undefined ? 'platform' : 'ordinary'
  return idOf(
    sql<{ id: number }>`insert into merchant (parent_id, code, name, type, collects_payment)
      values (${merchant.parentId ?? null}, ${`M${n}X`}, ${`Merchant ${n}`}, ${type}, 
        ${merchant.collectsPayment ?? false})
      returning id`,
    db,
  )
}

export async function addProduct(
  db: Reader,
  product: { merchantId: number; medicineClass?: 'rx' | 'otc_a' | 'otc_b' },
): Promise<{ id: number; code: string }> {
  const code = `P${nextNumber()}`
  const kind = product.medicineClass ? 'medicine' : 'goods'
  const id = await idOf(
    sql<{
      id: number
    }>`insert into product (merchant_id, code, name, kind, medicine_class, cost_fen, price_fen)
      values (${product.merchantId}, ${code}, ${`Product ${code}`}, ${kind}, ${product.medicineClass ?? null},
        200, 500)
      returning id`,
    db,
  )
  return { id, code }
}

export type BuiltMachine = {
  id: number
  code: string
  merchantId: number
  slots: { id: number; code: string; placeId: number; productId: number; productCode: string }[]
}

/** A machine with one slot a product, each filled from the supplier with `stock` pieces at `priceFen`. */
export async function addMachine(
  db: Reader,
  machine: {
    merchantId: number
    products: readonly { id: number; code: string }[]
    stock?: number
    priceFen?: number
    licenceMode?: 'none' | 'retail' | 'hospital'
  },
): Promise<BuiltMachine> {
  const code = `TEST${nextNumber()}`
  const { merchantId } = machine
  const pointId = await idOf(
    sql<{ id: number }>`insert into point (merchant_id, name, kind, province, city, address, longitude, latitude)
      values (${merchantId}, 'Hall', 'hospital', '浙江', '杭州', 'Road 1', 120.15, 30.28) returning id`,
    db,
  )
  const id = await idOf(
    sql<{ id: number }>`insert into machine (merchant_id, point_id, code, name, category, licence_mode, secret_hash)
      values (${merchantId}, ${pointId}, ${code}, ${`Machine ${code}`}, 'combo', ${machine.licenceMode ?? 'none'},
        ${createHash('sha256').update(MACHINE_SECRET).digest()}) returning id`,
    db,
  )
  await sql`insert into machine_state (machine_id) values (${id})`.execute(db)
  const slots: BuiltMachine['slots'] = []
  for (const [i, product] of machine.products.entries()) {
    slots.push(await addSlot(db, { ...machine, machineId: id, product, position: i + 1 }))
  }
  return { id, code, merchantId, slots }
}

async function addSlot(
  db: Reader,
  slot: {
    merchantId: number
    machineId: number
    product: { id: number; code: string }
    position: number
    stock?: number
    priceFen?: number
  },
) {
  const code = `A${slot.position}`
  const placeId = await idOf(
    sql<{ id: number }>`insert into place (merchant_id, kind) values (${slot.merchantId}, 'slot') returning id`,
    db,
  )
  const id = await idOf(
    sql<{ id: number }>`insert into slot (machine_id, code, layer, position, place_id, product_id, capacity, price_fen)
      values (${slot.machineId}, ${code}, 1, ${slot.position}, ${placeId}, ${slot.product.id}, 10,
        ${slot.priceFen ?? 500})
      returning id`,
    db,
  )
  const supplierId = await supplierOf(db, slot.merchantId)
  const stock = slot.stock ?? 10
  if (stock > 0) {
    await sql`insert into stock_move
      (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause, reference)
      values (${slot.merchantId}, now(), ${slot.product.id}, ${stock}, ${supplierId}, ${placeId},
        'fill', 'test')`.execute(db)
  }
  return { id, code, placeId, productId: slot.product.id, productCode: slot.product.code }
}

async function supplierOf(db: Reader, merchantId: number): Promise<number> {
  await sql`insert into place (merchant_id, kind) values (${merchantId}, 'supplier') on conflict do nothing`.execute(db)
  return idOf(sql<{ id: number }>`select id from place where merchant_id = ${merchantId} and kind = 'supplier'`, db)
}

/** A paid, dispensed order of the machine's first slot; without ledger and stock, which have builders of their own. */
export async function addOrder(
  db: Reader,
  machine: BuiltMachine,
  at: Date,
  paidFen = 500,
): Promise<{ id: number; orderNo: string }> {
  const machineOrderNo = `S-${nextNumber()}`
  const orderNo = `${machine.code}-${machineOrderNo}`
  const slot = machine.slots[0]
  if (!slot) throw new Error('a machine without slots sells nothing')
  const taken = await sql<{ id: number }>`insert into order_number (order_no, merchant_id, machine_id, occurred_at)
    values (${orderNo}, ${machine.merchantId}, ${machine.id}, ${at}) returning order_id as id`.execute(db)
  const id = taken.rows[0]?.id ?? 0
  await sql`insert into orders (id, merchant_id, machine_id, point_id, order_no, machine_order_no, business_type,
      method, payment_state, ship_state, order_state, item_count, total_fen, paid_fen, occurred_at, received_at,
      business_day, paid_at, finished_at)
    values (${id}, ${machine.merchantId}, ${machine.id}, (select point_id from machine where id = ${machine.id}),
      ${orderNo}, ${machineOrderNo}, 'sale', 'alipay', 'paid', 'completed', 'done', 1, ${paidFen}, ${paidFen},
      ${at}, ${at}, ${at.toISOString().slice(0, 10)}, ${at}, ${at})
  `.execute(db)
  await sql`insert into order_item
      (merchant_id, occurred_at, order_id, index, slot_id, product_id, list_price_fen, price_fen, cost_fen, state)
    values (${machine.merchantId}, ${at}, ${id}, 0, ${slot.id}, ${slot.productId}, ${paidFen}, ${paidFen},
      coalesce((select cost_fen from product where id = ${slot.productId}), 0), 'dispensed')
  `.execute(db)
  return { id, orderNo }
}
