import type { Provider } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { honest } from '../../../../../fleet/src/provider/settings'
import { addMerchant } from '../../../testing/builders'
import { openProviders, type Providers } from '../../../testing/provider'
import { openWorld, type World } from '../../../testing/world'
import { channelOf } from './channel'
import type { Attempt, Channel, RefundAsk } from './channel.types'

/** 12:00 in Shanghai. */
const NOON = new Date('2026-11-22T04:00:00Z')
const every: Provider[] = ['wechat', 'alipay', 'unionpay']

let world: World
let providers: Providers
let heard: { headers: Record<string, string>; body: string }[] = []
const accounts = new Map<Provider, number>()

beforeAll(async () => {
  world = await openWorld(NOON)
  providers = await openProviders(world, async (_, headers, body) => {
    heard.push({ headers, body })
    return { status: 200, body: 'success' }
  })
  const merchantId = await addMerchant(world.services.db)
  for (const provider of every) accounts.set(provider, (await providers.add({ merchantId, provider })).id)
})
afterAll(async () => {
  await providers.standIn.stop()
  await world.close()
})
beforeEach(() => {
  world.setNow(NOON)
  Object.assign(providers.standIn.mischief, honest)
  heard = []
})

const channel = (provider: Provider): Promise<Channel> => channelOf(world.services, accounts.get(provider) ?? 0)
let count = 0
function attempt(changes: Partial<Attempt> = {}): Attempt {
  count += 1
  const now = world.services.clock.now()
  const expiresAt = new Date(now.getTime() + 300_000)
  const attemptNo = `A2611220000${String(count).padStart(5, '0')}`
  const unasked = { channelNo: null, paidAt: null, title: '矿泉水 & 茶', amountFen: 350 }
  return { attemptNo, askedAt: now, expiresAt, ...unasked, ...changes }
}
async function paid(of: Channel, changes: Partial<Attempt> = {}): Promise<Attempt> {
  const asked = attempt(changes)
  const { payUrl } = await of.offer(asked)
  expect(providers.standIn.pay(payUrl ?? '')).toBe(null)
  const { channelNo, paidAt } = await of.query(asked)
  return { ...asked, channelNo, paidAt }
}
const back = (of: Attempt, amountFen: number, changes: Partial<RefundAsk> = {}): RefundAsk => {
  count += 1
  const refundNo = `R2611220000${String(count).padStart(5, '0')}`
  return { refundNo, attempt: of, amountFen, reason: '卡货', askedAt: world.services.clock.now(), ...changes }
}
const later = (minutes: number) => world.setNow(new Date(world.services.clock.now().getTime() + minutes * 60_000))

test.each(every)('%s: offered, scanned, paid, and found paid by asking', async (provider) => {
  const of = await channel(provider)
  const asked = attempt()
  const offered = await of.offer(asked)
  expect(offered).toMatchObject({ outcome: 'waiting', payUrl: expect.stringContaining('/pay/') })
  expect(await of.offer(asked)).toEqual(offered)
  expect(await of.query(asked)).toMatchObject({ outcome: 'waiting' })
  providers.standIn.pay(offered.payUrl ?? '')
  expect(await of.query(asked)).toMatchObject({ outcome: 'paid', paidFen: 350, paidAt: NOON })
  expect(await of.close(asked)).toMatchObject({ outcome: 'paid', paidFen: 350 })
})

test.each(every)(
  '%s: its notification is read, and none that is altered, old or signed by another',
  async (provider) => {
    const of = await channel(provider)
    const { attemptNo, channelNo } = await paid(of)
    await providers.standIn.quiet()
    const { headers, body } = heard[0] ?? { headers: {}, body: '' }
    expect(of.readNotification(headers, body, NOON)).toEqual({
      about: 'payment',
      attemptNo,
      outcome: 'paid',
      channelNo,
      amountFen: 350,
      currency: 'CNY',
      paidAt: NOON,
      payee: of.payee,
      payer: provider === 'wechat' ? { appId: expect.any(String), openId: expect.any(String) } : undefined,
    })
    expect(of.readNotification(headers, body.replace(/[45]/, '6'), NOON).about).toBe('forged')
    providers.standIn.mischief.isForging = true
    await paid(of)
    await providers.standIn.quiet()
    const forged = heard.at(-1) ?? { headers: {}, body: '' }
    expect(of.readNotification(forged.headers, forged.body, NOON).about).toBe('forged')
  },
)

