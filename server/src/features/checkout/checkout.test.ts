import type { Provider } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { honest } from '../../../../fleet/src/provider/settings'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { openHttp } from '../../testing/http'
import { openProviders, type Providers } from '../../testing/provider'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { serveRaw } from '../../transport/http/raw'
import { ingest } from '../device/link/ingest'
import { spoken } from '../device/testing'
import { sendRefunds } from '../refund/send.commands'
import { contradictions, sweepWaiting } from '../trade/public'
import { takePaymentAnswers } from './answer.commands'
import { jobs } from './channel.jobs'
import { rawRoutes } from './notify.commands'

/** 12:00 in Shanghai. */
const NOON = new Date('2026-11-22T04:00:00Z')
const every: Provider[] = ['wechat', 'alipay', 'unionpay']

let world: World
let http: Awaited<ReturnType<typeof openHttp>>
let providers: Providers
let machine: BuiltMachine
let merchantId: number
let platform: number
const notifyPath: Record<Provider, string> = { wechat: '', alipay: '', unionpay: '' }
/** Said before the test. */
let mark: number
let claimedUpTo: number
/** What the server answered to each notification, in order. */
let replies: { status: number; body: string }[]
/** Notifications are kept back as long as this is set. */
let kept: ((to?: string) => Promise<unknown>)[] | null
let seq = 0

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(), (app) => serveRaw(app, rawRoutes, world.services))
  providers = await openProviders(world, async (url, headers, payload) => {
    const send = async (to = url) => {
      const asked = { method: 'POST' as const, url: to, headers, payload }
      const { statusCode: status, payload: body } = await http.app.inject(asked)
      replies.push({ status, body })
      return { status, body }
    }
    if (!kept) return send()
    kept.push(send)
    return { status: 200, body: 'success' }
  })
  platform = await addMerchant(world.services.db)
  for (const provider of every) {
    notifyPath[provider] = (await providers.add({ merchantId: platform, provider })).notifyPath
  }
})
afterAll(async () => {
  await providers.standIn.stop()
  await http.close()
  await world.close()
})

/** A merchant and a machine of its own for each, some minutes after the one before. */
beforeEach(async () => {
  passes(1_200)
  replies = []
  kept = null
  Object.assign(providers.standIn.mischief, honest)
  const { db } = world.services
  merchantId = await addMerchant(db, { parentId: platform })
  machine = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })] })
  await work()
  mark = (await one(sql<{ id: number }>`select coalesce(max(id), 0) as id from channel_exchange`))?.id ?? 0
  claimedUpTo = (await one(sql<{ id: number }>`select coalesce(max(id), 0) as id from unclaimed_payment`))?.id ?? 0
})
afterEach(async () => {
  const found = await contradictions(world.services.db)
  if (found.length > 0) throw new Error(found.join('\n'))
})

const say = (type: string, data: Record<string, unknown>) => {
  seq += 1
  return ingest(world.services, [spoken(world, machine.code, seq, type, data)])
}
const request = async (method: Provider | 'other', orderNo: string, more: Record<string, unknown> = {}) => {
  const { replies: said } = await say('order.request', { orderNo, method, items: [{ slot: 'A1' }], ...more })
  return said[0]?.answer
}
const work = async () => {
  for (const job of jobs.slice(0, 1)) await job.run(world.services, {})
  await providers.standIn.quiet()
}
const passes = (seconds: number) => world.setNow(new Date(world.services.clock.now().getTime() + seconds * 1000))
const one = async <T>(text: ReturnType<typeof sql<T>>): Promise<T | undefined> =>
  (await text.execute(world.services.db)).rows[0]
const attempt = (orderNo: string) =>
  one(sql<{ attempt_no: string; state: string; pay_url: string; paid_fen: number | null; fault: string | null }>`
    select attempt_no, state, pay_url, paid_fen, fault from payment_attempt
    where order_no = ${`${machine.code}-${orderNo}`}`)
