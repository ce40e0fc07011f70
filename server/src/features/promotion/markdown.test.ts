import {
  addMarkdown,
  getMarkdown,
  listMarkdowns,
  markDownBatches,
  stopMarkdown,
} from '@aisle/contract/promotion/markdown'
import { getOrder } from '@aisle/contract/trade/order'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addOrder, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { findDiffering } from '../alarm/sweep.store'
import { ingest } from '../device/link/ingest'
import { spoken } from '../device/testing'
import { pushShownPrices } from '../planogram/push.commands'
import { findPlanogram } from '../planogram/planogram.reads'
import { contradictions } from '../trade/recount'
import { routes as orderRoutes } from '../trade/order/order.routes'
import { settle } from './markdown.jobs'
import { routes } from './markdown.routes'

/** Noon in Shanghai. */
const NOON = new Date('2026-11-20T04:00:00Z')
const DAY_MS = 86_400_000
let world: World
let http: HttpWorld
let merchantId: number
let userId: number
let stranger: string
let machine: BuiltMachine
let other: BuiltMachine
let seq = 0

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...orderRoutes))
  const { db } = world.services
  const platformId = await addMerchant(db)
  merchantId = await addMerchant(db, { parentId: platformId })
  const otherId = await addMerchant(db, { parentId: platformId })
  stranger = await addSession(db, (await addUser(db, { merchantId: otherId, grants: ['*'] })).id, NOON)
  userId = (await addUser(db, { merchantId, grants: ['discount.*', 'order.read'] })).id
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  const { db } = world.services
  world.setNow(NOON)
  await sql`delete from markdown`.execute(db)
  await sql`delete from graphile_worker._private_jobs`.execute(db).catch(() => undefined)
  const products = [
    await addProduct(db, { merchantId }),
    await addProduct(db, { merchantId, medicineClass: 'otc_b' }),
    await addProduct(db, { merchantId, medicineClass: 'otc_a' }),
    await addProduct(db, { merchantId, medicineClass: 'rx' }),
  ]
  machine = await addMachine(db, { merchantId, products, licenceMode: 'hospital', priceFen: 999 })
  other = await addMachine(db, { merchantId, products, licenceMode: 'hospital', priceFen: 999 })
})

const call = async (...args: Parameters<HttpWorld['call']>) =>
  http.call(args[0], args[1], { token: await addSession(world.services.db, userId, world.services.clock.now()) })
const productId = (at = 0) => machine.slots[at]?.productId ?? 0

async function ask(at: BuiltMachine, orderNo: string, slots: readonly string[] = ['A1']) {
  seq += 1
  const data = { orderNo, method: 'wechat', items: slots.map((slot) => ({ slot })) }
  const taken = await ingest(world.services, [spoken(world, at.code, seq, 'order.request', data)])
  return taken.replies[0]?.answer
}
const say = async (type: string, data: Record<string, unknown>) => {
  seq += 1
  return ingest(world.services, [spoken(world, machine.code, seq, type, data)])
}

async function orderOf(orderNo: string) {
  const found = await sql<{ order_id: number }>`select order_id from order_number
    where order_no = ${`${machine.code}-${orderNo}`}`.execute(world.services.db)
  return (await call(getOrder, { id: found.rows[0]?.order_id })).body.data as Record<string, unknown>
}

/** Six of a batch lie in the slot. @returns the id of where they lie */
async function lie(at: number, number: string): Promise<number> {
  const { db } = world.services
  const slot = machine.slots[at]
  await sql`insert into medicine_batch (product_id, number, expires_on, changed_at)
    values (${slot?.productId}, ${number}, '2027-01-10', ${NOON})`.execute(db)
  await sql`insert into stock_move (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause,
      reference, batch)
    select ${merchantId}, ${NOON}, ${slot?.productId}, 6, id, ${slot?.placeId}, 'fill', 'test', ${number}
    from place where merchant_id = ${merchantId} and kind = 'supplier'`.execute(db)
  const found = await sql<{ id: number }>`select id from batch_level
    where place_id = ${slot?.placeId} and batch = ${number}`.execute(db)
  return found.rows[0]?.id ?? 0
}

