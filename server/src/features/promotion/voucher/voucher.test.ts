import { addCodeBatch, addCodePlan, listCodePlan } from '@aisle/contract/promotion/code'
import {
  addCouponPlan,
  editCouponPlan,
  endCouponPlan,
  getCouponPlan,
  issueCoupons,
  listCouponPlan,
  listCouponPlans,
  pauseCouponPlan,
  previewIssue,
} from '@aisle/contract/promotion/coupon'
import { addPlan, listPlan } from '@aisle/contract/promotion/plan'
import {
  cancelCodeBatch,
  cancelCoupon,
  getCode,
  getCoupon,
  listCodes,
  listCoupons,
  listReleasedCodes,
  listReleasedCoupons,
  releaseCodes,
  releaseCoupons,
  revealCoupon,
} from '@aisle/contract/promotion/voucher'
import { getOrder } from '@aisle/contract/trade/order'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { races, racing, together } from '../../../testing/races'
import { routesWith } from '../../../testing/stubs'
import { issueCard } from '../../../testing/tenders'
import { openWorld, type World } from '../../../testing/world'
import { ingest } from '../../device/link/ingest'
import { spoken } from '../../device/testing'
import { contradictions } from '../../trade/recount'
import { routes as orderRoutes } from '../../trade/order/order.routes'
import { sweepWaiting } from '../../trade/sale/vend.commands'
import { routes as planRoutes } from '../plan.routes'
import { giveBackVouchers } from './hold.commands'
import { makeVouchers } from './make.store'
import { drawVoucher } from './secret'
import { expire, jobs } from './voucher.jobs'
import { routes } from './voucher.routes'

/** Noon in Shanghai, a Friday. */
const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let merchantId: number
let userId: number
let stranger: string
let machine: BuiltMachine
let far: BuiltMachine
let seq = 0

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes, ...planRoutes, ...orderRoutes))
  const { db } = world.services
  const platformId = await addMerchant(db)
  merchantId = await addMerchant(db, { parentId: platformId })
  const otherId = await addMerchant(db, { parentId: platformId })
  stranger = await addSession(db, (await addUser(db, { merchantId: otherId, grants: ['*'] })).id, NOON)
  const grants = ['promotionPlan.*', 'coupon.*', 'promotionCode.*', 'order.read']
  userId = (await addUser(db, { merchantId, grants })).id
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
  far = await addMachine(db, { merchantId, products, licenceMode: 'hospital', priceFen: 1000 })
})

const call = async (...args: Parameters<HttpWorld['call']>) =>
  http.call(args[0], args[1], { token: await addSession(world.services.db, userId, world.services.clock.now()) })
const data = async <T>(...args: Parameters<HttpWorld['call']>) => (await call(...args)).body.data as T

const tenOff = { kind: 'threshold', leastFen: 1000, amountFen: 300, endsOn: '2026-11-30' }
/** @returns its id */
async function listed(said: Record<string, unknown>): Promise<number> {
  const asked = { name: `coupon ${(seq += 1)}`, productIds: [machine.slots[0]?.productId], ...said }
  const { id } = await data<{ id: number }>(addCouponPlan, asked)
  const { conflicts } = await data<{ conflicts: unknown[] }>(getCouponPlan, { id })
  expect((await call(listCouponPlan, { id, conflictsSeen: conflicts.length })).body.data).toMatchObject({
    state: 'listed',
  })
  return id
}
async function codesOf(said: Record<string, unknown>, count: number): Promise<{ id: number; codes: string[] }> {
  const asked = { name: `code ${(seq += 1)}`, productIds: [machine.slots[0]?.productId], endsOn: '2026-11-30', ...said }
  const { id } = await data<{ id: number }>(addCodePlan, asked)
  expect((await call(listCodePlan, { id })).status).toBe(200)
  const batch = await data<{ id: number }>(addCodeBatch, { id, count, reason: 'for the test' })
  await jobs[0]?.run(world.services, { batchId: batch.id })
  const { releaseId } = await data<{ releaseId: number }>(releaseCodes, { id: batch.id, fromSerial: 1, toSerial: 200 })
  const { items } = await data<{ items: { voucherCode: string }[] }>(listReleasedCodes, { releaseId, pageSize: 200 })
  return { id: batch.id, codes: items.map(({ voucherCode }) => voucherCode) }
}
async function bearers(planId: number, count: number): Promise<string[]> {
  const given = { planId, audience: 'bearer', count, reason: 'handed out' }
  const { id } = await data<{ id: number }>(issueCoupons, given)
  const { releaseId } = await data<{ releaseId: number }>(releaseCoupons, { id, fromSerial: 1, toSerial: count })
  const { items } = await data<{ items: { voucherCode: string }[] }>(listReleasedCoupons, { releaseId, pageSize: 200 })
  return items.map(({ voucherCode }) => voucherCode)
}
async function addMember(level = 1): Promise<number> {
  const made = await sql<{ id: number }>`with made as (
      insert into member (number, name, merchant_id, level, registered_at)
      values (${`V${String((seq += 1)).padStart(6, '0')}`}, 'Holder', ${merchantId}, ${level}, ${NOON}) returning id)
    insert into member_merchant (member_id, merchant_id, linked_at) select id, ${merchantId}, ${NOON} from made
    returning member_id as id`.execute(world.services.db)
  return made.rows[0]?.id ?? 0
}

