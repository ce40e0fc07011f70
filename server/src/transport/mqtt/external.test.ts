import { randomUUID } from 'node:crypto'
import { connect as connectTcp, createServer } from 'node:net'
import type { Ack } from '@aisle/contract/device/messages'
import { downTopic, upTopic } from '@aisle/contract/device/topics'
import { Aedes } from 'aedes'
import { sql } from 'kysely'
import mqtt, { type MqttClient } from 'mqtt'
import { afterEach, expect, test } from 'vitest'
import { startGateway } from '../../features/device/link/gateway'
import { addMachine, addMerchant, addProduct } from '../../testing/builders'
import { takeTurns } from '../../db/turn'
import { freshDatabase } from '../../db/testing'
import { openWorld } from '../../testing/world'
import { startBus } from '../live/bus'
import { openExternalBroker } from './external'

const BROKER = process.env.AISLE_TEST_MQTT_URL ?? 'mqtt://127.0.0.1:1883'

/** A broker on its standard port is used where there is one; nothing of the product needs it. */
const hasBroker = await new Promise<boolean>((resolve) => {
  const { hostname, port } = new URL(BROKER)
  const socket = connectTcp({ host: hostname, port: Number(port || 1883) })
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  socket.once('connect', () => socket.end())
})

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})
/** A connection that breaks is opened again, and the facts below hold all the same. */
const ignore = () => undefined

async function openGatewayLink() {
  const link = await openExternalBroker(BROKER, ignore)
  closers.push(link.stop)
  const heard: string[] = []
  link.onMessage(({ topic }) => heard.push(topic))
  await expect.poll(link.isReady).toBe(true)
  return { link, heard }
}

async function openMachine(url = BROKER): Promise<MqttClient> {
  const client = await mqtt.connectAsync(url, { clientId: randomUUID(), reconnectPeriod: 0 })
  client.on('error', ignore)
  closers.push(() => client.endAsync())
  return client
}

test.skipIf(!hasBroker)('two gateways on a broker of others share what machines say: each message once', async () => {
  const gateways = [await openGatewayLink(), await openGatewayLink()]
  const machine = await openMachine()
  const code = `T${randomUUID().slice(0, 8)}`
  const ours = () => gateways.map(({ heard }) => heard.filter((topic) => topic.includes(code)).length)
  // Until both subscriptions stand, the first words are lost; said again until one is heard.
  await expect
    .poll(async () => {
      await machine.publishAsync(upTopic(code, 'log'), '{}', { qos: 1 })
      return ours().every((count) => count > 0)
    })
    .toBe(true)
  const before = ours().reduce((sum, count) => sum + count, 0)
  for (let i = 0; i < 40; i += 1) await machine.publishAsync(upTopic(code, 'log'), '{}', { qos: 1 })
  await expect.poll(() => ours().reduce((sum, count) => sum + count, 0) - before).toBe(40)
})

test.skipIf(!hasBroker)('a sale told over a broker of others is durable, acknowledged and counted once', async () => {
  const world = await openWorld(new Date('2026-11-20T04:00:00Z'))
  closers.push(world.close)
  const { db, log } = world.services
  const merchantId = await addMerchant(db, { parentId: await addMerchant(db) })
  const built = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })] })
  const code = `T${randomUUID().replaceAll('-', '').slice(0, 12)}`
  await sql`update machine set code = ${code} where id = ${built.id}`.execute(db)
  const bus = await startBus(world.url, log)
  closers.push(bus.stop)
  for (let i = 0; i < 2; i += 1) {
    const link = await openExternalBroker(BROKER, ignore)
    const gateway = startGateway(world.services, link, bus)
    closers.push(gateway.stop, link.stop)
    await expect.poll(link.isReady).toBe(true)
  }
  const machine = await openMachine()
  const acks: Ack[] = []
  machine.on('message', (_, payload) => acks.push(...JSON.parse(payload.toString()).acks))
  await machine.subscribeAsync(downTopic(code, 'ack'), { qos: 1 })
  const at = world.services.clock.now().toISOString()
  const times = { occurredAt: at, sentAt: at, offline: false }
  const items = [{ slot: 'A1', product: built.slots[0]?.productCode ?? '', priceFen: 500, ok: true }]
  const sale = {
    v: 1,
    machineId: code,
    msgId: randomUUID(),
    bootId: 'boot-1',
    seq: 1,
    type: 'sale',
    ...times,
    data: { orderNo: 'S-1', method: 'cash', paidFen: 500, items },
  }
  // Said until it is acknowledged, as a machine does; the other gateway may take the next copy.
  const saidUntil = async (state: Ack['state']) => {
    await expect
      .poll(async () => {
        await machine.publishAsync(upTopic(code, 'sale'), JSON.stringify(sale), { qos: 1 })
        return acks.some((ack) => ack.msgId === sale.msgId && ack.state === state)
      })
      .toBe(true)
  }
  await saidUntil('processed')
  await saidUntil('duplicate')
  const orders = await sql<{ count: number }>`select count(*) as count from orders`.execute(db)
  expect(orders.rows[0]?.count).toBe(1)
})

/** A broker that knows nothing of sharing: the one named (NATS was tried), else a bare one of this process. */
async function openPlainBroker(): Promise<string> {
  const named = process.env.AISLE_TEST_PLAIN_MQTT_URL
  if (named) return named
  const broker = await Aedes.createBroker()
  const server = createServer(broker.handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    await new Promise<void>((resolve) => broker.close(resolve))
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  return `mqtt://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

test('on a broker that cannot share, one gateway listens until it is gone, and then the next one', async () => {
  const url = await openPlainBroker()
  const database = await freshDatabase()
  closers.push(database.drop)
  const code = `T${randomUUID().slice(0, 8)}`
  const heard: string[] = []
  const open = async (name: string) => {
    const link = await openExternalBroker(url, ignore, (turn) => takeTurns(database.url, 1, turn))
    link.onMessage(({ topic }) => topic.includes(code) && heard.push(name))
    await expect.poll(link.isReady).toBe(true)
    return link
  }
  const machine = await openMachine(url)
  const say = () => machine.publishAsync(upTopic(code, 'log'), '{}', { qos: 1 })
  const saidUntil = async (name: string) => {
    await expect
      .poll(async () => {
        await say()
        return heard.at(-1)
      })
      .toBe(name)
  }
  const first = await open('first')
  await saidUntil('first')
  const second = await open('second')
  closers.push(() => second.stop())
  for (let i = 0; i < 20; i += 1) await say()
  expect(new Set(heard)).toEqual(new Set(['first']))
  await first.stop()
  await saidUntil('second')
})
