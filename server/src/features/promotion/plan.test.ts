import { listOffers } from '@aisle/contract/promotion/offer'
import {
  addPlan,
  dryRunPlan,
  editPlan,
  endPlan,
  getPlan,
  listPlan,
  listPlans,
  pausePlan,
} from '@aisle/contract/promotion/plan'
import { getOrder } from '@aisle/contract/trade/order'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { races, racing, together } from '../../testing/races'
import { routesWith } from '../../testing/stubs'
import { issueCard } from '../../testing/tenders'
import { openWorld, type World } from '../../testing/world'
import { ingest } from '../device/link/ingest'
import { spoken } from '../device/testing'
import { pushShownPrices } from '../planogram/push.commands'
import { contradictions } from '../trade/recount'
import { routes as orderRoutes } from '../trade/order/order.routes'
import { sweepWaiting } from '../trade/sale/vend.commands'
import { settle } from './offer.jobs'
import { routes as offerRoutes } from './offer.routes'
import { routes } from './plan.routes'

/** Noon in Shanghai, a Friday. */
const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let merchantId: number
let userId: number
let strangerId: number
let stranger: string
let machine: BuiltMachine
let seq = 0

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...offerRoutes, ...orderRoutes))
  const { db } = world.services
  const platformId = await addMerchant(db)
  merchantId = await addMerchant(db, { parentId: platformId })
  const otherId = await addMerchant(db, { parentId: platformId })
  strangerId = (await addUser(db, { merchantId: otherId, grants: ['*'] })).id
  stranger = await addSession(db, strangerId, NOON)
  userId = (await addUser(db, { merchantId, grants: ['promotionPlan.*', 'discount.read', 'order.read'] })).id
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  const { db } = world.services
  world.setNow(NOON)
  await sql`update promotion_plan set state = 'ended', ended_at = ${NOON} where state <> 'ended'`.execute(db)
  const products = [
    await addProduct(db, { merchantId }),
    await addProduct(db, { merchantId, medicineClass: 'rx' }),
    await addProduct(db, { merchantId }),
  ]
  machine = await addMachine(db, { merchantId, products, licenceMode: 'hospital', priceFen: 1000 })
})

const call = async (...args: Parameters<HttpWorld['call']>) =>
  http.call(args[0], args[1], { token: await addSession(world.services.db, userId, world.services.clock.now()) })
const productIds = (...at: number[]) => at.map((each) => machine.slots[each]?.productId ?? 0)
const eightTenths = () => ({ kind: 'rate', paidPercent: 80, productIds: productIds(0) })

/** @returns its id; what speaks against it is seen and listed all the same */
async function listed(name: string, said: Record<string, unknown>): Promise<number> {
  const { id } = (await call(addPlan, { name: `${name} ${(seq += 1)}`, ...said })).body.data as { id: number }
  const { conflicts } = (await call(getPlan, { id })).body.data as { conflicts: unknown[] }
  const done = await call(listPlan, { id, conflictsSeen: conflicts.length })
  expect(done.body.data).toMatchObject({ state: 'listed' })
  return id
}

async function ask(orderNo: string, slots: readonly string[] = ['A1'], more: Record<string, unknown> = {}) {
  seq += 1
  const data = { orderNo, method: 'wechat', items: slots.map((slot) => ({ slot })), ...more }
  const taken = await ingest(world.services, [spoken(world, machine.code, seq, 'order.request', data)])
  return taken.replies[0]?.answer as { amountFen?: number } | undefined
}
const asked = async (...args: Parameters<typeof ask>) => (await ask(...args))?.amountFen

async function orderOf(orderNo: string) {
  const found = await sql<{ order_id: number }>`select order_id from order_number
    where order_no = ${`${machine.code}-${orderNo}`}`.execute(world.services.db)
  return (await call(getOrder, { id: found.rows[0]?.order_id })).body.data as Record<string, unknown>
}

async function shown(): Promise<Record<string, unknown> | undefined> {
  const { db } = world.services
  await settle(world.services)
  await db.transaction().execute((tx) => pushShownPrices(tx, machine.id, world.services.clock.now()))
  const told = await sql<{ price: Record<string, unknown> }>`select data #> '{prices,0}' as price from device_command
    where machine_id = ${machine.id} and type = 'push_prices' order by seq desc limit 1`.execute(db)
  return told.rows[0]?.price
}

