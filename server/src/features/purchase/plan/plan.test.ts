import { getPurchaseOrder } from '@aisle/contract/purchase/order'
import * as contract from '@aisle/contract/purchase/plan'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { openShop, type Shop } from '../testing.shop'
import { measurePlans } from './plan.jobs'

/** A Friday. */
const NOON = new Date('2026-11-20T04:00:00Z')
let shop: Shop
let buyer: string
let supplierId: number
let warehouseId: number
let water: { productId: number; supplierProductId: number }
let nuts: { productId: number; supplierProductId: number }
let machine: BuiltMachine

beforeAll(async () => {
  shop = await openShop(NOON)
  buyer = await shop.person(['purchasePlan.*', 'medicine.read', 'machine.read'])
  supplierId = await shop.supplier()
  warehouseId = await shop.warehouse()
  ;[water, nuts] = [await shop.listed(supplierId), await shop.listed(supplierId)]
  const unlisted = await addProduct(shop.db, { merchantId: shop.merchantId })
  machine = await standing([water.productId, nuts.productId, unlisted.id])
  // Eight weeks: two waters a day, and nuts that were there half of the time and sold as many then.
  await sell(water.productId, 2, 56)
  await sell(nuts.productId, 2, 14)
  await sql`insert into stock_out (place_id, product_id, began_at, ended_at, ended_by)
    values (${machine.slots[1]?.placeId}, ${nuts.productId}, '2026-10-22T16:00:00Z', '2026-11-05T16:00:00Z',
      'goods')`.execute(shop.db)
})
afterAll(() => shop.close())

/** Filled long ago, at Shanghai's time. */
async function standing(productIds: readonly number[]): Promise<BuiltMachine> {
  const { db, merchantId } = shop
  const codes = await sql<{ id: number; code: string }>`select id, code from product
    where id = any(${[...productIds]}::bigint[]) order by id`.execute(db)
  const built = await addMachine(db, { merchantId, products: codes.rows, stock: 0 })
  for (const slot of built.slots) await fill(slot, 4, '2026-09-01T00:00:00Z')
  return built
}

const fill = ({ placeId, productId }: BuiltMachine['slots'][number], quantity: number, at: string) =>
  sql`insert into stock_move (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause, reference)
    select merchant_id, ${at}, ${productId}, ${quantity}, id, ${placeId}, 'fill', 'test' from place
    where kind = 'supplier' and merchant_id = ${shop.merchantId}`.execute(shop.db)

/** So many pieces on each of the last days. */
async function sell(productId: number, pieces: number, days: number, until = '2026-11-20'): Promise<void> {
  const day = sql`${until}::date - n`
  const n = sql`generate_series(1, ${days}::int) n`
  await sql`insert into rollup_day_machine (business_day, machine_id, merchant_id, point_id, method, business_type,
      orders, paid_fen)
    select ${day}, m.id, m.merchant_id, m.point_id, 'cash', 'sale', ${pieces}::int, 0 from ${n}, machine m
    where m.id = ${machine.id} on conflict do nothing`.execute(shop.db)
  await sql`insert into rollup_day_machine_product (business_day, machine_id, merchant_id, product_id, quantity)
    select ${day}, ${machine.id}, ${shop.merchantId}, ${productId}, ${pieces}::int from ${n}`.execute(shop.db)
  await sql`insert into rollup_day_product (business_day, merchant_id, product_id, quantity)
    select ${day}, ${shop.merchantId}, ${productId}, ${pieces}::int from ${n}`.execute(shop.db)
}

type Call = Parameters<Shop['call']>
const call = (endpoint: Call[0], input: Call[1], more: { key?: string; token?: string } = {}) =>
  shop.call(endpoint, input, { token: buyer, ...more })
const planned = async (more: Record<string, unknown> = {}) =>
  Number((await call(contract.addPurchasePlan, { warehouseId, horizonDays: 7, ...more })).data.id)
const read = async (id: number) => (await call(contract.getPurchasePlan, { id })).data
type Line = contract.PurchasePlanLine
const linesOf = async (id: number): Promise<Map<number, Line>> => {
  const { no } = await read(id)
  const { items } = (await call(contract.listPurchasePlanLines, { planNo: String(no), sort: 'soonest' })).data as {
    items: Line[]
  }
  return new Map(items.map((line) => [line.productId, line]))
}

