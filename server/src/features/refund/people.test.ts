import { remoteShip } from '@aisle/contract/device/remoteShip'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import type { Movement } from '@aisle/contract/kernel/money'
import { agreeProblem, confirmProblem, dropProblem, getProblem, listProblems } from '@aisle/contract/refund/problem'
import { getRefund, getRefundable, listRefunds, summariseRefunds } from '@aisle/contract/refund/refund'
import {
  agreePayBack,
  applyRefund,
  approveRefund,
  dropPayBack,
  payBackRefund,
  queryRefund,
  rejectRefund,
  retryRefund,
} from '@aisle/contract/refund/verbs'
import { getOrder } from '@aisle/contract/trade/order'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { honest } from '../../../../fleet/src/provider/settings'
import type { BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { races, racing, together } from '../../testing/races'
import { routesWith } from '../../testing/stubs'
import { routes as commandRoutes } from '../device/command/command.routes'
import { contradictions } from '../trade/recount'
import { routes as orderRoutes } from '../trade/order/order.routes'
import { takeRefundAnswers } from './answer.commands'
import { releaseRedelivered } from './redelivered'
import { sweep } from './refund.jobs'
import { routes } from './refund.routes'
import { NOON, openShop, type Shop } from './testing'

let shop: Shop
let http: HttpWorld
let machine: BuiltMachine
let clerk: string
let finance: string
let count = 0
const no = () => {
  count += 1
  return `P-${count}`
}
const reason = '顾客来电'
const proof = ['/pictures/receipt.jpg']

beforeAll(async () => {
  shop = await openShop()
  http = await openHttp(shop.world, routesWith(...routes, ...commandRoutes, ...orderRoutes))
  const grants = ['refund.*', 'order.*', 'command.*']
  const { merchantId } = shop
  clerk = await addSession(shop.db, (await addUser(shop.db, { merchantId, grants })).id, NOON)
  finance = await addSession(shop.db, (await addUser(shop.db, { merchantId, grants })).id, NOON)
  await sql`insert into setting (key, merchant_id, value)
    values ('refund.secondPersonFen', ${merchantId}, '600')`.execute(shop.db)
})
afterAll(async () => {
  await http.close()
  await shop.close()
})
beforeEach(async () => {
  shop.world.setNow(NOON)
  Object.assign(shop.providers.standIn.mischief, honest)
  machine = await shop.newMachine()
})

async function call(endpoint: Endpoint, input: Record<string, unknown>, token = clerk) {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: Object(body.data) }
}
const code = async (endpoint: Endpoint, input: Record<string, unknown>, token = clerk) =>
  (await call(endpoint, input, token)).code

/** Bought, and both pieces came out. */
async function fine(): Promise<string> {
  const mine = no()
  const orderNo = await shop.bought(machine, mine)
  await shop.vended(machine, mine, [true, true])
  return orderNo
}
const whole = { amountFen: 1000, reason }
const firstId = async (orderNo: string) => (await shop.refunds(orderNo))[0]?.id ?? 0

test('up to the limit who asks sends it; the item is paid back once', async () => {
  const orderNo = await fine()
  expect(await call(getRefundable, { orderNo })).toMatchObject({
    data: { leftFen: 1000, way: 'channel', refusal: null, items: [{ shareFen: 500 }, { shareFen: 500 }] },
  })
  expect(await call(applyRefund, { orderNo, items: [0], reason })).toMatchObject({ data: { state: 'refunding' } })
  expect(await code(applyRefund, { orderNo, items: [0], reason })).toBe('refund.itemTaken')
  expect(await code(applyRefund, { orderNo, items: [7], reason })).toBe('refund.item')
  expect(await code(applyRefund, { orderNo, amountFen: 501, reason })).toBe('refund.exceedsPaid')
  await shop.settle()
  expect(await shop.order(orderNo)).toMatchObject({ payment_state: 'partly_refunded', refunded_fen: 500 })
  expect(await call(applyRefund, { orderNo, items: [1], reason })).toMatchObject({ data: { state: 'pending_review' } })
  await call(approveRefund, { id: (await shop.refunds(orderNo))[1]?.id }, finance)
  await shop.settle()
  expect((await shop.order(orderNo)).payment_state).toBe('refunded')
  expect(await code(applyRefund, { orderNo, amountFen: 1, reason })).toBe('refund.nothingLeft')
  expect(await code(retryRefund, { id: await firstId(orderNo) })).toBe('refund.state')
  expect(await contradictions(shop.db)).toEqual([])
})

