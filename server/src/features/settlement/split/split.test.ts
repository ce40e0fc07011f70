import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Reader } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { addMachine, addMerchant, addOrder, addProduct, type BuiltMachine } from '../../../testing/builders'
import { openProviders, type Providers } from '../../../testing/provider'
import { openWorld, type World } from '../../../testing/world'
import { postTransfers, refundPostings, salePostings } from '../../ledger/public'
import { channelOf } from '../../payment/public'
import { bookFaults } from '../check.reads'
import { settleRest } from '../settle.commands'
import { balances } from '../testing'
import { workSplits } from './split.jobs'

const DAY = '2026-11-20'
const at = (day: string, time = '12:00') => new Date(`${day}T${time}:00+08:00`)

let world: World
let channels: Providers
let db: Reader
let merchantId: number
let machine: BuiltMachine
let accounts: Record<'wechat' | 'alipay', number>
let userId: number

beforeEach(async () => {
  world = await openWorld(at('2026-11-19'))
  db = world.services.db
  channels = await openProviders(world)
  const platformId = await addMerchant(db)
  merchantId = await addMerchant(db, { parentId: platformId })
  machine = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })] })
  const opened = {
    wechat: await channels.add({ merchantId: platformId, provider: 'wechat' }),
    alipay: await channels.add({ merchantId: platformId, provider: 'alipay' }),
  }
  accounts = { wechat: opened.wechat.id, alipay: opened.alipay.id }
  await sql`delete from fee_rule`.execute(db)
  // No bill of these days is waited for.
  await sql`insert into settlement_channel (provider_account_id, merchant_id, provider, account_id, funds_mode, since)
    select provider_account_id, merchant_id, provider, id, funds_mode, '2026-12-24' from payment_account`.execute(db)
  userId = only(
    await sql<{ id: number }>`insert into app_user (account, display_name, kind, merchant_id)
      values ('splitter', 'Splitter', 'ordinary', ${platformId}) returning id`.execute(db),
  ).id
})
afterEach(async () => {
  await channels.standIn.stop()
  await world.close()
})

type Provider = 'wechat' | 'alipay'

async function addReceiver(provider: Provider, account: string, type: string, consents = false): Promise<number> {
  return only(
    await sql<{ id: number }>`insert into split_receiver (merchant_id, account_id, provider, kind, name, account_type,
        account, consents, state, next_at, created_at, created_by)
      select merchant_id, id, ${provider}, 'outside', ${account}, ${type}, ${account}, ${consents}, 'binding',
        ${world.services.clock.now()}, ${world.services.clock.now()}, ${userId}
      from payment_account where id = ${accounts[provider]} returning id`.execute(db),
  ).id
}

async function addRule(shares: readonly { receiverId: number; bps?: number; fen?: number }[]): Promise<number> {
  const { id } = only(
    await sql<{ id: number }>`insert into split_rule (merchant_id, valid_from, reason, created_at, created_by)
      values (${merchantId}, ${DAY}, 'site', ${at('2026-11-19')}, ${userId}) returning id`.execute(db),
  )
  for (const [index, { receiverId, bps = null, fen = null }] of shares.entries()) {
    await sql`insert into split_rule_line (rule_id, line_no, receiver_id, rate_bps, fixed_fen)
      values (${id}, ${index + 1}, ${receiverId}, ${bps}, ${fen})`.execute(db)
  }
  return id
}

type Sold = { orderId: number; attemptId: number; attemptNo: string }

/** An order that is really offered to the stand-in and paid there, asked for as shared where a rule is given. */
async function sell(provider: Provider, ruleId: number | null, paidFen = 1000): Promise<Sold> {
  world.setNow(at(DAY))
  const now = world.services.clock.now()
  const { id: orderId, orderNo } = await addOrder(db, machine, now, paidFen)
  await sql`update orders set method = ${provider} where id = ${orderId}`.execute(db)
  const attemptNo = `ATTEMPT${String(orderId).padStart(6, '0')}`
  const channel = await channelOf(world.services, accounts[provider])
  const expiresAt = new Date(now.getTime() + 300_000)
  const common = {
    attemptNo,
    amountFen: paidFen,
    title: 'Test',
    askedAt: now,
    expiresAt,
    channelNo: null,
    paidAt: null,
  }
  const offered = await channel.offer({ ...common, isShared: ruleId !== null })
  channels.standIn.pay(offered.payUrl ?? '')
  await channels.standIn.quiet()
  const trade = channels.standIn.trade(attemptNo)
  const attempts = await sql<{ id: number }>`insert into payment_attempt (attempt_no, order_id, order_no, occurred_at,
      merchant_id, machine_id, account_id, method, product, amount_fen, paid_fen, state, channel_no, msg_id,
      business_day, created_at, expires_at, paid_at, split_rule_id)
    values (${attemptNo}, ${orderId}, ${orderNo}, ${now}, ${merchantId}, ${machine.id}, ${accounts[provider]},
      ${provider}, 'native', ${paidFen}, ${paidFen}, 'paid', ${trade?.channelNo ?? ''}, ${attemptNo}, ${DAY}, ${now},
      ${expiresAt}, ${now}, ${ruleId}) returning id`.execute(db)
  const sale = { method: provider, paidFen, merchantId, machineCode: machine.code, collectsPayment: false }
  await post('sale', orderId, salePostings(sale))
  return { orderId, attemptId: only(attempts).id, attemptNo }
}