test('wechat: a notification that somebody recorded is not believed six minutes later', async () => {
  const of = await channel('wechat')
  await paid(of)
  await providers.standIn.quiet()
  const { headers, body } = heard[0] ?? { headers: {}, body: '' }
  const reading = of.readNotification(headers, body, new Date(NOON.getTime() + 360_000))
  expect(reading).toEqual({ about: 'forged', reason: 'too old' })
})

test.each(every)('%s: what nobody paid is closed and can be paid no more', async (provider) => {
  const of = await channel(provider)
  const asked = attempt()
  const { payUrl } = await of.offer(asked)
  later(6)
  expect(await of.close(asked)).toMatchObject({ outcome: 'closed' })
  expect(providers.standIn.pay(payUrl ?? '')).toBe('closed')
})

test.each(every)('%s: silence and answers of strangers say nothing', async (provider) => {
  const of = await channel(provider)
  const { mischief } = providers.standIn
  mischief.silentShare = 1
  const asked = attempt()
  expect(await of.offer(asked)).toMatchObject({ outcome: 'unknown' })
  Object.assign(mischief, honest, { isAnswerForged: true })
  expect(await of.offer(asked)).toMatchObject({ outcome: 'unknown', payUrl: null })
  expect(await of.query(asked)).toMatchObject({ outcome: 'unknown' })
  Object.assign(mischief, honest)
  expect(await of.offer(asked)).toMatchObject({ outcome: 'waiting' })
  const kept = await sql<{ outcome: string }>`select outcome from channel_exchange
    where reference = ${asked.attemptNo} order by at, id`.execute(world.services.db)
  expect(kept.rows.map(({ outcome }) => outcome)).toEqual(['silent', 'forged', 'forged', 'answered'])
})

test.each(every)('%s: a customer’s own code pays at once, after a password, or not at all', async (provider) => {
  const of = await channel(provider)
  const stem = { wechat: '13000000000000000', alipay: '28000000000000000', unionpay: '620000000000000000' }[provider]
  const atOnce = attempt({ authCode: `${stem}0` })
  await of.offer(atOnce)
  expect(await of.query(atOnce)).toMatchObject({ outcome: 'paid', paidFen: 350 })
  const slowly = attempt({ authCode: `${stem}1` })
  expect(await of.offer(slowly)).toMatchObject({ outcome: 'waiting' })
  await providers.standIn.quiet()
  expect(await of.query(slowly)).toMatchObject({ outcome: 'paid' })
  expect(await of.offer(attempt({ authCode: `${stem}2` }))).toMatchObject({ outcome: 'closed' })
})

test.each(every)('%s: parts go back once each, and never more than was paid', async (provider) => {
  const of = await channel(provider)
  const asked = await paid(of)
  later(1)
  const first = back(asked, 100)
  const answer = await of.refund(first)
  expect(['accepted', 'refunded']).toContain(answer.outcome)
  await providers.standIn.quiet()
  expect(await of.queryRefund(first)).toMatchObject({ outcome: 'refunded' })
  // The same number again moves nothing.
  expect(['accepted', 'refunded']).toContain((await of.refund(first)).outcome)
  await providers.standIn.quiet()
  expect(await of.refund(back(asked, 251))).toMatchObject({ outcome: 'needs_handling' })
  await of.refund(back(asked, 250))
  await providers.standIn.quiet()
  const moved = providers.standIn.trade(asked.attemptNo)?.refunds.map(({ amountFen, state }) => [amountFen, state])
  expect(moved).toEqual([
    [100, 'refunded'],
    [250, 'refunded'],
  ])
})

test.each(every)('%s: a refund that was never heard of is asked for again under its number', async (provider) => {
  const of = await channel(provider)
  const asked = await paid(of)
  const lost = back(asked, 350)
  expect(await of.queryRefund(lost)).toMatchObject({ outcome: 'failed' })
  providers.standIn.mischief.silentShare = 1
  expect(await of.refund(lost)).toMatchObject({ outcome: 'unknown' })
  expect(await of.queryRefund(lost)).toMatchObject({ outcome: 'unknown' })
  providers.standIn.mischief.silentShare = 0
  await providers.standIn.quiet()
  expect(await of.queryRefund(lost)).toMatchObject({ outcome: 'refunded' })
  await of.refund(lost)
  await providers.standIn.quiet()
  expect(providers.standIn.trade(asked.attemptNo)?.refunds).toHaveLength(1)
})