test('above the limit another person approves, and never who asked', async () => {
  const orderNo = await fine()
  expect(await call(applyRefund, { orderNo, ...whole })).toMatchObject({ data: { state: 'pending_review' } })
  const id = await firstId(orderNo)
  expect(await code(approveRefund, { id })).toBe('refund.ownRequest')
  expect(await call(getRefund, { id })).toMatchObject({ data: { isOwnAboveLimit: true, isPayable: true } })
  expect(await call(approveRefund, { id }, finance)).toMatchObject({ data: { state: 'refunding' } })
  expect(await code(rejectRefund, { id, reason }, finance)).toBe('refund.state')
  expect(await code(approveRefund, { id }, finance)).toBe('refund.state')
  await shop.settle()
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'refunded', amount_fen: 1000 }])
})

test('parts of an amount are looked at like the whole', async () => {
  const orderNo = await fine()
  expect(await call(applyRefund, { orderNo, amountFen: 500, reason })).toMatchObject({ data: { state: 'refunding' } })
  expect(await call(getRefundable, { orderNo })).toMatchObject({ data: { limitFen: 100 } })
  expect(await call(applyRefund, { orderNo, amountFen: 101, reason })).toMatchObject({
    data: { state: 'pending_review' },
  })
  const id = (await shop.refunds(orderNo))[1]?.id ?? 0
  expect(await code(approveRefund, { id })).toBe('refund.ownRequest')
  expect(await call(getRefund, { id })).toMatchObject({ data: { isOwnAboveLimit: true } })
  expect(await code(approveRefund, { id }, finance)).toBe('H0000')
  // What another person has looked at counts no more.
  expect(await call(getRefundable, { orderNo })).toMatchObject({ data: { limitFen: 100 } })
})

test('sixty-four at once: never more than was paid, and each that is refused is told why', racing, async () => {
  await races('refunds of one order', async () => {
    machine = await shop.newMachine()
    const orderNo = await fine()
    const answers = await together((n) => code(applyRefund, { orderNo, amountFen: 90 + n, reason }))
    const refused = answers.filter((answer) => answer !== 'H0000')
    expect(new Set(refused)).toEqual(new Set(['refund.exceedsPaid']))
    const { held_fen, paid_fen } = await shop.order(orderNo)
    expect(held_fen).toBeLessThanOrEqual(paid_fen)
    const refunds = await shop.refunds(orderNo)
    expect(refunds).toHaveLength(64 - refused.length)
    expect(refunds.reduce((sum, refund) => sum + refund.amount_fen, 0)).toBe(held_fen)
  })
  expect(await contradictions(shop.db)).toEqual([])
})

test('sixty-four at once for the same item, and the rule beside them: it goes back once', async () => {
  const slow = await shop.newMachine(false)
  const mine = no()
  const orderNo = await shop.bought(slow, mine)
  const jam = shop.vended(slow, mine, [true, false])
  const asked = Array.from({ length: 64 }, () => code(applyRefund, { orderNo, items: [1], reason }))
  const answers = await Promise.all(asked)
  await jam
  const known = ['H0000', 'refund.itemTaken', 'refund.isOpen', 'refund.exceedsPaid', 'refund.nothingLeft']
  expect(answers.filter((answer) => !known.includes(String(answer)))).toEqual([])
  const taken = (await shop.refunds(orderNo)).filter(({ state }) => state !== 'rejected')
  expect(taken).toMatchObject([{ amount_fen: 500 }])
})

test('what must not be refunded is refused, each with its own words', async () => {
  const open = no()
  const orderNo = await shop.bought(machine, open)
  expect(await code(applyRefund, { orderNo, ...whole })).toBe('refund.isOpen')
  await shop.say(machine, 'order.request', { orderNo: 'U-1', method: 'wechat', items: [{ slot: 'A1' }] })
  expect(await code(applyRefund, { orderNo: `${machine.code}-U-1`, ...whole })).toBe('refund.notPaid')
  expect(await code(applyRefund, { orderNo: 'NOBODY-1', ...whole })).toBe('request.notFound')
  const played = await fine()
  await sql`update orders set is_lottery = true where order_no = ${played}`.execute(shop.db)
  expect(await code(applyRefund, { orderNo: played, ...whole })).toBe('refund.lottery')
  expect((await call(getRefundable, { orderNo: played })).data.refusal).toMatchObject({ code: 'refund.lottery' })
})

