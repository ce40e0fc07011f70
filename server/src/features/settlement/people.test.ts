import { addBankReceipt, listPayouts, previewReceipt } from '@aisle/contract/settlement/bank'
import { getAccount, getTrialBalance, listAccounts, listSettlements } from '@aisle/contract/settlement/books'
import {
  approveDifference,
  decideDifference,
  getDifference,
  listDifferences,
} from '@aisle/contract/settlement/difference'
import { askCloseRun, closeRun, getRun, rerunRun, uploadStatement } from '@aisle/contract/settlement/run'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import type { Movement } from '@aisle/contract/kernel/money'
import { listOrders } from '@aisle/contract/trade/order'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { overlapping, zipOf } from '../../testing/bombs'
import { addSession, addUser } from '../../testing/fixtures'
import { openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { routes as orderRoutes } from '../trade/order/order.routes'
import { routes as batchRoutes } from './batch/batch.routes'
import { bookFaults } from './check.reads'
import { routes } from './settlement.routes'
import {
  at,
  balances,
  type Books,
  importBill,
  openBooks,
  paymentLine,
  replaceAccount,
  runOf,
  type Sold,
  sell,
} from './testing'

let books: Books
let http: Awaited<ReturnType<typeof openHttp>>
const tokens: Record<string, string> = {}

beforeEach(async () => {
  books = await openBooks()
  http = await openHttp(books.world, routesWith(...routes, ...batchRoutes, ...orderRoutes))
  await signIn()
})
afterEach(async () => {
  const faults = await bookFaults(books.db)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  await http.close()
  await books.world.close()
})

/** Two of the platform, at the world's time: a session ends in the night. */
async function signIn() {
  for (const name of ['one', 'other']) {
    const user = await addUser(books.db, { merchantId: books.platformId, kind: 'platform_admin', grants: ['*'] })
    tokens[name] = await addSession(books.db, user.id, books.world.services.clock.now())
  }
}

const as = async (name: 'one' | 'other', endpoint: Endpoint, input: Record<string, unknown> = {}) => {
  const { body } = await http.call(endpoint, input, { token: tokens[name] ?? '' })
  return body as { code?: string; data: Record<string, never> }
}
const codeOf = (answer: unknown): unknown => /"([a-z][A-Za-z]+\.[A-Za-z]+)"/.exec(JSON.stringify(answer))?.[1]

/** WeChat's file as a person downloads it. */
function wechatFile(sold: readonly Sold[], total = sold.length, account = `16${books.platformId}`): string {
  const heading =
    '交易时间,商户号,商户订单号,微信订单号,交易状态,订单金额,申请退款金额,手续费,商户退款单号,微信退款单号'
  const rows = sold.map(({ attemptNo, channelNo, paidFen }) =>
    `2026-11-20 12:00:00,${account},${attemptNo},${channelNo},SUCCESS,${(paidFen / 100).toFixed(2)},0.00,0.06,0,0`
      .split(',')
      .map((cell) => `\`${cell}`)
      .join(','),
  )
  const paid = (sold.reduce((sum, { paidFen }) => sum + paidFen, 0) / 100).toFixed(2)
  const text = `\uFEFF${[heading, ...rows, '总交易单数,订单总金额', `\`${total},\`${paid}`].join('\r\n')}\r\n`
  return Buffer.from(text).toString('base64')
}

test('a file that is uploaded is read whole, checked against its totals, and taken once', async () => {
  const sold = [await sell(books), await sell(books)]
  const { id } = await runOf(books)
  const upload = (content: string) => as('one', uploadStatement, { id, name: 'bill.csv', content })
  expect(codeOf(await upload(Buffer.from('nothing of the kind').toString('base64')))).toBe('statement.unreadable')
  expect(codeOf(await upload(wechatFile(sold, 3)))).toBe('statement.totals')
  expect(codeOf(await upload(wechatFile(sold, 2, '1900000777')))).toBe('statement.otherAccount')
  expect((await upload(wechatFile(sold))).data).toMatchObject({ state: 'matched', isNew: true, lineCount: 2 })
  expect((await upload(wechatFile(sold))).data).toMatchObject({ isNew: false })
  expect(codeOf(await upload(wechatFile(sold.slice(1))))).toBe('statement.other')
  expect((await as('one', getRun, { id })).data).toMatchObject({ light: 'green', ourFen: 2000, theirFen: 2000 })
})

test('a statement that unfolds without end is refused in words, whatever its archive says of itself', async () => {
  const { id } = await runOf(books)
  const upload = async (content: Buffer) =>
    codeOf(await as('one', uploadStatement, { id, name: 'bill.zip', content: content.toString('base64') }))
  const bill = Buffer.from(wechatFile([await sell(books)]), 'base64')
  const long = Buffer.alloc(9 * 1024 * 1024, bill)
  expect(await upload(overlapping({ name: 'bill.csv', content: bill }, 16))).toBe('statement.unreadable')
  expect(await upload(zipOf([{ name: 'bill.csv', content: bill, declared: 9 }]))).toBe('statement.unreadable')
  expect(await upload(zipOf([{ name: 'bill.csv', content: long }]))).toBe('file.tooLarge')
  expect(await upload(zipOf([{ name: 'bill.csv', content: Buffer.alloc(100_000, '\n') }]))).toBe('file.tooLarge')
  expect(await upload(zipOf([{ name: 'bill.csv', content: Buffer.alloc(100_000, ',') }]))).toBe('file.tooLarge')
  expect(await upload(zipOf(Array.from({ length: 99 }, () => ({ name: 'a', content: bill }))))).toBe('file.tooLarge')
  expect(await upload(zipOf([{ name: 'a.zip', content: zipOf([{ name: 'bill.csv', content: bill }]) }]))).toBe(
    'statement.unreadable',
  )
  const nobody = await upload(zipOf([{ name: 'bill.csv', content: bill }]))
  expect(nobody).toBeUndefined()
})

/** UnionPay's file of a day: fields of fixed width, of which only those that are read are filled. */
function unionPayFile(sold: readonly Sold[], merchantOf: (at: number) => string): string {
  const widths = [
    3, 11, 11, 6, 10, 19, 12, 4, 2, 21, 2, 32, 2, 6, 10, 13, 13, 4, 15, 2, 2, 6, 2, 4, 32, 1, 21, 15, 1, 15, 32, 13, 13,
    8, 32, 13, 13, 12, 2, 1, 131,
  ]
  const rows = sold.map(({ attemptNo, channelNo, paidFen }, row) => {
    const amount = String(paidFen).padStart(12, '0')
    const placed: Record<number, string> = {
      4: '1120120000',
      6: amount,
      9: channelNo,
      11: attemptNo,
      15: `D${'6'.padStart(12, '0')}`,
      16: `C${String(paidFen - 6).padStart(12, '0')}`,
      19: '01',
      27: merchantOf(row),
    }
    return widths.map((width, at) => (placed[at] ?? '').padEnd(width)).join(' ')
  })
  return Buffer.from(`${rows.join('\r\n')}\r\n`, 'latin1').toString('base64')
}

test('a statement of another merchant of UnionPay is not taken in, nor one that holds lines of both', async () => {
  const sold = [await sell(books), await sell(books)]
  const { id } = await runOf(books)
  await sql`update settlement_run set provider = 'unionpay'`.execute(books.db)
  const upload = (content: string) => as('one', uploadStatement, { id, name: 'ZM', content })
  const [ours, others] = [`16${books.platformId}`, '777290058110777']
  expect(codeOf(await upload(unionPayFile(sold, () => others)))).toBe('statement.otherAccount')
  expect(codeOf(await upload(unionPayFile(sold, (row) => (row === 0 ? ours : others))))).toBe('statement.otherAccount')
  expect((await as('one', getRun, { id })).data).toMatchObject({ state: 'waiting', files: [] })
  expect((await upload(unionPayFile(sold, () => ours))).data).toMatchObject({ isNew: true, lineCount: 7 })
})

/** Each account with what is moved and what it would hold then. */
const moves = (movements: unknown): string[] =>
  (movements as Movement[]).map(({ account, amountFen, afterFen }) => `${account} ${amountFen} → ${afterFen}`)

test('above the limit two people decide; below it one does, and the books follow the decision alone', async () => {
  await sell(books, undefined, 12_345)
  const run = await runOf(books)
  await importBill(books, run, 'trade', [paymentLine({ attemptNo: 'NOBODY00001', paidFen: 300 })])
  await as('one', rerunRun, { id: run.id })
  const listed = (await as('one', listDifferences, { sort: 'open' })).data as { items?: { id: number; kind: string }[] }
  const idOf = (kind: string) => listed.items?.find((each) => each.kind === kind)?.id ?? 0
  const [ours, theirs] = [idOf('only_ours'), idOf('only_theirs')]
  const write = { decision: 'write_off', reason: 'nobody knows' }
  const before = [moves((await as('one', getDifference, { id: theirs })).data.writeOff)]
  before.push(moves((await as('one', getDifference, { id: ours })).data.writeOff))
  expect(before).toEqual([
    ['suspense:wechat 300 → 0', 'loss:write_off -300 → -300'],
    ['loss:write_off 12345 → 12345', 'clearing:wechat -12345 → 0'],
  ])
  expect((await as('one', decideDifference, { id: theirs, ...write })).data).toMatchObject({ state: 'decided' })
  expect(await balances(books.db)).toMatchObject({ 'loss:write_off': -300 })
  expect((await as('one', decideDifference, { id: ours, ...write })).data).toMatchObject({ state: 'proposed' })
  expect(codeOf(await as('one', askCloseRun, { id: run.id }))).toBe('settlementRun.open')
  expect(codeOf(await as('one', approveDifference, { id: ours }))).toBe('settlementDifference.samePerson')
  expect(await balances(books.db)).toMatchObject({ 'clearing:wechat': 12_345 })
  expect((await as('other', approveDifference, { id: ours })).data).toMatchObject({ state: 'decided' })
  expect((await as('one', getDifference, { id: ours })).data).toMatchObject({ decision: 'write_off', writeOff: [] })
  const held = await balances(books.db)
  expect([held['clearing:wechat'], held['loss:write_off'], held['suspense:wechat']]).toEqual([
    undefined,
    12_045,
    undefined,
  ])
})

test('what a kind can’t be decided as is refused, and so is an order that nobody asked for', async () => {
  const run = await runOf(books)
  await importBill(books, run, 'trade', [paymentLine({ attemptNo: 'NOBODY00001', paidFen: 300 })])
  await as('one', rerunRun, { id: run.id })
  const listed = (await as('one', listDifferences)).data as { items?: { id: number }[] }
  const id = listed.items?.[0]?.id ?? 0
  const reason = 'as it is'
  expect(codeOf(await as('one', decideDifference, { id, decision: 'accept', reason }))).toBe(
    'settlementDifference.decision',
  )
  expect(codeOf(await as('one', decideDifference, { id, decision: 'take_order', reason }))).toBe(
    'settlementDifference.noOrder',
  )
})

test('a day waits for the channel to take what was decided to go back, and matching again asks once more', async () => {
  const run = await runOf(books)
  await importBill(books, run, 'trade', [paymentLine({ attemptNo: 'NOBODY00001', paidFen: 300 })])
  await as('one', rerunRun, { id: run.id })
  const listed = (await as('one', listDifferences)).data as { items?: { id: number }[] }
  const id = listed.items?.[0]?.id ?? 0
  const decided = await as('one', decideDifference, { id, decision: 'refund', reason: 'nobody knows it' })
  expect(decided.data).toMatchObject({ state: 'decided' })
  expect(codeOf(await as('one', askCloseRun, { id: run.id }))).toBe('settlementRun.open')
  const jobs = async () =>
    (
      await sql`select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'settlement.refund' and j.payload ->> 'id' = ${String(id)}`.execute(books.db)
    ).rows.length
  expect(await jobs()).toBe(1)
  await as('one', rerunRun, { id: run.id })
  expect(await jobs()).toBe(2)
  await sql`insert into settlement_difference_event (difference_id, at, verb, note)
    values (${id}, ${at('11:00', '2026-11-21')}, 'channel', 'accepted PROCESSING')`.execute(books.db)
  expect((await as('one', askCloseRun, { id: run.id })).data).toMatchObject({ state: 'closing' })
})

test('money that came twice under one number is booked on no order, since its order was paid', async () => {
  const sold = await sell(books)
  const run = await runOf(books)
  await importBill(books, run, 'trade', [paymentLine(sold), paymentLine({ ...sold, channelNo: '77' })])
  await as('one', rerunRun, { id: run.id })
  const listed = (await as('one', listDifferences)).data as { items?: { id: number }[] }
  const ask = { id: listed.items?.[0]?.id ?? 0, decision: 'take_order', reason: 'it was paid' }
  expect(codeOf(await as('one', decideDifference, ask))).toBe('settlementDifference.noOrder')
})

test('a day is closed by another person than who asked, once, however many try at once', async () => {
  const sold = await sell(books)
  const run = await runOf(books)
  await importBill(books, run, 'trade', [paymentLine(sold)])
  await as('one', rerunRun, { id: run.id })
  expect((await as('one', askCloseRun, { id: run.id })).data).toMatchObject({ state: 'closing' })
  expect(codeOf(await as('one', closeRun, { id: run.id }))).toBe('settlementRun.samePerson')
  const all = await Promise.all(Array.from({ length: 16 }, () => as('other', closeRun, { id: run.id })))
  const settled = all.filter(({ data }) => data && 'settledFen' in data)
  expect(settled).toHaveLength(1)
  expect(await balances(books.db)).toMatchObject({ available: -984 })
  await sell(books, at('12:00', '2026-11-21'))
  const listed = (await as('one', listSettlements)).data as {
    items?: { orders: number; orderSearch: Record<string, string> }[]
  }
  const { orders, orderSearch } = listed.items?.[0] ?? {}
  const found = (await as('one', listOrders, orderSearch)).data
  expect([orders, found]).toMatchObject([1, { items: [{ id: sold.orderId }] }])
  const counted = (await as('one', listOrders.count, orderSearch)).data
  expect(counted).toMatchObject({ total: 1, sums: { paidFen: 1000 } })
  expect(codeOf(await as('one', rerunRun, { id: run.id }))).toBe('settlementRun.state')
})

test('a payout is received once, of its amount, and leaves its way to the bank', async () => {
  const run = await runOf(books)
  const payout = { ...paymentLine({ paidFen: 0 }), kind: 'fund_payout' as const, amountFen: -4000, feeFen: 0 }
  await importBill(books, run, 'trade', [])
  await importBill(books, run, 'fund', [{ ...payout, balanceFen: 1000 }])
  await as('one', rerunRun, { id: run.id })
  const listed = (await as('one', listPayouts)).data as { items?: { id: number }[] }
  const id = listed.items?.[0]?.id ?? 0
  const enter = (amountFen: number, bankNo = 'B-1') =>
    as('one', addBankReceipt, { id, bankNo, amountFen, receivedOn: '2026-11-21' })
  expect(codeOf(await enter(3999))).toBe('bankReceipt.amount')
  const preview = async (amountFen: number) => (await as('one', previewReceipt, { id, amountFen })).data.movements
  expect(moves(await preview(3999))).toEqual([])
  expect(moves(await preview(4000))).toEqual(['bank 4000 → 4000', `payout_in_transit:${run.channelId} -4000 → 0`])
  await enter(4000)
  expect(codeOf(await enter(4000, 'B-2'))).toBe('bankReceipt.taken')
  expect(await balances(books.db)).toMatchObject({ bank: 4000 })
})

test('what the bank kept for the transfer is a cost of its own, not what the channel took off', async () => {
  const { id } = await unionPayDays('custody')
  const enter = (bankFeeFen: number) =>
    as('one', addBankReceipt, { id, bankNo: 'B-1', amountFen: 3990, bankFeeFen, receivedOn: '2026-11-22' })
  expect(codeOf(await enter(11))).toBe('bankReceipt.amount')
  await enter(10)
  expect((await as('one', listPayouts)).data).toMatchObject({ items: [{ receivedFen: 3990, bankFeeFen: 10 }] })
  const after = await balances(books.db)
  expect(after).toMatchObject({ bank: 3990, 'channel_fee:bank': 10 })
  expect(await bookFaults(books.db)).toEqual([])
})

/** A day of more refunds than payments, and one that paid out after it. @returns the payout */
async function unionPayDays(fundsMode: string): Promise<{ id: number; owedFen: number }> {
  await replaceAccount(books, at('00:00'), fundsMode)
  const run = await runOf(books)
  await sql`update settlement_run set provider = 'unionpay'`.execute(books.db)
  const line = { ...paymentLine({ paidFen: 0 }), feeFen: 0 }
  await importBill(books, run, 'trade', [{ ...line, kind: 'refund', refundNo: 'X00000001', amountFen: 300 }])
  await as('one', rerunRun, { id: run.id })
  books.world.setNow(at('11:00', '2026-11-22'))
  await signIn()
  const next = await runOf(books, '2026-11-21')
  await sql`update settlement_run set provider = 'unionpay'`.execute(books.db)
  await importBill(books, next, 'trade', [{ ...line, attemptNo: 'X00000002', amountFen: 4024, feeFen: 24 }])
  await importBill(books, next, 'fund', [{ ...line, kind: 'fund_payout', amountFen: -4000 }])
  await as('one', rerunRun, { id: next.id })
  const listed = (await as('one', listPayouts)).data as { items?: { id: number; owedFen: number }[] }
  return listed.items?.[0] ?? { id: 0, owedFen: 0 }
}

test.each([['custody'], ['direct']])(
  'in %s mode UnionPay takes a day of more refunds than payments off a later payout, as far as it is owed',
  async (fundsMode) => {
    const { id, owedFen } = await unionPayDays(fundsMode)
    expect(owedFen).toBe(300)
    const enter = (amountFen: number) =>
      as('one', addBankReceipt, { id, bankNo: 'B-1', amountFen, receivedOn: '2026-11-22' })
    expect(codeOf(await enter(3699))).toBe('bankReceipt.amount')
    await enter(3700)
    const listed = (await as('one', listPayouts)).data
    expect(listed).toMatchObject({ items: [{ payoutFen: 4000, receivedFen: 3700, owedFen: 0 }] })
    const after = await balances(books.db)
    expect(after.bank).toBe(fundsMode === 'direct' ? undefined : 3700)
    expect(Object.keys(after).filter((name) => /^(payout_in_transit|channel_balance)/.test(name))).toEqual([])
  },
)

test('what a payout was short of in direct mode is not owed again by the next', async () => {
  const { id } = await unionPayDays('direct')
  await as('one', addBankReceipt, { id, bankNo: 'B-1', amountFen: 3800, receivedOn: '2026-11-22' })
  books.world.setNow(at('11:00', '2026-11-23'))
  await signIn()
  const run = await runOf(books, '2026-11-22')
  await sql`update settlement_run set provider = 'unionpay'`.execute(books.db)
  const line = { ...paymentLine({ paidFen: 0 }), feeFen: 0, at: at('12:00', '2026-11-22') }
  await importBill(books, run, 'trade', [{ ...line, attemptNo: 'X00000003', amountFen: 900 }])
  await importBill(books, run, 'fund', [{ ...line, kind: 'fund_payout', amountFen: -900 }])
  await as('one', rerunRun, { id: run.id })
  const listed = (await as('one', listPayouts, { bankState: 'under_way' })).data
  expect(listed).toMatchObject({ items: [{ payoutFen: 900, owedFen: 100 }] })
})

test('an account says why it holds what it holds, and both sides of the trial balance are equal', async () => {
  const sold = await sell(books)
  const run = await runOf(books)
  await importBill(books, run, 'trade', [paymentLine(sold)])
  await as('one', rerunRun, { id: run.id })
  const trial = (await as('one', getTrialBalance)).data as { debitFen?: number; creditFen?: number }
  expect([trial.debitFen, trial.creditFen]).toEqual([1000, 1000])
  const listed = (await as('one', listAccounts, { kind: 'clearing' })).data as { items?: { id: number }[] }
  const account = (await as('one', getAccount, { id: listed.items?.[0]?.id ?? 0 })).data as {
    balanceFen?: number
    lines?: {
      kind: string
      balanceFen: number
      amountFen: number
      channelNo: string | null
      billRunId: number | null
    }[]
  }
  expect(account.balanceFen).toBe(0)
  expect(account).toMatchObject({ from: '2026-10-23', openingFen: 0 })
  const lines = account.lines?.map(({ kind, amountFen, balanceFen }) => `${kind} ${amountFen} ${balanceFen}`)
  expect(lines?.toSorted()).toEqual(['sale 1000 1000', 'statement -1000 0'])
  const paid = account.lines?.find(({ kind }) => kind === 'sale')
  expect([paid?.channelNo, paid?.billRunId]).toEqual([sold.channelNo, run.id])
  const alone = (await as('one', getAccount, { id: listed.items?.[0]?.id ?? 0, kind: 'statement' })).data
  expect(alone).toMatchObject({ lines: [{ kind: 'statement', amountFen: -1000, balanceFen: null }], next: null })
  books.world.setNow(at('11:00', '2026-12-28'))
  await signIn()
  const later = (await as('one', getAccount, { id: listed.items?.[0]?.id ?? 0 })).data
  expect(later).toMatchObject({ from: '2026-11-29', openingFen: 0, byKind: [], lines: [{}, {}] })
})
