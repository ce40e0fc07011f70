import { type BalanceLine, getBalance, listBalancePostings, listBalances } from '@aisle/contract/funds/balance'
import type { Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMerchant } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { inserted } from '../../testing/inserted'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { addDays } from '../../kernel/businessDay'
import { entry, type Posting, postTransfers, type Transfer } from '../ledger/public'
import { routes } from './funds.routes'
import { backPostings, holdPostings, latePostings, paidPostings, returnedPostings } from './withdrawal.rules'

/** A leap day is among those of the histories. */
const TODAY = '2028-03-10'
let world: World
let http: HttpWorld
let platformId: number
let merchantId: number
let token: string

beforeAll(async () => {
  world = await openWorld(noon(TODAY))
  http = await openHttp(world, routesWith(...routes))
  platformId = await addMerchant(world.services.db)
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  merchantId = await addMerchant(world.services.db, { parentId: platformId })
  token = await tokenOf(merchantId)
})

const noon = (day: string) => new Date(`${day}T12:00:00+08:00`)

async function tokenOf(of: number, kind: 'merchant_admin' | 'ordinary' = 'merchant_admin'): Promise<string> {
  const { id } = await addUser(world.services.db, { merchantId: of, kind, grants: ['settlement.read'] })
  return addSession(world.services.db, id, noon(TODAY))
}

async function read<E extends Endpoint>(endpoint: E, input: Record<string, unknown> = {}): Promise<OutputOf<E>> {
  const { status, body } = await http.call(endpoint, input, { token })
  expect([status, body.code]).toEqual([200, 'H0000'])
  return body.data as OutputOf<E>
}

let made = 0
async function post(kind: Transfer['kind'], reference: string, postedAt: Date, postings: readonly Posting[]) {
  const businessDay = postedAt.toISOString().slice(0, 10)
  await world.services.db
    .transaction()
    .execute((tx) => postTransfers(tx, [{ kind, reference, merchantId, postedAt, businessDay, postings }]))
}

/** Fees are part of what was sold; a net of nothing posts nothing on the balance. */
async function settle(at: Date, grossFen: number, refundFen = 0, channelFeeFen = 0, functionFeeFen = 0, taxFen = 0) {
  const netFen = grossFen - refundFen - channelFeeFen - functionFeeFen - taxFen
  const id = await inserted(
    world.services.db,
    sql`insert into settlement (merchant_id, method, funds_mode, business_day, orders, refunds, gross_fen, refund_fen,
        channel_fee_fen, function_fee_fen, tax_fen, net_fen, rounding_ufen, posted_at)
      values (${merchantId}, 'wechat', 'custody', ${at}::timestamptz::date, 1, 0, ${grossFen}, ${refundFen},
        ${channelFeeFen}, ${functionFeeFen}, ${taxFen}, ${netFen}, 0, ${at})`,
  )
  const postings = [
    entry('pending', merchantId, '', grossFen - refundFen),
    entry('available', merchantId, '', -netFen),
    entry('fees', platformId, 'wechat', -channelFeeFen),
    entry('fees', platformId, 'function', -functionFeeFen),
    entry('tax_payable', platformId, '', -taxFen),
  ]
  await post(
    'settlement',
    String(id),
    at,
    postings.filter(({ amountFen }) => amountFen !== 0),
  )
}

const ends = {
  paid: [['paid', paidPostings]],
  failed: [['back', backPostings]],
  returned: [
    ['paid', paidPostings],
    ['returned', returnedPostings],
  ],
  under_way: [],
} as const