const post = (kind: 'sale' | 'refund', id: number, postings: ReturnType<typeof salePostings>) =>
  world.services.db
    .transaction()
    .execute((tx) =>
      postTransfers(tx, [
        { kind, reference: String(id), merchantId, postedAt: world.services.clock.now(), businessDay: DAY, postings },
      ]),
    )

/** The channel has given it back; the books say so. */
async function refund(provider: Provider, sold: Sold, amountFen: number): Promise<void> {
  const now = world.services.clock.now()
  const refundNo = `REFUND${sold.orderId}${amountFen}`
  const channel = await channelOf(world.services, accounts[provider])
  const trade = channels.standIn.trade(sold.attemptNo)
  const attempt = {
    attemptNo: sold.attemptNo,
    amountFen: trade?.amountFen ?? 0,
    title: '',
    askedAt: now,
    expiresAt: now,
    channelNo: null,
    paidAt: now,
  }
  await channel.refund({ refundNo, attempt, amountFen, reason: 'jam', askedAt: now })
  await channels.standIn.quiet()
  const made = await sql<{ id: number }>`insert into refund (refund_no, order_id, merchant_id, occurred_at, machine_id,
      order_no, method, attempt_id, amount_fen, cause, state, requested_at, ended_at, channel_refund_no)
    select ${refundNo}, o.id, o.merchant_id, o.occurred_at, o.machine_id, o.order_no, ${provider}, ${sold.attemptId},
      ${amountFen}, 'jam', 'refunded', ${now}, ${now}, ${`50${refundNo}`} from orders o where o.id = ${sold.orderId}
    returning id`.execute(db)
  const back = {
    byHand: null,
    method: provider,
    amountFen,
    merchantId,
    machineCode: machine.code,
    collectsPayment: false,
  }
  await post('refund', only(made).id, refundPostings(back))
}

/** The night after: settled, and sent until nothing is under way. */
async function settle(): Promise<void> {
  world.setNow(at('2026-11-21', '02:00'))
  await world.services.db.transaction().execute((tx) => settleRest(tx, world.services.clock.now()))
  await work()
}

async function work(rounds = 3): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await workSplits(world.services)
    await channels.standIn.quiet()
    world.setNow(new Date(world.services.clock.now().getTime() + 120_000))
  }
}

const states = async () => {
  const found = await sql<{ split: string; line: string; code: string | null; fen: number }>`select s.state as split,
      l.state as line, l.code, (l.amount_fen - l.cut_fen)::bigint as fen
    from split s left join split_line l on l.split_id = s.id order by s.id, l.line_no`.execute(db)
  return found.rows
}
const returned = async () => {
  const found = await sql<{ state: string; fen: number; settled: number }>`select state, amount_fen as fen,
      settled_fen as settled from split_return order by id`.execute(db)
  return found.rows
}
/** What receivers got there and did not give back. */
const got = () =>
  channels.standIn.trades().reduce((sum, { splits, splitReturns }) => {
    const done = <T extends { state: string; amountFen: number }>(all: readonly T[]) =>
      all.filter(({ state }) => state === 'done').reduce((fen, { amountFen }) => fen + amountFen, 0)
    return sum + done(splits.flatMap(({ lines }) => lines)) - done(splitReturns)
  }, 0)

test.each(['wechat', 'alipay'] as const)(
  '%s: a receiver is bound, its share settled, sent, and the rest unfrozen',
  async (provider) => {
    const receiverId = await addReceiver(
      provider,
      provider === 'wechat' ? '1900000999' : '2088000000000999',
      provider === 'wechat' ? 'merchant_no' : 'user_id',
    )
    await work(1)
    const sold = await sell(provider, await addRule([{ receiverId, bps: 1000 }]))
    await settle()
    expect(await states()).toEqual([{ split: 'finished', line: 'done', code: null, fen: 100 }])
    expect(channels.standIn.trade(sold.attemptNo)?.isFinished).toBe(true)
    expect(got()).toBe(100)
    const books = await balances(db)
    expect(books).toMatchObject({ available: -900, [`clearing:${provider}`]: 900 })
    expect(books[`split_payable:${receiverId}`]).toBeUndefined()
    expect(await bookFaults(db)).toEqual([])
  },
)

test('an order that its channel was not asked for as shared is never shared', async () => {
  const receiverId = await addReceiver('wechat', '1900000999', 'merchant_no')
  await addRule([{ receiverId, bps: 1000 }])
  await sell('wechat', null)
  await settle()
  expect(await states()).toEqual([])
  expect(await balances(db)).toMatchObject({ available: -1000 })
})