const say = (at: BuiltMachine, type: string, said: Record<string, unknown>) =>
  ingest(world.services, [spoken(world, at.code, (seq += 1), type, said)])
async function ask(orderNo: string, more: Record<string, unknown> = {}, at = machine, slots = ['A1']) {
  const asked = { orderNo, method: 'wechat', items: slots.map((slot) => ({ slot })), ...more }
  return (await say(at, 'order.request', asked)).replies[0]?.answer as { amountFen?: number; refused?: string }
}
const pay = (orderNo: string, amountFen: number, at = machine) =>
  say(at, 'pay.result', { orderNo, method: 'wechat', amountFen, channelNo: `C-${(seq += 1)}` })
async function pass(minutes: number) {
  const { db, clock } = world.services
  world.setNow(new Date(clock.now().getTime() + minutes * 60_000))
  await db.transaction().execute((tx) => sweepWaiting(tx, clock.now()))
}
const end = async (...batchIds: number[]) => {
  const job = jobs.find(({ name }) => name === 'promotion.endVouchers')
  for (const batchId of batchIds) await job?.run(world.services, { batchId })
}
type Row = Record<string, unknown> & { id: number }
const couponsOf = async (planId: number) => (await data<{ items: Row[] }>(listCoupons, { planId, pageSize: 200 })).items

test('a coupon is defined, listed, given to a member, spent with an order, and says so', async () => {
  const said = { name: 'autumn', ...tenOff, productIds: [machine.slots[0]?.productId] }
  const { id } = await data<{ id: number }>(addCouponPlan, said)
  expect((await call(addCouponPlan, said)).body.code).toBe('plan.nameTaken')
  const member = await addMember()
  const given = { planId: id, audience: 'members', memberIds: [member], reason: 'birthday' }
  expect((await call(issueCoupons, given)).body.code).toBe('voucher.notListed')
  for (const [endpoint, input] of [
    [getCouponPlan, { id }],
    [listCouponPlan, { id }],
    [issueCoupons, given],
    [endCouponPlan, { id }],
  ] as const) {
    expect((await http.call(endpoint, input, { token: stranger })).status).toBe(404)
  }
  expect((await call(listCouponPlan, { id })).body.data).toMatchObject({ state: 'listed' })
  expect((await call(editCouponPlan, { id, version: 2, ...said })).body.code).toBe('plan.state')
  expect(await data(previewIssue, given)).toMatchObject({ members: 1, atLimit: 0, count: 1, left: null })
  expect(await data(issueCoupons, given)).toMatchObject({ count: 1 })
  const [coupon] = await couponsOf(id)
  expect(coupon).toMatchObject({
    state: 'unused',
    memberId: member,
    orderId: null,
    expiresAt: '2026-11-30T16:00:00+00:00',
  })
  const { code } = await data<{ code: string }>(revealCoupon, { id: coupon?.id, reason: 'shown' })
  expect(await ask('PLAIN')).toMatchObject({ amountFen: 1000 })
  const spoken1 = `${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`
  expect(await ask('FIRST', { voucher: spoken1 })).toMatchObject({ amountFen: 700 })
  // Asked again it is the same order; another may not have it meanwhile.
  expect(await ask('FIRST', { voucher: code })).toMatchObject({ amountFen: 700 })
  expect(await ask('FIRST')).toMatchObject({ refused: 'orderNoReused' })
  expect(await ask('OTHER', { voucher: code }, far)).toMatchObject({ refused: 'voucherSpent' })
  expect((await couponsOf(id))[0]).toMatchObject({ state: 'held', orderNo: `${machine.code}-FIRST`, givenFen: 0 })
  expect((await call(cancelCoupon, { id: coupon?.id, reason: 'mistake' })).body.code).toBe('voucher.inHand')
  // What is out is a promise: pausing and ending stop only the giving.
  expect((await call(pauseCouponPlan, { id })).status).toBe(200)
  expect((await call(endCouponPlan, { id })).status).toBe(200)
  await pay('FIRST', 700)
  await say(machine, 'vend.result', {
    orderNo: 'FIRST',
    index: 0,
    slot: 'A1',
    ok: true,
    motorCode: '100',
    sensorCode: '01',
  })
  const detail = await data<Row & { orderId: number }>(getCoupon, { id: coupon?.id })
  expect(detail).toMatchObject({
    state: 'used',
    givenFen: 300,
    reason: 'birthday',
    orders: [{ orderNo: `${machine.code}-FIRST`, fen: 300, saleFen: 700, releasedAt: null }],
  })
  expect(await data(getOrder, { id: detail.orderId })).toMatchObject({
    totalFen: 1000,
    discountFen: 300,
    paidFen: 700,
    items: [{ priceSteps: [{ kind: 'coupon', planId: id, beforeFen: 1000, afterFen: 700, reason: 'autumn' }] }],
  })
  expect((await data<{ items: unknown[] }>(listCouponPlans, { q: 'autumn' })).items).toMatchObject([
    { id, issued: 1, used: 1, expired: 0, givenFen: 300, salesFen: 700 },
  ])
  expect((await http.call(getCoupon, { id: coupon?.id }, { token: stranger })).status).toBe(404)
  expect(await contradictions(world.services.db)).toEqual([])
})

