import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getDelivery, listDeliveries, replayDelivery } from '@aisle/contract/events/delivery'
import {
  addWebhook,
  disableWebhook,
  editWebhook,
  enableWebhook,
  listWebhooks,
  pauseWebhook,
  previewReplay,
  removeWebhook,
  replayWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  type Webhook,
} from '@aisle/contract/events/webhook'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addOrder, addProduct, type BuiltMachine } from '../../testing/builders'
import { empty } from '../../testing/emptied'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { publicAlone } from '../../kernel/callOut'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { numberNoted } from './log.store'
import { addFeed } from './testing.feed'
import { openLanes } from './webhook.lanes'
import { routes } from './webhook.routes'
import { takeDue } from './webhook.store'

const NOON = new Date('2026-11-20T04:00:00Z')
type Heard = { path: string; id: string; headers: IncomingMessage['headers']; body: string }
type Answer = (response: ServerResponse, request: IncomingMessage) => void

let world: World
let http: HttpWorld
let machine: BuiltMachine
let feed: number
let userId: number
let receiver: Server
let base: string
let heard: Heard[] = []
let answer: Answer

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  const merchantId = await addMerchant(db, { parentId: await addMerchant(db) })
  machine = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })] })
  feed = await addFeed(world, { merchantId })
  userId = (await addUser(db, { merchantId, grants: ['integrationConfig.*'] })).id
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      const { headers, url = '' } = request
      heard.push({ path: url, id: String(headers['webhook-id']), headers, body })
      answer(response, request)
    })
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterAll(async () => {
  receiver.closeAllConnections()
  await new Promise((done) => receiver.close(done))
  await http.close()
  await world.close()
})
beforeEach(async () => {
  world.setNow(NOON)
  heard = []
  answer = (response) => response.writeHead(204).end()
  await empty(world.services, 'webhook_endpoint', 'event_noted', 'event_log', 'outbox_message')
})

const near = { address: () => true, ip: () => true }
const call = async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  // Of now: some tests let weeks go by.
  const token = await addSession(world.services.db, userId, world.services.clock.now())
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}
/** A webhook at a path of the receiver, which only a test may set. */
const added = async (path = '/hook', kinds: string[] = []) => {
  const made = await call(addWebhook, { configId: feed, address: `https://receiver.example.com${path}`, kinds })
  expect(made.status).toBe(200)
  const { id, secret } = made.data as { id: number; secret: string }
  await sql`update webhook_endpoint set address = ${base + path} where id = ${id}`.execute(world.services.db)
  return { id, secret }
}
const pass = (ms: number) => world.setNow(new Date(world.services.clock.now().getTime() + ms))
const tell = async (allowed: Parameters<typeof openLanes>[1] = near) => {
  await numberNoted(world.services)
  const lanes = openLanes(world.services, allowed)
  await lanes.wake()
  await lanes.idle()
  await lanes.stop()
}
const shown = async (id: number) => {
  const { data } = await call(listWebhooks, { configId: feed })
  return (data.items as Webhook[]).find((each) => each.id === id)
}
const deliveries = async () =>
  (
    await sql<{ state: string; tries: number; status: number | null; problem: string | null; next: Date | null }>`
      select state, tries, status, problem, next_try_at as next from webhook_delivery order by number`.execute(
      world.services.db,
    )
  ).rows
const notices = async (type: string) => {
  const { db } = world.services
  return (await sql`select 1 from outbox_message where type = ${type}`.execute(db)).rows.length
}
const verifies = (secret: string, { id, headers, body }: Heard) => {
  const text = `${id}.${String(headers['webhook-timestamp'])}.${body}`
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(signature)
}

