import { cancelBatch, retryBatch, sendBatch } from '@aisle/contract/device/batch'
import { cancelCommand, listCommands, sendCommand } from '@aisle/contract/device/command'
import { resumeSale, stopSale } from '@aisle/contract/device/operate'
import { getMachine, listMachines, summariseMachines } from '@aisle/contract/fleet/machine'
import { listMachineStatus, mapMachines } from '@aisle/contract/fleet/machineStatus'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { openWorld, type World } from '../../../testing/world'
import { routes as machineRoutes } from '../../fleet/machine/machine.routes'
import { routes as statusRoutes } from '../../fleet/machine/status.routes'
import { routesWith } from '../../../testing/stubs'
import { takeForSending } from './command.store'
import { routes } from './command.routes'
import { jobs } from '../device.jobs'
import { ingest } from '../link/ingest'
import { routes as operateRoutes } from './operate.routes'
import { spoken } from '../testing'

const NOON = new Date('2026-11-20T04:00:00Z')
const HOUR = 3_600_000
let world: World
let http: HttpWorld
let token: string
let merchantId: number
let machine: BuiltMachine
let away: BuiltMachine

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...operateRoutes, ...machineRoutes, ...statusRoutes))
  const { db } = world.services
  merchantId = await addMerchant(db, { parentId: await addMerchant(db) })
  const user = await addUser(db, { merchantId, grants: ['machine.*'] })
  token = await addSession(db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  const { db } = world.services
  world.setNow(NOON)
  await sql`delete from device_command`.execute(db)
  await sql`update machine set retired_at = ${NOON}`.execute(db)
  machine = await addMachine(db, { merchantId, products: [] })
  away = await addMachine(db, { merchantId, products: [] })
  await sql`update machine_state set last_seen_at = ${NOON}, is_connected = machine_id <> ${away.id}`.execute(db)
})

const call = async (endpoint: Endpoint, input: Record<string, unknown>) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: Object(body.data) }
}
const shown = async (id = machine.id) => (await call(getMachine, { id })).data.operation
const stop = (id = machine.id) => call(stopSale, { id, reason: 'glass is broken' })
const resume = (id = machine.id) => call(resumeSale, { id, reason: 'glass is new' })
const later = (ms: number) => world.setNow(new Date(world.services.clock.now().getTime() + ms))
const everyMinute = async () => {
  for (const job of jobs.filter(({ name }) => name === 'device.expireCommands')) await job.run(world.services, {})
}
const dispatch = () =>
  world.services.db.transaction().execute((tx) => takeForSending(tx, null, false, world.services.clock.now()))

let seq = 0
const answer = (cmdId: string | undefined, state: string, of = machine) => {
  seq += 1
  return ingest(world.services, [spoken(world, of.code, seq, 'cmd.ack', { cmdId, state })])
}
/** What was newly sent is answered by its machine. */
async function hear(state: string): Promise<void> {
  for (const { id } of await dispatch()) await answer(id, state)
}
const asked = async () => {
  const found = await sql<{ said: string }>`select type || ' ' || state as said from device_command
    where machine_id = ${machine.id} order by seq desc`.execute(world.services.db)
  return found.rows.map(({ said }) => said)
}

test('a stop is wanted until its machine says that it stopped; list, detail, map and counters say so', async () => {
  expect((await stop()).data).toEqual({ id: machine.id, operation: 'stop_wanted' })
  const { items } = (await call(listMachines, { operation: 'stop_wanted' })).data
  expect(items).toMatchObject([{ id: machine.id, operation: 'stop_wanted' }])
  expect((await call(listMachineStatus, { operation: 'stopped' })).data.items).toEqual([])
  expect((await call(summariseMachines, {})).data).toMatchObject({ stopped: 0, stopWanted: 1 })
  expect((await call(mapMachines, {})).data.items).toMatchObject([{ stopped: 0, stopWanted: 1 }])
  const [sent] = await dispatch()
  await answer(sent?.id, 'received')
  expect(await shown()).toBe('stop_wanted')
  await answer(sent?.id, 'done')
  expect(await shown()).toBe('stopped')
  expect((await call(summariseMachines, {})).data).toMatchObject({ stopped: 1, stopWanted: 0 })
  expect((await resume()).data.operation).toBe('resume_wanted')
  await hear('done')
  expect(await shown()).toBe('in_operation')
})

test('a stop on its way is not asked for twice, and one that failed may be asked for again', async () => {
  await stop()
  expect((await stop()).code).toBe('command.already')
  await hear('failed')
  expect(await shown()).toBe('stop_wanted')
  expect((await stop()).status).toBe(200)
  await hear('done')
  expect((await stop()).code).toBe('command.already')
  expect(await shown()).toBe('stopped')
})

test('a batch of stops that failed is sent again to those where it failed', async () => {
  const machines = { machineIds: [machine.id, away.id] }
  const { data: batch } = await call(sendBatch, { type: 'stop_sale', reason: 'recall', machines })
  const sent = await dispatch()
  await answer(sent.find(({ machineCode }) => machineCode === machine.code)?.id, 'failed')
  expect((await call(retryBatch, { id: batch.id, reason: 'once more' })).data).toMatchObject({ asked: 1 })
})

test('a stop that is cancelled before anybody took it never was', async () => {
  const { data } = await call(sendCommand, { id: away.id, type: 'stop_sale', reason: 'wrong machine' })
  expect(await shown(away.id)).toBe('stop_wanted')
  expect((await call(cancelCommand, { id: data.id })).status).toBe(200)
  expect(await shown(away.id)).toBe('in_operation')
  const machines = { machineIds: [machine.id, away.id] }
  const { data: batch } = await call(sendBatch, { type: 'stop_sale', reason: 'recall', machines })
  await call(cancelBatch, { id: batch.id, reason: 'wrong batch' })
  expect([await shown(), await shown(away.id)]).toEqual(['in_operation', 'in_operation'])
})

test('what a machine did all the same, late, is known, and put right', async () => {
  await stop()
  const [sent] = await dispatch()
  const { data } = await call(listCommands, { machineId: machine.id })
  await call(cancelCommand, { id: data.items[0].id })
  expect(await shown()).toBe('in_operation')
  await answer(sent?.id, 'done')
  expect(await shown()).toBe('resume_wanted')
  await everyMinute()
  await hear('done')
  expect(await shown()).toBe('in_operation')
})

test('machines of a merchant that was stopped are told, and count as stopped once they said so', async () => {
  const { db } = world.services
  await sql`update merchant set state = 'stopped', sells_when_stopped = false where id = ${merchantId}`.execute(db)
  try {
    await everyMinute()
    await hear('done')
    const known = await sql<{ id: number; operation: string }>`select m.id, operation_shown(m, c) as operation
      from machine m join merchant c on c.id = m.merchant_id where m.id in (${machine.id}, ${away.id})
      order by m.id`.execute(db)
    expect(known.rows.map(({ operation }) => operation)).toEqual(['stopped', 'stop_wanted'])
  } finally {
    await sql`update merchant set state = 'active', sells_when_stopped = true where id = ${merchantId}`.execute(db)
  }
})

test('what a machine refused is not asked again by itself within the hour', async () => {
  await stop()
  await hear('refused')
  await everyMinute()
  expect(await asked()).toEqual(['stop_sale refused'])
  later(HOUR + 60_000)
  await everyMinute()
  expect(await asked()).toEqual(['stop_sale queued', 'stop_sale refused'])
})
