import { randomUUID } from 'node:crypto'
import {
  cancelBatch,
  getBatch,
  previewBatch,
  retryBatch,
  sendBatch,
  sendToMachines,
} from '@aisle/contract/device/batch'
import { cancelCommand, getCommand, listCommands, sendCommand } from '@aisle/contract/device/command'
import type { Envelope } from '@aisle/contract/device/messages'
import { upTopic } from '@aisle/contract/device/topics'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { queueCommands, takeForSending } from './command.store'
import { routes } from './command.routes'
import { decode } from '../link/decode'
import { jobs } from '../device.jobs'
import { ingest } from '../link/ingest'

const NOON = new Date('2026-11-20T04:00:00Z')
const MINUTE = 60_000
let world: World
let http: HttpWorld
let merchantId: number
let machines: BuiltMachine[]
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  merchantId = await addMerchant(db, { parentId: await addMerchant(db) })
  const product = await addProduct(db, { merchantId })
  machines = []
  for (let i = 0; i < 3; i += 1) machines.push(await addMachine(db, { merchantId, products: [product] }))
  const user = await addUser(db, { merchantId, grants: ['machine.*'] })
  token = await addSession(db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  world.setNow(NOON)
  await sql`delete from device_command`.execute(world.services.db)
  await sql`update machine_state set last_seen_at = ${NOON}, is_connected = true`.execute(world.services.db)
  await sql`update machine set operation = 'in_operation', retired_at = null`.execute(world.services.db)
})

const call = async (endpoint: Endpoint, input: Record<string, unknown>) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: Object(body.data) }
}
const idOf = (at: number) => machines[at]?.id ?? 0

let seq = 0
async function say(machine: BuiltMachine, type: string, data: Record<string, unknown>) {
  seq += 1
  const at = world.services.clock.now().toISOString()
  const said: Envelope = {
    v: 1,
    machineId: machine.code,
    msgId: randomUUID(),
    bootId: 'boot-1',
    seq,
    occurredAt: at,
    sentAt: at,
    offline: false,
    type,
    data,
  }
  const payload = Buffer.from(JSON.stringify(said))
  const decoded = decode(
    { topic: upTopic(machine.code, type), payload, sender: machine.code },
    world.services.clock.now(),
  )
  if (!decoded.ok) throw new Error(decoded.unreadable.detail)
  return ingest(world.services, [decoded.message])
}
const answer = (machine: BuiltMachine, cmdId: string, state: string, more = {}) =>
  say(machine, 'cmd.ack', { cmdId, state, ...more })
const dispatch = () =>
  world.services.db.transaction().execute((tx) => takeForSending(tx, null, false, world.services.clock.now()))
const expire = async () => {
  for (const job of jobs.filter(({ name }) => name === 'device.expireCommands')) await job.run(world.services, {})
}

test('a command lives from queued to done, and keeps what its machine said', async () => {
  const [machine] = machines
  const { data: sent } = await call(sendCommand, { id: idOf(0), type: 'upload_log', hours: 2, reason: 'door noise' })
  const now = async () => (await call(getCommand, { id: sent.id })).data
  expect(await now()).toMatchObject({ state: 'queued', type: 'upload_log', data: { hours: 2 }, reason: 'door noise' })
  const [dispatched] = await dispatch()
  expect(await now()).toMatchObject({ state: 'sent', machineCode: machine?.code })
  if (!machine || !dispatched) throw new Error('nothing was sent')
  await answer(machine, dispatched.id, 'received')
  expect(await now()).toMatchObject({ state: 'received' })
  await answer(machine, dispatched.id, 'done', { result: { lines: ['door opened'] } })
  expect(await now()).toMatchObject({ state: 'done', result: { lines: ['door opened'] }, lateState: null })
})

test('what its machine took all the same after it was cancelled shows so', async () => {
  const [machine] = machines
  const { data: sent } = await call(sendCommand, { id: idOf(0), type: 'reboot', reason: 'screen is black' })
  const [dispatched] = await dispatch()
  expect((await call(cancelCommand, { id: sent.id })).status).toBe(200)
  if (!machine || !dispatched) throw new Error('nothing was sent')
  await answer(machine, dispatched.id, 'received')
  await answer(machine, dispatched.id, 'done')
  const { data } = await call(getCommand, { id: sent.id })
  expect(data).toMatchObject({ state: 'cancelled', lateState: 'done' })
})

test('what a machine has taken can not be cancelled', async () => {
  const [machine] = machines
  const { data: sent } = await call(sendCommand, { id: idOf(0), type: 'reboot', reason: 'screen is black' })
  const [dispatched] = await dispatch()
  if (!machine || !dispatched) throw new Error('nothing was sent')
  await answer(machine, dispatched.id, 'received')
  expect((await call(cancelCommand, { id: sent.id })).code).toBe('command.tooLate')
})

test('what the system asked for by itself is not taken back by a person', async () => {
  const [machine] = machines
  if (!machine) throw new Error('no machine')
  const lock = { id: randomUUID(), merchantId: machine.merchantId, machineId: machine.id, type: 'lock_slot' as const }
  const { db } = world.services
  await db
    .transaction()
    .execute((tx) =>
      queueCommands(tx, [{ ...lock, data: { slots: ['A1'] }, reason: 'temperature', createdBy: null }], NOON),
    )
  const made = await sql<{ seq: number }>`select seq from device_command where id = ${lock.id}`.execute(db)
  expect((await call(cancelCommand, { id: made.rows[0]?.seq })).code).toBe('command.systems')
})

