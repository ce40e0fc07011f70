import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { getProblem, listProblems } from '@aisle/contract/refund/problem'
import {
  agreeUnclaimed,
  attachUnclaimed,
  dropUnclaimed,
  getUnclaimed,
  listUnclaimed,
  refundUnclaimed,
  retryUnclaimed,
} from '@aisle/contract/refund/unclaimed'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { honest } from '../../../../fleet/src/provider/settings'
import { addMerchant, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { keepUnclaimed } from './unclaimed.store'
import { contradictions } from '../trade/recount'
import { sweep } from './refund.jobs'
import { routes } from './refund.routes'
import { NOON, openShop, type Shop } from './testing'
import { sendUnclaimed } from './unclaimed.send'

let shop: Shop
let http: HttpWorld
let machine: BuiltMachine
let clerk: string
let finance: string
let stranger: string
let count = 0
const reason = '顾客持付款凭证'

beforeAll(async () => {
  shop = await openShop()
  http = await openHttp(shop.world, routesWith(...routes))
  const { merchantId, rootId } = shop
  const session = async (of: number, grants: string[]) =>
    addSession(shop.db, (await addUser(shop.db, { merchantId: of, grants })).id, NOON)
  clerk = await session(merchantId, ['refund.*', 'order.*'])
  finance = await session(merchantId, ['refund.*', 'order.*'])

  stranger = await session(await addMerchant(shop.db, { parentId: rootId }), ['refund.*', 'order.*'])
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
  await sql`update unclaimed_payment set state = 'settled', ended_at = ${NOON}, decision = null, order_id = null
    where state in ('open', 'asked')`.execute(shop.db)
  machine = await shop.newMachine()
})

async function call(endpoint: Endpoint, input: Record<string, unknown>, token = clerk) {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: Object(body.data) }
}
const code = async (endpoint: Endpoint, input: Record<string, unknown>, token = clerk) =>
  (await call(endpoint, input, token)).code

/** Paid at the provider under a number that it tells us otherwise; nothing of ours knows it. @returns the case's id */
async function nobodys(slots: readonly string[] = ['A1']): Promise<{ id: number; orderNo: string }> {
  count += 1
  const orderNo = `${machine.code}-U-${count}`
  const items = slots.map((slot) => ({ slot }))
  await shop.say(machine, 'order.request', { orderNo: `U-${count}`, method: 'wechat', items })
  await shop.askChannels()
  expect(await shop.pay(orderNo)).toBe(null)
  const [trade] = shop.providers.standIn.trades().slice(-1)
  const account = await shop.one(sql<{ id: number }>`select id from provider_account
    where merchant_id = ${shop.merchantId}`)
  // The attempt under which the stand-in has the money belongs to no order of ours.
  await sql`update payment_attempt set state = 'closed', closed_at = ${NOON}, attempt_no = attempt_no || 'X'
    where order_no = ${orderNo}`.execute(shop.db)
  await shop.db.transaction().execute((tx) =>
    keepUnclaimed(
      tx,
      {
        providerAccountId: account.id,
        provider: 'wechat',
        channelNo: trade?.channelNo ?? '',
        attemptNo: trade?.no ?? '',
        amountFen: 500 * slots.length,
        paidAt: shop.services.clock.now(),
        cause: 'unknown_number',
      },
      shop.services.clock.now(),
    ),
  )
  shop.later(7)
  await sweep(shop.services)
  const { id } = await shop.one(sql<{ id: number }>`select max(id) as id from unclaimed_payment`)
  return { id, orderNo }
}
const settle = async () => {
  await sendUnclaimed(shop.services)
  shop.later(3)
  await sendUnclaimed(shop.services)
}

test('money without an order is a case of its own, in sight of the merchant whose account has it', async () => {
  const { id, orderNo } = await nobodys()
  expect((await call(listUnclaimed, {})).data).toMatchObject({
    items: [{ id, unclaimedFen: 500, cause: 'unknown_number', state: 'open', decision: null }],
  })
  expect((await call(listUnclaimed.count, {})).data).toEqual({ total: 1, sums: { unclaimedFen: 500 } })
  expect((await call(getUnclaimed, { id })).data).toMatchObject({ attempt: null, candidates: [{ orderNo }] })
  expect((await call(listUnclaimed, {}, stranger)).data.items).toEqual([])
  expect(await code(getUnclaimed, { id }, stranger)).toBe('request.notFound')
  expect(await code(refundUnclaimed, { id, reason }, stranger)).toBe('request.notFound')
})

test('it goes back to who paid it, once, under one number', async () => {
  const { id } = await nobodys()
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, at) => code(refundUnclaimed, { id, reason }, at % 2 ? clerk : finance)),
  )
  expect(answers.filter((each) => each === 'H0000')).toHaveLength(1)
  expect(answers).toContain('unclaimed.state')
  await Promise.all([sendUnclaimed(shop.services), sendUnclaimed(shop.services)])
  await settle()
  expect((await call(getUnclaimed, { id })).data).toMatchObject({ state: 'refunded', tries: 1 })
  const refunds = shop.providers.standIn.trades().flatMap((trade) => trade.refunds)
  expect(refunds.filter(({ no }) => no === `UP${String(id).padStart(10, '0')}`)).toHaveLength(1)
  expect(await code(attachUnclaimed, { id, orderNo: 'any', reason })).toBe('unclaimed.state')
})

test('silence is asked about under the same number, and what the channel refused is tried again', async () => {
  const { id } = await nobodys()
  await call(refundUnclaimed, { id, reason })
  shop.providers.standIn.mischief.silentShare = 1
  await sendUnclaimed(shop.services)
  expect((await call(getUnclaimed, { id })).data).toMatchObject({ state: 'refunding', tries: 1 })
  expect(await code(retryUnclaimed, { id })).toBe('unclaimed.state')
  shop.providers.standIn.mischief.silentShare = 0
  shop.later(3)
  await sendUnclaimed(shop.services)
  expect((await call(getUnclaimed, { id })).data).toMatchObject({ state: 'refunded', tries: 1 })
})