test('wechat: a refund that the bank sends back wants a person; one a minute is asked again', async () => {
  const of = await channel('wechat')
  const asked = await paid(of)
  Object.assign(providers.standIn.mischief, { refundEnds: 'abnormal', limitsRefunds: true })
  const one = back(asked, 100)
  expect(await of.refund(one)).toMatchObject({ outcome: 'accepted' })
  await providers.standIn.quiet()
  expect(await of.queryRefund(one)).toMatchObject({ outcome: 'needs_handling' })
  expect(await of.refund(back(asked, 100))).toMatchObject({ outcome: 'failed', code: 'FREQUENCY_LIMITED' })
  const notice = heard.at(-1) ?? { headers: {}, body: '' }
  expect(of.readNotification(notice.headers, notice.body, NOON)).toMatchObject({
    about: 'refund',
    refundNo: one.refundNo,
    outcome: 'needs_handling',
    amountFen: 100,
  })
})

test('alipay: without `fund_change` the answer promises nothing, and a query says how it ended', async () => {
  const of = await channel('alipay')
  const asked = await paid(of)
  const one = back(asked, 350)
  expect(await of.refund(one)).toMatchObject({ outcome: 'refunded', code: 'FUND_CHANGE_Y' })
  expect(await of.refund(one)).toMatchObject({ outcome: 'accepted', code: 'FUND_CHANGE_N' })
  expect(await of.queryRefund(one)).toMatchObject({ outcome: 'refunded', code: 'REFUND_SUCCESS' })
})

test('unionpay: the whole amount of its own day is voided, anything else returned', async () => {
  const of = await channel('unionpay')
  const types = async (refundNo: string) => {
    const kept = await sql<{ type: string }>`select substring(request_body from 'txnType=(\\d+)') as type
      from channel_exchange where reference = ${refundNo} and kind = 'refund'`.execute(world.services.db)
    return kept.rows.map(({ type }) => type)
  }
  const whole = back(await paid(of), 350)
  await of.refund(whole)
  expect(await types(whole.refundNo)).toEqual(['31'])
  const part = back(await paid(of), 349)
  await of.refund(part)
  const evening = await paid(of)
  world.setNow(new Date('2026-11-22T15:00:00Z'))
  const tomorrow = back(evening, 350)
  await of.refund(tomorrow)
  expect([await types(part.refundNo), await types(tomorrow.refundNo)]).toEqual([['04'], ['04']])
})

test.each(every)(
  '%s: the bill of a day has its payments, its refunds, and the differences put into it',
  async (provider) => {
    world.setNow(new Date('2026-10-05T04:00:00Z'))
    const of = await channel(provider)
    const [good, short, gone] = [await paid(of, { amountFen: 1000 }), await paid(of), await paid(of)]
    const refund = back(good, 400)
    await of.refund(refund)
    await providers.standIn.quiet()
    expect(await of.bill('2026-10-05')).toMatchObject({ outcome: 'notReady' })
    providers.standIn.faults.push(
      { kind: 'amount', no: short.attemptNo, amountFen: 351 },
      { kind: 'leaveOut', no: gone.attemptNo },
      { kind: 'add', provider, no: `X${count}0000000`, amountFen: 77, atMs: world.services.clock.now().getTime() },
    )
    world.setNow(new Date('2026-10-06T04:00:00Z'))
    const bill = await of.bill('2026-10-05')
    if (bill.outcome !== 'ready') throw new Error(JSON.stringify(bill))
    const lines = bill.lines.map(({ kind, attemptNo, refundNo, amountFen, feeFen }) => [
      kind,
      kind === 'refund' ? refundNo : attemptNo,
      amountFen,
      feeFen,
    ])
    expect(lines).toEqual(
      expect.arrayContaining([
        ['payment', good.attemptNo, 1000, 6],
        ['payment', short.attemptNo, 351, 2],
        ['payment', `X${count}0000000`, 77, 0],
        ['refund', refund.refundNo, 400, -2],
      ]),
    )
    expect(lines).toHaveLength(4)
    expect(bill.files.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
    const amounts = bill.funds.map(({ amountFen }) => amountFen)
    // What the day brought is paid out at its end.
    expect(amounts).toContain(-(1000 - 6 + 351 - 2 + 77 - 400 + 2))
    expect(amounts.reduce((all, each) => all + each, 0)).toBe(0)
    expect(await of.bill('2026-10-03')).toMatchObject({ outcome: 'notReady' })
  },
)

test('what was said is kept without the customer’s code', async () => {
  const of = await channel('wechat')
  const asked = attempt({ authCode: '130000000000000000' })
  await of.offer(asked)
  const kept = await sql<{ request_body: string; answer_body: string }>`select request_body, answer_body
    from channel_exchange where reference = ${asked.attemptNo}`.execute(world.services.db)
  const text = JSON.stringify(kept.rows)
  expect(text).toContain(asked.attemptNo)
  expect(text).not.toContain('130000000000000000')
  expect(text).not.toContain('oUpF8uMuAJO')
})
