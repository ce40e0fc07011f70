import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { honest } from '../../../../fleet/src/provider/settings'
import type { BuiltMachine } from '../../testing/builders'
import { contradictions } from '../trade/recount'
import { takeRefundAnswers } from './answer.commands'
import { sweep } from './refund.jobs'
import { NOON, openShop, type Shop } from './testing'

let shop: Shop
let machine: BuiltMachine
let count = 0
const no = () => {
  count += 1
  return `N-${count}`
}

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.world.setNow(NOON)
  Object.assign(shop.providers.standIn.mischief, honest)
  await sql`update refund set next_at = next_at + interval '9 years'
    where state in ('refunding', 'unknown')`.execute(shop.db)
  machine = await shop.newMachine()
})

/** A bought order of which the second item jammed. */
async function jammed(of = machine): Promise<string> {
  const mine = no()
  const orderNo = await shop.bought(of, mine)
  await shop.vended(of, mine, [true, false])
  return orderNo
}

test('what jammed goes back at once, and nothing of what came out', async () => {
  const [clearing, pending] = [await shop.balance('clearing', 'wechat'), await shop.balance('pending')]
  const orderNo = await jammed()
  expect(await shop.order(orderNo)).toMatchObject({ payment_state: 'refunding', problem: 'undelivered', held_fen: 500 })
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'refunding', cause: 'jam', amount_fen: 500, tries: 0 }])
  await shop.settle()
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'refunded', tries: 1 }])
  expect(await shop.order(orderNo)).toMatchObject({
    payment_state: 'partly_refunded',
    refunded_fen: 500,
    held_fen: 500,
    problem: null,
  })
  expect(await shop.balance('clearing', 'wechat')).toBe(clearing + 500)
  expect(await shop.balance('pending')).toBe(pending - 500)
  const order = await shop.order(orderNo)
  expect(
    await shop.one(sql`select kind, state, outcome, closed_by from problem_case where order_id = ${order.id}`),
  ).toEqual({ kind: 'undelivered', state: 'closed', outcome: 'refunded', closed_by: null })
  expect(await contradictions(shop.db)).toEqual([])
})

test('a result that is told again asks for nothing twice', async () => {
  const mine = no()
  const orderNo = await shop.bought(machine, mine)
  await shop.vended(machine, mine, [false, false])
  await shop.vended(machine, mine, [false, false])
  await shop.settle()
  await shop.vended(machine, mine, [false, false])
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'refunded', amount_fen: 1000 }])
  expect((await shop.order(orderNo)).payment_state).toBe('refunded')
})

test('five minutes of silence, and all of it goes back', async () => {
  const orderNo = await shop.bought(machine, no())
  shop.later(4)
  await sweep(shop.services)
  expect(await shop.refunds(orderNo)).toEqual([])
  shop.later(2)
  await sweep(shop.services)
  await sweep(shop.services)
  await shop.settle()
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'refunded', cause: 'ship_timeout', amount_fen: 1000 }])
  expect(await shop.order(orderNo)).toMatchObject({ payment_state: 'refunded', ship_state: 'timeout', problem: null })
  expect(await contradictions(shop.db)).toEqual([])
})

test('goods that come out after their money went back are their own case, and the loss is booked once', async () => {
  const lost = await shop.balance('loss', 'dispensed_after_refund')
  const mine = no()
  const orderNo = await shop.bought(machine, mine)
  shop.later(6)
  await sweep(shop.services)
  await shop.settle()
  await shop.vended(machine, mine, [true])
  await shop.vended(machine, mine, [true])
  const order = await shop.order(orderNo)
  expect(order).toMatchObject({ payment_state: 'refunded', problem: 'dispensed_after_refund', ship_state: 'timeout' })
  expect(await shop.balance('loss', 'dispensed_after_refund')).toBe(lost + 500)
  const stock = await shop.one(sql<{ quantity: number }>`select quantity from stock_level
    where place_id = ${machine.slots[0]?.placeId}`)
  expect(stock.quantity).toBe(39)
  const cases = await sql`select kind, state from problem_case where order_id = ${order.id} order by id`.execute(
    shop.db,
  )
  expect(cases.rows).toEqual([
    { kind: 'no_answer', state: 'closed' },
    { kind: 'dispensed_after_refund', state: 'open' },
  ])
  expect(await contradictions(shop.db)).toEqual([])
})

test('with auto-refund off it waits for a person; goods that come late are then only late', async () => {
  const slow = await shop.newMachine(false)
  const mine = no()
  const orderNo = await shop.bought(slow, mine)
  shop.later(6)
  await sweep(shop.services)
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'pending_review', amount_fen: 1000 }])
  expect((await shop.order(orderNo)).payment_state).toBe('paid')
  await shop.vended(slow, mine, [true])
  expect((await shop.order(orderNo)).problem).toBe('late_result')
})

test('cash can’t go back to the payer by itself: a person pays it, and is told why', async () => {
  const mine = no()
  await shop.cash(machine, mine, [true, false])
  expect(await shop.refunds(`${machine.code}-${mine}`)).toMatchObject([
    { state: 'needs_handling', detail: 'cash', amount_fen: 500 },
  ])
  await shop.send()
  expect((await shop.order(`${machine.code}-${mine}`)).payment_state).toBe('paid')
})

test('what the machine’s own reader took waits for a person, too', async () => {
  const mine = no()
  await shop.say(machine, 'order.request', { orderNo: mine, method: 'alipay', items: [{ slot: 'A1' }] })
  await shop.say(machine, 'pay.result', { orderNo: mine, method: 'alipay', amountFen: 500, channelNo: `A${mine}` })
  await shop.vended(machine, mine, [false])
  expect(await shop.refunds(`${machine.code}-${mine}`)).toMatchObject([{ state: 'needs_handling', detail: 'reader' }])
})

