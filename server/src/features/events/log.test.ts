import { eventKindNames, eventKinds, type EventKind, openEvent } from '@aisle/contract/events/kinds'
import { CALLS_A_MINUTE } from '@aisle/contract/events/open'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addOrder, addProduct, type BuiltMachine } from '../../testing/builders'
import { empty } from '../../testing/emptied'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { serveRaw } from '../../transport/http/raw'
import { forgetOld, numberNoted } from './log.store'
import { rawRoutes } from './open.routes'
import { addFeed, readOpen } from './testing.feed'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let machine: BuiltMachine
let second: BuiltMachine
let unread: BuiltMachine
let feed: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(), (app) => serveRaw(app, rawRoutes, world.services))
  const { db } = world.services
  const platformId = await addMerchant(db)
  const merchantId = await addMerchant(db, { parentId: platformId })
  const products = [await addProduct(db, { merchantId })]
  machine = await addMachine(db, { merchantId, products })
  second = await addMachine(db, { merchantId, products })
  unread = await addMachine(db, { merchantId: await addMerchant(db, { parentId: platformId }), products })
  feed = await addFeed(world, { merchantId })
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  world.setNow(NOON)
  await empty(world.services, 'partner_rate', 'event_noted', 'event_log')
  await sql`update event_horizon set number = 0`.execute(world.services.db)
})

type Page = { events: { id: string; type: EventKind; object: string; data: unknown }[]; next: number; isMore: boolean }
const read = async (query = '', key = feed) => {
  const { status, body } = await readOpen(world, http, key, `/open/v1/events${query}`)
  expect([status, body.code]).toEqual([200, undefined])
  return body as unknown as Page
}
const kindsOf = ({ events }: Page) => events.map(({ type }) => type)

test('each kind is noted by its fact, says what its shape says, and comes in the order of what happened', async () => {
  const { db } = world.services
  const order = await addOrder(db, machine, NOON)
  await addOrder(db, unread, NOON)
  await sql`update orders set ship_state = 'timeout' where id = ${order.id}`.execute(db)
  await sql`insert into refund (refund_no, order_id, merchant_id, occurred_at, machine_id, order_no, method, amount_fen,
      cause, state, requested_at, ended_at)
    values ('REFUND001', ${order.id}, ${machine.merchantId}, ${NOON}, ${machine.id}, ${order.orderNo}, 'alipay', 500,
      'jam', 'rejected', ${NOON}, ${NOON})`.execute(db)
  for (const isConnected of [true, true, false]) {
    await sql`update machine_state set is_connected = ${isConnected}, last_seen_at = ${NOON}
      where machine_id = ${machine.id}`.execute(db)
  }
  await sql`insert into alarm (merchant_id, machine_id, cause, level, opened_at, seen_at)
    values (${machine.merchantId}, ${machine.id}, 'temperature', 'critical', ${NOON}, ${NOON})`.execute(db)
  await sql`update alarm set state = 'closed', closed_at = ${NOON}`.execute(db)
  await sql`update stock_level set quantity = 0 where place_id = ${machine.slots[0]?.placeId}`.execute(db)
  await sql`update stock_level set quantity = 4 where place_id = ${machine.slots[0]?.placeId}`.execute(db)
  await sql`insert into settlement (merchant_id, method, funds_mode, business_day, orders, refunds, gross_fen,
      refund_fen, channel_fee_fen, function_fee_fen, net_fen, rounding_ufen, posted_at)
    values (${machine.merchantId}, 'alipay', 'custody', '2026-11-19', 1, 0, 500, 0, 3, 2, 495, 0, ${NOON})`.execute(db)
  const page = await read()
  expect(kindsOf(page)).toEqual([
    'order.paid',
    'order.dispensed',
    'order.failed',
    'refund.ended',
    'machine.online',
    'machine.offline',
    'alarm.opened',
    'alarm.closed',
    'stock.empty',
    'stock.back',
    'settlement.posted',
  ])
  expect([...kindsOf(page)].sort()).toEqual([...eventKindNames].sort())
  for (const event of page.events) {
    openEvent.parse(event)
    eventKinds[event.type].data.parse(event.data)
  }
  expect(page.events[3]?.object).toBe(page.events[0]?.object)
})

