import { randomBytes, randomUUID } from 'node:crypto'
import { downTopic, upTopic } from '@aisle/contract/device/topics'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Announcement } from '../../../kernel/announce'
import type { RawMessage } from '../../../kernel/machineLink'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { empty } from '../../../testing/emptied'
import { openWorld, type World } from '../../../testing/world'
import { queueCommands } from '../command/command.store'
import { type Gateway, startGateway } from './gateway'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let machine: BuiltMachine
let gateway: Gateway
let hear: (message: RawMessage) => void
let announced: (announcement: Announcement) => void
let dropped: string[]
let sent: { topic: string; said: unknown }[]
/** A publish that the machine never sees, as when the process ends between commit and sending. */
let isDeaf = false

beforeAll(async () => {
  world = await openWorld(NOON)
})
afterAll(() => world.close())

beforeEach(async () => {
  await empty(world.services, 'merchant', 'device_message')
  const merchantId = await addMerchant(world.services.db, { parentId: await addMerchant(world.services.db) })
  machine = await addMachine(world.services.db, {
    merchantId,
    products: [await addProduct(world.services.db, { merchantId })],
  })
  sent = []
  dropped = []
  isDeaf = false
  gateway = startGateway(
    world.services,
    {
      onMessage: (handler) => {
        hear = handler
      },
      publish: (topic, text) => {
        if (!isDeaf) sent.push({ topic, said: JSON.parse(text) })
      },
      drop: (machineCode) => dropped.push(machineCode),
      isReady: () => true,
      stop: async () => undefined,
    },
    {
      hear: (listener) => {
        announced = listener
        return () => undefined
      },
    },
  )
})
afterEach(() => gateway.stop())

let seq = 0
function say(type: string, data: unknown, msgId: string = randomUUID()): string {
  seq += 1
  const at = NOON.toISOString()
  const head = { v: 1, machineId: machine.code, msgId, bootId: 'boot-1', seq, type, occurredAt: at, sentAt: at }
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const payload = Buffer.from(`${JSON.stringify({ ...head, offline: false }).slice(0, -1)},"data":${text}}`)
  hear({ topic: upTopic(machine.code, type), payload, sender: machine.code })
  return msgId
}

const acks = () =>
  sent
    .filter(({ topic }) => topic === downTopic(machine.code, 'ack'))
    .flatMap(({ said }) => (said as { acks: { msgId: string; state: string; reason?: string }[] }).acks)
const commands = () =>
  sent.filter(({ topic }) => topic === downTopic(machine.code, 'cmd')).map(({ said }) => said as { type: string })
const door = () => say('door', { door: 'front', state: 'open' })
const taken = async (msgId: string): Promise<void> => {
  await expect.poll(acks).toContainEqual({ msgId, state: 'processed' })
}

test('nesting that no machine needs is refused and holds up nobody', async () => {
  const deep = say('door', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)
  const less = say('door', `{"a":${'['.repeat(2_500)}${']'.repeat(2_500)}}`)
  await taken(door())
  for (const msgId of [deep, less]) expect(acks()).toContainEqual({ msgId, state: 'refused', reason: 'malformed' })
})

test('half a character, which the database can not keep, is refused and acknowledged as such', async () => {
  const msgId = say('door', String.raw`{"a":"\ud83d"}`)
  await taken(say('door', String.raw`{"a":"\ud83d\ude00"}`))
  expect(acks()).toContainEqual({ msgId, state: 'refused', reason: 'malformed' })
})

test('a type named like something that every object has is refused like any unknown one', async () => {
  const msgId = say('constructor', {})
  await taken(door())
  expect(acks()).toContainEqual({ msgId, state: 'refused', reason: 'unknownType' })
})

test('topics made up without end become one note and hold up nobody', async () => {
  const letters = randomBytes(8_000)
    .toString('hex')
    .replace(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)))
  for (const type of [letters, 'abc', 'abd']) {
    hear({ topic: upTopic(machine.code, type), payload: Buffer.from('{}'), sender: machine.code })
  }
  await taken(door())
  const noted = await sql<{ count: number }>`select count from device_refusal where machine_id = ${machine.id}`.execute(
    world.services.db,
  )
  expect(noted.rows.map((row) => row.count)).toEqual([3])
})

const queueStop = () =>
  world.services.db.transaction().execute((tx) => {
    const { id, merchantId } = machine
    const command = { id: randomUUID(), merchantId, machineId: id, type: 'stop_sale' as const, data: {} }
    return queueCommands(tx, [{ ...command, reason: null, createdBy: null }], NOON)
  })

test('news of commands without machine ids, as after a lost connection, means any machine', async () => {
  await queueStop()
  announced({ topic: 'commands', machineIds: [] })
  await expect.poll(commands).toMatchObject([{ type: 'stop_sale' }])
})

test('a payment told again, because nothing came back, brings its ship command again', async () => {
  say('order.request', { orderNo: 'G-1', method: 'wechat', items: [{ slot: 'A1' }] })
  await expect.poll(() => sent.map(({ topic }) => topic)).toContain(downTopic(machine.code, 'answer'))
  const payment = { orderNo: 'G-1', method: 'wechat', amountFen: 500, channelNo: 'W1' }
  isDeaf = true
  const msgId = say('pay.result', payment)
  await expect.poll(gateway.depth).toBe(0)
  isDeaf = false
  say('pay.result', payment, msgId)
  await expect.poll(commands).toMatchObject([{ type: 'ship', data: { orderNo: 'G-1' } }])
})

test('a machine whose secret was made anew is cut off', () => {
  announced({ topic: 'secrets', machineCode: machine.code })
  expect(dropped).toEqual([machine.code])
})