test('lottery orders are never refunded', async () => {
  const mine = no()
  const orderNo = await shop.bought(machine, mine)
  await sql`update orders set is_lottery = true where order_no = ${orderNo}`.execute(shop.db)
  await shop.vended(machine, mine, [false, false])
  expect(await shop.refunds(orderNo)).toEqual([])
})

test('a play that is paid too late never took place: its money goes back', async () => {
  await sql`update machine set lottery_permille = 500, uplift_permille = 100 where id = ${machine.id}`.execute(shop.db)
  await sql`update merchant set has_high_go = true where id = ${shop.merchantId}`.execute(shop.db)
  const mine = no()
  const orderNo = `${machine.code}-${mine}`
  const asked = { orderNo: mine, method: 'wechat', items: [{ slot: 'A1' }], isPlay: true }
  await shop.say(machine, 'order.request', asked)
  await shop.askChannels()
  shop.later(4)
  expect(await shop.pay(orderNo)).toBe(null)
  shop.later(3)
  await sweep(shop.services)
  await shop.askChannels()
  const play = await shop.one(sql`select state, stake_fen from lottery_play where order_no = ${orderNo}`)
  expect(play).toEqual({ state: 'void', stake_fen: 275 })
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'refunding', amount_fen: 275, cause: 'other' }])
  await shop.settle()
  expect(await shop.order(orderNo)).toMatchObject({ payment_state: 'refunded', refunded_fen: 275, problem: null })
  expect(await contradictions(shop.db)).toEqual([])
})

test('silence is no failure: it is asked until the channel says how it ended, and paid once', async () => {
  const orderNo = await jammed()
  shop.providers.standIn.mischief.silentShare = 1
  await shop.send()
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'unknown', tries: 1 }])
  expect((await shop.order(orderNo)).payment_state).toBe('refunding')
  shop.providers.standIn.mischief.silentShare = 0
  await shop.send()
  expect((await shop.refunds(orderNo))[0]?.state).toBe('unknown')
  shop.later(3)
  await shop.send()
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'refunded', tries: 1 }])
  const refunds = shop.providers.standIn.trades().flatMap((trade) => trade.refunds)
  const [{ refund_no: mine } = { refund_no: '' }] = await shop.refunds(orderNo)
  expect(refunds.filter((refund) => refund.no === mine)).toHaveLength(1)
  expect(await contradictions(shop.db)).toEqual([])
})

test('a channel that wants a person gets one', async () => {
  shop.providers.standIn.mischief.refundEnds = 'abnormal'
  const orderNo = await jammed()
  await shop.send()
  shop.later(3)
  await shop.send()
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'needs_handling' }])
  expect(await shop.order(orderNo)).toMatchObject({ payment_state: 'paid', held_fen: 500, refunded_fen: 0 })
})

test('a notification said a hundred times, late and out of order, pays once', async () => {
  const orderNo = await jammed()
  const [refund] = await shop.refunds(orderNo)
  const said = { refundNo: refund?.refund_no ?? '', channelRefundNo: 'C1', code: null, amountFen: 500 }
  const tell = (state: 'refunded' | 'accepted' | 'failed', changes = {}) =>
    takeRefundAnswers(shop.services, [{ ...said, outcome: state, ...changes }])
  await tell('accepted')
  await Promise.all(Array.from({ length: 40 }, () => tell('refunded')))
  await tell('failed')
  await tell('accepted')
  await shop.send()
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'refunded', amount_fen: 500 }])
  expect((await shop.order(orderNo)).refunded_fen).toBe(500)
  expect(await contradictions(shop.db)).toEqual([])
})

test('an amount that is not ours is no refund', async () => {
  const orderNo = await jammed()
  const [refund] = await shop.refunds(orderNo)
  const said = { refundNo: refund?.refund_no ?? '', channelRefundNo: 'C2', code: null, amountFen: 499 }
  await takeRefundAnswers(shop.services, [{ ...said, outcome: 'refunded' }])
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'needs_handling', detail: 'amountDiffers' }])
})

test('money that came after the order was closed goes back whole', async () => {
  const mine = no()
  const orderNo = `${machine.code}-${mine}`
  await shop.say(machine, 'order.request', { orderNo: mine, method: 'wechat', items: [{ slot: 'A1' }, { slot: 'A2' }] })
  await shop.askChannels()
  shop.later(4)
  const paid = await shop.pay(orderNo)
  shop.later(3)
  await sweep(shop.services)
  expect([paid, (await shop.order(orderNo)).payment_state]).toEqual([null, 'closed'])
  await shop.askChannels()
  expect(await shop.order(orderNo)).toMatchObject({ payment_state: 'refunding', problem: 'paid_late', held_fen: 1000 })
  await shop.settle()
  expect(await shop.order(orderNo)).toMatchObject({ payment_state: 'refunded', problem: null, refunded_fen: 1000 })
  expect(await contradictions(shop.db)).toEqual([])
})

test('what is over stays as it is, whoever writes', async () => {
  const orderNo = await jammed()
  await shop.settle()
  const [refund] = await shop.refunds(orderNo)
  const write = (change: ReturnType<typeof sql>) => change.execute(shop.db)
  await expect(
    write(sql`update refund set state = 'rejected', ended_at = now() where id = ${refund?.id}`),
  ).rejects.toThrow(/is over/)
  await expect(write(sql`update refund set amount_fen = 1 where id = ${refund?.id}`)).rejects.toThrow(/as it was asked/)
  await expect(write(sql`update orders set held_fen = paid_fen + 1 where order_no = ${orderNo}`)).rejects.toThrow(
    /orders_held/,
  )
})
