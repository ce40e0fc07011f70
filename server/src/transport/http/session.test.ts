import { listMerchants } from '@aisle/contract/merchant/merchant'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { query } from '../../kernel/route'
import { hashToken } from '../../kernel/token'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { empty } from '../../testing/emptied'
import { openWorld, type World } from '../../testing/world'

const NOON = new Date('2026-11-20T04:00:00Z')
const MINUTE_MS = 60_000
let world: World
let http: HttpWorld
let merchantId: number
let userId: number
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(query(listMerchants, async () => ({ items: [] }))))
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  world.setNow(NOON)
  await empty(world.services, 'merchant')
  merchantId = await addMerchant(world.services.db)
  userId = (await addUser(world.services.db, { merchantId })).id
  token = await addSession(world.services.db, userId, NOON)
})

const after = (minutes: number) => world.setNow(new Date(NOON.getTime() + minutes * MINUTE_MS))
const code = async () => (await http.call(listMerchants, {}, { token })).body.code
const change = (statement: ReturnType<typeof sql>) => statement.execute(world.services.db)

test('a session ends after half an hour without a call', async () => {
  after(29.9)
  expect(await code()).toBe('H0000')
  after(29.9 + 30)
  expect(await code()).toBe('S9999')
})

test('with calls it ends after twelve hours', async () => {
  for (let minutes = 20; minutes < 12 * 60; minutes += 20) {
    after(minutes)
    expect(await code()).toBe('H0000')
    await touched(minutes)
  }
  after(12 * 60)
  expect(await code()).toBe('S9999')
})

test('the last call is noted at most once a minute', async () => {
  after(0.5)
  expect(await code()).toBe('H0000')
  after(1.5)
  expect(await code()).toBe('H0000')
  await touched(1.5)
  after(2)
  expect(await code()).toBe('H0000')
  await touched(1.5)
})

/** The note is not in the caller's way, so it may land a moment after the answer. */
async function touched(minutes: number): Promise<void> {
  const wanted = NOON.getTime() + minutes * MINUTE_MS
  await expect
    .poll(async () => {
      const found = await sql<{ at: Date }>`select last_seen_at as at from session
        where token_hash = ${hashToken(token)}`.execute(world.services.db)
      return found.rows[0]?.at.getTime()
    })
    .toBe(wanted)
}

test('an ended session says whether a newer sign-in ended it', async () => {
  await change(sql`update session set ended_at = ${NOON}, end_reason = 'elsewhere'`)
  expect(await code()).toBe('B1000')
  await change(sql`update session set end_reason = 'sign_out'`)
  expect(await code()).toBe('S9999')
})

test('nobody stays signed in whose account or merchant is stopped', async () => {
  await change(sql`update app_user set state = 'disabled'`)
  expect(await code()).toBe('S9999')
  await change(sql`update app_user set state = 'active'`)
  expect(await code()).toBe('H0000')
  await change(sql`update merchant set state = 'stopped'`)
  expect(await code()).toBe('S9999')
})

test('a token that nobody was given is no session', async () => {
  for (const wrong of ['x', 'x'.repeat(43), `${token}x`, token.toUpperCase()]) {
    const answer = await http.call(listMerchants, {}, { token: wrong })
    expect([answer.status, answer.body.code]).toEqual([401, 'S9999'])
  }
})