test('a command nobody took expires, and one that a machine took and never spoke of again is given up', async () => {
  const [machine] = machines
  const { data: lost } = await call(sendCommand, { id: idOf(1), type: 'reboot', reason: 'screen is black' })
  const { data: silent } = await call(sendCommand, { id: idOf(0), type: 'reboot', reason: 'screen is black' })
  const sent = await dispatch()
  const own = sent.find(({ machineCode }) => machineCode === machine?.code)
  if (!machine || !own) throw new Error('nothing was sent')
  await answer(machine, own.id, 'received')
  world.setNow(new Date(NOON.getTime() + 11 * MINUTE))
  await expire()
  expect((await call(getCommand, { id: lost.id })).data).toMatchObject({ state: 'expired' })
  expect((await call(getCommand, { id: silent.id })).data).toMatchObject({ state: 'received' })
  world.setNow(new Date(NOON.getTime() + 21 * MINUTE))
  await expire()
  expect((await call(getCommand, { id: silent.id })).data).toMatchObject({ state: 'failed', detail: 'silent' })
})

test('a machine that is away is not asked for what must happen now', async () => {
  await sql`update machine_state set is_connected = false where machine_id = ${idOf(0)}`.execute(world.services.db)
  expect((await call(sendCommand, { id: idOf(0), type: 'open_door', reason: 'refill' })).code).toBe('command.offline')
  expect((await call(sendCommand, { id: idOf(0), type: 'upload_log', reason: 'refill' })).status).toBe(200)
})

test('a batch goes to whom the filter found, tells whom it left out, and counts how far it is', async () => {
  const [first, second] = machines
  await sql`update machine_state set is_connected = false where machine_id = ${idOf(2)}`.execute(world.services.db)
  const preview = await call(previewBatch, { type: 'restart_app', machines: { filter: {} } })
  expect(preview.data).toMatchObject({
    count: 3,
    willBeAsked: 2,
    leftOut: [{ block: 'offline', count: 1, codes: [machines[2]?.code] }],
    expiresInMinutes: 10,
  })
  const asked = { type: 'restart_app', reason: 'memory', machines: { filter: {}, count: 3 } }
  const refused = await call(sendBatch, { ...asked, machines: { filter: {}, count: 2 } })
  expect([refused.status, refused.code]).toEqual([409, 'batch.changed'])
  const { data: batch } = await call(sendBatch, asked)
  expect(batch).toMatchObject({ asked: 2, leftOut: 1 })
  const sent = await dispatch()
  if (!first || !second) throw new Error('no machines')
  const idFor = (code: string) => sent.find(({ machineCode }) => machineCode === code)?.id ?? ''
  await answer(first, idFor(first.code), 'done')
  await answer(second, idFor(second.code), 'failed', { detail: 'disk full' })
  const { data } = await call(getBatch, { id: batch.id })
  expect(data).toMatchObject({
    count: 2,
    done: 1,
    failed: 1,
    progress: 'over',
    machines: [
      { machineCode: second.code, state: 'failed', detail: 'disk full' },
      { machineCode: first.code, state: 'done' },
    ],
    leftOut: [{ block: 'offline', count: 1 }],
  })
  const again = await call(retryBatch, { id: batch.id, reason: 'disk was cleaned' })
  expect(again.data).toMatchObject({ asked: 1 })
  expect((await call(cancelBatch, { id: again.data.id, reason: 'not now' })).data).toEqual({ cancelled: 1 })
  const { data: list } = await call(listCommands, { batchId: again.data.id })
  expect(list.items).toMatchObject([{ state: 'cancelled', machineCode: second.code }])
})

test('stopping many stops them here at once, and a second time leaves them out', async () => {
  const ids = [idOf(0), idOf(1)]
  const { data } = await call(sendToMachines, { ids, type: 'stop_sale', reason: 'stocktaking' })
  expect(data.outcomes).toEqual(ids.map((id) => ({ id, outcome: 'queued' })))
  const { data: batch } = await call(getBatch, { id: data.batchId })
  expect(batch.machines).toMatchObject([{ state: 'queued' }, { state: 'queued' }])
  const stopped = await sql<{ id: number }>`select id from machine where operation = 'stopped'
    order by id`.execute(world.services.db)
  expect(stopped.rows.map(({ id }) => id)).toEqual(ids)
  const again = await call(sendToMachines, { ids, type: 'stop_sale', reason: 'stocktaking' })
  expect(again.data).toEqual({ batchId: null, outcomes: ids.map((id) => ({ id, outcome: 'already' })) })
})

test('rows that are ticked are asked only for what needs no further words', async () => {
  const asked = (type: string) => call(sendToMachines, { ids: [idOf(0)], type, reason: 'too quiet' })
  expect(await asked('set_volume_or_screen')).toMatchObject({ code: 'request.invalid' })
  expect((await asked('upload_log')).data.outcomes).toEqual([{ id: idOf(0), outcome: 'queued' }])
})

test('a portion at a time, oldest first, and none twice', async () => {
  await call(sendBatch, { type: 'reboot', reason: 'update', machines: { filter: {}, count: 3 } })
  const take = () => world.services.db.transaction().execute((tx) => takeForSending(tx, null, false, NOON, 2))
  const portions = [await take(), await take(), await take()]
  expect(portions.map((each) => each.length)).toEqual([2, 1, 0])
  expect(new Set(portions.flat().map(({ id }) => id)).size).toBe(3)
})
