import {
  addBooking,
  endBooking,
  getBooking,
  listBookings,
  pauseBooking,
  previewBooking,
  resumeBooking,
} from '@aisle/contract/advert/booking'
import { withdrawCreative } from '@aisle/contract/advert/creative'
import { listProof } from '@aisle/contract/advert/proof'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type Answer, type HttpWorld, openHttp, statusAndCode } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { ingest } from '../device/link/ingest'
import { spoken } from '../device/testing'
import { routes } from './advert.routes'
import { countPlays } from './count.store'
import { mp4 } from './media.testing'
import { tellMachines } from './tell.commands'
import { liveCreative } from './testing'

/** Noon of a machine in Shanghai. */
const NOON = new Date('2026-11-20T04:00:00Z')
const HOUR_MS = 3_600_000
let world: World
let http: HttpWorld
let platformId: number
let merchantId: number
let user: { token: string }
let creativeId: number
let machines: [BuiltMachine, BuiltMachine]
let names = 0
let seq = 0

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  platformId = await addMerchant(world.services.db)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

beforeEach(async () => {
  const { db } = world.services
  world.setNow(NOON)
  merchantId = await addMerchant(db, { parentId: platformId })
  const signIn = async () => {
    const { id } = await addUser(db, { merchantId, grants: ['*'] })
    return { token: await addSession(db, id, NOON) }
  }
  user = await signIn()
  machines = [await addMachine(db, { merchantId, products: [] }), await addMachine(db, { merchantId, products: [] })]
  creativeId = await liveCreative(http, mp4({ seconds: 10 }), user, await signIn())
})

const dataOf = (answer: Answer) => answer.body.data as Record<string, unknown>

function said(changes: Record<string, unknown> = {}) {
  names += 1
  return {
    name: `Booking ${names}`,
    advertiser: 'Spring Water',
    creativeIds: [creativeId],
    startsOn: '2026-11-20',
    endsOn: '2026-11-30',
    fromHour: 8,
    toHour: 20,
    playsPerHour: 60,
    priceKind: 'play',
    priceFen: 10,
    ...changes,
  }
}
const book = async (changes: Record<string, unknown> = {}) =>
  Number(dataOf(await http.call(addBooking, said(changes), user)).id)
const tell = () => tellMachines(world.services)
const detail = async (id: number) => dataOf(await http.call(getBooking, { id }, user))

type Pushed = { id: string; state: string; data: { version: number; ads: Record<string, unknown>[] } }
async function pushes(machine: BuiltMachine): Promise<Pushed[]> {
  const found = await sql<Pushed>`select id, state, data from device_command
    where machine_id = ${machine.id} and type = 'push_ads' order by seq`.execute(world.services.db)
  return found.rows
}

const say = (machine: BuiltMachine, type: string, data: Record<string, unknown>) => {
  seq += 1
  return ingest(world.services, [spoken(world, machine.code, seq, type, data)])
}

async function answer(machine: BuiltMachine, state: string, detailWord?: string): Promise<void> {
  const last = (await pushes(machine)).at(-1)
  await say(machine, 'cmd.ack', { cmdId: last?.id, state, ...(detailWord ? { detail: detailWord } : {}) })
}

const moveTo = (machine: BuiltMachine, kind: string) =>
  sql`update point set kind = ${kind} where id = (select point_id from machine where id = ${machine.id})`.execute(
    world.services.db,
  )

