import { randomUUID } from 'node:crypto'
import { downTopic, upTopic } from '@aisle/contract/device/topics'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RawMessage } from '../../../kernel/machineLink'
import { addMachine, addMerchant, type BuiltMachine } from '../../../testing/builders'
import { empty } from '../../../testing/emptied'
import { openWorld, type World } from '../../../testing/world'
import { queueCommands } from '../command/command.store'
import { jobs as deviceJobs } from '../device.jobs'
import { type Gateway, startGateway } from '../link/gateway'
import { jobs as owedJobs } from './owed.jobs'

const NOON = new Date('2026-11-20T04:00:00Z')
const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR
type Told = { cmdId: string; type: string; data: Record<string, unknown> }
let world: World
let machine: BuiltMachine
let gateway: Gateway
let hear: (message: RawMessage) => void
/** Commands that went down to the machine. */
let told: Told[]

beforeAll(async () => {
  world = await openWorld(NOON)
})
afterAll(() => world.close())

beforeEach(async () => {
  world.setNow(NOON)
  told = []
  await empty(world.services, 'merchant', 'device_message', 'graphile_worker._private_jobs')
  machine = await addMachine(world.services.db, { merchantId: await addMerchant(world.services.db), products: [] })
  gateway = startGateway(
    world.services,
    {
      onMessage: (handler) => {
        hear = handler
      },
      publish: (topic, text) => {
        if (topic === downTopic(machine.code, 'cmd')) told.push(JSON.parse(text))
      },
      drop: () => undefined,
      isReady: () => true,
      stop: async () => undefined,
    },
    { hear: () => () => undefined },
  )
})
afterEach(() => gateway.stop())

let seq = 0
/** Said, and taken in with all that follows from it. */
async function say(type: string, data: Record<string, unknown>): Promise<void> {
  seq += 1
  const at = world.services.clock.now().toISOString()
  const said = { v: 1, machineId: machine.code, msgId: randomUUID(), bootId: 'boot-1', seq, type, data }
  const payload = Buffer.from(JSON.stringify({ ...said, occurredAt: at, sentAt: at, offline: false }))
  hear({ topic: upTopic(machine.code, type), payload, sender: machine.code })
  await expect.poll(gateway.depth).toBe(0)
}
const comeBack = () => say('presence', { online: true })
const answer = (cmdId: string, state: string) => say('cmd.ack', { cmdId, state })
const later = (ms: number) => world.setNow(new Date(world.services.clock.now().getTime() + ms))
const runJob = (name: string) =>
  [...owedJobs, ...deviceJobs].find((job) => job.name === name)?.run(world.services, {}) ?? Promise.reject(name)
const tell = () => runJob('device.tellSettings')
const want = (mode: string) =>
  sql`update machine set licence_mode = ${mode} where id = ${machine.id}`.execute(world.services.db)

const commands = async () =>
  (
    await sql<{ said: string }>`select (data ->> 'mode') || ' ' || state as said from device_command
      where machine_id = ${machine.id} and type = 'set_license_mode' order by seq`.execute(world.services.db)
  ).rows.map(({ said }) => said)
const modes = () => told.map(({ data }) => data.mode)
const newest = () => told.at(-1)?.cmdId ?? ''

test('a mode whose command expired is told again when the machine is back, until it was taken over', async () => {
  await want('retail')
  await tell()
  later(WEEK + HOUR)
  await runJob('device.expireCommands')
  expect(await commands()).toEqual(['retail expired'])
  await comeBack()
  expect(modes()).toEqual(['retail'])
  await answer(newest(), 'done')
  await comeBack()
  await tell()
  expect(await commands()).toEqual(['retail expired', 'retail done'])
})

test('while a command is under way there is no second one, however often the machine comes back', async () => {
  await want('retail')
  await tell()
  await comeBack()
  await comeBack()
  await answer(newest(), 'received')
  await comeBack()
  await tell()
  expect(await commands()).toEqual(['retail received'])
  // Said again each time until it was received, under the same number.
  expect(new Set(told.map(({ cmdId }) => cmdId)).size).toBe(1)
})

test('two gateways that hear of the same machine at once offer it once', async () => {
  await want('hospital')
  await Promise.all([tell(), comeBack(), tell(), tell()])
  expect(await commands()).toHaveLength(1)
})

test('a mode that changed again takes the place of what nobody has taken yet', async () => {
  await want('retail')
  await tell()
  await comeBack()
  await want('hospital')
  await tell()
  expect(await commands()).toEqual(['retail cancelled', 'hospital queued'])
  await want('none')
  await tell()
  await comeBack()
  // It may have heard one of the others, so what it was installed with is said, too.
  expect(await commands()).toEqual(['retail cancelled', 'hospital cancelled', 'none sent'])
})

test('a mode that changed while the machine took over the last one follows as soon as that has ended', async () => {
  await want('retail')
  await tell()
  await comeBack()
  await answer(newest(), 'received')
  await want('hospital')
  await tell()
  expect(await commands()).toEqual(['retail received'])
  await answer(newest(), 'done')
  const asked = await sql`select 1 from graphile_worker.jobs
    where task_identifier = 'device.tellSettings'`.execute(world.services.db)
  expect(asked.rows).toHaveLength(1)
  await tell()
  expect(await commands()).toEqual(['retail done', 'hospital queued'])
})

test('what a machine refused is asked again, but not more than once an hour', async () => {
  await want('retail')
  await tell()
  await comeBack()
  await answer(newest(), 'refused')
  await comeBack()
  expect(await commands()).toEqual(['retail refused'])
  later(HOUR + 1)
  await comeBack()
  expect(await commands()).toEqual(['retail refused', 'retail sent'])
})

test('what was done after its command had expired counts', async () => {
  await want('retail')
  await tell()
  await comeBack()
  const cmdId = newest()
  later(WEEK + HOUR)
  await runJob('device.expireCommands')
  await answer(cmdId, 'done')
  await comeBack()
  expect(await commands()).toEqual(['retail expired'])
})

test('a machine that was away for longer than its stop waited hears of it when it is back, once', async () => {
  const stop = { id: randomUUID(), merchantId: machine.merchantId, machineId: machine.id, type: 'stop_sale' as const }
  await sql`update machine set operation = 'stopped' where id = ${machine.id}`.execute(world.services.db)
  await world.services.db
    .transaction()
    .execute((tx) => queueCommands(tx, [{ ...stop, data: {}, reason: 'Rebuilding', createdBy: null }], NOON))
  later(WEEK + HOUR)
  await runJob('device.expireCommands')
  await comeBack()
  expect(told.map(({ type }) => type)).toEqual(['stop_sale'])
  expect(newest()).not.toBe(stop.id)
  await answer(newest(), 'done')
  await comeBack()
  expect(told).toHaveLength(1)
})

test('how a machine hands out is told to it, and what it goes by is what it said', async () => {
  const { db } = world.services
  const goesBy = async () =>
    (await sql<{ told: unknown }>`select flags_told as told from machine where id = ${machine.id}`.execute(db)).rows[0]
      ?.told
  await comeBack()
  expect(told).toEqual([])
  await sql`update machine set ships_after_jam = true where id = ${machine.id}`.execute(db)
  await comeBack()
  const flags = { shipsAfterJam: true, shipsDirectly: false }
  expect(told.map(({ type, data }) => ({ type, data }))).toEqual([{ type: 'set_flags', data: flags }])
  expect(await goesBy()).toEqual({ shipsAfterJam: false, shipsDirectly: false })
  await answer(newest(), 'done')
  expect(await goesBy()).toEqual(flags)
})
