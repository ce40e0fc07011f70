import { randomUUID } from 'node:crypto'
import { touchSession } from '../../features/identity/public'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { BEAT_MS } from '@aisle/contract/kernel/beat'
import { endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { type Announcement, announce } from '../../kernel/announce'
import { runCommand } from '../../kernel/command'
import { command } from '../../kernel/route'
import { hashToken } from '../../kernel/token'
import { openPool, type Pool } from '../../db/pool'
import { addMachine, addMerchant, addProduct } from '../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { openWorld, type World } from '../../testing/world'
import { createApp } from '../http/app'
import { sessionReader } from '../http/session'
import { type RunningBus, startBus } from './bus'
import { startLive } from './live'
import { mountSockets } from './mount'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let pool: Pool
let bus: RunningBus
let family: Family
let address: string
let stop: () => Promise<void>

beforeAll(async () => {
  world = await openWorld(NOON)
  family = await addFamily(world.services.db, NOON)
  pool = openPool(world.url, 3, () => undefined)
  bus = await startBus(world.url, world.services.log)
  const app = createApp(pino({ level: 'silent' }))
  const readSession = sessionReader(pool.raw, world.services.log, touchSession(pool.db))
  const live = startLive({ services: world.services, bus, readSession })
  await mountSockets(app, [live.route])
  await app.listen({ host: '127.0.0.1', port: 0 })
  address = `127.0.0.1:${(app.server.address() as AddressInfo).port}`
  stop = async () => {
    live.stop()
    await app.close()
  }
})
afterAll(async () => {
  await stop()
  await bus.stop()
  await pool.close()
  await world.close()
})

type Frame = { topic: string; at?: string; code?: string; kinds?: string[] }
type Client = { socket: WebSocket; frames: Frame[]; next: () => Promise<Frame>; closed: Promise<number> }

function connect(options: { origin?: string } = {}): Client {
  const socket = new WebSocket(`ws://${address}/ws/live`, options)
  const frames: Frame[] = []
  const waiting: ((frame: Frame) => void)[] = []
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Frame
    if (frame.topic === 'beat') return
    const taker = waiting.shift()
    if (taker) taker(frame)
    else frames.push(frame)
  })
  const next = () => {
    const known = frames.shift()
    return known ? Promise.resolve(known) : new Promise<Frame>((taker) => waiting.push(taker))
  }
  const closed = once(socket, 'close').then(([code]) => Number(code))
  return { socket, frames, next, closed }
}

async function enter(user: Parameters<typeof addUser>[1]): Promise<Client & { token: string }> {
  const made = await addUser(world.services.db, user)
  const token = await addSession(world.services.db, made.id, world.services.clock.now())
  const client = connect()
  await once(client.socket, 'open')
  client.socket.send(JSON.stringify({ token }))
  expect((await client.next()).topic).toBe('ready')
  return { ...client, token }
}

/** Done once it was heard here: only then may the clock go on. */
async function say(announcement: Announcement): Promise<void> {
  const heard = new Promise<void>((done) => {
    const stopHearing = bus.hear(() => {
      stopHearing()
      done()
    })
  })
  await announce(world.services.db, announcement)
  await heard
}
const orders = (...machineIds: number[]) => say({ topic: 'orders', machineIds })
const machineOf = (branch: 'ours' | 'theirs') => family[branch].machines[0]?.id ?? 0
let minutes = 0
/** Past every second in which frames are held back. */
const later = () => {
  minutes += 1
  world.setNow(new Date(NOON.getTime() + minutes * 60_000))
}

test('people hear of the machines in their sight and of no others', async () => {
  const ours = await enter({ merchantId: family.ours.merchantId })
  const theirs = await enter({ merchantId: family.theirs.merchantId })
  const operator = await enter({
    merchantId: family.ours.merchantId,
    kind: 'ordinary',
    machineIds: [machineOf('ours')],
  })
  const platform = await enter({ merchantId: family.platformId, kind: 'platform_admin' })
  later()
  await orders(machineOf('theirs'))
  later()
  await say({ topic: 'machines', machineIds: [machineOf('ours')] })
  // What came second is the first that ours hears, so the first never came.
  expect((await ours.next()).topic).toBe('machines')
  expect((await operator.next()).topic).toBe('machines')
  expect((await theirs.next()).topic).toBe('orders')
  expect([(await platform.next()).topic, (await platform.next()).topic]).toEqual(['orders', 'machines'])
  expect(theirs.frames).toEqual([])
})

test('who is shown a machine hears of it from then on, without signing in anew', async () => {
  const { db } = world.services
  const operator = await enter({ merchantId: family.ours.merchantId, kind: 'ordinary', machineIds: [] })
  later()
  await orders(machineOf('ours'))
  await sql`insert into machine_grant_user (machine_id, user_id, granted_at)
    select ${machineOf('ours')}, max(id), ${NOON} from app_user`.execute(db)
  await say({ topic: 'sight' })
  expect((await operator.next()).topic).toBe('machines')
  later()
  await orders(machineOf('ours'))
  expect((await operator.next()).topic).toBe('orders')
})