test('a plan lowers prices while it is listed, and the order says by which version', async () => {
  const said = { name: 'week', ...eightTenths() }
  const { id } = (await call(addPlan, said)).body.data as { id: number }
  expect((await call(addPlan, said)).body.code).toBe('plan.nameTaken')
  expect(await asked('BEFORE')).toBe(1000)
  for (const [endpoint, input] of [
    [getPlan, { id }],
    [listPlan, { id }],
    [pausePlan, { id }],
    [endPlan, { id }],
    [editPlan, { id, version: 1, ...said }],
  ] as const) {
    expect((await http.call(endpoint, input, { token: stranger })).status).toBe(404)
  }
  expect((await call(pausePlan, { id })).body.code).toBe('plan.state')
  expect((await call(listPlan, { id })).body.data).toMatchObject({ state: 'listed' })
  expect(await asked('DURING', ['A1', 'A3'])).toBe(800 + 1000)
  expect(await asked('DURING', ['A1', 'A3'])).toBe(800 + 1000)
  expect((await call(editPlan, { id, version: 2, ...said })).body.code).toBe('plan.state')
  expect((await call(pausePlan, { id })).body.data).toMatchObject({ state: 'paused' })
  expect(await asked('PAUSED')).toBe(1000)
  expect((await call(editPlan, { id, version: 1, ...said })).body.code).toBe('edit.stale')
  expect((await call(editPlan, { id, version: 3, ...said, paidPercent: 50 })).status).toBe(200)
  expect((await call(listPlan, { id })).status).toBe(200)
  expect(await asked('AGAIN')).toBe(500)
  const order = await orderOf('DURING')
  const { versions } = (await call(getPlan, { id })).body.data as { versions: { id: number; orders: number }[] }
  expect(versions).toMatchObject([
    { number: 2, orders: 1 },
    { number: 1, orders: 1 },
  ])
  expect(order).toMatchObject({
    totalFen: 2000,
    discountFen: 200,
    items: [
      {
        listPriceFen: 1000,
        priceFen: 800,
        priceSteps: [
          { kind: 'plan', planId: id, reference: versions[1]?.id, beforeFen: 1000, afterFen: 800, reason: 'week' },
        ],
      },
      { priceFen: 1000, priceSteps: [] },
    ],
  })
  const change = sql`update promotion_plan_version set paid_percent = 1 where id = ${versions[1]?.id}`
  await expect(change.execute(world.services.db)).rejects.toThrow('not changed')
  expect((await call(endPlan, { id })).body.data).toMatchObject({ state: 'ended' })
  expect((await call(listPlan, { id })).body.code).toBe('plan.state')
})

test('an order that was priced by a plan which ended before it was paid is paid as it was priced', async () => {
  const id = await listed('over', eightTenths())
  expect(await asked('LATE')).toBe(800)
  expect((await call(endPlan, { id })).body.data).toMatchObject({ state: 'ended' })
  seq += 1
  const paid = { orderNo: 'LATE', method: 'wechat', amountFen: 800, channelNo: `C-${seq}` }
  await ingest(world.services, [spoken(world, machine.code, seq, 'pay.result', paid)])
  expect(await orderOf('LATE')).toMatchObject({ paymentState: 'paid', totalFen: 1000, discountFen: 200, paidFen: 800 })
  expect(await asked('AFTER')).toBe(1000)
  expect(await contradictions(world.services.db)).toEqual([])
})

test('what is paid back is what was paid, an order-level discount as it was spread', async () => {
  await listed('much', { kind: 'threshold', leastFen: 1500, amountFen: 301, productIds: productIds(0, 2) })
  expect(await asked('MUCH', ['A1', 'A3'])).toBe(1699)
  const say = async (type: string, data: Record<string, unknown>) => {
    seq += 1
    return ingest(world.services, [spoken(world, machine.code, seq, type, data)])
  }
  await say('pay.result', { orderNo: 'MUCH', method: 'wechat', amountFen: 1699, channelNo: `C-${seq}` })
  const came = { orderNo: 'MUCH', motorCode: '100' }
  await say('vend.result', { ...came, index: 0, slot: 'A1', ok: true, sensorCode: '01' })
  await say('vend.result', { ...came, index: 1, slot: 'A3', ok: false, sensorCode: '03' })
  expect(await orderOf('MUCH')).toMatchObject({
    paidFen: 1699,
    refundingFen: 850,
    items: [{ priceFen: 849 }, { priceFen: 850 }],
  })
  // The past is computed again from what came out of it.
  const draft = { name: `draft ${seq}`, ...eightTenths(), priority: 4 }
  const { id } = (await call(addPlan, draft)).body.data as { id: number }
  expect((await call(dryRunPlan, { id })).body.data).toMatchObject({
    orders: 1,
    touched: 1,
    forgoneFen: 200,
    without: { paidFen: 1000 },
    with: { paidFen: 800 },
    isPartial: false,
  })
  expect((await http.call(dryRunPlan, { id }, { token: stranger })).status).toBe(404)
  expect(await contradictions(world.services.db)).toEqual([])
})