test('what happens is told once, signed, with the body that the log answers', async () => {
  const { id, secret } = await added()
  await addOrder(world.services.db, machine, NOON)
  await tell()
  await tell()
  expect(heard.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
    'order.paid',
    'order.dispensed',
  ])
  for (const each of heard) expect(verifies(secret, each)).toBe(true)
  expect(heard[0]?.headers['webhook-timestamp']).toBe(String(NOON.getTime() / 1000))
  expect(await shown(id)).toMatchObject({ waiting: 0, dead: 0, state: 'enabled' })
  const listed = await call(listDeliveries, { state: 'delivered' })
  const [row] = listed.data.items as { id: number; tries: number }[]
  expect(row).toMatchObject({ tries: 1 })
  const detail = await call(getDelivery, { id: row?.id })
  expect(detail.data.body).toBe(heard[1]?.body)
})

test('only the kinds that it wants, and nothing from before it was there', async () => {
  await addOrder(world.services.db, machine, NOON)
  await numberNoted(world.services)
  await added('/hook', ['order.dispensed'])
  await addOrder(world.services.db, machine, NOON)
  await tell()
  expect(heard.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual(['order.dispensed'])
})

test('while one event of an order is not taken, the next of it waits; other orders go on', async () => {
  await added()
  const first = await addOrder(world.services.db, machine, NOON)
  let refused = ''
  answer = (response, { headers }) => response.writeHead(headers['webhook-id'] === refused ? 500 : 200).end()
  await numberNoted(world.services)
  const numbered = await sql<{ number: number }>`select number from event_log order by number`.execute(
    world.services.db,
  )
  refused = `evt_${numbered.rows[0]?.number}`
  await addOrder(world.services.db, machine, NOON)
  await tell()
  const objects = () => heard.map(({ body }) => (JSON.parse(body) as { object: string }).object)
  expect(objects().filter((object) => object === `order:${first.id}`)).toHaveLength(1)
  expect(objects().filter((object) => object !== `order:${first.id}`)).toHaveLength(2)
  refused = ''
  pass(6_000)
  await tell()
  expect(heard.slice(-2).map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
    'order.paid',
    'order.dispensed',
  ])
})

