import { putPayoutAccount } from '@aisle/contract/funds/payoutAccount'
import * as contract from '@aisle/contract/funds/withdrawal'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addMerchant } from '../../testing/builders'
import { racing, together } from '../../testing/races'
import type { Tx } from '../../kernel/context'
import { type OpenBank, openBank } from './bank.channel'
import { payWithdrawals } from './pay.commands'
import { countWaiting } from './withdrawal.store'

import {
  NEXT,
  NOON,
  anywhere,
  approveAccount,
  approved,
  as,
  ask,
  asker,
  balances,
  bank,
  call,
  earn,
  first,
  later,
  merchantId,
  moveTo,
  now,
  pass,
  payer,
  person,
  platformId,
  refusalOf,
  second,
  stateOf,
  type Made,
  openFunds,
  world,
} from './testing'

openFunds()

const DAY_MS = 86_400_000
const KILLED = new Error('killed')
const isKilled = (cause: unknown): boolean => {
  if (cause !== KILLED) throw cause
  return true
}

async function replaceAccount(): Promise<void> {
  await sql`update bank_account set state = 'replaced' where merchant_id = ${merchantId}`.execute(world.services.db)
  await approveAccount(merchantId, new Date(now.getTime() - DAY_MS - 3_600_000))
}

/** What pays, in a process that dies at the nth of its points: around each commit and each word to the bank. */
function dyingAt(nth: number) {
  let passed = 0
  const point = () => {
    passed += 1
    if (passed === nth) throw KILLED
  }
  const around = async <T>(work: () => Promise<T>): Promise<T> => {
    point()
    const said = await work()
    point()
    return said
  }
  const { db } = world.services
  const transaction = () => ({
    execute: async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      const done = await db.transaction().execute(async (tx) => {
        const kept = await work(tx)
        point()
        return kept
      })
      point()
      return done
    },
  })
  const dying = new Proxy(db, {
    get: (target, name) => {
      if (name === 'transaction') return transaction
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const open: OpenBank = (line, at) => {
    const real = openBank(line, at, anywhere)
    const { pay, query } = real
    return { ...real, pay: (order) => around(() => pay(order)), query: (no) => around(() => query(no)) }
  }
  return { services: { ...world.services, db: dying }, open }
}

test('money goes from balance to bank: held when asked for, reviewed, paid the next day, with its fee', async () => {
  const { db } = world.services
  await sql`insert into fee_rule (merchant_id, subject, rate_ppm, basis, min_fen, valid_from, created_at)
    values (${merchantId}, 'withdrawal', 1000, 'order', 100, '2026-01-01', ${NOON})`.execute(db)
  const before = await as(asker, contract.getFunds, { amountFen: 50_000 })
  expect(before).toMatchObject({
    availableFen: 100_000,
    withdrawableFen: 100_000,
    inTransitFen: 0,
    feeFen: 100,
    totalFen: 50_100,
    dueOn: '2026-11-21',
    payer: { mode: 'custody', holder: 'Licensed Pay', bank: 'Custody Bank' },
    account: { number: '•••• 4321' },
    refusal: null,
  })
  const { id } = await ask(50_000)
  expect(await balances()).toEqual({ available: -49_900, withdrawing: -50_100 })
  expect(await countWaiting(db, { kind: 'all' })).toBe(1)
  expect(await as(first, contract.approveWithdrawal, { id })).toEqual({ id, state: 'approved' })
  await pass(later(5))
  expect(bank.orders.size).toBe(0)
  await pass(NEXT)
  expect(await stateOf(id)).toBe('paying')
  await pass(later(5))
  expect(await stateOf(id)).toBe('paid')
  expect(await balances()).toEqual({ available: -49_900, 'bank@platform': -50_000, 'fees:withdrawal@platform': -100 })
  expect([...bank.orders.values()]).toMatchObject([{ amountFen: 50_000, accountNumber: '120987654321' }])
  const detail = await as<{ finalOn: string; entries: unknown[]; story: { verb: string }[] }>(
    asker,
    contract.getWithdrawal,
    { id },
  )
  expect(detail.finalOn).toBe('2026-11-28')
  expect(detail.entries).toHaveLength(5)
  expect(detail.story.map(({ verb }) => verb)).toEqual(['confirm', 'send', 'approve', 'apply'])
})

test('who holds the money decides though the merchant is not theirs, and takes nothing back for it', async () => {
  const treasurer = await person(platformId, 'ordinary')
  const { id } = await ask(10_000)
  const seen = async (userId: number, state: string) =>
    (await as<{ items: { id: number }[] }>(userId, contract.listWithdrawals, { state })).items.map((each) => each.id)
  expect([await seen(treasurer, 'toDecide'), await seen(asker, 'toDecide')]).toEqual([[id], []])
  expect([await seen(treasurer, 'waiting'), await seen(asker, 'waiting')]).toEqual([[id], [id]])
  expect(await refusalOf(treasurer, contract.cancelWithdrawal, { id })).toBe('request.notFound')
  expect(await refusalOf(asker, contract.approveWithdrawal, { id })).toBe('withdrawal.notHolder')
  expect(await as(treasurer, contract.approveWithdrawal, { id })).toEqual({ id, state: 'approved' })
})

test('64 at once on one balance never take more than there is', racing, async () => {
  const answers = await together(() => call(asker, contract.applyWithdrawal, { merchantId, amountFen: 7_000 }))
  const codes = answers.map(({ body }) => String(body.code))
  expect(codes.filter((code) => code === 'H0000')).toHaveLength(14)
  expect(new Set(codes)).toEqual(new Set(['H0000', 'withdrawal.tooMuch']))
  expect(await balances()).toEqual({ available: -2_000, withdrawing: -98_000 })
})

test('nobody decides on what they asked for, and above the limit two others look', async () => {
  await sql`insert into setting (key, value) values ('withdrawal.secondPersonFen', '40000'::jsonb)`.execute(
    world.services.db,
  )
  const { id } = await ask(50_000)
  const approve = contract.approveWithdrawal
  expect(await refusalOf(asker, approve, { id })).toBe('withdrawal.notHolder')
  expect(await as(first, approve, { id })).toEqual({ id, state: 'checked' })
  expect(await refusalOf(first, approve, { id })).toBe('withdrawal.samePerson')
  expect(await as(second, approve, { id })).toEqual({ id, state: 'approved' })
  const own = await as<Made>(first, contract.applyWithdrawal, { merchantId, amountFen: 1_000 })
  expect(await refusalOf(first, approve, { id: own.id })).toBe('withdrawal.ownRequest')
  expect(await refusalOf(first, contract.rejectWithdrawal, { id: own.id, reason: 'No' })).toBe('withdrawal.ownRequest')
  expect(await as(second, contract.rejectWithdrawal, { id: own.id, reason: 'Not now' })).toMatchObject({
    state: 'rejected',
  })
  expect(await balances()).toEqual({ available: -50_000, withdrawing: -50_000 })
})

test.each([
  ['less than 1.01 yuan', 100, 'request.invalid'],
  ['more than 200,000 yuan', 20_000_001, 'request.invalid'],
  ['more than there is', 100_001, 'withdrawal.tooMuch'],
])('%s is refused', async (_, amountFen, code) => {
  expect(await refusalOf(asker, contract.applyWithdrawal, { merchantId, amountFen })).toBe(code)
})

test.each([
  ['2026-11-19T23:29:59Z', 'withdrawal.window'],
  ['2026-11-19T23:30:00Z', 'H0000'],
  ['2026-11-20T11:29:59Z', 'H0000'],
  ['2026-11-20T11:30:00Z', 'withdrawal.window'],
])('asked for at %s: %s', async (at, code) => {
  moveTo(new Date(at))
  expect(await refusalOf(asker, contract.applyWithdrawal, { merchantId, amountFen: 1_000 })).toBe(code)
})

test('who has no approved account, a new one, or is stopped waits; what lies elsewhere is not paid here', async () => {
  const { db } = world.services
  const other = await addMerchant(db, { parentId: platformId })
  await earn(50_000, other)
  const tried = () => refusalOf(first, contract.applyWithdrawal, { merchantId: other, amountFen: 1_000 })
  expect(await tried()).toBe('withdrawal.noBankAccount')
  const account = await approveAccount(other, new Date(NOON.getTime() - 3_600_000))
  expect(await tried()).toBe('withdrawal.newBankAccount')
  await sql`update bank_account set reviewed_at = '2026-11-18' where id = ${account}`.execute(db)
  await sql`insert into settlement (merchant_id, method, funds_mode, business_day, orders, refunds, gross_fen,
      refund_fen, channel_fee_fen, function_fee_fen, net_fen, rounding_ufen, posted_at)
    values (${other}, 'wechat', 'profit_share', '2026-11-19', 1, 0, 49500, 0, 0, 0, 49500, 0, ${NOON})`.execute(db)
  expect(await tried()).toBe('withdrawal.tooMuch')
  await sql`delete from settlement`.execute(db)
  await sql`update merchant set state = 'stopped' where id = ${other}`.execute(db)
  expect(await tried()).toBe('withdrawal.merchantStopped')
  await sql`update merchant set state = 'active' where id = ${other}`.execute(db)
  await as(first, putPayoutAccount, { merchantId: platformId, ...payer(), isOn: false })
  expect(await tried()).toBe('withdrawal.noPayer')
  expect(await as(asker, contract.getFunds, {})).toMatchObject({ payer: null, withdrawableFen: 0 })
})

test('a bank that stays silent is asked before it is told again, and pays once', async () => {
  bank.how.loses = (_, nth) => nth <= 2
  const id = await approved()
  await pass(NEXT)
  expect(await stateOf(id)).toBe('unknown')
  await pass(later(5))
  await pass(later(90))
  expect(await stateOf(id)).toBe('paid')
  await pass(later(60 * 24))
  expect(bank.orders.size).toBe(1)
  expect(await balances()).toEqual({ available: -50_000, 'bank@platform': -50_000 })
})

test.each([
  ['paid', ['paid']],
  ['failed', ['failed']],
  ['returned', ['paid', 'paid', 'returned']],
] as const)(
  'a worker killed before or after any commit or word to the bank goes on: %s, and told once',
  async (end, ends) => {
    await sql`select ensure_partitions('2026-12-01', '2027-03-31')`.execute(world.services.db)
    bank.how.ends = () => [...ends]
    let [points, wasKilled] = [0, true]
    while (wasKilled) {
      points += 1
      moveTo(new Date(NOON.getTime() + points * 2 * DAY_MS))
      // Where money came back from takes none any more.
      if (end === 'returned' && points > 1) await replaceAccount()
      // Else earlier ones, which are asked about for a week, add points of their own.
      await sql`update withdrawal set next_at = null`.execute(world.services.db)
      const id = await approved()
      const dying = dyingAt(points)
      wasKilled = false
      for (const minutes of [21 * 60, 3, 90, 7 * 60, 7 * 60, 7 * 60]) {
        moveTo(later(minutes))
        if (wasKilled) await pass(now)
        else wasKilled = await payWithdrawals(dying.services, dying.open).then(() => false, isKilled)
      }
      expect([points, await stateOf(id)]).toEqual([points, end])
      expect(bank.orders.size).toBe(points)
      const paid = { available: -50_000, 'bank@platform': -50_000 * points }
      expect(await balances()).toEqual(end === 'paid' ? paid : { available: -100_000 })
      if (end === 'paid') await earn(50_000)
    }
    expect(points).toBeGreaterThan(8)
  },
)

test('after a no the money is back; yes twice changes nothing; yes after no is paid after all', async () => {
  bank.how.ends = () => ['failed', 'paid', 'paid']
  const id = await approved(90_000)
  await pass(NEXT)
  await pass(later(5))
  expect(await stateOf(id)).toBe('failed')
  expect(await balances()).toEqual({ available: -100_000 })
  // It is asked for again meanwhile, so that not all of it is there when the bank pays after all.
  await as(asker, contract.applyWithdrawal, { merchantId, amountFen: 60_000 })
  await pass(later(60 * 7))
  expect(await stateOf(id)).toBe('paid')
  expect(await balances()).toEqual({ 'bank@platform': -90_000, 'suspense:bank': 50_000, withdrawing: -60_000 })
  await pass(later(60 * 7))
  await pass(later(60 * 7))
  expect(await balances()).toEqual({ 'bank@platform': -90_000, 'suspense:bank': 50_000, withdrawing: -60_000 })
})

test('paid is not final for a week: what comes back is the merchant’s, and its account waits', async () => {
  bank.how.ends = () => ['paid', 'paid', 'returned']
  const id = await approved()
  await pass(NEXT)
  await pass(later(5))
  expect(await stateOf(id)).toBe('paid')
  await pass(later(60 * 7))
  expect(await stateOf(id)).toBe('paid')
  await pass(later(60 * 7))
  expect(await stateOf(id)).toBe('returned')
  expect(await balances()).toEqual({ available: -100_000 })
  moveTo(new Date('2026-11-23T04:00:00Z'))
  expect(await refusalOf(asker, contract.applyWithdrawal, { merchantId, amountFen: 1_000 })).toBe(
    'withdrawal.accountReturned',
  )
})

test('of a merchant that was stopped nothing new is sent, and what the bank has goes on', async () => {
  const { db } = world.services
  const [sent, kept] = [await approved(30_000), await approved(20_000)]
  await sql`update withdrawal set next_at = null where id = ${kept}`.execute(db)
  await pass(NEXT)
  await sql`update withdrawal set next_at = ${NEXT} where id = ${kept}`.execute(db)
  await sql`update merchant set state = 'stopped' where id = ${merchantId}`.execute(db)
  await pass(later(5))
  const found = await sql<{ state: string }>`select state from withdrawal where id in (${sent}, ${kept})
    order by id`.execute(db)
  expect(found.rows).toEqual([{ state: 'paid' }, { state: 'approved' }])
  expect(await as(first, contract.getWithdrawal, { id: kept })).toMatchObject({ heldBack: 'merchantStopped' })
  await as(first, contract.rejectWithdrawal, { id: kept, reason: 'Stopped' })
  expect(await balances()).toEqual({ available: -70_000, 'bank@platform': -30_000 })
})

test('an answer about another amount is not believed', async () => {
  const id = await approved()
  await pass(NEXT)
  for (const order of bank.orders.values()) order.amountFen = 5
  await pass(later(5))
  expect(await as(asker, contract.getWithdrawal, { id })).toMatchObject({ state: 'unknown', detail: 'amountDiffers' })
})

test('lists, sums and the tally say the same', async () => {
  await approved(30_000)
  await ask(10_000)
  expect(await as(first, contract.listWithdrawals.count, { merchantId })).toMatchObject({
    total: 2,
    sums: { amountFen: 40_000 },
  })
  expect(await as(asker, contract.summariseWithdrawals)).toMatchObject({
    waiting: { count: 1, fen: 10_000 },
    approved: { count: 1, fen: 30_000 },
  })
  const mine = await as<{ items: { id: number }[] }>(asker, contract.listWithdrawals, { state: 'waiting' })
  expect(mine.items).toHaveLength(1)
  await as(asker, contract.cancelWithdrawal, { id: mine.items[0]?.id })
  expect(await balances()).toEqual({ available: -70_000, withdrawing: -30_000 })
})
