import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIVE_CHANNEL } from '../../kernel/announce'
import { addMachine, addMerchant, type BuiltMachine } from '../../testing/builders'
import { openWorld, type World } from '../../testing/world'
import { queueCommands } from './command/command.store'
import { jobs } from './device.jobs'

const NOON = new Date('2026-11-20T04:00:00Z')
const DAY_MS = 86_400_000
let world: World
let machine: BuiltMachine

beforeAll(async () => {
  world = await openWorld(NOON)
  machine = await addMachine(world.services.db, { merchantId: await addMerchant(world.services.db), products: [] })
})
afterAll(() => world.close())

const run = (name: string) => jobs.find((job) => job.name === name)?.run(world.services, {})

function queue(createdAt: Date) {
  const { id, merchantId } = machine
  const command = { id: randomUUID(), merchantId, machineId: id, type: 'stop_sale' as const, data: {} }
  return world.services.db
    .transaction()
    .execute((tx) => queueCommands(tx, [{ ...command, reason: null, createdBy: null }], createdAt))
}

test('a command that no gateway heard of is announced again', async () => {
  const listener = new Client({ connectionString: world.url })
  await listener.connect()
  const heard: string[] = []
  listener.on('notification', ({ payload }) => heard.push(payload ?? ''))
  await listener.query(`listen ${LIVE_CHANNEL}`)
  await queue(NOON)
  await run('device.expireCommands')
  await expect
    .poll(() => heard.map((text): unknown => JSON.parse(text)))
    .toEqual([{ topic: 'commands', machineIds: [machine.id] }])
  await listener.end()
})

test('commands are kept for a hundred days', async () => {
  await sql`delete from device_command`.execute(world.services.db)
  await queue(new Date(NOON.getTime() - 101 * DAY_MS))
  await queue(new Date(NOON.getTime() - 99 * DAY_MS))
  await run('device.forgetMessages')
  const left = await sql`select 1 from device_command`.execute(world.services.db)
  expect(left.rows).toHaveLength(1)
})
