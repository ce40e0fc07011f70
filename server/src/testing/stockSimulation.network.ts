import { sql } from 'kysely'
import { routes as countingRoutes } from '../features/counting/counting.routes'
import { field } from '../features/field/manifest'
import { openShop } from '../features/purchase/testing.shop'
import { must } from '../kernel/must'
import { addMachine, type BuiltMachine } from './builders'
import { addUser } from './fixtures'

export const STARTS = new Date('2026-11-20T01:00:00Z')
export const SIMULATED_BATCHES = [
  { batch: 'A', expiresOn: '2028-01-01' },
  { batch: 'B', expiresOn: '2029-01-01' },
] as const

export type StockNetwork = Awaited<ReturnType<typeof openNetwork>>

/** A merchant with three people who do everything, a supplier, two stores and two machines; nothing is bought yet. */
export async function openNetwork() {
  const more = [...countingRoutes, ...(field.routes ?? [])]
  const shop = await openShop(STARTS, more)
  const { db, merchantId } = shop
  const nouns = ['supplier', 'warehouse', 'purchaseOrder', 'goodsReceipt', 'supplierPayment', 'writeOff', 'stockCount']
  const grants = [...nouns, 'outboundOrder', 'replenishmentOrder', 'visit', 'machine'].map((noun) => `${noun}.*`)
  const people: number[] = []
  for (let i = 0; i < 3; i += 1) people.push((await addUser(db, { merchantId, grants })).id)
  const accounts = await sql<{ account: string }>`select account from app_user where id = any(${people}::bigint[])
    order by id`.execute(db)
  const supplierId = await shop.supplier({ deliversMedicine: true })
  const goods = [
    await shop.listed(supplierId),
    await shop.listed(supplierId),
    await shop.listed(supplierId, { medicineClass: 'otc_b' }),
  ]
  const medicineId = must(goods[2], 'a medicine').productId
  for (const { batch, expiresOn } of SIMULATED_BATCHES) {
    await sql`insert into medicine_batch (product_id, number, expires_on, changed_at)
      values (${medicineId}, ${batch}, ${expiresOn}, ${STARTS})`.execute(db)
  }
  const warehouses = [
    { id: await shop.warehouse(), placeId: 0 },
    { id: await shop.warehouse(), placeId: 0 },
  ]
  for (const each of warehouses) {
    const place = await sql<{ id: number }>`select place_id as id from warehouse where id = ${each.id}`.execute(db)
    each.placeId = must(place.rows[0], 'its place').id
  }
  const codes = await sql<{ id: number; code: string }>`select id, code from product
    where merchant_id = ${merchantId} order by id`.execute(db)
  const machines: BuiltMachine[] = []
  for (let i = 0; i < 2; i += 1) machines.push(await addMachine(db, { merchantId, products: codes.rows, stock: 0 }))
  const named = accounts.rows.map(({ account }) => account)
  return { ...shop, people, accounts: named, supplierId, goods, medicineId, warehouses, machines }
}