test('a refund that failed is tried again under its number; one that was sent is not rejected', async () => {
  shop.providers.standIn.mischief.refundEnds = 'closed'
  const orderNo = await fine()
  await call(applyRefund, { orderNo, items: [0], reason })
  await shop.send()
  for (const minutes of [2, 5, 10, 20]) {
    shop.later(minutes)
    await shop.send()
  }
  shop.world.setNow(NOON)
  const [failed] = await shop.refunds(orderNo)
  expect(failed).toMatchObject({ state: 'failed' })
  expect(await shop.order(orderNo)).toMatchObject({ payment_state: 'paid', held_fen: 500 })
  expect(await code(rejectRefund, { id: failed?.id, reason })).toBe('refund.state')
  expect(await code(queryRefund, { id: failed?.id })).toBe('refund.state')
  expect(await call(retryRefund, { id: failed?.id })).toMatchObject({ data: { state: 'refunding' } })
  expect((await shop.refunds(orderNo))[0]?.refund_no).toBe(failed?.refund_no)
  expect(await code(queryRefund, { id: failed?.id })).toBe('H0000')
})

test('cash is paid back by one person with proof and agreed to by another', async () => {
  const mine = no()
  await shop.cash(machine, mine, [false])
  const orderNo = `${machine.code}-${mine}`
  const id = await firstId(orderNo)
  const inMachine = await shop.balance('cash_in_machine', machine.code)
  const { cash } = (await call(getRefund, { id })).data.payBackMoves
  expect(cash.find(({ amountFen }: Movement) => amountFen < 0)).toMatchObject({
    account: `cash_in_machine:${machine.code}`,
    amountFen: -500,
    afterFen: inMachine - 500,
  })
  expect(await code(retryRefund, { id })).toBe('refund.noChannel')
  expect(await code(agreePayBack, { id })).toBe('refund.payBackMissing')
  const written = { id, way: 'cash', note: '当面退还' }
  expect(await code(payBackRefund, written)).toBe('refund.noProof')
  expect(await call(payBackRefund, { ...written, proof })).toMatchObject({ data: { state: 'needs_handling' } })
  expect(await code(payBackRefund, { ...written, proof }, finance)).toBe('refund.payBackAsked')
  expect(await code(agreePayBack, { id })).toBe('refund.payBackOwn')
  expect(await code(dropPayBack, { id, reason }, finance)).toBe('H0000')
  await call(payBackRefund, { ...written, proof })
  expect(await call(agreePayBack, { id }, finance)).toMatchObject({ data: { state: 'paid_back' } })
  expect(await shop.order(orderNo)).toMatchObject({ payment_state: 'refunded', refunded_fen: 500, problem: null })
  expect(await shop.balance('cash_in_machine', machine.code)).toBe(inMachine - 500)
  expect(await contradictions(shop.db)).toEqual([])
})

test('what somebody says was handed over goes back no other way until that is decided', async () => {
  shop.providers.standIn.mischief.refundEnds = 'abnormal'
  const orderNo = await fine()
  await call(applyRefund, { orderNo, items: [0], reason })
  await shop.settle()
  const id = await firstId(orderNo)
  expect(await call(payBackRefund, { id, way: 'transfer', note: '已转账', proof })).toMatchObject({ status: 200 })
  expect(await code(retryRefund, { id }, finance)).toBe('refund.payBackAsked')
  expect(await code(dropPayBack, { id, reason }, finance)).toBe('H0000')
  await call(payBackRefund, { id, way: 'transfer', note: '已转账', proof })
  expect(await code(agreePayBack, { id }, finance)).toBe('H0000')
  // The channel has paid it all the same, and says so as often as it likes.
  const [refund] = await shop.refunds(orderNo)
  const paid = { refundNo: refund?.refund_no ?? '', outcome: 'refunded' as const, channelRefundNo: '50009', code: null }
  const say = () => takeRefundAnswers(shop.services, [paid])
  for (let times = 0; times < 5; times += 1) await say()
  const { story } = (await call(getRefund, { id })).data
  expect(story.filter(({ verb }: { verb: string }) => verb === 'paidToo')).toHaveLength(1)
  expect(await shop.order(orderNo)).toMatchObject({ refunded_fen: 500, held_fen: 500 })
})