const order = (orderNo: string) =>
  one(sql<Record<string, unknown>>`select payment_state, ship_state, order_state, problem, paid_fen from orders
    where order_no = ${`${machine.code}-${orderNo}`}`)
const ships = async (orderNo: string) => {
  const found = await sql<{ state: string }>`select state from device_command
    where type = 'ship' and machine_id = ${machine.id} and data ->> 'orderNo' = ${orderNo}`.execute(world.services.db)
  return found.rows.length
}
const unclaimed = async () =>
  (
    await sql<{ cause: string; amount_fen: number; times: number }>`
    select cause, amount_fen, times from unclaimed_payment where id > ${claimedUpTo} order by id`.execute(
      world.services.db,
    )
  ).rows
const clearing = async () => {
  const found = await sql<{ key: string; fen: number }>`select key, balance_fen as fen from ledger_account
    where kind = 'clearing' and merchant_id = ${merchantId} and balance_fen <> 0`.execute(world.services.db)
  return Object.fromEntries(found.rows.map(({ key, fen }) => [key, fen]))
}
const offered = async (method: Provider, orderNo: string): Promise<string> => {
  expect(await request(method, orderNo)).toMatchObject({ amountFen: 500, isOffered: true })
  await work()
  const payUrl = (await attempt(orderNo))?.pay_url
  if (!payUrl) throw new Error('nothing to scan')
  return payUrl
}

test.each(every)('%s: requested, scanned, paid, told, shipped, booked', async (provider) => {
  const payUrl = await offered(provider, 'N1')
  // Whoever asks again, because the second answer was lost, has it at once.
  expect(await request(provider, 'N1')).toMatchObject({ isOffered: true, payUrl })
  expect(providers.standIn.pay(payUrl)).toBe(null)
  await providers.standIn.quiet()
  expect(replies.map(({ status }) => status)).toEqual([200])
  expect(await attempt('N1')).toMatchObject({ state: 'paid', paid_fen: 500 })
  expect(await order('N1')).toMatchObject({ payment_state: 'paid', ship_state: 'in_transit', paid_fen: 500 })
  expect([await ships('N1'), await clearing()]).toEqual([1, { [provider]: 500 }])
})

test('the account of the app that is paid by is shown before, and knows afterwards who paid', async () => {
  const { db } = world.services
  const follow = async (appId: string, templates: object) => {
    const made = await sql<{ id: number }>`insert into official_account (merchant_id, platform, name, app_id, link,
        must_follow, templates, sealed_secret) values (${merchantId}, 'wechat_account', 'Cabinet life', ${appId},
        'https://m.example.com/{code}', true, ${JSON.stringify(templates)}, 'sealed') returning id`.execute(db)
    await sql`insert into official_account_machine (machine_id, platform, account_id)
      values (${machine.id}, 'wechat_account', ${made.rows[0]?.id ?? 0})`.execute(db)
    return made.rows[0]?.id
  }
  const app = await one(
    sql<{ id: string }>`select app_id as id from provider_account where provider = 'wechat' limit 1`,
  )
  const accountId = await follow(app?.id ?? '', { paid: 'T-1' })
  const shown = { follow: { name: 'Cabinet life', url: `https://m.example.com/${machine.code}` } }
  expect(await request('wechat', 'N1')).toMatchObject(shown)
  providers.standIn.pay(await offered('wechat', 'N1'))
  await providers.standIn.quiet()
  const payers = () =>
    sql`select y.account_id as id, y.open_id as name from order_payer y join orders o on o.id = y.order_id
      where o.merchant_id = ${merchantId}`.execute(db)
  expect((await payers()).rows).toEqual([{ id: accountId, name: expect.stringMatching(/^[\w-]{20,}$/) }])
  // Another customer pays by another wallet, and one while nobody is told: neither is kept.
  providers.standIn.pay(await offered('alipay', 'N2'))
  await sql`update official_account set state = 'stopped' where id = ${accountId}`.execute(db)
  expect(await request('wechat', 'N3')).not.toMatchObject(shown)
  providers.standIn.pay(await offered('wechat', 'N3'))
  await providers.standIn.quiet()
  expect((await payers()).rows).toHaveLength(1)
})

