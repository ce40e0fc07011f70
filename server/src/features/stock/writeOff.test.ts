import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/stock/writeOff'
import { addWarehouse, getWarehouse } from '@aisle/contract/stock/warehouse'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { racing, together } from '../../testing/races'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { stock } from './manifest'
import { type Move, outsidePlaces, recordMoves } from './stock.store'

const NOON = new Date('2026-11-20T04:00:00Z')
const picture = '/pictures/broken.jpg'
let world: World
let http: HttpWorld
let merchantId: number
let warehouseId: number
let storeId: number
let machine: BuiltMachine
let goods: { id: number }
let medicine: { id: number; code: string }
let [keeper, colleague, stranger] = ['', '', '']

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...(stock.routes ?? [])))
  const { db } = world.services
  const rootId = await addMerchant(db)
  merchantId = await addMerchant(db, { parentId: rootId })
  const otherId = await addMerchant(db, { parentId: rootId })
  const signedIn = async (of: number) =>
    addSession(db, (await addUser(db, { merchantId: of, grants: ['writeOff.*', 'warehouse.*'] })).id, NOON)
  keeper = await signedIn(merchantId)
  colleague = await signedIn(merchantId)
  stranger = await signedIn(otherId)
  goods = await addProduct(db, { merchantId })
  medicine = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  machine = await addMachine(db, { merchantId, products: [medicine], licenceMode: 'retail', stock: 0 })
  await sql`insert into setting (key, merchant_id, value) values ('writeOff.secondPersonFen', ${merchantId}, '100000')
    on conflict (key, merchant_id) do update set value = excluded.value`.execute(db)
  warehouseId = Number(((await call(addWarehouse, { merchantId, name: 'Store' })).body.data as { id: number }).id)
  const found = await sql<{ id: number }>`select place_id as id from warehouse where id = ${warehouseId}`.execute(db)
  storeId = found.rows[0]?.id ?? 0
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const call = (endpoint: Endpoint, input: Record<string, unknown> = {}, token = keeper) =>
  http.call(endpoint, input, { token })
const listed = async (input: Record<string, unknown> = {}) =>
  ((await call(contract.listWriteOffs, input)).body.data as { items: contract.WriteOff[] }).items
const worth = async () => {
  const { pieces, valueFen } = (await call(getWarehouse, { id: warehouseId })).body.data as Record<string, number>
  return [pieces, valueFen]
}
const balance = async (kind: string, key: string) => {
  const found = await sql<{ fen: number }>`select balance_fen as fen from ledger_account
    where merchant_id = ${merchantId} and kind = ${kind} and key = ${key}`.execute(world.services.db)
  return found.rows[0]?.fen ?? 0
}
const lost = () => balance('loss', 'written_off_stock')

/** Bought for so much and put somewhere. */
async function put(productId: number, quantity: number, more: Partial<Move> = {}): Promise<void> {
  const { db } = world.services
  await db.transaction().execute(async (tx) => {
    const fromPlaceId = (await outsidePlaces(tx, 'supplier', [merchantId])).get(merchantId) ?? 0
    const about = { merchantId, movedAt: NOON, productId, quantity, fromPlaceId, toPlaceId: storeId, batch: null }
    await recordMoves(tx, [{ ...about, cause: 'purchase', reference: 'test', ...more }])
  })
}
const said = { why: 'expired', note: 'Taken off' }
const line = (quantity: number, more: object = {}) => ({ placeId: storeId, productId: goods.id, quantity, ...more })
const writeOff = (lines: unknown[], more: object = {}, token?: string) =>
  call(contract.writeOffGoods, { ...said, lines, ...more }, token)

test('pieces of what lies in a store are written off at what they cost there, and lost in the books', async () => {
  await put(goods.id, 10, { costFen: 1000 })
  await put(goods.id, 10, { costFen: 3000 })
  expect((await writeOff([line(3)], { why: 'damaged' })).body.code).toBe('writeOff.picture')
  expect((await writeOff([line(1), line(2)])).body.code).toBe('writeOff.twice')
  expect((await writeOff([line(21)])).body.code).toBe('writeOff.less')
  expect((await writeOff([line(1)], {}, stranger)).status).toBe(404)
  const [before, lostBefore] = [await balance('goods', ''), await lost()]
  const answer = await writeOff([line(3)], { why: 'damaged', pictures: [picture] })
  expect(answer.body.data).toEqual({ done: 1, waiting: 0 })
  expect(await worth()).toEqual([17, 3400])
  const [row] = await listed()
  expect(row).toMatchObject({ quantity: 3, costFen: 600, pictures: [picture], placeKind: 'warehouse', batch: '' })
  expect([await balance('goods', ''), await lost()]).toEqual([before - 600, lostBefore + 600])
})