test('the server asks the lower price, the order keeps the step, and what goes back is what was paid', async () => {
  const added = await call(addMarkdown, { productId: productId(), paidPercent: 85, reason: '换季' })
  expect(added.body.data).toMatchObject({ state: 'active' })
  const { id } = added.body.data as { id: number }
  for (const [endpoint, input] of [
    [addMarkdown, { productId: productId(), paidPercent: 50 }],
    [stopMarkdown, { id }],
    [getMarkdown, { id }],
  ] as const) {
    expect((await http.call(endpoint, input, { token: stranger })).status).toBe(404)
  }
  // 999 × 85 % = 849.15; the second slot is not marked down.
  expect(await ask(machine, 'CUT', ['A1', 'A2'])).toMatchObject({ amountFen: 849 + 999 })
  expect(await ask(machine, 'CUT', ['A1', 'A2'])).toMatchObject({ amountFen: 849 + 999 })
  await say('pay.result', { orderNo: 'CUT', method: 'wechat', amountFen: 1848, channelNo: 'C-1' })
  await say('vend.result', { orderNo: 'CUT', index: 0, slot: 'A1', ok: true, motorCode: '100', sensorCode: '01' })
  await say('vend.result', { orderNo: 'CUT', index: 1, slot: 'A2', ok: false, motorCode: '100', sensorCode: '03' })
  const order = await orderOf('CUT')
  expect(order).toMatchObject({
    totalFen: 1998,
    discountFen: 150,
    paidFen: 1848,
    refundingFen: 999,
    items: [
      {
        listPriceFen: 999,
        priceFen: 849,
        priceSteps: [{ kind: 'markdown', reference: id, beforeFen: 999, afterFen: 849, reason: '换季' }],
      },
      { listPriceFen: 999, priceFen: 999, priceSteps: [] },
    ],
  })
  expect((await call(getMarkdown, { id })).body.data).toMatchObject({ soldPieces: 1, forgoneFen: 150, slotCount: 2 })
  expect(await contradictions(world.services.db)).toEqual([])
})

test('it begins at its hour and ends at its own, however often asked, and machines are told what to show', async () => {
  const { db } = world.services
  const days = { startsOn: '2026-11-22', endsOn: '2026-11-23' }
  const codes = [machine.code]
  const added = await call(addMarkdown, { productId: productId(), paidPercent: 80, machineCodes: codes, ...days })
  const { id } = added.body.data as { id: number }
  expect(added.body.data).toMatchObject({ state: 'planned' })
  expect(await ask(machine, 'EARLY')).toMatchObject({ amountFen: 999 })
  const shown = async (at: BuiltMachine) => {
    await db.transaction().execute((tx) => pushShownPrices(tx, at.id, world.services.clock.now()))
    const told = await sql<{ data: { prices: { slot: string; priceFen: number }[] } }>`
      select data from device_command where machine_id = ${at.id} and type = 'push_prices'
      order by seq desc limit 1`.execute(db)
    return told.rows[0]?.data.prices.find(({ slot }) => slot === 'A1')?.priceFen
  }
  // Midnight in Shanghai.
  world.setNow(new Date('2026-11-21T16:00:00Z'))
  await settle(world.services)
  await settle(world.services)
  expect([await shown(machine), await shown(other)]).toEqual([799, 999])
  const plan = await findPlanogram(db, { kind: 'all' }, machine.id, NOON)
  expect(plan?.slots[0]).toMatchObject({ priceFen: 999 })
  const asked = [await ask(machine, 'IN'), await ask(other, 'ELSEWHERE')]
  expect(asked).toMatchObject([{ amountFen: 799 }, { amountFen: 999 }])
  // The last day is sold through; a late job changes nothing about the price.
  world.setNow(new Date('2026-11-23T16:00:00Z'))
  expect(await ask(machine, 'LATE')).toMatchObject({ amountFen: 999 })
  await settle(world.services)
  expect((await call(listMarkdowns)).body.data).toMatchObject({ items: [{ id, state: 'ended', slotCount: 0 }] })
  expect(await shown(machine)).toBe(999)
  expect((await call(stopMarkdown, { id })).body.code).toBe('markdown.state')
})