test.each(every)('%s: told a hundred times, out of order and all at once, it is paid once', async (provider) => {
  kept = []
  providers.standIn.mischief.copies = 50
  for (const orderNo of ['N1', 'N2']) providers.standIn.pay(await offered(provider, orderNo))
  await providers.standIn.quiet()
  const all = kept
  expect(all).toHaveLength(100)
  kept = null
  await Promise.all(all.reverse().map((send) => send()))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect([await ships('N1'), await ships('N2'), await clearing()]).toEqual([1, 1, { [provider]: 1000 }])
  expect(await unclaimed()).toEqual([])
})

test.each(every)('%s: a forged notification is refused and kept, and changes nothing', async (provider) => {
  const payUrl = await offered(provider, 'N1')
  providers.standIn.mischief.isForging = true
  providers.standIn.pay(payUrl)
  await providers.standIn.quiet()
  expect(replies.every(({ body }) => !/SUCCESS|^success$|^ok$/.test(body))).toBe(true)
  expect(await order('N1')).toMatchObject({ payment_state: 'unpaid' })
  const noted = await sql`select 1 from channel_exchange where kind = 'notification' and outcome = 'forged'
    and id > ${mark}`.execute(world.services.db)
  expect(noted.rows).toHaveLength(1)
  // The money is there all the same: it is found by asking.
  passes(20)
  await work()
  expect(await order('N1')).toMatchObject({ payment_state: 'paid', ship_state: 'in_transit' })
})

test.each(every)('%s: a notification of another amount is not believed; the provider is asked', async (provider) => {
  const payUrl = await offered(provider, 'N1')
  providers.standIn.mischief.lie = 'amount'
  providers.standIn.pay(payUrl)
  await providers.standIn.quiet()
  expect(await order('N1')).toMatchObject({ payment_state: 'unpaid' })
  await work()
  expect(await order('N1')).toMatchObject({ payment_state: 'paid', paid_fen: 500, problem: null })
})

test.each(every)(
  '%s: what was really paid otherwise than asked is kept as it came, and nothing ships',
  async (provider) => {
    const payUrl = await offered(provider, 'N1')
    providers.standIn.pay(payUrl, 1)
    await providers.standIn.quiet()
    await work()
    expect(await order('N1')).toMatchObject({
      payment_state: 'paid',
      ship_state: 'invalid',
      order_state: 'done',
      problem: 'amount_mismatch',
      paid_fen: 1,
    })
    expect([await ships('N1'), await clearing()]).toEqual([0, { [provider]: 1 }])
  },
)

test.each(every)('%s: money of another merchant or of no order of ours is kept unclaimed', async (provider) => {
  providers.standIn.mischief.lie = 'merchant'
  providers.standIn.pay(await offered(provider, 'N1'))
  await providers.standIn.quiet()
  providers.standIn.mischief.lie = 'order'
  providers.standIn.mischief.copies = 3
  providers.standIn.pay(await offered(provider, 'N2'))
  await providers.standIn.quiet()
  expect(await unclaimed()).toEqual([
    { cause: 'other_account', amount_fen: 500, times: 1 },
    { cause: 'unknown_number', amount_fen: 500, times: 3 },
  ])
  expect(await order('N1')).toMatchObject({ payment_state: 'unpaid' })
  expect(await clearing()).toEqual({})
})

test.each(every)('%s: what nobody tells is found by asking, and what nobody pays is closed', async (provider) => {
  providers.standIn.mischief.untoldShare = 1
  const [paid, left] = [await offered(provider, 'N1'), await offered(provider, 'N2')]
  providers.standIn.pay(paid)
  passes(16)
  await work()
  expect(await order('N1')).toMatchObject({ payment_state: 'paid' })
  expect(await attempt('N2')).toMatchObject({ state: 'waiting' })
  passes(300)
  await work()
  expect(await attempt('N2')).toMatchObject({ state: 'closed' })
  expect(providers.standIn.pay(left)).toBe('closed')
})

