import { putPayoutAccount } from '@aisle/contract/funds/payoutAccount'
import * as contract from '@aisle/contract/funds/withdrawal'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestBank } from '../../testing/bank'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { inserted } from '../../testing/inserted'
import { racing, together } from '../../testing/races'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { seal } from '../../kernel/seal'
import { postTransfers } from '../ledger/public'
import { openBank } from './bank.channel'
import type { Bank } from './bank.types'
import { routes } from './funds.routes'
import { payWithdrawals } from './pay.commands'
import { countWaiting } from './withdrawal.store'

const NOON = new Date('2026-11-20T04:00:00Z')
/** Of the next day in China. */
const NEXT = new Date('2026-11-21T01:00:00Z')
const anywhere = { address: () => true, ip: () => true }
let world: World
let http: HttpWorld
let bank: Awaited<ReturnType<typeof openTestBank>>
let platformId: number
let merchantId: number
let asker: number
let first: number
let second: number
let now: Date

let started: Record<string, number>

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  platformId = await addMerchant(db)
  first = await person(platformId, 'platform_admin')
  second = await person(platformId, 'platform_admin')
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  now = NOON
  world.setNow(NOON)
  const { db } = world.services
  await sql`delete from setting`.execute(db)
  await sql`update withdrawal set next_at = null`.execute(db)
  bank = await openTestBank('of-the-bank')
  merchantId = await addMerchant(db, { parentId: platformId })
  asker = await person(merchantId, 'merchant_admin')
  await as(first, putPayoutAccount, { merchantId: platformId, ...payer() })
  await approveAccount(merchantId)
  await earn(100_000)
  started = await balancesOf(platformId)
})
afterEach(() => bank.close())

const person = async (of: number, kind: 'platform_admin' | 'merchant_admin' | 'ordinary') =>
  (await addUser(world.services.db, { merchantId: of, kind, grants: ['withdrawal.*'] })).id

const payer = () => ({
  fundsMode: 'custody',
  holder: 'Licensed Pay',
  bank: 'Custody Bank',
  customerNo: 'C1',
  address: bank.address,
  secret: 'of-the-bank',
})

async function call(userId: number, endpoint: Endpoint, input?: Record<string, unknown>) {
  const token = await addSession(world.services.db, userId, now)
  return http.call(endpoint, input, { token })
}
async function as<T>(userId: number, endpoint: Endpoint, input?: Record<string, unknown>): Promise<T> {
  const { status, body } = await call(userId, endpoint, input)
  expect([status, body.code]).toEqual([200, 'H0000'])
  return body.data as T
}
const refusalOf = async (userId: number, endpoint: Endpoint, input: Record<string, unknown>) =>
  (await call(userId, endpoint, input)).body.code

async function approveAccount(of: number, at = new Date('2026-11-01T04:00:00Z')): Promise<number> {
  const { db, keys } = world.services
  const id = await inserted(
    db,
    sql`insert into bank_account (merchant_id, state, holder_kind, holder, bank, bank_city, branch, bank_full_name,
        short_name, store_name, province, city, street, business_type, contact, contact_phone, document_kind,
        account_tail, document_tail, authors, created_at, requested_by, requested_at, reviewed_by, reviewed_at)
      values (${of}, 'approved', 'company', 'Ours Ltd', 'Bank', 'City', 'North', 'Bank of the City', 'Ours', 'Ours',
        'P', 'C', 'S', 'Vending', 'Li', '0571-88886666', 'business_licence', '4321', 'MA2X', array[${asker}::bigint],
        ${at}, ${asker}, ${at}, ${first}, ${at})`,
  )
  await sql`update bank_account set sealed = ${seal(keys, `bank-account:${id}`, '120987654321\nMA2X')}
    where id = ${id}`.execute(db)
  return id
}

let settled = 0
async function earn(amountFen: number, of = merchantId): Promise<void> {
  settled += 1
  const entry = (kind: 'pending' | 'available', fen: number) => ({
    account: { kind, merchantId: of, key: '' },
    amountFen: fen,
  })
  const transfer = {
    kind: 'settlement' as const,
    reference: String(settled),
    merchantId: of,
    postedAt: now,
    businessDay: '2026-11-20',
    postings: [entry('pending', amountFen), entry('available', -amountFen)],
  }
  await world.services.db.transaction().execute((tx) => postTransfers(tx, [transfer]))
}

async function balancesOf(of: number): Promise<Record<string, number>> {
  const found = await sql<{ name: string; fen: number }>`select kind || case when key = '' then '' else ':' || key end
      as name, balance_fen as fen
    from ledger_account where merchant_id = ${of} and kind <> 'pending' order by 1`.execute(world.services.db)
  return Object.fromEntries(found.rows.map(({ name, fen }) => [name, fen]))
}
/** The merchant's, and what the platform's have moved by. */
async function balances() {
  const own = Object.entries(await balancesOf(merchantId))
  const moved = Object.entries(await balancesOf(platformId)).map(
    ([name, fen]) => [`${name}@platform`, fen - (started[name] ?? 0)] as const,
  )
  return Object.fromEntries([...own, ...moved].filter(([, fen]) => fen !== 0))
}
const pass = async (
  to: Date,
  open = (line: Parameters<typeof openBank>[0], at: Date) => openBank(line, at, anywhere),
) => {
  now = to
  world.setNow(to)
  await payWithdrawals(world.services, open)
}
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
type Made = { id: number; state: string }
const ask = (amountFen: number) => as<Made>(asker, contract.applyWithdrawal, { merchantId, amountFen })
const stateOf = async (id: number) =>
  (await as<{ state: string; detail: string | null }>(asker, contract.getWithdrawal, { id })).state

async function approved(amountFen = 50_000): Promise<number> {
  const { id } = await ask(amountFen)
  await as(first, contract.approveWithdrawal, { id })
  return id
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
  now = new Date(at)
  world.setNow(now)
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

test.each(['before the bank was told', 'after it was told'])(
  'a worker that is killed %s goes on where it was',
  async (when) => {
    const id = await approved()
    const dies = (line: Parameters<typeof openBank>[0], at: Date): Bank => {
      const real = openBank(line, at, anywhere)
      const pay: Bank['pay'] = async (order) => {
        if (when.startsWith('after')) await real.pay(order)
        throw new Error('killed')
      }
      return { ...real, pay }
    }
    await expect(pass(NEXT, dies)).rejects.toThrow('killed')
    expect(await stateOf(id)).toBe('paying')
    await Promise.all([pass(later(3)), pass(now)])
    await pass(later(90))
    expect(await stateOf(id)).toBe('paid')
    expect(bank.orders.size).toBe(1)
    expect(await balances()).toEqual({ available: -50_000, 'bank@platform': -50_000 })
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
  now = new Date('2026-11-23T04:00:00Z')
  world.setNow(now)
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
