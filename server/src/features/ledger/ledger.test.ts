import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMerchant } from '../../testing/builders'
import { openWorld, type World } from '../../testing/world'
import { brokenBookDays, closeDay, nextDay } from './day.store'
import { boundOf, type Posting, salePostings, spentPostings, topUpPostings } from './ledger.rules'
import { postTransfers, type Transfer } from './ledger.store'

const noon = (day: string) => new Date(`2026-11-${day}T12:00:00+08:00`)
let world: World
let merchantId: number

beforeAll(async () => {
  world = await openWorld(noon('20'))
  merchantId = await addMerchant(world.services.db)
})
afterAll(() => world.close())

const sale = (reference: string, at: Date, amountFen = 500): Transfer => ({
  kind: 'sale',
  reference,
  merchantId,
  postedAt: at,
  businessDay: at.toISOString().slice(0, 10),
  postings: salePostings({
    method: 'alipay',
    paidFen: amountFen,
    merchantId,
    machineCode: 'A1',
    collectsPayment: false,
  }),
})
const post = (...transfers: Transfer[]) => world.services.db.transaction().execute((tx) => postTransfers(tx, transfers))
const refusal = (posted: Promise<unknown>) =>
  posted.then(
    () => 'posted',
    (cause: unknown) => String(cause),
  )

test('the same transfer, posted by sixty-four at once, is posted once', async () => {
  const all = await Promise.all(Array.from({ length: 64 }, () => refusal(post(sale('once', noon('20'))))))
  expect(new Set(all)).toEqual(new Set(['posted']))
  const found = await sql<{ entries: number; sum: number }>`select count(*)::int as entries,
    sum(amount_fen)::bigint as sum from ledger_entry`.execute(world.services.db)
  expect(found.rows).toEqual([{ entries: 2, sum: 0 }])
})

test('entries that do not sum to zero, and debts that turn into claims, are refused by the database', async () => {
  const { postings } = sale('x', noon('20'))
  expect(await refusal(post({ ...sale('crooked', noon('20')), postings: postings.slice(1) }))).toMatch(/sum to zero/)
  const overdrawn = postings.map((each) =>
    each.amountFen > 0 ? { ...each, account: { ...each.account, kind: 'available' as const } } : each,
  )
  expect(await refusal(post({ ...sale('overdrawn', noon('20')), postings: overdrawn }))).toMatch(/check constraint/)
})

test.each([
  ['cash_in_machine', 0],
  ['cash_in_transit', 1],
  ['cash_counted', 1],
  ['card_liability', -1],
  ['gift_liability', -1],
  ['card_due', 0],
  ['available', -1],
  ['withdrawing', -1],
  ['pending', 0],
  ['clearing', 0],
  ['suspense', 0],
] as const)('the bound of %s is %i', (kind, bound) => expect(boundOf(kind)).toBe(bound))

test('a closed day takes nothing more: what belongs to it is posted later and says so', async () => {
  const { db } = world.services
  expect(await nextDay(db)).toBe('2026-11-20')
  await closeDay(db, '2026-11-20', noon('21'))
  expect(await nextDay(db)).toBe('2026-11-21')
  const backdated = sql`insert into ledger_entry (merchant_id, posted_at, transfer_id, account_id, amount_fen)
    select merchant_id, posted_at + interval '1 s', transfer_id, account_id, amount_fen from ledger_entry`
  expect(await refusal(backdated.execute(db))).toMatch(/day of an entry is closed/)
  await post({ ...sale('late', noon('21')), businessDay: '2026-11-20' })
  await post({ ...sale('heard', noon('20')), businessDay: '2026-11-20' })
  const found = await sql<{ reference: string; adjusts: string; postedAt: Date; entries: number }>`
    select t.reference, to_char(t.adjusts, 'YYYY-MM-DD') as adjusts, t.posted_at as "postedAt",
      (select count(*)::int from ledger_entry e where e.transfer_id = t.id and e.posted_at = t.posted_at) as entries
    from ledger_transfer t where reference in ('late', 'heard') order by reference desc`.execute(db)
  expect(found.rows).toEqual([
    { reference: 'late', adjusts: '2026-11-20', postedAt: noon('21'), entries: 2 },
    // Its machine was heard before the day was closed: it comes where the next one begins.
    { reference: 'heard', adjusts: '2026-11-20', postedAt: new Date('2026-11-20T16:00:00Z'), entries: 2 },
  ])
})

test('days are tied to the ones before: an entry that is altered, added or gone shows', async () => {
  const { db } = world.services
  await closeDay(db, '2026-11-21', noon('22'))
  await closeDay(db, '2026-11-22', noon('23'))
  expect(await brokenBookDays(db)).toEqual([])
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update ledger_entry set amount_fen = amount_fen * 2 where posted_at = ${noon('20')}`.execute(tx)
  })
  expect(await brokenBookDays(db)).toEqual(['the books of 2026-11-20 are not as they were sealed'])
})

test('closing twice, and at once, seals once', async () => {
  const { db } = world.services
  await Promise.all([1, 2, 3].map(() => closeDay(db, '2026-11-23', noon('24'))))
  const found = await sql<{ count: number }>`select count(*)::int as count from ledger_day
    where day = '2026-11-23' and hash is not null`.execute(db)
  expect(found.rows).toEqual([{ count: 1 }])
  expect(await refusal(sql`update ledger_day set debit_fen = 7`.execute(db))).toMatch(/stays as it is/)
})

const booked = (postings: readonly Posting[]) =>
  Object.fromEntries(postings.map(({ account, amountFen }) => [`${account.kind}/${account.merchantId}`, amountFen]))
const sumOf = (postings: readonly Posting[]) => postings.reduce((sum, { amountFen }) => sum + amountFen, 0)

test.each([
  ['cash', 0, { 'card_due/7': 500, 'card_liability/7': -500 }],
  ['transfer', 0, { 'card_due/7': 500, 'card_liability/7': -500 }],
  ['wechat', 0, { 'clearing/7': 500, 'card_liability/7': -500 }],
  ['cash', 90, { 'card_due/7': 500, 'card_liability/7': -500, 'coupon_cost/7': 90, 'gift_liability/7': -90 }],
])('a top-up by %s with a gift of %i', (method, giftFen, expected) => {
  const postings = topUpPostings({ cardId: 3, merchantId: 7, method, amountFen: 500, giftFen })
  expect(booked(postings)).toEqual(expected)
  expect(sumOf(postings)).toBe(0)
})

test.each([
  ['money alone', 500, 0, { 'card_liability/7': 500, 'pending/9': -500 }],
  [
    'a gift, which its issuer owes from then on',
    300,
    200,
    { 'card_liability/7': 300, 'gift_liability/7': 200, 'card_due/7': 200, 'coupon_cost/7': -200, 'pending/9': -500 },
  ],
])('a sale at another merchant by card spends %s', (_, balanceFen, giftFen, expected) => {
  const card = { cardId: 3, issuerId: 7, balanceFen, giftFen }
  const of = { method: 'member_card', paidFen: 500, merchantId: 9, machineCode: 'A1', collectsPayment: false } as const
  const postings = salePostings({ ...of, card })
  expect(booked(postings)).toEqual(expected)
  expect(sumOf(postings)).toBe(0)
  // What comes back turns each leg round.
  const back = spentPostings({ ...card, balanceFen: -balanceFen, giftFen: -giftFen })
  for (const { account, amountFen } of back) expect(amountFen).toBe(-(booked(postings)[`${account.kind}/7`] ?? 0))
})