test.each(every)(
  '%s: paid in the last moment and heard of after the order was closed: kept, and it goes back',
  async (provider) => {
    providers.standIn.mischief.untoldShare = 1
    const payUrl = await offered(provider, 'N1')
    passes(299)
    providers.standIn.pay(payUrl)
    passes(61)
    await world.services.db.transaction().execute((tx) => sweepWaiting(tx, world.services.clock.now()))
    expect(await order('N1')).toMatchObject({ payment_state: 'closed' })
    await work()
    expect(await order('N1')).toMatchObject({ ship_state: 'invalid', problem: 'paid_late', paid_fen: 500 })
    expect(await ships('N1')).toBe(0)
    const back = await one(sql<{ amount_fen: number }>`select amount_fen from refund where merchant_id = ${merchantId}`)
    expect(back).toEqual({ amount_fen: 500 })
  },
)

test('a refund is believed of the account that it goes back through, and of no other', async () => {
  const stranger = { merchantId: await addMerchant(world.services.db, { parentId: platform }) }
  const other = await providers.add({ ...stranger, provider: 'unionpay', providerNo: '777290058199999' })
  providers.standIn.pay(await offered('unionpay', 'N1'))
  await providers.standIn.quiet()
  await say('vend.result', { orderNo: 'N1', index: 0, slot: 'A1', ok: false, motorCode: '100', sensorCode: '03' })
  kept = []
  await sendRefunds(world.services)
  await providers.standIn.quiet()
  const told = kept
  kept = null
  for (const tell of told) await tell(other.notifyPath)
  expect(await order('N1')).toMatchObject({ payment_state: 'refunding' })
  for (const tell of told) await tell()
  expect(await order('N1')).toMatchObject({ payment_state: 'refunded' })
})

test.each(every)('%s: told of another amount when the attempt is over, it is asked about once', async (provider) => {
  const payUrl = await offered(provider, 'N1')
  providers.standIn.mischief.lie = 'amount'
  kept = []
  passes(299)
  providers.standIn.pay(payUrl)
  await providers.standIn.quiet()
  const [all, { db, clock }] = [kept, world.services]
  kept = null
  await sql`update payment_attempt set state = 'closed', closed_at = created_at
    where merchant_id = ${merchantId}`.execute(db)
  passes(2)
  await db.transaction().execute((tx) => sweepWaiting(tx, clock.now()))
  for (const send of all) await send()
  const attemptNo = (await attempt('N1'))?.attempt_no ?? ''
  const asked = sql`select 1 from graphile_worker._private_jobs where payload ->> 'attemptNo' = ${attemptNo}`
  expect(await one(asked)).toBeDefined()
  await jobs.find(({ name }) => name === 'payment.recheck')?.run(world.services, { attemptNo })
  expect(await order('N1')).toMatchObject({ payment_state: 'refunding', problem: 'paid_late', paid_fen: 500 })
})

test('a silent channel is asked again under the same number, and pays once', async () => {
  const { mischief } = providers.standIn
  mischief.silentShare = 1
  await request('wechat', 'N1')
  await work()
  expect(await attempt('N1')).toMatchObject({ state: 'unknown', pay_url: null })
  mischief.silentShare = 0
  passes(4)
  await work()
  const known = await attempt('N1')
  expect(known).toMatchObject({ state: 'waiting' })
  expect(providers.standIn.trade(known?.attempt_no ?? '')).toMatchObject({ state: 'waiting' })
  providers.standIn.pay(known?.pay_url ?? '')
  await providers.standIn.quiet()
  expect(await ships('N1')).toBe(1)
})