test('it is free again when nobody pays, and when the machine gave nothing, where its plan says so', async () => {
  const plan = await listed(tenOff)
  const hard = await listed({ ...tenOff, isReturned: false })
  const [soft = ''] = await bearers(plan, 1)
  const [spentFor = ''] = await bearers(hard, 1)
  expect(await ask('UNPAID', { voucher: soft })).toMatchObject({ amountFen: 700 })
  await pass(6)
  expect(await couponsOf(plan)).toMatchObject([{ state: 'unused', uses: 0 }])
  const jam = { index: 0, slot: 'A1', ok: false, motorCode: '100', sensorCode: '03' }
  for (const [orderNo, voucher] of [
    ['SOFT', soft],
    ['HARD', spentFor],
  ] as const) {
    expect(await ask(orderNo, { voucher })).toMatchObject({ amountFen: 700 })
    await pay(orderNo, 700)
    await say(machine, 'vend.result', { orderNo, ...jam })
  }
  expect(await couponsOf(plan)).toMatchObject([{ state: 'unused', uses: 0, givenFen: 0 }])
  expect(await couponsOf(hard)).toMatchObject([{ state: 'used', uses: 1, givenFen: 300 }])
  expect(await data(getCouponPlan, { id: plan })).toMatchObject({ used: 0, givenFen: 0, salesFen: 0 })
  // A part that came out is a use.
  expect(await ask('PART', { voucher: soft }, machine, ['A1', 'A3'])).toMatchObject({ amountFen: 1700 })
  await pay('PART', 1700)
  await say(machine, 'vend.result', { orderNo: 'PART', ...jam })
  await say(machine, 'vend.result', { ...jam, orderNo: 'PART', index: 1, slot: 'A3', ok: true, sensorCode: '01' })
  const [used] = await couponsOf(plan)
  expect(used).toMatchObject({ state: 'used', givenFen: 300 })
  // As a refund of all that was paid asks; twice is once.
  const [kept] = await couponsOf(hard)
  const orderIds = [Number(used?.orderId), Number(kept?.orderId)]
  const { db, clock } = world.services
  for (const _ of [1, 2]) await db.transaction().execute((tx) => giveBackVouchers(tx, orderIds, clock.now()))
  expect(await couponsOf(plan)).toMatchObject([{ state: 'unused', uses: 0, givenFen: 0 }])
  expect(await couponsOf(hard)).toMatchObject([{ state: 'used', uses: 1 }])
})

test('a coupon that ends between order and payment is honoured; one that is over is not taken', async () => {
  const plan = await listed({ ...tenOff, endsOn: null, validDays: 1 })
  const [code = '', other = ''] = await bearers(plan, 2)
  world.setNow(new Date('2026-11-20T15:59:00Z'))
  expect(await ask('LATE', { voucher: code })).toMatchObject({ amountFen: 700 })
  world.setNow(new Date('2026-11-20T16:01:00Z'))
  await expire(world.services)
  const states = new Set((await couponsOf(plan)).map(({ state }) => state))
  expect(states).toEqual(new Set(['expired', 'held']))
  await pay('LATE', 700)
  expect(await ask('OVER', { voucher: other })).toMatchObject({ refused: 'voucherExpired' })
  expect(await data(getCouponPlan, { id: plan })).toMatchObject({ issued: 2, used: 1, expired: 1 })
})

