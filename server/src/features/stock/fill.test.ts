import * as contract from '@aisle/contract/stock/outbound'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addProduct, type BuiltMachine } from '../../testing/builders'
import { type Fill, takeFills } from './fill.commands'
import { openStore, type Store } from './testing.store'

const NOON = new Date('2026-11-20T04:00:00Z')
let store: Store
let machine: BuiltMachine
let goodsId: number
let medicineId: number
let bagPlaceId: number
let bagId: number

beforeAll(async () => {
  store = await openStore(NOON)
  const { db, merchantId, warehouseId, replenisher } = store
  const goods = await addProduct(db, { merchantId })
  const medicine = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  ;[goodsId, medicineId] = [goods.id, medicine.id]
  machine = await addMachine(db, { merchantId, products: [goods, medicine], stock: 0 })
  await store.buy({ productId: goodsId, quantity: 50, costFen: 500 })
  for (const [batch, expiresOn] of [
    ['SOON', '2027-01-01'],
    ['LATE', '2028-01-01'],
  ] as const) {
    await store.knowBatch(medicineId, batch, { expiresOn })
    await store.buy({ productId: medicineId, quantity: 10, batch })
  }
  const lines = [
    { productId: goodsId, quantity: 10 },
    { productId: medicineId, quantity: 12 },
  ]
  const about = { warehouseId, replenisherId: replenisher.id, lines }
  const id = Number((await store.call(contract.addOutboundOrder, about)).data.id)
  const { picks } = (await store.call(contract.getOutboundOrder, { id })).data as { picks: Record<string, unknown>[] }
  const taken = picks.map(({ productId, batch, quantity }) => ({ productId, batch, quantity }))
  await store.call(contract.pickOutboundOrder, { id, picks: taken })
  const { status } = await store.call(contract.loadOutboundOrder, { id })
  if (status !== 200) throw new Error(`nothing is in the bag: ${status}`)
  const bag = await sql<{ id: number; placeId: number }>`select id, place_id as "placeId" from bag`.execute(db)
  ;[bagId, bagPlaceId] = [bag.rows[0]?.id ?? 0, bag.rows[0]?.placeId ?? 0]
})
afterAll(() => store.close())

let count = 0
type Said = {
  product?: 'goods' | 'medicine'
  quantity: number
  batch?: string
  by?: string
  at?: Date
  before?: number
}
function fillOf({ product = 'goods', quantity, batch, by, at = NOON, before = 0 }: Said): Fill {
  count += 1
  const slot = machine.slots[product === 'goods' ? 0 : 1]
  const counted = { beforePieces: before, afterPieces: before + quantity, ...(by ? { replenisher: by } : {}) }
  return {
    machineId: machine.id,
    merchantId: store.merchantId,
    slot: slot?.code ?? '',
    product: slot?.productCode ?? '',
    quantity,
    occurredAt: at,
    batch: batch ?? null,
    counted,
    reference: `message/${machine.code}/${count}`,
  }
}
/** @returns from where it came, in order */
async function fill(...said: Said[]) {
  const fills = said.map(fillOf)
  await store.db.transaction().execute((tx) => takeFills(tx, fills))
  const found = await sql<{ kind: string; batch: string | null; quantity: number; before: number; after: number }>`
    select p.kind, v.batch, v.quantity, v.before_pieces as before, v.after_pieces as after
    from stock_move v join place p on p.id = v.from_place_id
    where v.reference = any(${fills.map(({ reference }) => reference)}) order by v.id`.execute(store.db)
  return found.rows
}
const inBag = async (productId: number) => {
  const found = await sql<{ quantity: number }>`select quantity from stock_level
    where place_id = ${bagPlaceId} and product_id = ${productId}`.execute(store.db)
  return found.rows[0]?.quantity
}
const account = () => store.replenisher.account

test('without a bag goods come from outside the books', async () => {
  expect(await fill({ quantity: 2 }, { quantity: 1, by: 'filler' })).toMatchObject([
    { kind: 'unbooked', quantity: 2 },
    { kind: 'unbooked', quantity: 1 },
  ])
  expect(await inBag(goodsId)).toBe(10)
})

test('whom the machine names fills out of the bag; fills of a batch of messages share what it holds', async () => {
  expect(await fill({ quantity: 6, by: account() }, { quantity: 7, by: account(), before: 6 })).toMatchObject([
    { kind: 'replenisher', quantity: 6, before: 0, after: 6 },
    { kind: 'replenisher', quantity: 4, before: 6, after: 10 },
    { kind: 'unbooked', quantity: 3, before: 10, after: 13 },
  ])
  expect(await inBag(goodsId)).toBe(0)
  expect(await fill({ quantity: 1, by: account() })).toMatchObject([{ kind: 'unbooked', quantity: 1 }])
})

test('medicine comes by the batch that is named, else by what expires first', async () => {
  const by = account()
  const product = 'medicine'
  expect(await fill({ product, quantity: 3, batch: 'LATE', by })).toMatchObject([
    { kind: 'replenisher', batch: 'LATE', quantity: 2 },
    { kind: 'unbooked', batch: 'LATE', quantity: 1 },
  ])
  expect(await fill({ product, quantity: 4, by })).toMatchObject([{ kind: 'replenisher', batch: 'SOON', quantity: 4 }])
  const levels = await sql<{ batch: string; quantity: number }>`select batch, quantity from batch_level
    where place_id = ${bagPlaceId} order by batch`.execute(store.db)
  expect(levels.rows).toEqual([
    { batch: 'LATE', quantity: 0 },
    { batch: 'SOON', quantity: 6 },
  ])
})

test('who is under way to the machine fills out of their bag, whenever it is heard', async () => {
  const hour = (count: number) => new Date(NOON.getTime() + count * 3_600_000)
  await sql`insert into bag_service (machine_id, bag_id, from_at, to_at)
    values (${machine.id}, ${bagId}, ${hour(1)}, ${hour(3)})`.execute(store.db)
  const product = 'medicine'
  expect(await fill({ product, quantity: 1, at: hour(0), by: 'filler' })).toMatchObject([{ kind: 'unbooked' }])
  expect(await fill({ product, quantity: 1, at: hour(2), by: 'filler' })).toMatchObject([{ kind: 'replenisher' }])
  expect(await fill({ product, quantity: 1, at: hour(2) })).toMatchObject([{ kind: 'replenisher' }])
  expect(await fill({ product, quantity: 1, at: hour(3) })).toMatchObject([{ kind: 'unbooked' }])
})

test('what slots, bags and the warehouse hold, is what was bought and what came from outside', async () => {
  const found = await sql<{ there: number; came: number }>`
    select (select sum(l.quantity)::int from stock_level l join place p on p.id = l.place_id
        where p.merchant_id = ${store.merchantId}) as there,
      (select sum(v.quantity)::int from stock_move v join place p on p.id = v.from_place_id
        where v.merchant_id = ${store.merchantId} and p.kind in ('supplier', 'unbooked')) as came`.execute(store.db)
  expect(found.rows[0]?.there).toBe(found.rows[0]?.came)
  const worth = await sql`select from stock_value v join stock_level l using (place_id, product_id)
    where v.pieces <> l.quantity`.execute(store.db)
  expect(worth.rows).toEqual([])
})