test('a program that died between call and answer leaves nothing that is paid twice', async () => {
  await request('alipay', 'N1')
  // As after a kill: taken by a run that never came back.
  const now = world.services.clock.now()
  await sql`update payment_attempt set queried_at = ${now}, asked_at = ${now}, tries = 1
    where machine_id = ${machine.id}`.execute(world.services.db)
  await work()
  expect(await attempt('N1')).toMatchObject({ state: 'created' })
  passes(21)
  await Promise.all([work(), work(), work()])
  const { pay_url: payUrl = '' } = (await attempt('N1')) ?? {}
  kept = []
  providers.standIn.pay(payUrl)
  await providers.standIn.quiet()
  const [tell] = kept
  kept = null
  passes(20)
  await Promise.all([work(), tell?.(), work(), tell?.()])
  expect([await ships('N1'), await clearing()]).toEqual([1, { alipay: 500 }])
})

test('the customer’s own code: paid at once, refused at once, and kept nowhere', async () => {
  const code = '130000000000000000'
  expect(await request('wechat', 'N1', { code })).toMatchObject({ isOffered: true })
  expect(await request('wechat', 'N2', { code: '130000000000000002' })).toMatchObject({ isOffered: true })
  await work()
  expect(await order('N1')).toMatchObject({ payment_state: 'paid', ship_state: 'in_transit' })
  expect(await attempt('N2')).toMatchObject({ state: 'failed', fault: 'NOTENOUGH' })
  const left = await one(sql<{ text: string }>`select (select json_agg(a) from payment_attempt a)::text
    || (select json_agg(e) from channel_exchange e)::text || (select json_agg(o) from orders o)::text as text`)
  expect(left?.text).not.toContain(code)
})

test('the machine’s own reader was quicker: the channel’s money is nobody’s', async () => {
  const payUrl = await offered('wechat', 'N1')
  await say('pay.result', { orderNo: 'N1', method: 'wechat', amountFen: 500, channelNo: 'READER-1', basis: 'reader' })
  providers.standIn.pay(payUrl)
  await providers.standIn.quiet()
  expect(await unclaimed()).toEqual([{ cause: 'paid_twice', amount_fen: 500, times: 1 }])
  expect([await ships('N1'), await clearing()]).toEqual([1, { wechat: 500 }])
})

test('what is said twice of one attempt in one breath is booked once, and other money is nobody’s', async () => {
  await offered('wechat', 'N1')
  const { attempt_no: attemptNo = '' } = (await attempt('N1')) ?? {}
  const money = { outcome: 'paid' as const, code: 'SUCCESS', paidFen: 500, paidAt: null, payUrl: null }
  const paid = (channelNo: string) => ({ attemptNo, answer: { ...money, channelNo } })
  await takePaymentAnswers(world.services, [paid('W-1'), paid('W-1'), paid('W-2')])
  expect(await unclaimed()).toEqual([{ cause: 'paid_twice', amount_fen: 500, times: 1 }])
  expect([await ships('N1'), await clearing()]).toEqual([1, { wechat: 500 }])
})

test('without an account, and for other means, the machine’s own reader takes the money', async () => {
  expect(await request('other', 'N1')).not.toHaveProperty('isOffered')
  await sql`update payment_service set is_on = false where provider = 'wechat'`.execute(world.services.db)
  expect(await request('wechat', 'N2')).not.toHaveProperty('isOffered')
  await sql`update payment_service set is_on = true`.execute(world.services.db)
  expect(await attempt('N2')).toBe(undefined)
})

test('what a merchant collects itself is on the order and in none of our books', async () => {
  await sql`update merchant set collects_payment = true where id = ${merchantId}`.execute(world.services.db)
  await providers.add({ merchantId, provider: 'wechat', fundsMode: 'direct', providerNo: '1900000200' })
  providers.standIn.pay(await offered('wechat', 'N1'))
  await providers.standIn.quiet()
  expect(await order('N1')).toMatchObject({ payment_state: 'paid', ship_state: 'in_transit' })
  expect(await clearing()).toEqual({})
})