test('what gives nothing is refused with its reason, and nobody guesses for long', async () => {
  const plan = await listed(tenOff)
  const [code = ''] = await bearers(plan, 1)
  expect(await ask('LESS', { voucher: code }, machine, ['A3'])).toMatchObject({ refused: 'voucherNoEffect' })
  expect(await ask('PICK', { voucher: code, isPlay: true })).toMatchObject({ refused: expect.any(String) })
  const member = await addMember()
  const { cardId, physicalNo } = await issueCard(world, { merchantId, balanceFen: 9_000 })
  await sql`update member_card set member_id = ${await addMember()} where id = ${cardId}`.execute(world.services.db)
  await call(issueCoupons, { planId: plan, audience: 'members', memberIds: [member], reason: 'theirs' })
  const own = (await couponsOf(plan)).find(({ memberId }) => memberId === member)
  const theirs = await data<{ code: string }>(revealCoupon, { id: own?.id, reason: 'shown' })
  const byCard = { method: 'member_card', code: physicalNo }
  expect(await ask('CARD', { voucher: theirs.code, ...byCard })).toMatchObject({ refused: 'voucherOfAnother' })
  expect(await ask('MINE', { voucher: code, ...byCard })).toMatchObject({ amountFen: 700, isPaid: true })
  expect((await call(cancelCoupon, { id: own?.id, reason: 'mistake' })).status).toBe(200)
  expect(await ask('GONE', { voucher: theirs.code })).toMatchObject({ refused: 'voucherInvalid' })
  for (let n = 0; n < 6; n += 1) await ask(`G-${n}`, { voucher: drawVoucher() })
  expect(await ask('BLOCKED', { voucher: theirs.code })).toMatchObject({ refused: 'codesBlocked' })
})

test('the law: no medicine is cheaper by a coupon, and none may be named', async () => {
  const rx = { name: `rx ${(seq += 1)}`, ...tenOff, productIds: [machine.slots[1]?.productId] }
  expect((await call(addCouponPlan, rx)).body.code).toBe('plan.notLawful')
  expect((await call(addCouponPlan, { ...tenOff, name: `endless ${seq}`, endsOn: null })).status).toBe(422)
})

test('a third off 10 fen, beside a plan that stacks, adds up to the fen', async () => {
  await sql`update slot set price_fen = 10 where machine_id = ${machine.id}`.execute(world.services.db)
  const plan = await listed({ kind: 'rate', paidPercent: 67, endsOn: '2026-11-30', stacks: true, productIds: [] })
  const [code = ''] = await bearers(plan, 1)
  const half = {
    name: `half ${(seq += 1)}`,
    kind: 'rate',
    paidPercent: 50,
    stacks: true,
    productIds: [machine.slots[0]?.productId],
  }
  const { id } = await data<{ id: number }>(addPlan, half)
  await call(listPlan, { id, conflictsSeen: 1 })
  // 10 → 5 → 3 and 10 → 6.
  expect(await ask('TEN', { voucher: code }, machine, ['A1', 'A3'])).toMatchObject({ amountFen: 9 })
})

test(
  '64 at once: a total is never passed, nobody has more than the limit, one coupon is one order',
  racing,
  async () => {
    await races('coupons', async () => {
      const plan = await listed({ ...tenOff, maxIssued: 10, perMember: 1 })
      const members = await Promise.all(Array.from({ length: 8 }, () => addMember()))
      const give = (memberIds: number[]) =>
        call(issueCoupons, { planId: plan, audience: 'members', memberIds, reason: 'race' })
      await together((n) => give([members[n % 8] ?? 0]))
      expect(await couponsOf(plan)).toHaveLength(8)
      const left = await together(() =>
        call(issueCoupons, { planId: plan, audience: 'bearer', count: 1, reason: 'race' }),
      )
      expect(left.filter(({ status }) => status === 200)).toHaveLength(2)
      expect(left.find(({ status }) => status !== 200)?.body.code).toBe('voucher.tooFew')
      expect(await data(getCouponPlan, { id: plan })).toMatchObject({ issued: 10, marks: ['soldOut'] })
      const [coupon] = await couponsOf(plan)
      const { code } = await data<{ code: string }>(revealCoupon, { id: coupon?.id, reason: 'race' })
      const answers = await together((n) => ask(`R-${plan}-${n}`, { voucher: code }, n % 2 ? machine : far))
      expect(answers.filter(({ amountFen }) => amountFen === 700)).toHaveLength(1)
      expect(answers.filter(({ refused }) => refused === 'voucherSpent')).toHaveLength(63)
    })
  },
)