test('who comes in hears of what was said since they heard last, and of nothing older', async () => {
  const ours = await enter({ merchantId: family.ours.merchantId })
  later()
  await orders()
  world.setNow(new Date(world.services.clock.now().getTime() + 3_000))
  const comesIn = async (unheardMs: number) => {
    const client = connect()
    await once(client.socket, 'open')
    client.socket.send(JSON.stringify({ token: ours.token, unheardMs }))
    expect((await client.next()).topic).toBe('ready')
    return client
  }
  expect((await (await comesIn(4_000)).next()).topic).toBe('orders')
  const inTime = await comesIn(1_000)
  later()
  await say({ topic: 'machines', machineIds: [] })
  expect((await inTime.next()).topic).toBe('machines')
})

test('who was away for longer than the server runs is told to look at everything again', async () => {
  const { token } = await enter({ merchantId: family.ours.merchantId })
  const client = connect()
  await once(client.socket, 'open')
  client.socket.send(JSON.stringify({ token, unheardMs: 24 * 3_600_000 }))
  expect((await client.next()).topic).toBe('ready')
  const heard = []
  for (let i = 0; i < 6; i += 1) heard.push(await client.next())
  expect(heard.map(({ topic }) => topic)).toEqual(['orders', 'machines', 'commands', 'messages', 'changes', 'rights'])
  expect(heard.find(({ topic }) => topic === 'changes')?.kinds).toEqual([])
})

test('who sees a machine of another merchant hears of what people change there, and of nothing elsewhere', async () => {
  const { db } = world.services
  const below = await addMerchant(db, { parentId: family.ours.merchantId })
  const { id } = await addMachine(db, { merchantId: below, products: [await addProduct(db, { merchantId: below })] })
  const operator = await enter({ merchantId: family.ours.merchantId, kind: 'ordinary', machineIds: [id] })
  const stranger = await enter({ merchantId: family.ours.merchantId, kind: 'ordinary', machineIds: [] })
  later()
  await say({ topic: 'changes', kinds: ['repairOrder'], merchantIds: [below], above: [] })
  expect(await operator.next()).toMatchObject({ topic: 'changes', kinds: ['repairOrder'] })
  expect(stranger.frames).toEqual([])
})

test('a sale is news for orders and machines; no machine named means any', async () => {
  const ours = await enter({ merchantId: family.ours.merchantId })
  later()
  await say({ topic: 'sales', machineIds: [machineOf('ours')], merchantIds: [], newest: [] })
  expect([await ours.next(), await ours.next()].map(({ topic }) => topic)).toEqual(['orders', 'machines'])
  later()
  await orders()
  expect((await ours.next()).topic).toBe('orders')
})

test('many announcements in a second are one frame, and none is forgotten', async () => {
  const ours = await enter({ merchantId: family.ours.merchantId })
  later()
  for (let i = 0; i < 20; i += 1) await orders(machineOf('ours'))
  await say({ topic: 'machines', machineIds: [machineOf('ours')] })
  expect([await ours.next(), await ours.next()].map(({ topic }) => topic)).toEqual(['orders', 'machines'])
  expect(ours.frames).toEqual([])
  later()
  expect((await ours.next()).topic).toBe('orders')
})

test('news of messages reaches whom it names; nobody named means everybody', async () => {
  const ours = await enter({ merchantId: family.ours.merchantId })
  const other = await enter({ merchantId: family.ours.merchantId })
  const { rows } = await sql<{ id: number }>`select max(id) as id from app_user`.execute(world.services.db)
  const newest = rows[0]?.id ?? 0
  await say({ topic: 'messages', userIds: [newest] })
  expect((await other.next()).topic).toBe('messages')
  later()
  await say({ topic: 'messages', userIds: [] })
  expect([(await ours.next()).topic, (await other.next()).topic]).toEqual(['messages', 'messages'])
})

const touch = endpoint({
  name: 'test.touch',
  method: 'POST',
  path: '/api/touch',
  access: 'session',
  writes: true,
  input: z.strictObject({ merchantIds: z.array(z.int()) }),
  output: z.object({}),
  summary: 'Audits one thing of each merchant',
})