test('it becomes the payment of an order that was closed unpaid, whose case then owes goods or money', async () => {
  const clearing = await shop.balance('clearing', 'wechat')
  const { id, orderNo } = await nobodys()
  const other = await nobodys(['A1', 'A2'])
  expect(await code(attachUnclaimed, { id, orderNo: 'nothing', reason })).toBe('unclaimed.noOrder')
  expect(await code(attachUnclaimed, { id, orderNo: other.orderNo, reason })).toBe('unclaimed.orderAmount')
  expect(await call(attachUnclaimed, { id, orderNo, reason })).toMatchObject({ data: { state: 'attached' } })
  expect(await shop.order(orderNo)).toMatchObject({ payment_state: 'paid', paid_fen: 500, problem: 'paid_late' })
  expect(await shop.balance('clearing', 'wechat')).toBe(clearing + 500)
  const { items } = (await call(listProblems, { orderNo })).data
  expect((await call(getProblem, { id: items[0].id })).data).toMatchObject({ dueBackFen: 500, owedItems: [0] })
  expect(await code(attachUnclaimed, { id: other.id, orderNo, reason })).toBe('unclaimed.orderState')
  expect(await contradictions(shop.db)).toEqual([])
})

test('above the limit one asks and another agrees; what was asked for may be turned down', async () => {
  const { id } = await nobodys(['A1', 'A2'])
  expect(await call(refundUnclaimed, { id, reason })).toMatchObject({ data: { state: 'asked' } })
  expect(await code(agreeUnclaimed, { id })).toBe('unclaimed.ownRequest')
  expect(await call(dropUnclaimed, { id, reason }, finance)).toMatchObject({ data: { state: 'open' } })
  await call(refundUnclaimed, { id, reason })
  const answers = await Promise.all(Array.from({ length: 8 }, () => code(agreeUnclaimed, { id }, finance)))
  expect(answers.filter((each) => each === 'H0000')).toHaveLength(1)
  await settle()
  expect((await call(listUnclaimed, { state: 'refunded', sort: 'newest' })).data.items[0]).toMatchObject({
    id,
    unclaimedFen: 1000,
  })
  const written = await sql`select 1 from audit_log where object_kind = 'unclaimedPayment'
    and object_id = ${String(id)}`.execute(shop.db)
  expect(written.rows).toHaveLength(4)
})

test('an order that a reader was quicker to take is not refunded with the money that came twice', async () => {
  count += 1
  const orderNo = `U-${count}`
  await shop.say(machine, 'order.request', { orderNo, method: 'wechat', items: [{ slot: 'A1' }] })
  await shop.askChannels()
  const read = { orderNo, method: 'wechat', amountFen: 500, channelNo: `READER-${count}`, basis: 'reader' }
  await shop.say(machine, 'pay.result', read)
  expect(await shop.pay(`${machine.code}-${orderNo}`)).toBe(null)
  shop.later(1)
  await shop.askChannels()
  const codes = { motorCode: '11', sensorCode: '00' }
  await shop.say(machine, 'vend.result', { orderNo, index: 0, slot: 'A1', ok: false, ...codes })
  await shop.settle()
  const reader = [{ state: 'needs_handling', detail: 'reader', attempt_id: null }]
  expect(await shop.refunds(`${machine.code}-${orderNo}`)).toMatchObject(reader)
  const { id } = (await call(listUnclaimed, { cause: 'paid_twice' })).data.items[0]
  await call(refundUnclaimed, { id, reason })
  await settle()
  expect((await call(getUnclaimed, { id })).data).toMatchObject({ state: 'refunded', cause: 'paid_twice' })
})

test.each([
  ['take_order', 'H0000'],
  ['refund', 'unclaimed.inSettlement'],
])('money that its bill has decided as %s and that stands here since is answered %s', async (decision, answer) => {
  const { id } = await nobodys()
  await sql`with channel as (
      insert into settlement_channel (provider_account_id, merchant_id, provider, account_id, funds_mode, since)
      select provider_account_id, merchant_id, provider, id, 'demo', ${NOON}::date from payment_account
      where merchant_id = ${shop.merchantId}
      on conflict (provider_account_id, sub_merchant_no) do update set since = excluded.since returning *),
    run as (
      insert into settlement_run (channel_id, merchant_id, provider, day, state, created_at)
      select id, merchant_id, provider, '2026-11-01'::date + ${id}::int, 'matched', ${NOON} from channel returning *),
    file as (
      insert into statement_file (run_id, kind, source, name, hash, content, line_count, imported_at)
      select id, 'trade', 'fetched', 'bill', sha256(${String(id)}::bytea), '', 1, ${NOON} from run returning *),
    line as (
      insert into statement_line (file_id, run_id, line_no, kind, channel_no, amount_fen, at)
      select f.id, f.run_id, 0, 'payment', u.channel_no, u.amount_fen, ${NOON} from file f
      join unclaimed_payment u on u.id = ${id} returning *)
    insert into settlement_difference (run_id, channel_id, merchant_id, kind, about, line_id, state, decision, reason,
      decided_at, created_at)
    select l.run_id, r.channel_id, r.merchant_id, 'only_theirs', 'line/' || l.id, l.id, 'decided', ${decision}, 'so',
      ${NOON}, ${NOON} from line l join run r on r.id = l.run_id`.execute(shop.db)
  expect(await code(refundUnclaimed, { id, reason })).toBe(answer)
})