test('what is struck through is never above what was paid there in the week before', async () => {
  const { db } = world.services
  const paid = async (at: BuiltMachine, daysAgo: number, fen: number) => {
    const when = new Date(NOON.getTime() - daysAgo * DAY_MS)
    const { id } = await addOrder(db, at, when, fen)
    await sql`insert into order_item (merchant_id, occurred_at, order_id, index, slot_id, product_id, list_price_fen,
        price_fen, cost_fen, state)
      select ${merchantId}, ${when}, ${id}, 0, ${at.slots[0]?.id}, ${at.slots[0]?.productId}, 999, ${fen}, 200,
        'dispensed' where not exists (select from order_item where order_id = ${id})`.execute(db)
    await sql`update order_item set price_fen = ${fen} where order_id = ${id}`.execute(db)
  }
  await paid(machine, 3, 900)
  await paid(machine, 5, 950)
  await paid(machine, 9, 100)
  await paid(other, 2, 500)
  const added = await call(addMarkdown, { productId: productId(), paidPercent: 70 })
  const { id } = added.body.data as { id: number }
  const { slots } = (await call(getMarkdown, { id })).body.data as { slots: Record<string, unknown>[] }
  const of = (at: BuiltMachine) => slots.find(({ machineCode }) => machineCode === at.code)
  expect(of(machine)).toMatchObject({ struckFen: 900, priceFen: 699, isBelowCost: false })
  // Sold for less last week: nothing is struck through at all.
  expect(of(other)).toMatchObject({ struckFen: null, priceFen: 699 })
  await settle(world.services)
  const first = async (at: BuiltMachine) => {
    await db.transaction().execute((tx) => pushShownPrices(tx, at.id, NOON))
    const told = await sql<{ price: unknown }>`select data #> '{prices,0}' as price from device_command
      where machine_id = ${at.id} order by seq desc limit 1`.execute(db)
    return told.rows[0]?.price
  }
  expect([await first(machine), await first(other)]).toEqual([
    { slot: 'A1', priceFen: 699, struckFen: 900 },
    { slot: 'A1', priceFen: 699 },
  ])
})

test('prescription medicines and OTC A are marked down by no road, and each row is answered for', async () => {
  for (const [at, status] of [
    [1, 200],
    [2, 422],
    [3, 422],
  ] as const) {
    expect((await call(addMarkdown, { productId: productId(at), paidPercent: 80 })).status).toBe(status)
  }
  await sql`delete from markdown`.execute(world.services.db)
  const ids = [await lie(1, 'B1'), await lie(2, 'A1'), await lie(3, 'R1')]
  const marked = await call(markDownBatches, { ids: [...ids, 999_999], paidPercent: 50, reason: '近效期' })
  expect(marked.body.data).toEqual({
    outcomes: [
      { id: ids[0], outcome: 'done' },
      { id: ids[1], outcome: 'notLawful' },
      { id: ids[2], outcome: 'notLawful' },
      { id: 999_999, outcome: 'notFound' },
    ],
  })
  expect(await ask(machine, 'BATCH', ['A2'])).toMatchObject({ amountFen: 499 })
  expect(await ask(other, 'BATCH', ['A2'])).toMatchObject({ amountFen: 999 })
  expect((await call(addMarkdown, { productId: productId(1), batch: 'NONE', paidPercent: 80 })).body.code).toBe(
    'markdown.batch',
  )
  const past = { productId: productId(1), paidPercent: 80, endsOn: '2026-11-19' }
  expect((await call(addMarkdown, past)).body.code).toBe('markdown.dates')
})

