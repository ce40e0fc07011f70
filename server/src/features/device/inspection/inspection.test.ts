import { randomUUID } from 'node:crypto'
import { getTest, startTest, stopTest } from '@aisle/contract/device/machineTest'
import { concludeRemoteShip, getRemoteShip, listRemoteShips, remoteShip } from '@aisle/contract/device/remoteShip'
import { getSelfChecks, listSelfChecks } from '@aisle/contract/device/selfCheck'
import {
  addPackage,
  getRollout,
  listRollouts,
  pauseRollout,
  resumeRollout,
  rollBackRollout,
  startRollout,
} from '@aisle/contract/device/software'
import { sendCommand } from '@aisle/contract/device/command'
import { upTopic } from '@aisle/contract/device/topics'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { contradictions } from '../../trade/recount'
import { type Dispatch, takeForSending } from '../command/command.store'
import { routes as commandRoutes } from '../command/command.routes'
import { decode } from '../link/decode'
import { ingest } from '../link/ingest'
import { routes } from './inspection.routes'
import { moveWaves } from '../command/rollout.moves'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let rootId: number
let merchantId: number
let machine: BuiltMachine
let token: string
let seq = 0

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...commandRoutes))
  rootId = await addMerchant(world.services.db)
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  const { db } = world.services
  merchantId = await addMerchant(db, { parentId: rootId })
  const products = [await addProduct(db, { merchantId }), await addProduct(db, { merchantId })]
  machine = await addMachine(db, { merchantId, products })
  await sql`delete from device_command`.execute(db)
  await online()
  const user = await addUser(db, { merchantId, grants: ['machine.*', 'command.*'] })
  token = await addSession(db, user.id, NOON)
})

const online = () =>
  sql`update machine_state set last_seen_at = ${NOON}, is_connected = true`.execute(world.services.db)
const call = async (endpoint: Endpoint, input: Record<string, unknown>) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: Object(body.data) }
}
const made = async (endpoint: Endpoint, input: Record<string, unknown>): Promise<number> => {
  const { data, code } = await call(endpoint, input)
  if (!data.id) throw new Error(`refused: ${String(code)}`)
  return data.id
}
async function say(by: BuiltMachine, type: string, data: Record<string, unknown>) {
  seq += 1
  const at = NOON.toISOString()
  const about = { v: 1, machineId: by.code, msgId: randomUUID(), bootId: 'boot-1', seq, offline: false }
  const payload = Buffer.from(JSON.stringify({ ...about, occurredAt: at, sentAt: at, type, data }))
  const decoded = decode({ topic: upTopic(by.code, type), payload, sender: by.code }, NOON)
  if (!decoded.ok) throw new Error(decoded.unreadable.detail)
  return ingest(world.services, [decoded.message])
}
const take = (): Promise<Dispatch[]> =>
  world.services.db.transaction().execute((tx) => takeForSending(tx, null, false, NOON))
const takeOne = async (): Promise<Dispatch> => {
  const [dispatch] = await take()
  if (!dispatch) throw new Error('nothing waits')
  return dispatch
}
const stockOf = async (at: number): Promise<number | undefined> => {
  const found = await sql<{ quantity: number }>`select quantity from stock_level
    where place_id = ${machine.slots[at]?.placeId}`.execute(world.services.db)
  return found.rows[0]?.quantity
}
const dropped = { ok: true, motorCode: '100', sensorCode: '01', durationMs: 3_000 }
const turned = async (result: Record<string, unknown>) => {
  const { id } = await takeOne()
  await say(machine, 'cmd.ack', { cmdId: id, state: 'done', result })
}
const testOf = async (id: number) => (await call(getTest, { id })).data

test('a test turns one motor after the other, and what falls out leaves the stock as a test', async () => {
  const id = await made(startTest, { id: machine.id, scope: 'all', putsBack: false, reason: 'after repair' })
  expect((await call(startTest, { id: machine.id, scope: 'all', putsBack: true, reason: 'again' })).code).toBe(
    'test.running',
  )
  const first = await takeOne()
  expect(first).toMatchObject({ type: 'test_vend', data: { slot: 'A1', putsBack: false } })
  expect(await take()).toEqual([])
  await say(machine, 'cmd.ack', { cmdId: first.id, state: 'done', result: dropped })
  expect((await testOf(id)).results).toMatchObject([
    { slot: 'A1', state: 'passed' },
    { slot: 'A2', state: 'running' },
  ])
  await turned({ ...dropped, ok: false, motorCode: '101', sensorCode: '03' })
  expect(await testOf(id)).toMatchObject({ state: 'failed', passed: 1, failed: 1 })
  expect([await stockOf(0), await stockOf(1)]).toEqual([9, 10])
  const moves = await sql`select cause, quantity from stock_move where reference = ${`test/${id}/1`}`.execute(
    world.services.db,
  )
  expect(moves.rows).toEqual([{ cause: 'test', quantity: 1 }])
})