test('what speaks against a plan is seen before it is listed, and what the law forbids is refused', async () => {
  const first = await listed('first', eightTenths())
  const { id } = (
    await call(addPlan, { name: `second ${seq}`, kind: 'fixed', amountFen: 1, productIds: productIds(0) })
  ).body.data as { id: number }
  expect((await call(getPlan, { id })).body.data).toMatchObject({
    conflicts: [
      { kind: 'overlap', planId: first, count: 1 },
      { kind: 'belowCost', count: 1 },
    ],
  })
  expect((await call(listPlan, { id })).body.code).toBe('plan.conflicts')
  expect((await call(listPlan, { id, conflictsSeen: 2 })).status).toBe(200)
  expect(await asked('TWO')).toBe(1)
  const rx = { name: `rx ${seq}`, kind: 'rate', paidPercent: 80, productIds: productIds(1) }
  expect((await call(addPlan, rx)).body.code).toBe('plan.notLawful')
  const all = await listed('all', { kind: 'rate', paidPercent: 50, priority: 9, machineIds: [machine.id] })
  expect((await call(getPlan, { id: all })).body.data).toMatchObject({ machines: [{ id: machine.id }] })
  expect(await asked('LAW', ['A2'], { prescription: undefined })).toBeUndefined()
  const nowhere = { name: `nowhere ${seq}`, kind: 'rate', paidPercent: 50, machineIds: [999_999] }
  expect((await call(addPlan, nowhere)).body.code).toBe('plan.machines')
  expect((await call(addPlan, { ...nowhere, machineIds: [], productIds: [999_999] })).body.code).toBe('plan.nothing')
  const past = (await call(addPlan, { ...eightTenths(), name: `past ${seq}`, endsOn: '2026-11-19' })).body.data
  expect((await call(listPlan, { id: (past as { id: number }).id, conflictsSeen: 2 })).body.code).toBe('plan.over')
  expect((await call(addPlan, { name: `half ${seq}`, kind: 'bundle', pieces: 2 })).status).toBe(422)
})

test('it begins and ends by itself by the clock of the machine, which is told what to show', async () => {
  expect(await shown()).toMatchObject({ slot: 'A1', priceFen: 1000 })
  const id = await listed('hours', { ...eightTenths(), fromTime: '14:00', toTime: '15:00', weekdays: [5] })
  expect((await call(listPlans, { state: 'listed' })).body.data).toMatchObject({ items: [{ id, marks: ['onSale'] }] })
  expect([await asked('NOON'), (await shown())?.priceFen]).toEqual([1000, 1000])
  world.setNow(new Date('2026-11-20T06:00:00Z'))
  expect([await asked('TWO'), await shown()]).toMatchObject([800, { priceFen: 800, struckFen: 1000 }])
  const rival = { ...eightTenths(), paidPercent: 50, weekdays: [5], priority: 9, fromTime: '14:00', toTime: '15:00' }
  const { name } = (await call(getPlan, { id: await listed('rival', rival) })).body.data as { name: string }
  const { code } = machine
  expect((await call(listOffers, { code })).body.data).toMatchObject({
    items: [{ slotCode: 'A1', listFen: 1000, priceFen: 800, source: 'plan', planId: id, passedOver: `${name} (9)` }],
  })
  const token = await addSession(world.services.db, strangerId, world.services.clock.now())
  expect((await http.call(listOffers, { code }, { token })).body.data).toMatchObject({ items: [] })
  world.setNow(new Date('2026-11-20T07:00:00Z'))
  expect([await asked('THREE'), (await shown())?.priceFen]).toEqual([1000, 1000])
  expect((await call(listOffers, { code })).body.data).toMatchObject({ items: [] })
  world.setNow(new Date('2026-11-21T06:00:00Z'))
  expect(await asked('SATURDAY')).toBe(1000)
})