test('a redirect is not followed, an endless body is cut off, a private address is never called', async () => {
  await added()
  await addOrder(world.services.db, machine, NOON)
  answer = (response) => response.writeHead(302, { location: `${base}/inside` }).end()
  await tell()
  expect(heard.every(({ path }) => path === '/hook')).toBe(true)
  expect((await deliveries())[0]).toMatchObject({ state: 'waiting', status: 302 })
  pass(10_000)
  answer = (response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const more = () => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  }
  await tell()
  const kept = await sql<{ most: number }>`select max(length(answer)) as most from webhook_delivery`.execute(
    world.services.db,
  )
  expect((await deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  expect(kept.rows[0]?.most).toBeLessThanOrEqual(500)
  heard = []
  await addOrder(world.services.db, machine, NOON)
  await tell(publicAlone)
  expect(heard).toHaveLength(0)
})

test('410 disables it, what waits is dead, and whoever runs the merchant hears of it', async () => {
  const { id } = await added()
  const { db } = world.services
  await addOrder(db, machine, NOON)
  await addOrder(db, machine, NOON)
  answer = (response) => response.writeHead(410).end()
  await tell()
  expect(await shown(id)).toMatchObject({ state: 'disabled', endedBy: 'gone', waiting: 0, dead: 4 })
  expect(await notices('webhook.ended')).toBe(1)
  heard = []
  await addOrder(db, machine, NOON)
  await tell()
  expect(heard).toHaveLength(0)
})

test('who asks to slow down has its peace so long, and then one at once until it takes something', async () => {
  await added()
  for (let n = 0; n < 5; n += 1) await addOrder(world.services.db, machine, NOON)
  answer = (response) => response.writeHead(429, { 'retry-after': '120' }).end()
  await tell()
  const tried = heard.length
  pass(119_000)
  await tell()
  expect(heard).toHaveLength(tried)
  pass(2_000)
  await tell()
  expect(heard).toHaveLength(tried + 1)
  pass(121_000)
  answer = (response) => response.writeHead(200).end()
  await tell()
  pass(400_000)
  await tell()
  expect((await deliveries()).filter(({ state }) => state === 'delivered')).toHaveLength(10)
})

test('what is never taken is a dead letter after ten tries; what waits behind it goes on', async () => {
  const { id } = await added()
  await addOrder(world.services.db, machine, NOON)
  answer = (response) => response.writeHead(400).end()
  for (const hours of [0, 0.1, 0.1, 0.6, 2.3, 6, 12, 16, 23, 27]) {
    pass(hours * 3_600_000)
    await tell()
  }
  expect((await deliveries())[0]).toMatchObject({ state: 'dead', tries: 10 })
  answer = (response) => response.writeHead(200).end()
  pass(3_600_000)
  await tell()
  expect((await deliveries()).map(({ state }) => state)).toEqual(['dead', 'delivered'])
  expect(await notices('webhook.dead')).toBe(1)
  expect(await shown(id)).toMatchObject({ dead: 1, failingSince: null })
})

test('after five failing days it is disabled', async () => {
  const { id } = await added()
  await addOrder(world.services.db, machine, NOON)
  answer = (response) => response.writeHead(500).end()
  for (let days = 0; days < 6; days += 1) {
    await tell()
    pass(26 * 3_600_000)
  }
  expect(await shown(id)).toMatchObject({ state: 'disabled', endedBy: 'failing', waiting: 0, dead: 2 })
})

test('a process that dies between call and note leaves it to be told again, under the same id', async () => {
  const { id } = await added()
  await addOrder(world.services.db, machine, NOON)
  await numberNoted(world.services)
  const taken = await takeDue(world.services.db, id, NOON)
  expect(taken).toHaveLength(1)
  await tell()
  expect(heard).toHaveLength(0)
  pass(61_000)
  await tell()
  expect(heard.map((each) => each.id)).toEqual([taken[0]?.event.id, expect.any(String)])
})

test('paused, what happens waits; resumed, it is told; who is stopped or out of date is not', async () => {
  const { id } = await added()
  const { db } = world.services
  expect((await call(pauseWebhook, { id })).status).toBe(200)
  expect((await call(pauseWebhook, { id })).code).toBe('webhook.state')
  await addOrder(db, machine, NOON)
  await tell()
  expect([heard.length, (await shown(id))?.waiting]).toEqual([0, 2])
  await call(resumeWebhook, { id })
  await sql`update merchant set state = 'stopped' where id = ${machine.merchantId}`.execute(db)
  await tell()
  await sql`update merchant set state = 'active'`.execute(db)
  await sql`update integration_config set expires_on = '2026-11-19'`.execute(db)
  await tell()
  expect(heard).toHaveLength(0)
  await sql`update integration_config set expires_on = null`.execute(db)
  await tell()
  expect(heard).toHaveLength(2)
})

test('a new secret and the one before both sign for a day', async () => {
  const { id, secret } = await added()
  const { data } = await call(rotateWebhookSecret, { id })
  const order = () => addOrder(world.services.db, machine, NOON)
  await order()
  await tell()
  expect([secret, String(data.secret)].map((each) => heard[0] && verifies(each, heard[0]))).toEqual([true, true])
  heard = []
  pass(25 * 3_600_000)
  await order()
  await tell()
  expect([secret, String(data.secret)].map((each) => heard[0] && verifies(each, heard[0]))).toEqual([false, true])
  const kept = await sql<{ text: string }>`select (select string_agg(row_to_json(e)::text, '') from webhook_endpoint e)
    || (select string_agg(row_to_json(a)::text, '') from audit_log a)
    || (select string_agg(row_to_json(i)::text, '') from idempotency_key i) as text`.execute(world.services.db)
  expect(kept.rows[0]?.text).not.toContain(secret.slice(10))
})

test('a replay tells again under the same id what its preview counted: one, what died, or all', async () => {
  const { id } = await added()
  for (let n = 0; n < 3; n += 1) await addOrder(world.services.db, machine, NOON)
  await tell()
  const ids = heard.map((each) => each.id)
  const told = async () => {
    heard = []
    await tell()
    return heard.map((each) => each.id)
  }
  const listed = await call(listDeliveries, { event: ids[0] })
  const [one] = listed.data.items as { id: number }[]
  expect((await call(replayDelivery, { id: one?.id })).status).toBe(200)
  expect((await call(replayDelivery, { id: one?.id })).code).toBe('delivery.waiting')
  expect(await told()).toEqual([ids[0]])
  expect((await call(replayWebhook, { id, scope: 'dead' })).code).toBe('webhook.nothing')
  const { data } = await call(previewReplay, { id, scope: 'all' })
  expect(data).toMatchObject({
    count: 6,
    kinds: [
      { kind: 'order.dispensed', count: 3 },
      { kind: 'order.paid', count: 3 },
    ],
  })
  expect((await call(previewReplay, { id, scope: 'all', to: '2026-11-19' })).data).toMatchObject({ count: 0 })
  expect((await call(replayWebhook, { id, scope: 'all', from: '2026-11-20' })).data).toMatchObject({ count: 6 })
  expect((await told()).sort()).toEqual([...ids].sort())
  await call(disableWebhook, { id })
  await addOrder(world.services.db, machine, NOON)
  await numberNoted(world.services)
  expect((await call(replayWebhook, { id, scope: 'all' })).code).toBe('webhook.state')
  await call(enableWebhook, { id })
  expect((await call(previewReplay, { id, scope: 'all' })).data).toMatchObject({ count: 8 })
})

test('it is set up once an address, never inside a network, and goes with what it was told', async () => {
  const address = 'https://receiver.example.com/hook'
  const first = await call(addWebhook, { configId: feed, address })
  expect((await call(addWebhook, { configId: feed, address })).code).toBe('webhook.exists')
  expect((await call(addWebhook, { configId: feed, address: 'http://10.0.0.1/' })).code).toBe('request.invalid')
  const { id } = first.data
  expect((await call(editWebhook, { id, version: 1, address: `${address}/2`, kinds: ['order.paid'] })).status).toBe(200)
  expect((await call(editWebhook, { id, version: 1, address, kinds: [] })).code).toBe('edit.stale')
  const { db } = world.services
  await sql`update integration_config set interface_type = 'pull'`.execute(db)
  expect((await call(addWebhook, { configId: feed, address })).code).toBe('webhook.pullOnly')
  await sql`update integration_config set interface_type = 'both'`.execute(db)
  expect((await call(removeWebhook, { id })).status).toBe(200)
  expect((await call(listWebhooks, { configId: feed })).data).toEqual({ items: [] })
})

test('a receiver that never answers or is dead keeps nobody waiting; none is lost, in order', async () => {
  const EVENTS = 300
  const hung: ServerResponse[] = []
  for (let n = 0; n < 10; n += 1) await added(`/r${n}`)
  answer = (response, { url }) => {
    if (url === '/r0') hung.push(response)
    else response.writeHead(url === '/r1' ? 500 : 200).end()
  }
  for (let n = 0; n < EVENTS / 2; n += 1) await addOrder(world.services.db, machine, NOON)
  await numberNoted(world.services)
  const lanes = openLanes(world.services, near)
  await lanes.wake()
  const healthy = () => heard.filter(({ path }) => path !== '/r0' && path !== '/r1')
  await expect.poll(() => healthy().length, { timeout: 30_000 }).toBe(8 * EVENTS)
  expect(hung.length).toBeGreaterThan(0)
  for (const response of hung) response.destroy()
  await lanes.stop()
  for (let n = 2; n < 10; n += 1) {
    const events = healthy().filter(({ path }) => path === `/r${n}`)
    expect(new Set(events.map(({ id }) => id)).size).toBe(EVENTS)
    const last = new Map<string, number>()
    for (const { id, body } of events) {
      const { object } = JSON.parse(body) as { object: string }
      expect(Number(id.slice(4))).toBeGreaterThan(last.get(object) ?? 0)
      last.set(object, Number(id.slice(4)))
    }
  }
})