test('what is put back stays in the stock, and a machine that will not go on ends the test', async () => {
  const id = await made(startTest, { id: machine.id, scope: 'slot', slot: 'A2', putsBack: true, reason: 'check' })
  await turned(dropped)
  expect([await testOf(id), await stockOf(1)]).toMatchObject([{ state: 'passed' }, 10])
  const second = await made(startTest, { id: machine.id, scope: 'layer', layer: 1, putsBack: true, reason: 'check' })
  const { id: cmdId } = await takeOne()
  await say(machine, 'cmd.ack', { cmdId, state: 'refused', detail: 'busy' })
  expect(await testOf(second)).toMatchObject({
    state: 'stopped',
    results: [{ state: 'skipped', detail: 'busy' }, { state: 'skipped' }],
  })
})

test('a motor that turned although its test was stopped is told truly, and its piece leaves the stock', async () => {
  const id = await made(startTest, { id: machine.id, scope: 'all', putsBack: false, reason: 'check' })
  const { id: cmdId } = await takeOne()
  await call(stopTest, { id })
  await say(machine, 'cmd.ack', { cmdId, state: 'done', result: dropped })
  expect(await testOf(id)).toMatchObject({ state: 'stopped', passed: 1, results: [{ state: 'passed' }, {}] })
  expect(await stockOf(0)).toBe(9)
})

test('no motor is tested while the machine serves an order', async () => {
  await say(machine, 'order.request', { orderNo: `T-${seq}`, method: 'wechat', items: [{ slot: 'A1' }] })
  const { code } = await call(startTest, { id: machine.id, scope: 'all', putsBack: true, reason: 'check' })
  expect(code).toBe('test.inOrder')
})

test('a self-check is kept part by part; what fails raises an alarm and what works again ends it', async () => {
  const ask = () => call(sendCommand, { id: machine.id, type: 'self_check', reason: 'weekly' })
  const answer = async (ok: boolean) => {
    const { id: cmdId } = await takeOne()
    const parts = [
      { part: 'motor', slot: 'A1', ok, code: ok ? '100' : '101' },
      { part: 'light_curtain', ok },
      { part: 'printer', ok: true },
    ]
    await say(machine, 'cmd.ack', { cmdId, state: 'done', result: { parts } })
  }
  const alarms = async () =>
    (
      await sql`select cause, slot_code from alarm where machine_id = ${machine.id} and state <> 'closed'
        order by cause`.execute(world.services.db)
    ).rows
  await ask()
  await answer(false)
  const { data } = await call(getSelfChecks, { id: machine.id })
  expect(data.machine).toMatchObject({ outcome: 'failing', failing: 2, failingParts: ['motor', 'light_curtain'] })
  const failing = async (part: string) => (await call(listSelfChecks, { part })).data.items
  expect(await failing('motor')).toMatchObject([{ id: machine.id }])
  expect(await failing('printer,light_curtain')).toMatchObject([{ id: machine.id }])
  expect(await failing('printer')).toEqual([])
  expect(await alarms()).toEqual([
    { cause: 'device', slot_code: '' },
    { cause: 'slot_fault', slot_code: 'A1' },
  ])
  await ask()
  await answer(true)
  expect(await alarms()).toEqual([])
  const after = await call(getSelfChecks, { id: machine.id })
  expect(after.data).toMatchObject({ machine: { outcome: 'good' }, history: [{ failing: [] }, {}] })
})

async function jammedOrder(): Promise<string> {
  const orderNo = `J-${seq}`
  const items = [{ slot: 'A1' }, { slot: 'A2' }]
  await say(machine, 'order.request', { orderNo, method: 'wechat', items })
  await say(machine, 'pay.result', { orderNo, method: 'wechat', amountFen: 1000, channelNo: `W${orderNo}` })
  const result = { orderNo, ok: false, motorCode: '103', sensorCode: '03' }
  await say(machine, 'vend.result', { ...result, index: 0, slot: 'A1', ...dropped })
  await say(machine, 'vend.result', { ...result, index: 1, slot: 'A2' })
  return orderNo
}
const shipped = async (slot: string, ok: boolean) => {
  const { data } = await takeOne()
  const { orderNo } = data
  await say(machine, 'vend.received', { orderNo })
  return say(machine, 'vend.result', { orderNo, index: 0, slot, ...dropped, ok, sensorCode: ok ? '01' : '03' })
}