test('a plan says of each product what is needed and why, and does not take an empty slot for no demand', async () => {
  const id = await planned()
  expect(await read(id)).toMatchObject({
    no: 'JH20261120-0001',
    state: 'proposed',
    lineCount: 3,
    machines: 1,
    slots: 3,
  })
  const lines = await linesOf(id)
  // Ten days of two a day: 20, nine in ten times at most 26; the slot should hold nine for three days; four are there.
  expect(lines.get(water.productId)).toMatchObject({
    verdict: 'order',
    needDays: 10,
    forecast: 20,
    safety: 6,
    slotTarget: 9,
    inSlots: 4,
    proposedPacks: 6,
    packs: 6,
    amountFen: 6000,
  })
  // As much as water while it was there, which a mean over all days would halve.
  expect(lines.get(nuts.productId)?.forecast).toBeGreaterThan(19)
  const [unlisted] = [...lines.values()].filter((line) => line.supplierId === null)
  expect(unlisted).toMatchObject({ forecast: 0, verdict: 'enough', hindrance: null })
  const detail = (await call(contract.getPurchasePlanLine, { id: lines.get(water.productId)?.id })).data
  expect(detail).toMatchObject({
    behind: [{ machineCode: machine.code, perDay: 2, there: 4, slotTarget: 9 }],
    options: [{ supplierProductId: water.supplierProductId, packFen: 1000, hindrance: null }],
    weekday: [2, 2, 2, 2, 2, 2, 2],
  })
})

test('what a person changes is kept beside what was proposed, and who saw an older line is told', async () => {
  const id = await planned()
  const line = (await linesOf(id)).get(water.productId)
  const change = { id: line?.id, version: 1, supplierProductId: water.supplierProductId, packs: 9 }
  expect((await call(contract.changePurchasePlanLine, change)).status).toBe(200)
  expect((await call(contract.changePurchasePlanLine, { ...change, packs: 3 })).code).toBe('edit.stale')
  const again = { ...change, version: 2 }
  const theirs = await shop.listed(supplierId)
  const wrong = { ...again, supplierProductId: theirs.supplierProductId }
  expect((await call(contract.changePurchasePlanLine, wrong)).code).toBe('purchasePlan.supplier')
  const nobody = { ...again, supplierProductId: null }
  expect((await call(contract.changePurchasePlanLine, nobody)).code).toBe('purchasePlan.supplier')
  expect((await linesOf(id)).get(water.productId)).toMatchObject({
    proposedPacks: 6,
    packs: 9,
    changedAt: NOON.toISOString().replace('.000Z', '+00:00'),
  })
  expect((await call(contract.changePurchasePlanLine, { ...again, packs: 0 })).status).toBe(200)
  expect((await linesOf(id)).get(water.productId)).toMatchObject({ packs: 0, verdict: 'leftOut' })
  expect(await read(id)).toMatchObject({ changed: 1, toOrder: 1 })
})

test('a plan becomes a draft order a supplier, once, and the next one knows of it', async () => {
  const id = await planned()
  const first = await call(contract.orderPurchasePlan, { id }, { key: 'order-plan-1' })
  expect(first).toMatchObject({ status: 200, data: { state: 'ordered', orders: 1, leftOut: 0 } })
  const again = await call(contract.orderPurchasePlan, { id }, { key: 'order-plan-1' })
  expect(again.data).toEqual(first.data)
  expect((await call(contract.orderPurchasePlan, { id })).code).toBe('purchasePlan.state')
  expect((await call(contract.discardPurchasePlan, { id, reason: 'x' })).code).toBe('purchasePlan.state')
  const plan = (await read(id)) as { madeOrders: { id: number }[] }
  expect(plan).toMatchObject({ orders: 1, suppliers: [{ lines: 2 }] })
  const order = (await shop.call(getPurchaseOrder, { id: plan.madeOrders[0]?.id })).data
  expect(order).toMatchObject({ state: 'draft', plan: { id }, lines: [{ packs: 6 }, { packs: 6 }] })
  const next = await planned()
  expect((await linesOf(next)).get(water.productId)).toMatchObject({ coming: 36, verdict: 'enough', packs: 0 })
  expect((await call(contract.orderPurchasePlan, { id: next })).code).toBe('purchasePlan.nothing')
  const { status, data } = await call(contract.discardPurchasePlan, { id: next, reason: 'Enough' })
  expect([status, data.state]).toEqual([200, 'discarded'])
})

