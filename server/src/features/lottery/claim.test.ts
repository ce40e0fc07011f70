import { addClaim, getClaim, listClaims, passClaim, rejectClaim } from '@aisle/contract/lottery/claim'
import { getPlay, listPlays } from '@aisle/contract/lottery/play'
import { listWins, summariseWins } from '@aisle/contract/lottery/statistics'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addFamily, addSession, addUser, type Family } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { contradictions } from '../trade/recount'
import { routes } from './lottery.routes'
import { countPendingClaims } from './public'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let clerk: string
let reviewer: string
let orderNo: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  family = await addFamily(db, NOON)
  const grants = ['order.read', 'lotteryRecord.*']
  const token = async () => {
    const user = await addUser(db, { merchantId: family.ours.merchantId, grants })
    return addSession(db, user.id, NOON)
  }
  clerk = await token()
  reviewer = await token()
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  const { db } = world.services
  await sql`delete from lottery_claim`.execute(db)
  await sql`update lottery_play set prize_state = 'owed'`.execute(db)
  const found = await sql<{
    order_no: string
  }>`select order_no from lottery_play where id = ${family.ours.ids.plays}`.execute(db)
  orderNo = found.rows[0]?.order_no ?? ''
})

const call = async (endpoint: Endpoint, input: Record<string, unknown>, token = clerk) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}
const claim = (more: Record<string, unknown> = {}) =>
  call(addClaim, { orderNo, claimant: '李', note: '机器卡住', pictures: ['/pictures/a.png'], ...more })

test('a prize is claimed once, decided by somebody else, and leaves the stock it is taken from', async () => {
  const { db } = world.services
  const { id } = (await claim()).data
  expect((await claim()).code).toBe('claim.open')
  expect(await countPendingClaims(db, { kind: 'all' })).toBe(1)
  expect((await call(passClaim, { id })).code).toBe('claim.ownClaim')
  const product = family.ours.machines[0]?.slots[0]
  const place = await sql<{ id: number }>`insert into place (merchant_id, kind, name)
    values (${family.ours.merchantId}, 'warehouse', 'Store') returning id`.execute(db)
  const placeId = place.rows[0]?.id
  expect((await call(passClaim, { id, placeId }, reviewer)).code).toBe('claim.noStock')
  await sql`insert into stock_move (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause,
      reference)
    select ${family.ours.merchantId}, ${NOON}, ${product?.productId}, 2, p.id, ${placeId}, 'purchase', 'test'
    from place p where p.merchant_id = ${family.ours.merchantId} and p.kind = 'supplier'`.execute(db)
  expect((await call(getClaim, { id })).data).toMatchObject({ isOwn: true, places: [{ id: placeId, quantity: 2 }] })
  const tries = await Promise.all(Array.from({ length: 8 }, () => call(passClaim, { id, placeId }, reviewer)))
  expect(tries.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
  const level = await sql<{ quantity: number }>`select quantity from stock_level where place_id = ${placeId}`.execute(
    db,
  )
  expect(level.rows).toEqual([{ quantity: 1 }])
  expect((await call(getPlay, { id: family.ours.ids.plays })).data).toMatchObject({ prizeState: 'collected' })
  expect((await claim()).code).toBe('claim.notOwed')
  expect((await call(rejectClaim, { id, reviewNote: 'x' }, reviewer)).code).toBe('claim.state')
  const wrong = (await contradictions(db)).filter((line) => line.startsWith('place'))
  expect(wrong).toEqual([])
})

test('a refused claim says why and may be followed by a better one; a prize from outside needs no stock', async () => {
  const first = await claim()
  expect((await call(rejectClaim, { id: first.data.id, reviewNote: '照片不清' }, reviewer)).status).toBe(200)
  const second = await claim()
  expect(second.status).toBe(200)
  expect((await call(passClaim, { id: second.data.id }, reviewer)).status).toBe(200)
  const listed = await call(listClaims, { state: 'passed' })
  expect(listed.data.items).toMatchObject([{ id: second.data.id, claimant: '李' }])
})

test('what came out meanwhile is not handed over again; a play of others is not there', async () => {
  const { id } = (await claim()).data
  await sql`update lottery_play set prize_state = 'dispensed'`.execute(world.services.db)
  expect((await call(passClaim, { id }, reviewer)).code).toBe('claim.notOwed')
  const theirs = await sql<{
    order_no: string
  }>`select order_no from lottery_play where id = ${family.theirs.ids.plays}`.execute(world.services.db)
  expect((await claim({ orderNo: theirs.rows[0]?.order_no })).code).toBe('claim.noPlay')
  expect((await claim({ pictures: [] })).status).toBe(422)
})

test('plays and figures show what is in sight, with the sums of the filter and a verdict', async () => {
  const plays = await call(listPlays.count, { state: 'won' })
  expect(plays.data).toEqual({ total: 1, sums: { stakeFen: 100, wonFen: 500 } })
  await sql`insert into rollup_day_lottery (business_day, machine_id, product_id, odds_permille, merchant_id, plays,
      wins, stake_fen, cost_fen, prize_fen)
    select '2026-11-20', m.id, p.id, odds, m.merchant_id, 100, wins, 10000, wins * 200, wins * 500
    from (values (200, 12), (300, 60)) as at(odds, wins), machine m
    join lateral (select min(id) as id from product where merchant_id = m.merchant_id) p on true
    where m.id = any(${[family.ours, family.theirs].map(({ machines }) => machines[0]?.id)}::bigint[])`.execute(
    world.services.db,
  )
  const wins = await call(listWins, {})
  expect(wins.data.items).toMatchObject([
    {
      plays: 200,
      wins: 72,
      oddsPermille: 250,
      ratePermille: 360,
      verdict: 'tooMany',
      costFen: 14_400,
      marginFen: 5600,
    },
  ])
  expect((await call(listWins, { by: 'day', verdict: 'plausible' })).data.items).toEqual([])
  expect((await call(summariseWins, {})).data).toMatchObject({ machines: 1, tooMany: 1, tooFew: 0, plays: 200 })
})