test('a page goes on where the last one ended; kinds and a machine of its own narrow it', async () => {
  const { db } = world.services
  for (let n = 0; n < 3; n += 1) await addOrder(db, machine, NOON)
  await addOrder(db, second, NOON)
  const first = await read('?limit=3')
  expect([first.events.length, first.isMore]).toEqual([3, true])
  const rest = await read(`?after=${first.next}`)
  expect([rest.events.length, rest.isMore]).toEqual([5, false])
  expect(await read(`?after=${rest.next}`)).toEqual({ events: [], next: rest.next, isMore: false })
  expect(kindsOf(await read('?types=order.dispensed'))).toEqual(Array(4).fill('order.dispensed'))
  const own = await addFeed(world, { merchantId: machine.merchantId, machineId: second.id })
  expect((await read('', own)).events).toHaveLength(2)
  await sql`delete from integration_config where id = ${own}`.execute(db)
})

test('who reads while a transaction is open misses nothing of it, however late it commits', async () => {
  const { db } = world.services
  let finish = () => undefined as unknown
  const finished = new Promise<void>((done) => (finish = () => done()))
  let begun = () => undefined as unknown
  const hasBegun = new Promise<void>((done) => (begun = () => done()))
  const late = db.transaction().execute(async (tx) => {
    await addOrder(tx, machine, NOON)
    begun()
    await finished
  })
  await hasBegun
  await addOrder(db, second, NOON)
  const before = await read()
  expect(before.events).toHaveLength(2)
  finish()
  await late
  const after = await read(`?after=${before.next}`)
  expect(after.events).toHaveLength(2)
  expect(after.events[0]?.object).not.toBe(before.events[0]?.object)
})

test('many who number at once give each number once, and readers see them rise', async () => {
  const { db } = world.services
  const seen: number[] = []
  let cursor = 0
  const readOn = async () => {
    const page = await read(`?after=${cursor}`)
    seen.push(...page.events.map(({ id }) => Number(id.slice(4))))
    cursor = page.next
  }
  await Promise.all([
    ...Array.from({ length: 20 }, () => addOrder(db, machine, NOON)),
    ...Array.from({ length: 8 }, () => numberNoted(world.services)),
    (async () => {
      for (let n = 0; n < 10; n += 1) await readOn()
    })(),
  ])
  await readOn()
  expect(seen).toHaveLength(40)
  expect([...seen].sort((a, b) => a - b)).toEqual(seen)
  expect(new Set(seen).size).toBe(40)
})

test('a cursor from last year is told that it is; whoever begins anew reads what is kept', async () => {
  const { db } = world.services
  await addOrder(db, machine, NOON)
  const old = await read('?limit=1')
  world.setNow(new Date(NOON.getTime() + 91 * 24 * 3_600_000))
  await sql`select ensure_partitions('2027-02-01', '2027-03-01')`.execute(db)
  await forgetOld(world.services)
  await forgetOld(world.services)
  const gone = await readOpen(world, http, feed, `/open/v1/events?after=${old.next}`)
  expect([gone.status, gone.body.code]).toEqual([410, 'events.gone'])
  await addOrder(db, machine, world.services.clock.now())
  expect((await read()).events).toHaveLength(2)
})

test('how many calls are left is said with each; who calls too often is told when to come back', async () => {
  const first = await readOpen(world, http, feed, '/open/v1/events')
  expect(first.headers['ratelimit-policy']).toBe(`"minute";q=${CALLS_A_MINUTE};w=60`)
  expect(first.headers.ratelimit).toBe(`"minute";r=${CALLS_A_MINUTE - 1};t=60`)
  await sql`update partner_rate set calls = ${CALLS_A_MINUTE}`.execute(world.services.db)
  const refused = await readOpen(world, http, feed, '/open/v1/events')
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([429, 'request.slowDown', '60'])
})

test.each([
  ['of a stopped merchant', sql`update merchant set state = 'stopped' where id = (select merchant_id from one)`],
  ['that is disabled', sql`update integration_config set state = 'disabled' where id = (select id from one)`],
])('a key %s reads nothing', async (_, stop) => {
  const { db } = world.services
  await db.transaction().execute(async (tx) => {
    await sql`create temp table one on commit drop as
        select id, merchant_id from integration_config where id = ${feed}`.execute(tx)
    await stop.execute(tx)
  })
  const refused = await readOpen(world, http, feed, '/open/v1/events')
  expect([refused.status, refused.body.code]).toEqual([403, 'interface.disabled'])
  await sql`update merchant set state = 'active'`.execute(db)
  await sql`update integration_config set state = 'enabled' where id = ${feed}`.execute(db)
})

test('a key that only asks for shipments reads no events', async () => {
  const { db } = world.services
  await sql`update integration_config set child_class = 'ship_request' where id = ${feed}`.execute(db)
  const refused = await readOpen(world, http, feed, '/open/v1/events')
  expect([refused.status, refused.body.code]).toEqual([403, 'interface.otherClass'])
  await sql`update integration_config set child_class = 'event_feed' where id = ${feed}`.execute(db)
})
