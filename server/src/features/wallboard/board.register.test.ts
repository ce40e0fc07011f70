import { randomUUID } from 'node:crypto'
import { doRegisterClient, getBoard } from '@aisle/contract/wallboard/board'
import { findSoldOrder } from '@aisle/contract/wallboard/replay'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashToken } from '../../kernel/token'
import { addMachine, addMerchant, addOrder, addProduct } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { openHttp, type HttpWorld } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { jobs } from './board.jobs'
import { routes } from './board.routes'
import { routes as replayRoutes } from './replay.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const MINUTE_MS = 60_000
const KEY = 'a-display-key-of-this-file-alone'
let world: World
let http: HttpWorld
let merchantId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...replayRoutes))
  const { db } = world.services
  merchantId = await addMerchant(db, { parentId: await addMerchant(db) })
  await sql`insert into display_key (key_hash, merchant_id, name, created_at, hides_names)
    values (${hashToken(KEY)}, ${merchantId}, 'Street', ${NOON}, true)`.execute(db)
  await sql`insert into setting (key, merchant_id, value) values ('wallboard.open', null, 'true')`.execute(db)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const register = async (ip: string, more: { userId?: string; key?: string } = {}) => {
  const headers = { 'x-forwarded-for': ip }
  const { status } = await http.call(doRegisterClient, { userId: randomUUID(), type: 0, ...more }, { headers })
  return status
}
const known = async () => {
  const found = await sql<{ count: number }>`select count(*) as count from board_client`.execute(world.services.db)
  return found.rows[0]?.count
}
const sweep = () => Promise.all(jobs.map((job) => job.run(world.services, {})))

test('one network has so many boards and no more; others, keys and those known are taken still', async () => {
  const userId = randomUUID()
  expect(await register('203.0.113.1', { userId })).toBe(200)
  const answers = await Promise.all(Array.from({ length: 400 }, (_, i) => register(`203.0.113.${i % 250}`)))
  const taken = answers.filter((status) => status === 200).length
  expect(taken).toBeGreaterThanOrEqual(199)
  // Those that were asked at the very same moment may all find the last place.
  expect(taken).toBeLessThan(230)
  expect(answers.filter((status) => status === 429).length).toBe(400 - taken)
  expect(await register('203.0.113.9', { userId })).toBe(200)
  expect(await register('203.0.113.9', { key: KEY })).toBe(200)
  expect(await register('198.51.100.1')).toBe(200)
})

test('a board that went silent is forgotten after a quarter of an hour, one with a key after a day', async () => {
  world.setNow(new Date(NOON.getTime() + 16 * MINUTE_MS))
  await sweep()
  expect(await known()).toBe(1)
  expect(await register('203.0.113.1')).toBe(200)
  world.setNow(new Date(NOON.getTime() + 25 * 60 * MINUTE_MS))
  await sweep()
  expect(await known()).toBe(0)
  world.setNow(NOON)
})

test('a board that hides names tells about where it was sold, and its points still lead to their orders', async () => {
  const { db } = world.services
  const product = await addProduct(db, { merchantId })
  const machine = await addMachine(db, { merchantId, products: [product] })
  await sql`update point set longitude = 121.473701, latitude = 31.230416 where merchant_id = ${merchantId}`.execute(db)
  const at = new Date(NOON.getTime() - MINUTE_MS)
  await addOrder(db, machine, at, 5)
  const { points } = (await http.call(getBoard, { key: KEY })).body.data as {
    points: { value: unknown[]; at: string }[]
  }
  expect(points.map(({ value }) => value.slice(0, 2))).toEqual([[121.5, 31.2]])
  const user = await addUser(db, { merchantId, grants: ['order.read'] })
  const token = await addSession(db, user.id, NOON)
  const place = { at: points[0]?.at, longitude: 121.5, latitude: 31.2 }
  expect((await http.call(findSoldOrder, place, { token })).status).toBe(200)
  expect((await http.call(findSoldOrder, { ...place, latitude: 31.4 }, { token })).status).toBe(404)
})