test('a slip goes back on its day, by another person, at what it had left at', async () => {
  const [row] = await listed()
  const { id = 0 } = row ?? {}
  const its = { id, reason: 'Wrong product' }
  const lostBefore = await lost()
  expect((await call(contract.reverseWriteOff, its)).body.code).toBe('writeOff.ownRequest')
  expect((await call(contract.getWriteOff, { id })).body.data).toMatchObject({ mayReverse: false, mayDecide: false })
  expect((await call(contract.getWriteOff, { id }, colleague)).body.data).toMatchObject({ mayReverse: true })
  expect((await call(contract.reverseWriteOff, its, stranger)).status).toBe(404)
  expect((await call(contract.reverseWriteOff, its, colleague)).body.data).toMatchObject({ state: 'reversed' })
  expect((await call(contract.reverseWriteOff, its, colleague)).body.code).toBe('writeOff.state')
  expect(await worth()).toEqual([20, 4000])
  expect(await lost()).toBe(lostBefore - 600)
  await writeOff([line(1)])
  const [next] = await listed()
  await sql`update write_off set decided_at = decided_at - interval '1 day' where id = ${next?.id}`.execute(
    world.services.db,
  )
  expect((await call(contract.reverseWriteOff, { ...its, id: next?.id }, colleague)).body.code).toBe('writeOff.day')
})

test('above the limit nothing moves before another person agrees; whoever refuses says why', async () => {
  await put(goods.id, 100, { costFen: 2_000_000 })
  const [pieces] = await worth()
  expect((await writeOff([line(60)])).body.data).toEqual({ done: 0, waiting: 1 })
  expect((await worth())[0]).toBe(pieces)
  expect((await writeOff([line(1)])).body.code).toBe('writeOff.waits')
  const [row] = await listed({ state: 'waiting' })
  const its = { id: row?.id, reason: 'Look again' }
  expect((await call(contract.approveWriteOff, { id: row?.id })).body.code).toBe('writeOff.ownRequest')
  expect((await call(contract.refuseWriteOff, its, colleague)).body.data).toMatchObject({ state: 'refused' })
  expect((await listed())[0]).toMatchObject({ state: 'refused', endReason: 'Look again' })
  expect((await worth())[0]).toBe(pieces)
})

test('a whole batch is written off wherever it lies, and its packs come back with a reversal', async () => {
  const { db } = world.services
  const slotPlace = machine.slots[0]?.placeId ?? 0
  await sql`insert into medicine_batch (product_id, number, expires_on, changed_at)
    values (${medicine.id}, 'B1', '2027-11-19', ${NOON})`.execute(db)
  await put(medicine.id, 4, { batch: 'B1', costFen: 400 })
  await put(medicine.id, 2, { batch: 'B1', toPlaceId: slotPlace, cause: 'fill' })
  await sql`insert into trace_code (code, scheme, merchant_id, product_id, batch, place_id, state, added_at, changed_at)
    values ('81234567890123450001', 'cn20', ${merchantId}, ${medicine.id}, 'B1', ${storeId}, 'in_stock', ${NOON},
      ${NOON})`.execute(db)
  const there = (await call(contract.listLyingGoods, { q: 'B1' })).body.data as { items: contract.LyingGoods[] }
  const lying = there.items.toSorted((a, b) => a.placeKind.localeCompare(b.placeKind))
  expect(lying.map(({ placeKind, quantity, batch }) => [placeKind, quantity, batch])).toEqual([
    ['slot', 2, 'B1'],
    ['warehouse', 4, 'B1'],
  ])
  const all = { ...said, why: 'recalled', productId: medicine.id, batch: 'B1' }
  expect((await call(contract.writeOffWholeBatch, all, stranger)).status).toBe(404)
  expect((await call(contract.writeOffWholeBatch, all)).body.data).toEqual({ done: 2, waiting: 0 })
  expect((await call(contract.writeOffWholeBatch, all)).status).toBe(404)
  const state = async () =>
    (
      await sql<{ state: string; placeId: number | null }>`select state, place_id as "placeId" from trace_code
        where code = '81234567890123450001'`.execute(db)
    ).rows[0]
  expect(await state()).toEqual({ state: 'withdrawn', placeId: null })
  for (const { id } of await listed({ why: 'recalled' })) {
    await call(contract.reverseWriteOff, { id, reason: 'Another batch' }, colleague)
  }
  expect(await state()).toEqual({ state: 'in_stock', placeId: storeId })
  const back = await sql`select quantity from batch_level where product_id = ${medicine.id} and batch = 'B1'
    order by quantity`.execute(db)
  expect(back.rows).toEqual([{ quantity: 2 }, { quantity: 4 }])
})

test('64 at once write off no more than lies there', racing, async () => {
  const { db } = world.services
  const { id: productId } = await addProduct(db, { merchantId })
  await put(productId, 40, { costFen: 40 })
  const answers = await together(() => writeOff([line(1, { productId })]))
  const done = answers.filter(({ status }) => status === 200).length
  expect(done).toBe(40)
  const left = await sql`select quantity from stock_level where product_id = ${productId}`.execute(db)
  expect(left.rows).toEqual([{ quantity: 0 }])
})