test('cash that was handed over is neither rejected nor made good in goods, nor the other way round', async () => {
  const mine = no()
  await shop.cash(machine, mine, [false])
  const orderNo = `${machine.code}-${mine}`
  const id = await firstId(orderNo)
  await shop.say(machine, 'presence', { online: true })
  const ship = { id: machine.id, slot: 'A1', orderNo, customer: '', reason }
  const written = { id, way: 'cash', note: '当面退还', proof }
  await call(payBackRefund, written)
  expect(await code(rejectRefund, { id, reason }, finance)).toBe('refund.payBackAsked')
  expect(await code(remoteShip, ship, finance)).toBe('remoteShip.repaid')
  const [{ id: problemId } = { id: 0 }] = (await call(listProblems, { orderNo })).data.items
  expect(await code(confirmProblem, { id: problemId, reason }, finance)).toBe('problem.refundUnderWay')
  await call(dropPayBack, { id, reason }, finance)
  expect(await code(remoteShip, ship, finance)).toBe('H0000')
  expect(await code(payBackRefund, written)).toBe('refund.underWay')
})

test('sixty-four approve at once: one does, and it is sent once', async () => {
  const orderNo = await fine()
  await call(applyRefund, { orderNo, ...whole })
  const id = await firstId(orderNo)
  const answers = await Promise.all(Array.from({ length: 64 }, () => code(approveRefund, { id }, finance)))
  expect(answers.filter((answer) => answer === 'H0000')).toHaveLength(1)
  expect(answers).toContain('refund.state')
  await Promise.all([shop.send(), shop.send(), shop.send()])
  await shop.settle()
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'refunded', tries: 1 }])
  const [{ refund_no: no } = { refund_no: '' }] = await shop.refunds(orderNo)
  const paid = shop.providers.standIn.trades().flatMap((trade) => trade.refunds)
  expect(paid.filter((refund) => refund.no === no)).toHaveLength(1)
})

test('sixty-four close and refund a problem at once: it ends one way, and no more is held than was paid', async () => {
  const slow = await shop.newMachine(false)
  const mine = no()
  const orderNo = await shop.bought(slow, mine, ['A1'])
  await shop.vended(slow, mine, [false])
  const [{ id: problemId } = { id: 0 }] = (await call(listProblems, { orderNo })).data.items
  const id = await firstId(orderNo)
  const asks = [
    () => code(confirmProblem, { id: problemId, reason }),
    () => code(approveRefund, { id }, finance),
    () => code(rejectRefund, { id, reason }, finance),
    () => code(applyRefund, { orderNo, amountFen: 300, reason }),
  ]
  const answers = await Promise.all(Array.from({ length: 16 }).flatMap(() => asks.map((ask) => ask())))
  expect(answers).toContain('H0000')
  const { held_fen, paid_fen } = await shop.order(orderNo)
  expect(held_fen).toBeLessThanOrEqual(paid_fen)
  expect(await contradictions(shop.db)).toEqual([])
})

test('ship again and approve at once: goods or money set out, never both', async () => {
  const slow = await shop.newMachine(false)
  const mine = no()
  const orderNo = await shop.bought(slow, mine)
  await shop.vended(slow, mine, [true, false])
  await shop.say(slow, 'presence', { online: true })
  const id = await firstId(orderNo)
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, at) =>
      at % 2
        ? code(approveRefund, { id }, finance)
        : code(remoteShip, { id: slow.id, slot: 'A2', orderNo, customer: '', reason }, finance),
    ),
  )
  const { count } = await shop.one(sql<{ count: number }>`select count(*)::int as count from remote_ship
    where order_id = (select order_id from order_number where order_no = ${orderNo})`)
  const [refund] = await shop.refunds(orderNo)
  expect([count, refund?.state]).toEqual(count === 1 ? [1, 'pending_review'] : [0, 'refunding'])
  expect(answers.filter((answer) => answer === 'H0000')).toHaveLength(1)
})

