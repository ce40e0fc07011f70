import { callBackTransfer, getTransfer, receiveTransfer, sendTransfer } from '@aisle/contract/stock/transfer'
import * as contract from '@aisle/contract/stock/warehouse'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant, addProduct } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { outsidePlaces, recordMoves } from './stock.store'
import { routes as transferRoutes } from './transfer.routes'
import { routes } from './warehouse'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let rootId: number
let merchantId: number
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...transferRoutes))
  rootId = await addMerchant(world.services.db)
  merchantId = await addMerchant(world.services.db, { parentId: rootId })
  const user = await addUser(world.services.db, { merchantId, grants: ['warehouse.*'] })
  token = await addSession(world.services.db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

type Call = Parameters<HttpWorld['call']>
const call = async (endpoint: Call[0], input: Call[1], key?: string) => {
  const { status, body } = await http.call(endpoint, input, { token, ...(key && { key }) })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}
const add = async (name: string, more: Record<string, unknown> = {}) =>
  Number((await call(contract.addWarehouse, { merchantId, name, ...more })).data.id)
const placeOf = async (id: number) =>
  (await sql<{ id: number }>`select place_id as id from warehouse where id = ${id}`.execute(world.services.db)).rows[0]
    ?.id ?? 0

type Bought = { productId: number; quantity: number; costFen: number | null; batch?: string }
async function buy(warehouseId: number, { productId, quantity, costFen, batch }: Bought): Promise<void> {
  const toPlaceId = await placeOf(warehouseId)
  await world.services.db.transaction().execute(async (tx) => {
    const fromPlaceId = (await outsidePlaces(tx, 'supplier', [merchantId])).get(merchantId) ?? 0
    const common = { merchantId, movedAt: NOON, cause: 'purchase', reference: 'test', batch: batch ?? null } as const
    await recordMoves(tx, [{ ...common, productId, quantity, costFen, fromPlaceId, toPlaceId }])
  })
}
const valueOf = async (id: number) => {
  const { pieces, valueFen } = (await call(contract.getWarehouse, { id })).data
  return [pieces, valueFen]
}

test('what lies there costs what was paid, to the fen, and what goes takes its share along', async () => {
  const [here, there] = [await add('North'), await add('South')]
  const { id: productId } = await addProduct(world.services.db, { merchantId })
  await buy(here, { productId, quantity: 3, costFen: 100 })
  await buy(here, { productId, quantity: 4, costFen: 901 })
  expect(await valueOf(here)).toEqual([7, 1001])
  const lines = [{ productId, batch: '', quantity: 2 }]
  const sent = await call(sendTransfer, { fromId: here, toId: there, lines })
  expect(sent).toMatchObject({ status: 200, data: { no: 'DB20261120-0001' } })
  const id = Number(sent.data.id)
  expect(await valueOf(here)).toEqual([5, 715])
  expect((await call(contract.summariseWarehouses, {})).data).toMatchObject({ valueFen: 715, onWayFen: 286 })
  expect((await call(contract.getWarehouse, { id: there })).data.coming).toBe(2)
  expect((await call(receiveTransfer, { id, lines: [{ line: 1, arrived: 3 }] })).code).toBe('transfer.lines')
  expect((await call(receiveTransfer, { id, lines: [{ line: 1, arrived: 1 }] })).status).toBe(200)
  expect((await call(receiveTransfer, { id, lines: [{ line: 1, arrived: 1 }] })).code).toBe('transfer.state')
  expect(await valueOf(there)).toEqual([1, 143])
  expect((await call(contract.summariseWarehouses, {})).data).toMatchObject({ valueFen: 858, onWayFen: 0 })
  expect((await call(getTransfer, { id })).data).toMatchObject({ state: 'arrived', lost: 1, valueFen: 286 })
  const moves = (await call(contract.listWarehouseMoves, { warehouseId: here })).data as {
    items: { costFen: number }[]
  }
  expect(moves.items.map(({ costFen }) => costFen)).toEqual([-286, 901, 100])
  expect((await call(contract.listWarehouseStock, { warehouseId: here })).data).toMatchObject({
    items: [{ quantity: 5, valueFen: 715, batch: '' }],
  })
})

test('a transfer that is called back leaves everything as it was', async () => {
  const [here, there] = [await add('East'), await add('West')]
  const { id: productId } = await addProduct(world.services.db, { merchantId })
  await buy(here, { productId, quantity: 3, costFen: 100 })
  const { data } = await call(sendTransfer, { fromId: here, toId: there, lines: [{ productId, quantity: 1 }] })
  expect((await call(callBackTransfer, { id: data.id })).data).toMatchObject({ state: 'calledBack' })
  expect([await valueOf(here), await valueOf(there)]).toEqual([
    [3, 100],
    [0, 0],
  ])
})

test('more than lies there does not go, of two at once neither does, and a key sent twice sends once', async () => {
  const [here, there] = [await add('Full'), await add('Empty')]
  const { id: productId } = await addProduct(world.services.db, { merchantId })
  await buy(here, { productId, quantity: 5, costFen: 500 })
  const input = (quantity: number) => ({ fromId: here, toId: there, lines: [{ productId, quantity }] })
  expect((await call(sendTransfer, input(6))).code).toBe('warehouse.less')
  const both = await Promise.all([call(sendTransfer, input(3)), call(sendTransfer, input(3))])
  expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
  const again = [await call(sendTransfer, input(1), 'same-key-1'), await call(sendTransfer, input(1), 'same-key-1')]
  expect(again[1]?.data).toEqual(again[0]?.data)
  expect(await valueOf(here)).toEqual([1, 100])
  expect((await call(sendTransfer, { ...input(1), toId: here })).code).toBe('transfer.same')
})

test('medicine goes by its batch, to where its label lets it lie', async () => {
  const { db } = world.services
  const [cold, room] = [await add('Fridge', { storage: 'cold', lowestC: 2, highestC: 8 }), await add('Shelf')]
  const { id: productId } = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  await sql`insert into medicine (product_id, storage) values (${productId}, 'cold')
    on conflict (product_id) do update set storage = 'cold'`.execute(db)
  await buy(cold, { productId, quantity: 4, costFen: 400, batch: 'B1' })
  const send = (toId: number, batch?: string) =>
    call(sendTransfer, { fromId: cold, toId, lines: [{ productId, batch, quantity: 1 }] })
  expect((await send(room)).code).toBe('transfer.batch')
  expect((await send(room, 'B2')).code).toBe('warehouse.less')
  expect((await send(room, 'B1')).code).toBe('warehouse.storage')
  const other = await add('Second fridge', { storage: 'cold', lowestC: 2, highestC: 8 })
  expect((await send(other, 'B1')).status).toBe(200)
  expect((await call(contract.listWarehouseStock, { warehouseId: cold })).data).toMatchObject({
    items: [{ batch: 'B1', quantity: 3, valueFen: 300 }],
  })
})

test('a reading out of range stands out by the limits that held then, and none is from tomorrow', async () => {
  const id = await add('Cool', { storage: 'cool', lowestC: 0, highestC: 20 })
  const read = (temperatureC: number, readAt = '2026-11-20T03:00:00Z') =>
    call(contract.addReading, { id, readAt, temperatureC, humidity: 60 })
  expect((await read(20)).status).toBe(200)
  expect((await call(contract.getWarehouse, { id })).data).toMatchObject({ lastC: 20, isExcursion: false })
  expect((await read(20.1)).status).toBe(200)
  expect((await call(contract.getWarehouse, { id })).data).toMatchObject({
    lastC: 20.1,
    isExcursion: true,
    readings: [{ temperatureC: 20.1, isExcursion: true }, { isExcursion: false }],
  })
  expect((await read(10, '2026-11-21T04:00:00Z')).code).toBe('warehouse.readingAhead')
  expect((await call(contract.addWarehouse, { merchantId, name: 'Odd', lowestC: 9, highestC: 9 })).code).toBe(
    'warehouse.range',
  )
})

test('a stopped warehouse takes nothing in, and one that anything lay in is not deleted', async () => {
  const [here, there] = [await add('Going'), await add('Closed')]
  const { id: productId } = await addProduct(world.services.db, { merchantId })
  await buy(here, { productId, quantity: 1, costFen: null })
  expect(await valueOf(here)).toEqual([1, 200])
  await call(contract.stopWarehouse, { id: there })
  const input = { fromId: here, toId: there, lines: [{ productId, quantity: 1 }] }
  expect((await call(sendTransfer, input)).code).toBe('warehouse.state')
  expect((await call(contract.removeWarehouse, { id: here })).code).toBe('request.inUse')
  expect((await call(contract.removeWarehouse, { id: there })).status).toBe(200)
})

test('another merchant’s warehouse is not there', async () => {
  const other = await addMerchant(world.services.db, { parentId: rootId })
  const theirs = await sql<{ id: number }>`with p as (
      insert into place (merchant_id, kind, name) values (${other}, 'warehouse', 'Theirs') returning id)
    insert into warehouse (merchant_id, place_id, name, created_at) select ${other}, id, 'Theirs', now() from p
    returning id`.execute(world.services.db)
  const id = theirs.rows[0]?.id
  const here = await add('Ours')
  const { id: productId } = await addProduct(world.services.db, { merchantId })
  const lines = [{ productId, quantity: 1 }]
  expect((await call(contract.getWarehouse, { id })).status).toBe(404)
  expect((await call(sendTransfer, { fromId: here, toId: id, lines })).status).toBe(404)
  expect((await call(sendTransfer, { fromId: id, toId: here, lines })).status).toBe(404)
})