async function withdraw(at: Date, amountFen: number, feeFen: number, end: keyof typeof ends | 'late') {
  made += 1
  const { db } = world.services
  const asker = (await addUser(db, { merchantId, kind: 'ordinary', grants: [] })).id
  const [payer, account] = [await payerId(), await bankAccountId(asker)]
  const approver = (await addUser(db, { merchantId: platformId, kind: 'ordinary', grants: [] })).id
  const state = { paid: 'paid', failed: 'failed', returned: 'returned', under_way: 'paying', late: 'paid' }[end]
  const id = await inserted(
    db,
    sql`insert into withdrawal (no, merchant_id, bank_account_id, payout_account_id, funds_mode, amount_fen, fee_fen,
        limit_fen, requested_by, requested_at, due_on, state, approved_by, sent_at, paid_at)
      values (${`W${String(made).padStart(17, '0')}`}, ${merchantId}, ${account}, ${payer}, 'custody', ${amountFen},
        ${feeFen}, 100000000, ${asker}, ${at}, ${at}::timestamptz::date, ${state}, ${approver}, ${at},
        ${state === 'paid' || state === 'returned' ? at : null})`,
  )
  const money = { merchantId, amountFen, feeFen, holderId: platformId, platformId }
  const later = (hours: number) => new Date(at.getTime() + hours * 3_600_000)
  await post('withdrawal', `${id}/hold`, at, holdPostings(money))
  if (end === 'late') {
    await post('withdrawal', `${id}/back`, later(1), backPostings(money))
    // Half of it was spent meanwhile, so that the fee is more than what is taken back in part.
    await post('withdrawal', `${id}/late`, later(2), latePostings(money, Math.floor(amountFen / 2)))
    return
  }
  for (const [at_, [part, postings]] of ends[end].entries()) {
    await post('withdrawal', `${id}/${part}`, later(at_ + 1), postings(money))
  }
}

async function payerId(): Promise<number> {
  const { db } = world.services
  await sql`insert into payout_account (merchant_id, funds_mode, holder, bank, customer_no, address, secret, is_on,
      changed_at)
    values (${platformId}, 'custody', 'Licensed Pay', 'Custody Bank', 'C1', '', '', true, ${noon(TODAY)})
    on conflict do nothing`.execute(db)
  const found = await sql<{ id: number }>`select id from payout_account where merchant_id = ${platformId}`.execute(db)
  return found.rows[0]?.id ?? 0
}

async function bankAccountId(asker: number): Promise<number> {
  const { db } = world.services
  const found = await sql<{ id: number }>`select id from bank_account where merchant_id = ${merchantId}`.execute(db)
  if (found.rows[0]) return found.rows[0].id
  return inserted(
    db,
    sql`insert into bank_account (merchant_id, state, holder_kind, holder, bank, bank_city, branch, bank_full_name,
        short_name, store_name, province, city, street, business_type, contact, contact_phone, document_kind,
        account_tail, document_tail, authors, created_at)
      values (${merchantId}, 'draft', 'company', 'Ours', 'Bank', 'City', 'North', 'Bank', 'Ours', 'Ours', 'P', 'C', 'S',
        'Vending', 'Li', '0571-88886666', 'business_licence', '4321', 'MA2X', array[${asker}::bigint], ${noon(TODAY)})`,
  )
}

/** A generator of its own, so that a failure can be run again: its seed stands in the name of the test. */
function randomOf(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(state / 65_536) % most
  }
}

async function live(random: (most: number) => number): Promise<void> {
  for (let day = '2028-01-20'; day < TODAY; day = addDays(day, 1 + random(4))) {
    const gross = 10_000 + random(90_000)
    await settle(noon(day), gross, random(2) * random(9_000), random(90), random(60), random(40))
    if (random(4) === 0) await settle(noon(day), 100, 100)
    const end = (['paid', 'failed', 'returned', 'under_way', 'late'] as const)[random(5)] ?? 'paid'
    if (random(2) === 0) await withdraw(noon(day), 200 + random(4_000), random(3) * 100, end)
    if (random(5) === 0) {
      const amountFen = 1 + random(50)
      const moved = [entry('available', merchantId, '', amountFen), entry('card_due', merchantId, '', -amountFen)]
      await post('card_settlement', `test/${merchantId}/${day}`, noon(day), moved)
    }
    if (random(6) === 0) {
      const amountFen = random(2) === 0 ? 7 : -7
      const moved = [entry('available', merchantId, '', amountFen), entry('loss', platformId, 'write_off', -amountFen)]
      await post('adjustment', `test/${merchantId}/${day}`, noon(day), moved)
    }
  }
}

const sumOf = (amounts: readonly { amountFen: number }[]) => amounts.reduce((fen, { amountFen }) => fen + amountFen, 0)

async function postingsOf(asked: { line?: BalanceLine; from: string; to: string }) {
  const items = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: OutputOf<typeof listBalancePostings> = await read(listBalancePostings, {
      ...asked,
      merchantId,
      pageSize: 7,
      ...(cursor && { cursor }),
    })
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items
}