test('what holders of cards pay is told to the machine and listed, and no card makes it dearer', async () => {
  const { db } = world.services
  const theirs = { ...eightTenths(), cardTypes: ['staff', 'student'] }
  const { name } = (await call(getPlan, { id: await listed('staff', theirs) })).body.data as { name: string }
  expect(await shown()).toEqual({ slot: 'A1', priceFen: 1000, memberFen: 800 })
  const { code } = machine
  expect((await call(listOffers, { code })).body.data).toMatchObject({
    items: [{ slotCode: 'A1', listFen: 1000, priceFen: 1000, memberFen: 800, source: 'member', memberReason: name }],
  })
  const staff = await issueCard(world, { merchantId, balanceFen: 9_000, type: 'staff' })
  const plain = await issueCard(world, { merchantId, balanceFen: 9_000 })
  // A card for staff pays while a name is on it.
  await sql`with who as (insert into member (number, name, merchant_id, registered_at)
      values ('STAFF1', 'Staff', ${merchantId}, ${NOON}) returning id)
    update member_card set member_id = who.id from who where member_card.id = ${staff.cardId}`.execute(db)
  const by = ({ physicalNo }: { physicalNo: string }) => ({ method: 'member_card', code: physicalNo })
  expect([await asked('NONE'), await asked('PLAIN', ['A1'], by(plain))]).toEqual([1000, 1000])
  expect(await asked('STAFF', ['A1'], by(staff))).toBe(800)
  // One for everybody that ranks below it and gives more.
  await listed('all', { ...eightTenths(), paidPercent: 50, priority: 9 })
  // What the holder paid was the lowest price there lately.
  expect(await shown()).toEqual({ slot: 'A1', priceFen: 500, struckFen: 800 })
  expect([await asked('ANY'), await asked('AGAIN', ['A1'], by(staff))]).toEqual([500, 500])
})

test('64 at once for a plan that ten may have: ten have it; who does not buy leaves it to others', racing, async () => {
  await races('ten uses', async () => {
    const id = await listed('ten', { ...eightTenths(), maxUses: 10 })
    const answers = await together((n) => asked(`N-${id}-${n}`))
    expect(answers.filter((fen) => fen === 800)).toHaveLength(10)
    expect(answers.filter((fen) => fen === 1000)).toHaveLength(54)
    expect((await call(listPlans, { state: 'listed' })).body.data).toMatchObject({
      items: [{ id, uses: 10, spentFen: 2000, marks: ['soldOut'] }],
    })
    // What can run out is not shown as the price.
    expect((await shown())?.priceFen).toBe(1000)
    world.setNow(new Date(world.services.clock.now().getTime() + 600_000))
    await world.services.db.transaction().execute((tx) => sweepWaiting(tx, world.services.clock.now()))
    expect((await call(listPlans, { state: 'listed' })).body.data).toMatchObject({
      items: [{ id, uses: 0, spentFen: 0, marks: ['onSale'] }],
    })
    await call(endPlan, { id })
  })
})

test('a budget is never passed, and a member has a plan as often as it says', async () => {
  const { db } = world.services
  const budget = await listed('budget', { ...eightTenths(), budgetFen: 500 })
  const fens = [await asked('B1'), await asked('B2'), await asked('B3')]
  expect(fens).toEqual([800, 800, 1000])
  const over = sql`update promotion_tally set spent_fen = 501 where plan_id = ${budget}`
  await expect(over.execute(db)).rejects.toThrow('promotion_tally_budget')
  await call(endPlan, { id: budget })
  await listed('members', { ...eightTenths(), levels: [1], perMember: 1 })
  const { physicalNo: code } = await issueCard(world, { merchantId, balanceFen: 9_000 })
  const card = { method: 'member_card', code }
  expect([await asked('M0'), await asked('M1', ['A1'], card), await asked('M2', ['A1'], card)]).toEqual([
    1000, 800, 1000,
  ])
})

test('the database says prices again as the engine does', async () => {
  const found = await sql<{ fens: number[] }>`select json_build_array(
    offered_fen(999, '{rate}', '{85}'), offered_fen(1, '{rate}', '{1}'), offered_fen(300, '{amount}', '{50}'),
    offered_fen(30, '{amount}', '{50}'), offered_fen(300, '{fixed}', '{199}'), offered_fen(100, '{fixed}', '{199}'),
    offered_fen(1000, '{rate,amount}', '{80,100}')) as fens`.execute(world.services.db)
  // As in the table of price.rules.test.ts.
  expect(found.rows[0]?.fens).toEqual([849, 1, 250, 1, 199, 100, 700])
})