test('a piece that an order did not get is shipped again once, and then nothing is due for it', async () => {
  const orderNo = `${machine.code}-${await jammedOrder()}`
  const asked = { id: machine.id, slot: 'A2', orderNo, reason: 'goods hung', customer: 'lady in front' }
  expect((await call(remoteShip, { ...asked, slot: 'A1' })).code).toBe('remoteShip.otherProduct')
  const id = await made(remoteShip, asked)
  expect((await call(remoteShip, asked)).code).toBe('remoteShip.again')
  await shipped('A2', true)
  expect((await call(getRemoteShip, { id })).data).toMatchObject({ state: 'dispensed', kind: 'order', orderNo })
  const order = await sql`select ship_state, problem from orders where order_no = ${orderNo}`.execute(world.services.db)
  expect(order.rows).toEqual([{ ship_state: 'completed', problem: null }])
  expect((await call(remoteShip, asked)).code).toBe('remoteShip.nothingDue')
  expect(await stockOf(1)).toBe(9)
  expect(await contradictions(world.services.db)).toEqual([])
})

test('what is given away is a cost and no sale, once however often the machine says so', async () => {
  const id = await made(remoteShip, { id: machine.id, slot: 'A1', reason: 'apology' })
  const { data } = await takeOne()
  const result = { orderNo: data.orderNo, index: 0, slot: 'A1', ...dropped }
  await say(machine, 'vend.result', result)
  await say(machine, 'vend.result', result)
  expect(await stockOf(0)).toBe(9)
  const { data: list } = await call(listRemoteShips, { machineCode: machine.code })
  expect(list).toMatchObject({ items: [{ id, kind: 'free', state: 'dispensed' }] })
  const counted = await call(listRemoteShips.count, { machineCode: machine.code })
  expect(counted.data).toEqual({ total: 1, sums: { costFen: 200 } })
  const orders = await sql`select 1 from orders where machine_id = ${machine.id}`.execute(world.services.db)
  expect(orders.rows).toEqual([])
  expect(await contradictions(world.services.db)).toEqual([])
})

test('nobody lets out of a slot that is held, nor a batch that is expired, whatever the reason', async () => {
  const { db } = world.services
  const asked = { id: machine.id, slot: 'A1', reason: 'apology' }
  await sql`update slot set is_locked = true, lock_reason = 'temperature'
    where machine_id = ${machine.id} and code = 'A1'`.execute(db)
  expect((await call(remoteShip, asked)).code).toBe('remoteShip.locked')
  await sql`update slot set is_locked = false, lock_reason = ''
    where machine_id = ${machine.id} and code = 'A1'`.execute(db)
  await sql`update machine set licence_mode = 'retail' where id = ${machine.id}`.execute(db)
  const product = await sql<{ id: number; placeId: number }>`
    update product p set kind = 'medicine', medicine_class = 'otc_b' from slot s
    where s.machine_id = ${machine.id} and s.code = 'A1' and p.id = s.product_id
    returning p.id, s.place_id as "placeId"`.execute(db)
  const { id: productId, placeId } = product.rows[0] ?? { id: 0, placeId: 0 }
  await sql`insert into medicine_batch (product_id, number, expires_on, changed_at)
    values (${productId}, 'B1', '2026-11-19', ${NOON})`.execute(db)
  await sql`insert into slot_layer (place_id, product_id, sequence, batch, quantity, filled_at)
    values (${placeId}, ${productId}, 1, 'B1', 10, ${NOON})`.execute(db)
  expect((await call(remoteShip, asked)).code).toBe('remoteShip.batch')
  expect(await take()).toEqual([])
})

test('where nobody knows what fell, a person who looked says it, and only then the stock moves', async () => {
  const id = await made(remoteShip, { id: machine.id, slot: 'A1', reason: 'apology' })
  const { id: cmdId } = await takeOne()
  await say(machine, 'cmd.ack', { cmdId, state: 'received' })
  await say(machine, 'cmd.ack', { cmdId, state: 'failed', detail: 'interrupted' })
  expect((await call(getRemoteShip, { id })).data).toMatchObject({ state: 'unknown', detail: 'interrupted' })
  expect(await stockOf(0)).toBe(10)
  await call(concludeRemoteShip, { id, isOut: true, reason: 'the slot was looked at' })
  expect((await call(getRemoteShip, { id })).data).toMatchObject({ state: 'dispensed' })
  expect(await stockOf(0)).toBe(9)
  expect((await call(concludeRemoteShip, { id, isOut: false, reason: 'no' })).code).toBe('remoteShip.known')
})

