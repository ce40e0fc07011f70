import { listShippedItems, listShipResults, listSoldItems } from '@aisle/contract/trade/item'
import { listOrders } from '@aisle/contract/trade/order'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exactly } from '../../../kernel/exact'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { ingest } from '../../device/link/ingest'
import { spoken } from '../../device/testing'
import { routes } from './order.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let ours: BuiltMachine
let token: string
let seq = 0

const say = (machine: BuiltMachine, type: string, data: Record<string, unknown>) => {
  seq += 1
  return ingest(world.services, [spoken(world, machine.code, seq, type, data)])
}

/** An order of two pieces, paid at the reader; the first comes out, the second jams. */
async function sell(machine: BuiltMachine, orderNo: string): Promise<void> {
  const items = [{ slot: 'A1' }, { slot: 'A1' }]
  await say(machine, 'order.request', { orderNo, method: 'wechat', items })
  await say(machine, 'pay.result', { orderNo, method: 'wechat', amountFen: 1_000, channelNo: `C-${orderNo}` })
  const result = { orderNo, slot: 'A1', motorCode: '100' }
  const told = { batch: 'B7', traceCode: `T-${orderNo}`, durationMs: 4_200, attempts: 2 }
  await say(machine, 'vend.result', { ...result, index: 0, ok: true, sensorCode: '01', ...told })
  await say(machine, 'vend.result', { ...result, index: 1, ok: false, sensorCode: '03', durationMs: 900 })
}

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  const root = await addMerchant(db)
  const build = async (merchantId: number) =>
    addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })], stock: 20 })
  const mine = await addMerchant(db, { parentId: root })
  ours = await build(mine)
  const theirs = await build(await addMerchant(db, { parentId: root }))
  const user = await addUser(db, { merchantId: mine, grants: ['order.read', 'shipResult.read'] })
  token = await addSession(db, user.id, NOON)
  for (const n of [1, 2, 3]) await sell(ours, `O-${n}`)
  await sell(theirs, 'O-1')
})
afterAll(async () => {
  await http.close()
  await world.close()
})

type Listed = {
  items: Record<string, unknown>[]
  total: number
  nextCursor: string | null
  sums?: { priceFen: number }
}
async function list(endpoint: Parameters<HttpWorld['call']>[0], input: Record<string, unknown> = {}): Promise<Listed> {
  const { status, body } = await http.call(endpoint, input, { token })
  expect(status).toBe(200)
  return body.data as Listed
}

test('each paid piece is a line, of machines in sight alone, with its sum over the filter', async () => {
  const all = await list(listSoldItems.count)
  expect([all.total, all.sums?.priceFen]).toEqual([6, 3_000])
  const jammed = await list(listSoldItems.count, { itemState: 'jammed', machineCode: ours.code })
  expect([jammed.total, jammed.sums?.priceFen]).toEqual([3, 1_500])
})

test('all are counted for who asks, two at a time: who comes third is told to wait', async () => {
  const ask = () => http.call(listSoldItems.count, { machineCode: ours.code, exact: 'true' }, { token })
  expect(await ask()).toMatchObject({ status: 200, body: { data: { total: 6, sums: { priceFen: 3_000 } } } })
  let letGo = () => {}
  const held = new Promise<void>((done) => (letGo = done))
  const counting: Promise<void>[] = []
  for (const _ of [1, 2]) {
    await new Promise<void>((isCounting) => {
      counting.push(exactly(world.services.db, () => (isCounting(), held)))
    })
  }
  expect(await ask()).toMatchObject({ status: 429 })
  letGo()
  await Promise.all(counting)
  expect(await ask()).toMatchObject({ status: 200 })
})

test('pages by key tell pieces of one order apart and leave none out', async () => {
  const seen: unknown[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await list(listSoldItems, { pageSize: 4, ...(cursor ? { cursor } : {}) })
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  }
  expect(new Set(seen).size).toBe(6)
  expect(seen).toEqual([...seen].sort((a, b) => Number(b) - Number(a)))
})

test('what the machine said of a piece stands in its line: codes, time taken, attempts', async () => {
  const { items } = await list(listShipResults, { orderNo: `${ours.code}-O-2` })
  expect(items).toMatchObject([
    { itemState: 'jammed', motorCode: '100', sensorCode: '03', durationMs: 900, attempts: null },
    { itemState: 'dispensed', sensorCode: '01', durationMs: 4_200, attempts: 2 },
  ])
  expect((await list(listShipResults.count, { itemState: 'bad' })).total).toBe(3)
})

test('a pack is found by its batch and by its trace code', async () => {
  expect((await list(listShippedItems.count, { batch: 'B7' })).total).toBe(3)
  const { items } = await list(listShippedItems, { traceCode: 'T-O-3' })
  expect(items).toMatchObject([{ orderNo: `${ours.code}-O-3`, batch: 'B7', slotCode: 'A1' }])
})

test('a play that was lost has sold no piece', async () => {
  const { db } = world.services
  const orderNo = `${ours.code}-O-9`
  await say(ours, 'order.request', { orderNo: 'O-9', method: 'wechat', items: [{ slot: 'A1' }] })
  await say(ours, 'pay.result', { orderNo: 'O-9', method: 'wechat', amountFen: 500, channelNo: 'C-O-9' })
  expect((await list(listSoldItems, { orderNo })).items).toMatchObject([{ itemState: 'waiting' }])
  await sql`update orders set is_lottery = true, ship_state = 'lottery_lost', order_state = 'done',
      finished_at = ${NOON} where order_no = ${orderNo}`.execute(db)
  expect((await list(listSoldItems, { orderNo })).items).toEqual([])
  expect(await list(listSoldItems.count, { orderNo })).toEqual({ total: 0, sums: { priceFen: 0 } })
})

test('one box finds an order by whatever a customer reads out', async () => {
  const { db } = world.services
  const member = await sql<{ id: number }>`insert into member (number, name, phone, merchant_id, registered_at)
    values ('MB0001', 'Wu', '13900000001', ${ours.merchantId}, ${NOON}) returning id`.execute(db)
  await sql`insert into member_card (merchant_id, member_id, physical_no, logical_no, created_at)
    values (${ours.merchantId}, ${member.rows[0]?.id}, '0a1b2c3d', 'CARD01', ${NOON})`.execute(db)
  await sql`update orders set method = 'member_card', tender_code = '0a1b2c3d'
    where order_no = ${`${ours.code}-O-1`}`.execute(db)
  const found = async (q: string) => (await list(listOrders, { q })).items.map(({ orderNo }) => orderNo)
  const first = [`${ours.code}-O-1`]
  for (const q of [...first, 'C-O-1', 'T-O-1', '13900000001', 'card01', '0a1b2c3d']) {
    expect({ q, rows: await found(q) }).toEqual({ q, rows: first })
  }
  expect(await found('13900000002')).toEqual([])
})
