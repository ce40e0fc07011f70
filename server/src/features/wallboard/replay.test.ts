import { findSoldOrder, getReplayDay, getReplaySpan, REPLAY_POINTS_A_SPAN } from '@aisle/contract/wallboard/replay'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { openHttp, type HttpWorld } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { ingest } from '../device/link/ingest'
import { spoken } from '../device/testing'
import { routes } from './replay.routes'

/** Eleven minutes past noon in Shanghai: the 74th span of the day, 73 counted from zero. */
const NOON = new Date('2026-11-20T04:11:00Z')
const DAY = '2026-11-20'
const SPAN = 73
const TEN_MS = Date.parse('2026-11-20T02:00:00Z')
let world: World
let http: HttpWorld
let token: string
let ours: BuiltMachine
let root: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  root = await addMerchant(db)
  const merchantId = await addMerchant(db, { parentId: root })
  const other = await addMerchant(db, { parentId: root })
  const build = async (of: number) =>
    addMachine(db, { merchantId: of, products: [await addProduct(db, { merchantId: of })], stock: 2 })
  ours = await build(merchantId)
  const theirs = await build(other)
  for (const [n, machine] of [ours, ours, theirs].entries()) {
    const items = [{ slot: 'A1', product: machine.slots[0]?.productCode ?? '', priceFen: 500, ok: true }]
    const told = { orderNo: `R-${n}`, method: n === 0 ? 'cash' : 'alipay', paidFen: 500, items }
    await ingest(world.services, [spoken(world, machine.code, n + 1, 'sale', told)])
  }
  const user = await addUser(db, { merchantId, kind: 'merchant_admin', grants: ['order.read'] })
  token = await addSession(db, user.id, NOON)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

type Sold = { method: number; orders: number; paidFen: number; onlineFen: number }
const sumOf = (sold: Sold[]): number[] => [
  sold.reduce((sum, { orders }) => sum + orders, 0),
  sold.reduce((sum, { paidFen }) => sum + paidFen, 0),
]

test('a day is told in spans and each span in seconds, with the same sums, and only of what is in sight', async () => {
  const { body: day } = await http.call(getReplayDay, { day: DAY }, { token })
  const { spans, weekBefore } = day.data as { spans: (Sold & { span: number })[]; weekBefore: Sold[] }
  expect(spans.map(({ span, method }) => [span, method])).toEqual([
    [SPAN, 0],
    [SPAN, 5],
  ])
  expect(sumOf(spans)).toEqual([2, 1_000])
  expect(weekBefore).toEqual([])
  const { body } = await http.call(getReplaySpan, { day: DAY, span: SPAN }, { token })
  const { seconds, points, orders } = body.data as {
    seconds: (Sold & { second: number })[]
    points: object[]
    orders: number
  }
  expect(sumOf(seconds)).toEqual([2, 1_000])
  expect(seconds.every(({ second }) => second >= 0 && second < 600)).toBe(true)
  expect([points.length, orders]).toEqual([2, 2])
  const { body: empty } = await http.call(getReplaySpan, { day: DAY, span: SPAN + 1 }, { token })
  expect(empty.data).toEqual({ seconds: [], points: [], orders: 0 })
})

test('a point leads to its order, for who may see it', async () => {
  const [sold] = (
    await sql<{ id: number; at: Date; machine_id: number }>`
      select id, occurred_at as at, machine_id from orders where machine_id = ${ours.id}
      order by id desc limit 1`.execute(world.services.db)
  ).rows
  if (!sold) throw new Error('nothing was sold')
  const [place] = (
    await sql<{ longitude: number; latitude: number }>`select t.longitude, t.latitude from machine m
      join point t on t.id = m.point_id where m.id = ${ours.id}`.execute(world.services.db)
  ).rows
  if (!place) throw new Error('the machine stands nowhere')
  const asked = { at: sold.at.toISOString(), ...place, amountFen: 500 }
  expect((await http.call(findSoldOrder, asked, { token })).body.data).toEqual({ id: sold.id })
  expect((await http.call(findSoldOrder, { ...asked, amountFen: 501 }, { token })).status).toBe(404)
  await sql`update machine set merchant_id = (select merchant_id from machine where id <> ${ours.id} limit 1)
    where id = ${ours.id}`.execute(world.services.db)
  expect((await http.call(findSoldOrder, asked, { token })).status).toBe(404)
})

test('of a span with more sales than points, evenly chosen ones are shown and all are counted', async () => {
  const { db } = world.services
  const many = REPLAY_POINTS_A_SPAN * 3
  const product = ours.slots[0]?.productCode ?? ''
  const items = [{ slot: 'A1', product, priceFen: 500, ok: true }]
  const sales = Array.from({ length: many }, (_, n) => {
    const occurredAt = new Date(TEN_MS + n * 400).toISOString()
    return spoken(
      world,
      ours.code,
      100 + n,
      'sale',
      { orderNo: `M-${n}`, method: 'cash', paidFen: 500, items },
      { occurredAt },
    )
  })
  await ingest(world.services, sales)
  const admin = await addUser(db, { merchantId: root, kind: 'platform_admin', grants: ['order.read'] })
  const all = { token: await addSession(db, admin.id, NOON) }
  const { body } = await http.call(getReplaySpan, { day: DAY, span: 60 }, all)
  const { seconds, points, orders } = body.data as { seconds: Sold[]; points: { at: string }[]; orders: number }
  expect([points.length, orders]).toEqual([REPLAY_POINTS_A_SPAN, many])
  expect(sumOf(seconds)[0]).toBe(many)
  const third = points.slice(0, REPLAY_POINTS_A_SPAN / 4).at(-1)?.at ?? ''
  expect(Date.parse(third) - TEN_MS).toBeLessThanOrEqual((many / 4) * 400)
})
