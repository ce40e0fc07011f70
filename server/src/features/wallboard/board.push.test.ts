import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Announcement } from '../../kernel/announce'
import type { LiveSocket } from '../../kernel/socket'
import { addMachine, addMerchant, addProduct } from '../../testing/builders'
import { openHttp, type HttpWorld } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { doRegisterClient } from '@aisle/contract/wallboard/board'
import { type BoardPush, startBoardPush } from './board.push'
import { routes } from './board.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const KEY = 'a-display-key-that-only-tests-know'
let world: World
let http: HttpWorld
let boards: BoardPush
let announced: (announcement: Announcement) => void
let merchantId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  merchantId = await addMerchant(world.services.db, { parentId: await addMerchant(world.services.db) })
  await sql`insert into display_key (key_hash, merchant_id, name, created_at)
    values (${createHash('sha256').update(KEY).digest()}, ${merchantId}, 'Hall', ${NOON})`.execute(world.services.db)
  boards = startBoardPush(world.services, {
    hear: (listener) => {
      announced = listener
      return () => undefined
    },
  })
})
afterAll(async () => {
  boards.stop()
  await http.close()
  await world.close()
})

type Screen = { heard: string[]; closedWith: () => number | null; leave: () => void }

function show(userId: string): Screen {
  const heard: string[] = []
  let closedWith: number | null = null
  let isOpen = true
  let told = () => undefined as void
  const leave = () => {
    isOpen = false
    told()
  }
  const socket: LiveSocket = {
    send: (text) => void heard.push(text),
    close: (code) => {
      closedWith = code
      leave()
    },
    bufferedBytes: () => 0,
    isOpen: () => isOpen,
    onMessage: () => undefined,
    onClose: (hear) => {
      told = hear
    },
  }
  boards.route.open(socket, { params: { userId }, query: {}, ip: '127.0.0.1' })
  return { heard, closedWith: () => closedWith, leave }
}

async function register(key = KEY): Promise<string> {
  const userId = randomUUID()
  expect((await http.call(doRegisterClient, { userId, type: 0, key })).status).toBe(200)
  return userId
}

test('a board that leaves before it is known is not kept', async () => {
  const [leaving, staying] = [await register(), await register()]
  show(leaving).leave()
  const screen = show(staying)
  await expect.poll(boards.boards).toBe(1)
  screen.leave()
  expect(boards.boards()).toBe(0)
})

test('a key that hides names tells the whole city of a sale, however many words it has, and no more', async () => {
  const { db } = world.services
  const product = await addProduct(db, { merchantId })
  const machine = await addMachine(db, { merchantId, products: [product] })
  await sql`update point set city = 'New York', name = 'Grand Central', longitude = -73.977295, latitude = 40.752655
    where merchant_id = ${merchantId}`.execute(db)
  const masking = `${KEY}-masked`
  await sql`insert into display_key (key_hash, merchant_id, name, created_at, hides_names)
    values (${createHash('sha256').update(masking).digest()}, ${merchantId}, 'Street', ${NOON}, true)`.execute(db)
  const screens = [show(await register()), show(await register(masking))]
  await expect.poll(boards.boards).toBe(2)
  const newest = [{ machineId: machine.id, productId: product.id, amountFen: 500, at: NOON.toISOString() }]
  announced({ topic: 'sales', machineIds: [machine.id], merchantIds: [merchantId], newest })
  await expect.poll(() => screens.every(({ heard }) => heard.length === 2)).toBe(true)
  const points = screens.map(({ heard }) => JSON.parse(heard[1] ?? '') as { place: string; value: unknown[] })
  expect(points.map(({ place, value }) => [place, ...value.slice(0, 2)])).toEqual([
    ['New York Grand Central', -73.977295, 40.752655],
    ['New York', -74, 40.8],
  ])
  for (const screen of screens) screen.leave()
})

test('a revoked key ends the boards that it opened, and opens none again', async () => {
  const userId = await register()
  const screen = show(userId)
  await expect.poll(boards.boards).toBe(1)
  announced({ topic: 'boards', reason: 'asked' })
  await expect.poll(() => screen.heard.length).toBe(2)
  await sql`update display_key set revoked_at = ${NOON}`.execute(world.services.db)
  announced({ topic: 'boards', reason: 'asked' })
  await expect.poll(screen.closedWith).toBe(4404)
  expect(screen.heard.length).toBe(2)
  const again = show(userId)
  await expect.poll(again.closedWith).toBe(4404)
  expect(boards.boards()).toBe(0)
})