test('an update goes out in waves and stops by itself when too many fail', async () => {
  const product = await addProduct(world.services.db, { merchantId })
  for (let i = 0; i < 9; i += 1) await addMachine(world.services.db, { merchantId, products: [product] })
  await online()
  const packageId = await made(addPackage, {
    version: '4.0.0',
    url: 'https://software.example/app-4.0.0.bin',
    sha256: 'a'.repeat(64),
  })
  const asked = { packageId, filter: { merchantId }, count: 10, waves: [10, 50, 100], reason: 'new payment' }
  expect((await call(startRollout, { ...asked, waves: [50, 10], failureLimitPercent: 20 })).code).toBe('software.waves')
  const id = await made(startRollout, { ...asked, failureLimitPercent: 20 })
  const now = async () => (await call(getRollout, { id })).data
  const answerAll = async (state: (at: number) => string) => {
    const sent = await take()
    for (const [at, { id: cmdId, machineCode }] of sent.entries()) {
      const by = { ...machine, code: machineCode }
      await say(by, 'cmd.ack', { cmdId, state: state(at), ...(state(at) === 'failed' ? { detail: 'disk full' } : {}) })
    }
    await moveWaves(world.services)
    return sent.length
  }
  expect(await answerAll(() => 'done')).toBe(1)
  expect(await now()).toMatchObject({ state: 'running', wave: 2, done: 1 })
  expect(await answerAll((at) => (at < 2 ? 'failed' : 'done'))).toBe(4)
  expect(await now()).toMatchObject({ state: 'stopped', wave: 2, failed: 2 })
  expect(await take()).toEqual([])
  await call(resumeRollout, { id, reason: 'disks were cleaned' })
  await moveWaves(world.services)
  expect(await now()).toMatchObject({ state: 'running', wave: 3 })
  expect(await answerAll(() => 'done')).toBe(5)
  expect(await now()).toMatchObject({ state: 'done', done: 8 })
  await call(rollBackRollout, { id, reason: 'payments hang' })
  const back = await take()
  expect(back.map(({ type }) => type)).toEqual(Array.from({ length: 8 }, () => 'rollback_app'))
})

test('who sees some machines of an update sees how those fare, and turns only what touches no others', async () => {
  const { db } = world.services
  const product = await addProduct(db, { merchantId })
  const machines = [machine]
  for (let i = 0; i < 3; i += 1) machines.push(await addMachine(db, { merchantId, products: [product] }))
  await online()
  const packageId = await made(addPackage, {
    version: '4.1.0',
    url: 'https://software.example/app-4.1.0.bin',
    sha256: 'b'.repeat(64),
  })
  const asked = { packageId, filter: { merchantId }, count: 4, waves: [100], reason: 'new screen' }
  const id = await made(startRollout, { ...asked, failureLimitPercent: 20 })
  const administrator = token
  const enter = async (some: readonly BuiltMachine[]) => {
    const machineIds = some.map((each) => each.id)
    const user = await addUser(db, { merchantId, kind: 'ordinary', grants: ['machine.*'], machineIds })
    token = await addSession(db, user.id, NOON)
  }
  const reason = 'the screen stays dark'
  const turns = () =>
    Promise.all([pauseRollout, resumeRollout, rollBackRollout].map((verb) => call(verb, { id, reason })))
  await enter(machines.slice(0, 2))
  expect((await call(listRollouts, {})).data.items).toMatchObject([{ id, machines: 2, asked: 2 }])
  expect((await call(getRollout, { id })).data).toMatchObject({ isWhole: false, byWave: [{ wave: 1, machines: 2 }] })
  for (const turned of await turns()) expect(turned).toMatchObject({ status: 403, code: 'software.unseen' })
  await enter([])
  expect((await call(listRollouts, {})).data.items).toEqual([])
  for (const turned of await turns()) expect(turned.code).toBe('request.notFound')
  await enter(machines)
  expect((await call(getRollout, { id })).data).toMatchObject({ isWhole: true, machines: 4 })
  expect((await call(pauseRollout, { id, reason })).status).toBe(200)
  token = administrator
  expect((await call(getRollout, { id })).data).toMatchObject({ isWhole: true, state: 'paused', machines: 4 })
})