test.each([1, 7, 42, 2028])('opening and lines are closing, and each line its postings (history %i)', async (seed) => {
  const random = randomOf(seed)
  await live(random)
  const { availableFen } = await read(getBalance, { id: merchantId })
  let before: number | null = null
  for (let from = '2028-01-01'; from <= TODAY; ) {
    const to = addDays(from, random(25))
    const told = await read(getBalance, { id: merchantId, from, to })
    expect(told.unexplainedFen).toBe(0)
    expect(told.openingFen + sumOf(told.lines)).toBe(told.closingFen)
    expect(told.openingFen).toBe(before ?? 0)
    for (const { line, postings, amountFen } of told.lines) {
      const items = await postingsOf({ line, from, to })
      expect([line, items.length, sumOf(items)]).toEqual([line, postings, amountFen])
    }
    expect(sumOf(await postingsOf({ from, to }))).toBe(told.closingFen - told.openingFen)
    before = told.closingFen
    from = addDays(to, 1)
  }
  expect(before).toBe(availableFen)
})

test('a settlement that the books do not follow is said to be unexplained', async () => {
  await settle(noon(TODAY), 1_000, 0, 6)
  await sql`insert into settlement (merchant_id, method, funds_mode, business_day, orders, refunds, gross_fen,
      refund_fen, channel_fee_fen, function_fee_fen, net_fen, rounding_ufen, posted_at)
    values (${merchantId}, 'wechat', 'custody', ${TODAY}::date, 1, 0, 500, 0, 0, 0, 500, 0, ${noon(TODAY)})`.execute(
    world.services.db,
  )
  const last = await sql<{ id: number }>`select max(id) as id from settlement`.execute(world.services.db)
  const moved = [entry('pending', merchantId, '', 490), entry('available', merchantId, '', -490)]
  await post('settlement', String(last.rows[0]?.id), noon(TODAY), moved)
  const { unexplainedFen, closingFen } = await read(getBalance, { id: merchantId })
  expect([unexplainedFen, closingFen]).toEqual([-10, 1_484])
})

test('the list says where the money is, from the same accounts', async () => {
  await settle(noon('2028-02-28'), 50_000)
  await post('sale', `test/${merchantId}`, noon(TODAY), [
    entry('clearing', merchantId, 'wechat', 3_300),
    entry('pending', merchantId, '', -53_300),
    entry('suspense', merchantId, 'wechat', 50_000),
  ])
  await withdraw(noon('2028-02-29'), 9_000, 100, 'paid')
  await withdraw(noon('2028-02-29'), 5_000, 100, 'under_way')
  const { items } = await read(listBalances)
  expect(items).toEqual([
    {
      id: merchantId,
      merchantName: expect.any(String),
      pendingFen: 3_300,
      availableFen: 35_800,
      inPayoutFen: 5_100,
      paidOutFen: 9_000,
      elsewhereFen: 0,
      owedFen: 0,
    },
  ])
  const { total, sums } = await read(listBalances.count)
  expect([total, sums]).toEqual([1, { pendingFen: 3_300, availableFen: 35_800, inPayoutFen: 5_100, owedFen: 0 }])
})

test('refunds beyond what is to be settled are owed, and no negative balance is shown', async () => {
  await post('refund', `test/${merchantId}`, noon(TODAY), [
    entry('pending', merchantId, '', 700),
    entry('clearing', merchantId, 'wechat', -700),
  ])
  const { items } = await read(listBalances, { holds: 'owed', sort: 'owed' })
  expect(items.map(({ pendingFen, owedFen }) => [pendingFen, owedFen])).toEqual([[0, 700]])
  expect((await read(listBalances, { holds: 'available' })).items).toEqual([])
})

test('periods that are upside down or too long are refused, and a merchant out of sight is not there', async () => {
  const code = async (endpoint: Endpoint, input: Record<string, unknown>) =>
    (await http.call(endpoint, input, { token })).body.code
  expect(await code(getBalance, { id: merchantId, from: '2028-03-01', to: '2028-02-29' })).toBe('balance.period')
  expect(await code(getBalance, { id: merchantId, from: '2027-01-01', to: '2028-03-01' })).toBe('balance.period')
  expect(await code(getBalance, { id: platformId })).toBe('request.notFound')
  expect(await code(listBalancePostings, { merchantId: platformId })).toBe('request.notFound')
})