test('of two that fit the lower price holds, they do not add up, and stopping one brings the other back', async () => {
  const low = (await call(addMarkdown, { productId: productId(), paidPercent: 60 })).body.data as { id: number }
  await call(addMarkdown, { productId: productId(), paidPercent: 90 })
  expect(await ask(machine, 'TWO')).toMatchObject({ amountFen: 599 })
  expect((await call(stopMarkdown, { id: low.id })).body.data).toMatchObject({ state: 'stopped' })
  expect(await ask(machine, 'ONE')).toMatchObject({ amountFen: 899 })
})

test('the minute looks only at what is due: a slot that changed, a batch that is out, a retired machine', async () => {
  const { db } = world.services
  const due = async () =>
    (
      await sql<{ slotId: number }>`select distinct slot_id as "slotId" from markdown_due order by 1`.execute(db)
    ).rows.map(({ slotId }) => slotId)
  const holds = async (id: number) =>
    (
      await sql<{ slotId: number }>`select slot_id as "slotId" from markdown_slot
        where markdown_id = ${id} and ended_at is null order by 1`.execute(db)
    ).rows.map(({ slotId }) => slotId)
  const slotId = (at: BuiltMachine, index: number) => at.slots[index]?.id ?? 0
  const level = await lie(1, 'B7')
  await settle(world.services)
  const marked = await call(markDownBatches, { ids: [level], paidPercent: 50, reason: '近效期' })
  expect(marked.status).toBe(200)
  const batch = (await call(listMarkdowns)).body.data as { items: { id: number }[] }
  const batchId = batch.items[0]?.id ?? 0
  const plain = (await call(addMarkdown, { productId: productId(), paidPercent: 80 })).body.data as { id: number }
  expect([await holds(plain.id), await holds(batchId)]).toEqual([
    [slotId(machine, 0), slotId(other, 0)],
    [slotId(machine, 1)],
  ])
  await settle(world.services)
  expect(await due()).toEqual([])
  // Another product is planned there.
  await sql`update slot set product_id = ${machine.slots[1]?.productId} where id = ${slotId(other, 0)}`.execute(db)
  // What nobody marked down is nobody's business.
  await sql`update slot set product_id = null where id = ${slotId(other, 3)}`.execute(db)
  expect(await due()).toEqual([slotId(other, 0)])
  await settle(world.services)
  expect([await holds(plain.id), await due()]).toEqual([[slotId(machine, 0)], []])
  // The last piece of the batch is out, and with it the markdown of it is over.
  await sql`insert into stock_move (merchant_id, moved_at, product_id, quantity, from_place_id, to_place_id, cause,
      reference, batch)
    select ${merchantId}, ${NOON}, ${machine.slots[1]?.productId}, 6, ${machine.slots[1]?.placeId}, id, 'fill', 'test',
      'B7' from place where merchant_id = ${merchantId} and kind = 'supplier'`.execute(db)
  expect(await due()).toEqual([slotId(machine, 1)])
  await settle(world.services)
  expect((await call(getMarkdown, { id: batchId })).body.data).toMatchObject({ state: 'ended' })
  await sql`update machine set retired_at = ${NOON} where id = ${machine.id}`.execute(db)
  expect(await due()).toContain(slotId(machine, 0))
  await settle(world.services)
  expect([await holds(plain.id), await due()]).toEqual([[], []])
})

test('a machine that shows what is marked down does not differ by it', async () => {
  const { db } = world.services
  await call(addMarkdown, { productId: productId(), paidPercent: 80 })
  await settle(world.services)
  const shows = async (priceFen: number) => {
    const { code, productCode: product } = machine.slots[0] ?? { code: '', productCode: '' }
    const slots = JSON.stringify({ slots: [{ code, product, priceFen }] })
    await sql`update machine_state set snapshot = ${slots}::jsonb, snapshot_at = ${NOON}
      where machine_id = ${machine.id}`.execute(db)
    const differing = await findDiffering(db, new Date(NOON.getTime() - 1))
    return differing.filter(({ machineId }) => machineId === machine.id).map(({ prices }) => Number(prices))
  }
  expect([await shows(799), await shows(999)]).toEqual([[], [1]])
})