test('who closed its account gets nothing, others do, and its share goes out once it is bound again', async () => {
  const [gone, other] = [
    await addReceiver('wechat', 'oLandlordGone', 'openid'),
    await addReceiver('wechat', 'oLandlord2', 'openid'),
  ]
  await work(1)
  channels.standIn.mischief.splitFails = { oLandlordGone: 'ACCOUNT_ABNORMAL' }
  await sell(
    'wechat',
    await addRule([
      { receiverId: gone, fen: 50 },
      { receiverId: other, bps: 500 },
    ]),
  )
  await settle()
  expect(await states()).toMatchObject([
    { split: 'failed', line: 'failed', code: 'ACCOUNT_ABNORMAL', fen: 50 },
    { split: 'failed', line: 'done', fen: 50 },
  ])
  expect(await balances(db)).toMatchObject({ [`split_payable:${gone}`]: -50, available: -900 })
  channels.standIn.mischief.splitFails = {}
  await sql`update split_receiver set state = 'binding', next_at = ${world.services.clock.now()}
    where id = ${gone} and state = 'failed'`.execute(db)
  await work()
  expect(await states()).toMatchObject([
    { split: 'finished', line: 'done' },
    { split: 'finished', line: 'done' },
  ])
  expect(got()).toBe(100)
  expect(await bookFaults(db)).toEqual([])
})

test('after a refund a merchant that agreed gives its part back, and a person’s next share is less', async () => {
  const merchant = await addReceiver('wechat', '1900000999', 'merchant_no', true)
  const person = await addReceiver('wechat', 'oLandlord', 'openid')
  await work(1)
  const ruleId = await addRule([
    { receiverId: merchant, bps: 1000 },
    { receiverId: person, bps: 1000 },
  ])
  const sold = await sell('wechat', ruleId)
  await settle()
  expect(got()).toBe(200)
  await refund('wechat', sold, 500)
  await work()
  expect(await returned()).toEqual([
    { state: 'done', fen: 50, settled: 0 },
    { state: 'claimed', fen: 50, settled: 0 },
  ])
  expect(await balances(db)).toMatchObject({ available: -850 })
  await sell('wechat', ruleId)
  await settle()
  expect(await returned()).toMatchObject([{ state: 'done' }, { state: 'settled', settled: 50 }])
  expect(got()).toBe(150 + 150)
  expect(await bookFaults(db)).toEqual([])
})

test('at Alipay the refund itself takes each part back', async () => {
  const receiverId = await addReceiver('alipay', 'landlord@example.com', 'login')
  await work(1)
  const sold = await sell('alipay', await addRule([{ receiverId, bps: 1000 }]))
  await settle()
  await refund('alipay', sold, 1000)
  await work()
  expect(await returned()).toEqual([{ state: 'done', fen: 100, settled: 0 }])
  expect(got()).toBe(0)
  expect(await bookFaults(db)).toEqual([])
})

test('what was refunded before it was sent is not sent', async () => {
  const receiverId = await addReceiver('wechat', '1900000999', 'merchant_no')
  await work(1)
  const sold = await sell('wechat', await addRule([{ receiverId, bps: 1000 }]))
  world.setNow(at('2026-11-21', '02:00'))
  await world.services.db.transaction().execute((tx) => settleRest(tx, world.services.clock.now()))
  await refund('wechat', sold, 500)
  await work()
  expect(await states()).toEqual([{ split: 'finished', line: 'done', code: null, fen: 50 }])
  expect(got()).toBe(50)
  expect(await bookFaults(db)).toEqual([])
})

test.each([0, 1, 2, 3])('killed at any point, repeated and silent, a share is paid once (%i)', async (lost) => {
  const receiverId = await addReceiver('wechat', '1900000999', 'merchant_no', true)
  await work(1)
  const sold = await sell('wechat', await addRule([{ receiverId, bps: 1000 }]))
  // The answer to the request, to the query, to the end or to none is lost: what was taken there stays taken.
  channels.standIn.mischief.silentShare = 1
  world.setNow(at('2026-11-21', '02:00'))
  await world.services.db.transaction().execute((tx) => settleRest(tx, world.services.clock.now()))
  await work(lost)
  await Promise.all([workSplits(world.services), workSplits(world.services)])
  channels.standIn.mischief.silentShare = 0
  world.setNow(new Date(world.services.clock.now().getTime() + 7_200_000))
  await work()
  expect(await states()).toEqual([{ split: 'finished', line: 'done', code: null, fen: 100 }])
  channels.standIn.mischief.silentShare = 1
  await refund('wechat', sold, 1000)
  await work(lost)
  channels.standIn.mischief.silentShare = 0
  world.setNow(new Date(world.services.clock.now().getTime() + 7_200_000))
  await work()
  expect(await returned()).toEqual([{ state: 'done', fen: 100, settled: 0 }])
  expect(got()).toBe(0)
  expect(await bookFaults(db)).toEqual([])
})
