import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { addClaim } from '@aisle/contract/lottery/claim'
import { getPlay } from '@aisle/contract/lottery/play'
import { checkPrizeCode, isPrizeCode, listRedemptions, redeemPrize } from '@aisle/contract/lottery/prizeCode'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Branch, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { contradictions } from '../trade/recount'
import { routes } from './lottery.routes'
import { prizeCodeOf, prizeDigestOf } from './prizeCode.secret'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let clerk: string
let code: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  family = await addFamily(db, NOON)
  const user = await addUser(db, { merchantId: family.ours.merchantId, grants: ['order.read', 'lotteryRecord.*'] })
  clerk = await addSession(db, user.id, NOON)
  await giveCode(family.theirs)
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  const { db } = world.services
  await sql`delete from lottery_claim`.execute(db)
  await sql`delete from lottery_redemption`.execute(db)
  await sql`update lottery_play set prize_state = 'owed'`.execute(db)
  code = await giveCode(family.ours)
})

async function giveCode({ ids }: Branch): Promise<string> {
  const { db, keys } = world.services
  const found = await sql<{ orderNo: string }>`select order_no as "orderNo" from lottery_play
    where id = ${ids.plays}`.execute(db)
  const made = prizeCodeOf(keys)(found.rows[0]?.orderNo ?? '')
  await sql`update lottery_play set prize_code_digest = ${prizeDigestOf(keys)(made)} where id = ${ids.plays}`.execute(
    db,
  )
  return made
}

const call = async (endpoint: Endpoint, input: Record<string, unknown>) => {
  const { status, body } = await http.call(endpoint, input, { token: clerk })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}

test('a code is checked however it is written, and gives its prize once: 64 at a time', async () => {
  const { db } = world.services
  const written = `${code.slice(0, 4)}-${code.slice(4, 8)} ${code.slice(8)}`.toLowerCase()
  expect((await call(checkPrizeCode, { code: written })).data).toMatchObject({ outcome: 'valid', collectedAt: null })
  const tries = await Promise.all(Array.from({ length: 64 }, () => call(redeemPrize, { code })))
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(new Set(tries.map((each) => each.code))).toEqual(new Set(['H0000', 'claim.notOwed']))
  const moved = await sql<{ pieces: number }>`select coalesce(sum(quantity), 0)::int as pieces from stock_move
    where reference = ${`prizeCode/${family.ours.ids.plays}`}`.execute(db)
  expect(moved.rows).toEqual([{ pieces: 1 }])
  expect((await call(checkPrizeCode, { code })).data).toMatchObject({ outcome: 'collected' })
  expect((await call(listRedemptions, {})).data.items).toMatchObject([{ placeName: null }])
  const play = (await call(getPlay, { id: family.ours.ids.plays })).data
  expect(play).toMatchObject({ prizeState: 'collected', redeemedAt: '2026-11-20T04:00:00+00:00' })
  expect((await contradictions(db)).filter((line) => line.startsWith('place'))).toEqual([])
})

test.each([
  ['shipping', 'shipping'],
  ['dispensed', 'dispensed'],
  ['collected', 'collected'],
])('a prize that is %s is not handed over', async (state, outcome) => {
  await sql`update lottery_play set prize_state = ${state}`.execute(world.services.db)
  expect((await call(checkPrizeCode, { code })).data).toMatchObject({ outcome })
  expect((await call(redeemPrize, { code })).code).toBe('claim.notOwed')
})

test('while a claim waits the code gives nothing, and what a store does not have cannot be taken from it', async () => {
  const { orderNo } = (await call(getPlay, { id: family.ours.ids.plays })).data
  await call(addClaim, { orderNo, claimant: '李', note: '卡住', pictures: ['/pictures/a.png'] })
  expect((await call(checkPrizeCode, { code })).data).toMatchObject({ outcome: 'claimed' })
  expect((await call(redeemPrize, { code })).code).toBe('claim.open')
  await sql`delete from lottery_claim`.execute(world.services.db)
  const place = await sql<{ id: number }>`insert into place (merchant_id, kind, name)
    values (${family.ours.merchantId}, 'warehouse', 'Store') returning id`.execute(world.services.db)
  expect((await call(redeemPrize, { code, placeId: place.rows[0]?.id })).code).toBe('claim.noStock')
  expect((await call(checkPrizeCode, { code })).data).toMatchObject({ outcome: 'valid' })
})

test('a code that nobody gave out and one of a machine out of sight are answered alike; others are none', async () => {
  const { db, keys } = world.services
  const theirs = await sql<{ orderNo: string }>`select order_no as "orderNo" from lottery_play
    where id = ${family.theirs.ids.plays}`.execute(db)
  for (const wrong of [prizeCodeOf(keys)('nobody'), prizeCodeOf(keys)(theirs.rows[0]?.orderNo ?? '')]) {
    expect(isPrizeCode(wrong)).toBe(true)
    expect((await call(checkPrizeCode, { code: wrong })).code).toBe('prizeCode.unknown')
    expect((await call(redeemPrize, { code: wrong })).code).toBe('prizeCode.unknown')
  }
  expect((await call(redeemPrize, { code: 'ABC' })).status).toBe(422)
})