test('of who may not deliver today, and without a price, nothing is ordered and the line says why', async () => {
  const { db } = shop
  await sql`update purchase_order set state = 'cancelled', ended_at = now()`.execute(db)
  const id = await planned()
  await sql`update supplier_paper set valid_to = '2026-11-19'
    where supplier_id = ${supplierId} and kind = 'business'`.execute(db)
  expect((await call(contract.orderPurchasePlan, { id })).code).toBe('purchasePlan.nothing')
  const other = (await linesOf(await planned())).get(water.productId)
  expect(other).toMatchObject({ verdict: 'hindered', hindrance: 'papers', proposedPacks: 6, packs: 0 })
  await sql`update supplier_paper set valid_to = '2030-01-01'`.execute(db)
  await sql`update supplier_price set from_on = '2027-01-01'
    where supplier_product_id = ${nuts.supplierProductId}`.execute(db)
  const result = await call(contract.orderPurchasePlan, { id })
  expect(result).toMatchObject({ status: 200, data: { orders: 1, leftOut: 1 } })
  expect((await linesOf(id)).get(nuts.productId)).toMatchObject({ hindrance: 'noPrice', packs: 0, orderNo: null })
  await sql`update purchase_order set state = 'cancelled', ended_at = now() where ended_at is null`.execute(db)
  await sql`update supplier_price set from_on = '2026-01-01'`.execute(db)
})

test('whoever has nothing to do with medicine plans none and orders none', async () => {
  const { db, merchantId } = shop
  const pills = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  const store = await addMachine(db, { merchantId, products: [pills], stock: 2 })
  const token = await shop.person(['purchasePlan.*'])
  const made = await call(contract.addPurchasePlan, { warehouseId, horizonDays: 7 }, { token })
  expect((await linesOf(Number(made.data.id))).has(pills.id)).toBe(false)
  const id = await planned()
  const line = (await linesOf(id)).get(pills.id)
  expect(line).toMatchObject({ isMedicine: true, verdict: 'hindered', hindrance: 'noSupplier' })
  const change = { id: line?.id, version: 1, supplierProductId: null, packs: 0 }
  expect((await call(contract.changePurchasePlanLine, change, { token })).code).toBe('purchasePlan.medicine')
  await sql`update machine set retired_at = now() where id = ${store.id}`.execute(db)
})

test('once days are over, what was sold stands beside the forecast', async () => {
  const id = await planned()
  expect(await read(id)).toMatchObject({ measuredTo: null, errorPermille: null })
  // Three days later: water as forecast, nuts half of it.
  const later = new Date('2026-11-23T04:00:00Z')
  await sell(water.productId, 2, 3, '2026-11-23')
  await sell(nuts.productId, 1, 3, '2026-11-23')
  shop.world.setNow(later)
  await measurePlans(shop.world.services)
  await measurePlans(shop.world.services)
  shop.world.setNow(NOON)
  expect(await read(id)).toMatchObject({ measuredTo: '2026-11-22', errorPermille: 333, biasPermille: 333 })
  expect((await linesOf(id)).get(water.productId)).toMatchObject({ sold: 6, forecastThen: 6, stockedPermille: 1000 })
})

test('without machines there is nothing to plan, and others’ warehouses are not there', async () => {
  const { db, merchantId, rootId } = shop
  const sister = await addMerchant(db, { parentId: rootId })
  const theirs = await sql<{ id: number }>`with p as (
      insert into place (merchant_id, kind, name) values (${sister}, 'warehouse', 'Theirs') returning id)
    insert into warehouse (merchant_id, place_id, name, created_at) select ${sister}, id, 'Theirs', now() from p
    returning id`.execute(db)
  expect((await call(contract.addPurchasePlan, { warehouseId: theirs.rows[0]?.id })).status).toBe(404)
  await sql`update machine set retired_at = now() where merchant_id = ${merchantId}`.execute(db)
  expect((await call(contract.addPurchasePlan, { warehouseId })).code).toBe('purchasePlan.noMachines')
  const list = (await call(contract.listPurchasePlans, { q: 'JH', state: 'ordered' })).data as { items: unknown[] }
  expect(list.items.length).toBeGreaterThan(0)
})