test('goods that are on their way hold the money; goods that came out free it', async () => {
  const slow = await shop.newMachine(false)
  const mine = no()
  const orderNo = await shop.bought(slow, mine)
  await shop.vended(slow, mine, [true, false])
  const id = await firstId(orderNo)
  const { id: orderId } = await shop.order(orderNo)
  const slot = slow.slots[1]
  await sql`insert into remote_ship (merchant_id, machine_id, slot_code, place_id, product_id, order_no, order_id,
      item_index, command_id, cost_fen, reason, created_at)
    values (${shop.merchantId}, ${slow.id}, 'A2', ${slot?.placeId}, ${slot?.productId}, 'RS-1', ${orderId}, 1,
      gen_random_uuid(), 0, 'again', ${NOON})`.execute(shop.db)
  expect(await code(approveRefund, { id }, finance)).toBe('refund.underWay')
  await sql`update remote_ship set state = 'dispensed'`.execute(shop.db)
  await sql`update order_item set state = 'dispensed' where order_id = ${orderId} and index = 1`.execute(shop.db)
  await shop.db.transaction().execute((tx) => releaseRedelivered(tx, orderNo, 1, NOON))
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'rejected', detail: 'redelivered' }])
  expect((await shop.order(orderNo)).held_fen).toBe(0)
})

test('an order tells who did what about it, and why', async () => {
  const orderNo = await fine()
  await call(applyRefund, { orderNo, ...whole })
  await call(approveRefund, { id: await firstId(orderNo) }, finance)
  await shop.settle()
  const { id } = await shop.order(orderNo)
  const refund = (await shop.refunds(orderNo))[0]?.refund_no
  const { timeline } = (await call(getOrder, { id })).data
  const acts = timeline.filter(({ kind }: { kind: string }) => kind.startsWith('refund'))
  expect(acts).toMatchObject([
    { kind: 'refundAsked', detail: { refund, who: expect.any(String), reason } },
    { kind: 'refundApproved', detail: { refund, who: expect.any(String) } },
    { kind: 'refundPaid', detail: { refund } },
  ])
  expect(acts[0].detail.who).not.toBe(acts[1].detail.who)
})

test('a problem is closed as it stands with a reason, above the limit by two people', async () => {
  const slow = await shop.newMachine(false)
  const mine = no()
  const orderNo = await shop.bought(slow, mine)
  shop.later(6)
  await sweep(shop.services)
  const listed = await call(listProblems, { orderNo })
  expect(listed.data).toMatchObject({ items: [{ kind: 'no_answer', state: 'open', heldFen: 1000 }] })
  expect((await call(listProblems.count, { orderNo })).data.total).toBe(1)
  const id = listed.data.items[0].id
  expect(await call(getProblem, { id })).toMatchObject({
    data: { ours: { shipState: 'timeout' }, channel: { state: 'paid', paidFen: 1000 }, refunds: [{ amountFen: 1000 }] },
  })
  expect(await call(confirmProblem, { id, reason })).toMatchObject({ data: { state: 'asked' } })
  expect(await code(confirmProblem, { id, reason }, finance)).toBe('problem.state')
  expect(await code(agreeProblem, { id })).toBe('problem.ownRequest')
  expect(await call(dropProblem, { id, reason }, finance)).toMatchObject({ data: { state: 'open' } })
  await call(confirmProblem, { id, reason })
  expect(await call(agreeProblem, { id }, finance)).toMatchObject({ data: { state: 'closed' } })
  expect(await shop.order(orderNo)).toMatchObject({ problem: null, held_fen: 0, payment_state: 'paid' })
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'rejected' }])
  expect((await call(listProblems.count, { orderNo })).data.total).toBe(0)
  expect((await call(listProblems, { orderNo, state: 'closed' })).data.items).toMatchObject([
    { outcome: 'confirmed', reason },
  ])
})

test('what is not over is counted with its money, and found by any number', async () => {
  const before = (await call(summariseRefunds, {})).data
  const orderNo = await fine()
  await call(applyRefund, { orderNo, ...whole })
  const after = (await call(summariseRefunds, {})).data
  expect(after.pending_review).toEqual({
    count: before.pending_review.count + 1,
    fen: before.pending_review.fen + 1000,
  })
  const [{ refund_no: refundNo } = { refund_no: '' }] = await shop.refunds(orderNo)
  for (const number of [orderNo, refundNo]) {
    expect((await call(listRefunds, { no: number })).data.items).toMatchObject([
      { refundNo, productNames: expect.stringContaining('·') },
    ])
  }
  expect((await call(listRefunds.count, { no: orderNo })).data.sums).toEqual({ amountFen: 1000, refundedFen: 0 })
})