/** A person's write through the kernel, whose audit rows are of these merchants. */
async function write(...merchantIds: number[]): Promise<void> {
  const { services } = world
  const user = await addUser(services.db, { merchantId: family.platformId, kind: 'platform_admin' })
  const token = await addSession(services.db, user.id, services.clock.now())
  const actor = await sessionReader(pool.raw, services.log, touchSession(pool.db))(
    hashToken(token),
    services.clock.now(),
    false,
  )
  const about = { language: 'zh', traceId: 't', ip: '', agent: '', origin: '', deviceCookie: null } as const
  const ctx = { ...about, services, db: services.db, now: services.clock.now, keepDevice: () => undefined, actor }
  const route = command(touch, async ({ audit }, input) => {
    for (const merchantId of input.merchantIds) {
      await audit({ merchantId, objectKind: 'thing', objectId: merchantId, before: null, after: null })
    }
    return {}
  })
  await runCommand(route as Parameters<typeof runCommand>[0], ctx, { merchantIds }, randomUUID())
}

test("a command's changes are heard where its rows are in sight: the merchant, those above, the platform", async () => {
  const { services } = world
  const childId = await addMerchant(services.db, { parentId: family.ours.merchantId })
  const above = await enter({ merchantId: family.ours.merchantId })
  const own = await enter({ merchantId: childId })
  const aboveOrdinary = await enter({ merchantId: family.ours.merchantId, kind: 'ordinary' })
  const theirs = await enter({ merchantId: family.theirs.merchantId })
  const platform = await enter({ merchantId: family.platformId, kind: 'platform_admin' })
  later()
  await write(childId, childId)
  for (const client of [above, own, platform]) {
    expect(await client.next()).toMatchObject({ topic: 'changes', kinds: ['thing'] })
  }
  later()
  await say({
    topic: 'changes',
    kinds: ['other'],
    merchantIds: [family.theirs.merchantId, family.ours.merchantId],
    above: [],
  })
  // The first that they hear is the second, so the first never came.
  for (const client of [theirs, aboveOrdinary]) {
    expect(await client.next()).toMatchObject({ topic: 'changes', kinds: ['other'] })
  }
})

test('kinds that change within a second are one frame; no kind named means any, for everybody', async () => {
  const ours = await enter({ merchantId: family.ours.merchantId })
  const changes = (...kinds: string[]) =>
    say({ topic: 'changes', kinds, merchantIds: [family.ours.merchantId], above: [] })
  later()
  await changes('user')
  expect((await ours.next()).kinds).toEqual(['user'])
  await changes('role', 'user')
  await changes('merchant', 'role')
  later()
  expect((await ours.next()).kinds).toEqual(['role', 'user', 'merchant'])
  later()
  await say({ topic: 'changes', kinds: [], merchantIds: [], above: [] })
  expect((await ours.next()).kinds).toEqual([])
})

test('a page hears something every few seconds, also while nothing happens', async () => {
  const socket = new WebSocket(`ws://${address}/ws/live`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ token: (await enter({ merchantId: family.ours.merchantId })).token }))
  const heard: string[] = []
  socket.on('message', (data) => heard.push((JSON.parse(String(data)) as Frame).topic))
  await expect.poll(() => heard, { timeout: 4 * BEAT_MS }).toEqual(expect.arrayContaining(['beat', 'beat']))
  socket.close()
})

test('an ended session is told so and closed', async () => {
  const ours = await enter({ merchantId: family.ours.merchantId })
  await say({ topic: 'session', tokenHash: hashToken(ours.token).toString('hex'), code: 'B1000' })
  expect(await ours.next()).toEqual({ topic: 'session', code: 'B1000' })
  expect(await ours.closed).toBe(4401)
})

test('without a good token nobody listens', async () => {
  for (const first of [JSON.stringify({ token: 'x'.repeat(43) }), 'not JSON', '{}', '[]']) {
    const client = connect()
    await once(client.socket, 'open')
    client.socket.send(first)
    expect(await client.closed).toBe(4401)
  }
})

test("another site's page is turned away", async () => {
  expect(await connect({ origin: 'https://elsewhere.example' }).closed).toBe(1008)
  const own = connect({ origin: `http://${address}` })
  await once(own.socket, 'open')
  own.socket.close()
  expect(await own.closed).toBe(1005)
})

test('a bus that lost its connection finds it again, and everybody looks again', async () => {
  const ours = await enter({ merchantId: family.ours.merchantId })
  const topics = new Set<string>()
  const unhear = bus.hear(({ topic }) => void topics.add(topic))
  later()
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query like 'listen%' and datname = current_database()`.execute(world.services.db)
  const all = ['orders', 'machines', 'commands', 'messages', 'changes']
  const told: string[] = []
  while (told.length < all.length) told.push((await ours.next()).topic)
  unhear()
  expect(told.sort()).toEqual(all.sort())
  // Wallboards hear nothing but this and sales.
  expect(topics).toContain('boards')
  later()
  await orders(machineOf('ours'))
  expect((await ours.next()).topic).toBe('orders')
})

test('a frame that is too long ends the socket, not the server', async () => {
  const client = connect()
  await once(client.socket, 'open')
  client.socket.send('x'.repeat(20_000))
  expect(await client.closed).toBe(1009)
})