test('what is booked is sent with all that a machine needs, once, and is taken when the machine says so', async () => {
  const id = await book()
  await tell()
  await tell()
  const [first, ...others] = await pushes(machines[0])
  expect(others).toEqual([])
  expect(first?.data.version).toBe(1)
  expect(first?.data.ads).toEqual([
    {
      ad: `${id}-${creativeId}`,
      url: expect.stringMatching(/^\/files\/[\w-]{43}$/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      bytes: mp4({ seconds: 10 }).length,
      media: 'mp4',
      seconds: 10,
      from: '2026-11-20',
      to: '2026-11-30',
      fromHour: 8,
      toHour: 20,
      playsPerHour: 60,
    },
  ])
  expect(await detail(id)).toMatchObject({ state: 'running', machines: 2, problems: ['notTaken'] })
  await answer(machines[0], 'done')
  await answer(machines[1], 'failed', 'checksumDiffers')
  const { atMachines, problems } = await detail(id)
  expect(problems).toEqual(['failed'])
  expect(atMachines).toEqual([
    expect.objectContaining({ code: machines[1].code, problem: 'failed', detail: 'checksumDiffers', reported: null }),
    expect.objectContaining({ code: machines[0].code, problem: null, reported: 1, wanted: 1 }),
  ])
  await tell()
  expect(await pushes(machines[1])).toHaveLength(1)
  world.setNow(new Date(NOON.getTime() + 2 * HOUR_MS))
  await tell()
  expect((await pushes(machines[1])).map(({ data }) => data.version)).toEqual([1, 1])
  expect(await pushes(machines[0])).toHaveLength(1)
})

test('a list that was refused is not told again, unless its machine knows a newer one', async () => {
  await book()
  await tell()
  await answer(machines[0], 'refused', 'outdated')
  await answer(machines[1], 'refused', 'unknownCommand')
  const later = new Date(NOON.getTime() + 2 * HOUR_MS)
  world.setNow(later)
  await tell()
  await tell()
  expect((await pushes(machines[0])).map(({ data }) => data.version)).toEqual([1, later.getTime() / 60_000])
  expect(await pushes(machines[1])).toHaveLength(1)
})

test('a machine that was away hears the newest list and no other', async () => {
  const id = await book()
  await tell()
  await http.call(pauseBooking, { id }, user)
  await tell()
  await http.call(resumeBooking, { id }, user)
  await book({ creativeIds: [creativeId], playsPerHour: 2 })
  await tell()
  const told = await pushes(machines[0])
  expect(told.map(({ state, data }) => [state, data.version, data.ads.length])).toEqual([
    ['cancelled', 1, 1],
    ['cancelled', 2, 0],
    ['queued', 3, 2],
  ])
})

test.each(['school', 'kindergarten'])('a machine that is moved into a %s stops, and says why', async (kind) => {
  const id = await book()
  await tell()
  await moveTo(machines[0], kind)
  await tell()
  expect((await pushes(machines[0])).at(-1)?.data).toEqual({ version: 2, ads: [] })
  expect(await detail(id)).toMatchObject({ machines: 1, problems: ['school', 'notTaken'] })
  const named = said({ machineIds: [machines[0].id] })
  const refused = await http.call(addBooking, named, { ...user, headers: { 'accept-language': 'en' } })
  expect(statusAndCode(refused)).toEqual([422, 'booking.school'])
  expect(refused.body.msg).toMatch(new RegExp(`article 39.*${machines[0].code}`))
  const before = dataOf(await http.call(previewBooking, { machineIds: machines.map((each) => each.id) }, user))
  expect(before).toMatchObject({ machines: 1, atSchools: 1, namedSchools: [`Machine ${machines[0].code}`] })
  await moveTo(machines[1], kind)
  expect(statusAndCode(await http.call(addBooking, said(), user))).toEqual([422, 'booking.nowhere'])
})

test('it is booked by machine, group, point or merchant, and of nobody else', async () => {
  const { db } = world.services
  const child = await addMerchant(db, { parentId: merchantId })
  const below = await addMachine(db, { merchantId: child, products: [] })
  const stranger = await addMachine(db, { merchantId: await addMerchant(db, { parentId: platformId }), products: [] })
  const group = await sql<{ id: number }>`with g as (
      insert into machine_group (merchant_id, name) values (${merchantId}, 'West') returning id)
    insert into machine_group_member (group_id, machine_id) select id, ${machines[1].id} from g
    returning group_id as id`.execute(db)
  const point = await sql<{ id: number }>`select point_id as id from machine where id = ${below.id}`.execute(db)
  const where = async (targets: Record<string, unknown>) => {
    await http.call(endBooking, { id: await book(targets) }, user)
    const { machines: count } = dataOf(await http.call(previewBooking, targets, user))
    return count
  }
  expect(await where({})).toBe(3)
  expect(await where({ machineIds: [machines[0].id] })).toBe(1)
  expect(await where({ groupIds: [group.rows[0]?.id], pointIds: [point.rows[0]?.id] })).toBe(2)
  expect(await where({ merchantIds: [child] })).toBe(1)
  for (const targets of [
    { machineIds: [stranger.id] },
    { merchantIds: [stranger.merchantId] },
    { pointIds: [987_654] },
  ])
    expect(statusAndCode(await http.call(addBooking, said(targets), user))).toEqual([422, 'booking.machines'])
  expect(dataOf(await http.call(previewBooking, { machineIds: [stranger.id] }, user))).toMatchObject({ machines: 0 })
})

test.each([
  [{ endsOn: '2026-11-19' }, 'endsOn'],
  [{ endsOn: '2028-01-01' }, 'endsOn'],
  [{ fromHour: 12, toHour: 12 }, 'toHour'],
  [{ creativeIds: [1, 2, 3], playsPerHour: 2 }, 'playsPerHour'],
])('%o makes no sense', async (changes, field) => {
  const refused = await http.call(addBooking, said(changes), user)
  expect(refused.status).toBe(422)
  expect(refused.body.fields).toEqual([expect.objectContaining({ path: field })])
})

test('what is withdrawn is played nowhere, and can be booked no more', async () => {
  const id = await book()
  await tell()
  await http.call(withdrawCreative, { id: creativeId }, user)
  await tell()
  expect((await pushes(machines[0])).at(-1)?.data.ads).toEqual([])
  expect(await detail(id)).toMatchObject({ machines: 0, problems: ['nowhere', 'unreviewed'] })
  expect(statusAndCode(await http.call(addBooking, said(), user))).toEqual([422, 'booking.creatives'])
})

test('hours that are full are not promised twice', async () => {
  await book({ playsPerHour: 360 })
  const id = await book({ playsPerHour: 1 })
  await tell()
  expect(await detail(id)).toMatchObject({ machines: 0, problems: ['nowhere', 'full'] })
  const { items } = dataOf(await http.call(listBookings, { state: 'running' }, user)) as {
    items: { problems: string[] }[]
  }
  expect(items.map(({ problems }) => problems)).toEqual([['nowhere', 'full'], ['notTaken']])
})

type Row = {
  machineCode: string
  bookedPlays: number
  provenPlays: number
  offlineHours: number
  dueFen: number | null
}
/** Read at noon: a session does not last until the next day. */
async function proof(bookingId: number, more: Record<string, unknown> = {}): Promise<Row[]> {
  world.setNow(NOON)
  const answer = await http.call(listProof, { bookingId, sort: 'proven', ...more }, user)
  return (dataOf(answer) as { items: Row[] }).items
}

test('counts are the most that the machine said; twice, late or of strangers they prove no more', async () => {
  const id = await book()
  await tell()
  await say(machines[0], 'presence', { online: true })
  const plays = (count: number, ad = `${id}-${creativeId}`) => ({ ads: [{ ad, plays: count, seconds: count * 10 }] })
  await countPlays(world.services)
  await countPlays(world.services)
  world.setNow(new Date(NOON.getTime() + HOUR_MS))
  await countPlays(world.services)
  for (const count of [40, 90, 90, 60]) await say(machines[0], 'ad.play', plays(count))
  await say(machines[1], 'ad.play', plays(500, `${id + 1000}-${creativeId}`))
  await countPlays(world.services)
  expect(await proof(id)).toEqual([
    expect.objectContaining({
      machineCode: machines[0].code,
      bookedPlays: 120,
      provenPlays: 90,
      offlineHours: 0,
      dueFen: 900,
    }),
    expect.objectContaining({
      machineCode: machines[1].code,
      bookedPlays: 120,
      provenPlays: 0,
      offlineHours: 2,
      dueFen: 0,
    }),
  ])
  // The next day it tells of the end of the one before; a day without a look is booked by nobody.
  world.setNow(new Date(NOON.getTime() + 26 * HOUR_MS))
  await say(machines[0], 'ad.play', { day: '2026-11-20', ...plays(110) })
  await countPlays(world.services)
  expect((await proof(id, { to: '2026-11-20' }))[0]).toMatchObject({ bookedPlays: 120, provenPlays: 110, days: 1 })
  expect((await proof(id))[0]).toMatchObject({ bookedPlays: 180, provenPlays: 110, days: 2 })
  expect(await proof(id, { from: '2026-11-22' })).toEqual([])
  const { days, dueFen, bookedPlays } = await detail(id)
  expect([dueFen, bookedPlays]).toEqual([1_100, 360])
  expect(days).toEqual([
    { day: '2026-11-20', booked: 240, proven: 110 },
    { day: '2026-11-21', booked: 120, proven: 0 },
  ])
})

test('before and after its hours nothing is booked', async () => {
  const id = await book({ fromHour: 13, toHour: 14 })
  await tell()
  for (const hours of [0, 1, 2]) {
    world.setNow(new Date(NOON.getTime() + hours * HOUR_MS))
    await countPlays(world.services)
  }
  expect((await proof(id)).map(({ bookedPlays }) => bookedPlays)).toEqual([60, 60])
})

test.each([
  ['play', 10, 100, 80, 800],
  ['play', 10, 100, 130, 1_000],
  ['play', 10, 0, 30, 0],
  ['machine_day', 1_000, 100, 80, 800],
  ['machine_day', 1_000, 3, 1, 333],
  ['machine_day', 1_000, 3, 9, 1_000],
  ['machine_day', 1_000, 0, 9, 0],
  ['fixed', 1_000, 100, 100, null],
])('by %s of %s fen, %s booked and %s proved, %s is due', async (kind, fen, booked, proven, due) => {
  const found = await sql<{
    fen: number | null
  }>`select advert_due(${kind}, ${fen}, ${booked}, ${proven}) as fen`.execute(world.services.db)
  expect(found.rows[0]?.fen).toBe(due)
})