test('one code in two cities at once: as many orders as it allows', racing, async () => {
  await races('codes', async () => {
    const { codes } = await codesOf({ kind: 'rate', paidPercent: 80, usesPerCode: 5 }, 1)
    const answers = await together((n) => ask(`C-${codes[0]}-${n}`, { voucher: codes[0] }, n % 2 ? machine : far))
    expect(answers.filter(({ amountFen }) => amountFen === 800)).toHaveLength(5)
    expect(answers.filter(({ refused }) => refused === 'voucherSpent')).toHaveLength(59)
  })
})

test('a code for once a member asks for a card, and a cancelled batch ends, also what is in hand by then', async () => {
  const { id, codes } = await codesOf({ kind: 'rate', paidPercent: 80, usesPerCode: 9, perMember: 1 }, 2)
  const [first = '', second = ''] = codes
  expect(await ask('WHO', { voucher: first })).toMatchObject({ refused: 'voucherNeedsCard' })
  const { physicalNo } = await issueCard(world, { merchantId, balanceFen: 9_000 })
  const card = { method: 'member_card', code: physicalNo }
  expect(await ask('ONE', { voucher: first, ...card })).toMatchObject({ amountFen: 800 })
  expect(await ask('TWO', { voucher: second, ...card })).toMatchObject({ refused: 'voucherLimit' })
  const single = await codesOf({ kind: 'rate', paidPercent: 80 }, 2)
  expect(await ask('HELD', { voucher: single.codes[0] })).toMatchObject({ amountFen: 800 })
  for (const batchId of [id, single.id]) {
    expect((await call(cancelCodeBatch, { id: batchId, reason: 'leaked' })).status).toBe(200)
    expect((await call(cancelCodeBatch, { id: batchId, reason: 'leaked' })).body.code).toBe('voucher.cancelled')
  }
  expect(await ask('ENDED', { voucher: single.codes[1] })).toMatchObject({ refused: 'voucherInvalid' })
  await pass(6)
  // Told twice, the job does it once; what was in hand ended as it was let go.
  await end(id, single.id, single.id)
  const batches = sql<{ isEnded: boolean }>`select is_ended as "isEnded" from voucher_batch
    where id in (${id}, ${single.id})`
  expect((await batches.execute(world.services.db)).rows).toEqual([{ isEnded: true }, { isEnded: true }])
  const { items } = await data<{ items: Row[] }>(listCodes, { batchId: single.id })
  expect(items.map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
  expect((await call(getCode, { id: items[0]?.id })).body.data).toMatchObject({ state: 'cancelled' })
})

test('a batch of 100,000 where ten numbers are taken already ends with exactly as many, all different', async () => {
  const { db, keys } = world.services
  const before = await codesOf({ kind: 'rate', paidPercent: 80 }, 10)
  const productIds = [machine.slots[0]?.productId]
  const asked = { name: `many ${(seq += 1)}`, kind: 'rate', paidPercent: 80, endsOn: '2026-11-30', productIds }
  const { id } = await data<{ id: number }>(addCodePlan, asked)
  await call(listCodePlan, { id })
  const batch = await data<{ id: number }>(addCodeBatch, { id, count: 100_000, reason: 'campaign' })
  const taken = [...before.codes]
  const draw = () => taken.pop() ?? drawVoucher()
  for (let missing: number | null = 1; missing; ) {
    missing = await db.transaction().execute((tx) => makeVouchers(tx, batch.id, { keys, draw, now: NOON }))
  }
  const found = await sql<{ count: number; different: number; state: string; made: number }>`
    select count(*)::int as count, count(distinct w.digest)::int as different, b.state, b.made
    from voucher w join voucher_batch b on b.id = w.batch_id where b.id = ${batch.id} group by 3, 4`.execute(db)
  expect(found.rows).toEqual([{ count: 100_000, different: 100_000, state: 'ready', made: 100_000 }])
  expect(taken).toEqual([])
  // It gives nothing from now on, though a job has yet to end each of them.
  expect((await call(cancelCodeBatch, { id: batch.id, reason: 'leaked' })).status).toBe(200)
  const opened = await call(releaseCodes, { id: batch.id, fromSerial: 1, toSerial: 9 })
  expect(opened.body.code).toBe('voucher.nothingLeft')
}, 120_000)
