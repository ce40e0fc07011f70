import {
  acceptDispute,
  confirmSettlement,
  disputeOrder,
  getDispute,
  getSettlement,
  getStatement,
  listDisputes,
  listSettledItems,
  refuseDispute,
  tieSettlements,
  withdrawDispute,
} from '@aisle/contract/settlement/batch'
import { listSettlements } from '@aisle/contract/settlement/books'
import { getTransaction, listTransactions } from '@aisle/contract/settlement/transaction'
import type { UserKind } from '@aisle/contract/identity/permissions'
import type { Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { only } from '../../../kernel/must'
import { addMerchant } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { settleRest, settleRun } from '../settle.commands'
import { routes as settlementRoutes } from '../settlement.routes'
import { at, type Books, giveBack, inTx, openBooks, runOf, type Sold, sell } from '../testing'
import { lapse } from './batch.jobs'
import { routes } from './batch.routes'
import { countWaitingDisputes } from './batch.store'

let books: Books
let http: Awaited<ReturnType<typeof openHttp>>
let tokens: Record<'owner' | 'platform' | 'treasurer' | 'other', string>

beforeEach(async () => {
  books = await openBooks()
  http = await openHttp(books.world, routesWith(...settlementRoutes, ...routes))
  const stranger = await addMerchant(books.db, { parentId: books.platformId })
  tokens = {
    owner: await tokenOf(books.merchantId, 'merchant_admin'),
    platform: await tokenOf(books.platformId, 'platform_admin'),
    treasurer: await tokenOf(books.platformId, 'ordinary'),
    other: await tokenOf(stranger, 'merchant_admin'),
  }
})
afterEach(async () => {
  await http.close()
  await books.world.close()
})

async function tokenOf(merchantId: number, kind: UserKind): Promise<string> {
  const { id } = await addUser(books.db, { merchantId, kind, grants: ['settlement.*', 'order.read'] })
  return addSession(books.db, id, books.world.services.clock.now())
}

type Who = keyof typeof tokens
const codeOf = async (who: Who, endpoint: Endpoint, input: Record<string, unknown> = {}) =>
  (await http.call(endpoint, input, { token: tokens[who] })).body.code
async function as<E extends Endpoint>(who: Who, endpoint: E, input: Record<string, unknown> = {}) {
  const { body } = await http.call(endpoint, input, { token: tokens[who] })
  expect([endpoint.name, body.code]).toEqual([endpoint.name, 'H0000'])
  return body.data as OutputOf<E>
}

/** Found in the bill, the day closed, and settled. */
async function settleAll(sold: readonly Sold[]): Promise<number> {
  const run = await runOf(books)
  await inTx(books, async (tx) => {
    for (const [n, { orderId, attemptId, paidFen }] of sold.entries()) {
      await sql`with file as (
          insert into statement_file (run_id, kind, source, name, hash, content, line_count, imported_at)
          values (${run.id}, 'trade', 'fetched', 'bill.csv', sha256('bill'), '', 0, ${at('11:00')})
          on conflict do nothing returning id),
        line as (insert into statement_line (file_id, run_id, line_no, kind, amount_fen, at, matched_id, order_id)
          select coalesce((select id from file), (select id from statement_file where run_id = ${run.id})), ${run.id},
            ${n}, 'payment', ${paidFen}, ${at('12:00')}, ${attemptId}, ${orderId} returning id)
        insert into statement_match (kind, matched_id, run_id, line_id, order_id)
        select 'payment', ${attemptId}, ${run.id}, id, ${orderId} from line`.execute(tx)
    }
    await sql`update settlement_run set state = 'closed', closed_at = ${at('11:00', '2026-11-21')}
      where id = ${run.id}`.execute(tx)
    await settleRun(tx, run, books.world.services.clock.now())
  })
  const { items } = await as('owner', listSettlements)
  return only({ rows: items }).id
}

const orderNoOf = async ({ orderId }: Sold): Promise<string> =>
  only(await sql<{ no: string }>`select order_no as no from order_number where order_id = ${orderId}`.execute(books.db))
    .no

const sumOf = (amounts: readonly (number | null)[]) =>
  amounts.reduce<number>((sum, each) => sum + (each ?? Number.NaN), 0)

test('the lines of a settlement sum to it and to the ledger, a fee on the day shared over its orders', async () => {
  await sql`insert into fee_rule (merchant_id, subject, rate_ppm, basis, min_fen, valid_from, created_at)
    values (${books.merchantId}, 'wechat', 6000, 'day', 0, '2026-01-01', ${at('00:00')}),
      (${books.merchantId}, 'function:sale', 7777, 'day', 0, '2026-01-01', ${at('00:00')}),
      (${books.merchantId}, 'tax', 30000, 'day', 0, '2026-01-01', ${at('00:00')})`.execute(books.db)
  const sold = [
    await sell(books, at('12:00'), 333),
    await sell(books, at('12:01'), 333),
    await sell(books, at('12:02'), 1_001),
  ]
  await giveBack(books, sold[2] as Sold, 500)
  const id = await settleAll(sold)
  const batch = await as('owner', getSettlement, { id })
  const { items } = await as('owner', listSettledItems, { settlementId: id })
  expect(items).toHaveLength(4)
  expect(batch).toMatchObject({ grossFen: 1_667, refundFen: 500, state: 'open', orders: 3, lines: 4 })
  for (const name of ['grossFen', 'refundFen', 'channelFeeFen', 'functionFeeFen', 'taxFen', 'netFen'] as const) {
    expect([name, sumOf(items.map((item) => item[name]))]).toEqual([name, batch[name]])
  }
  expect(batch.ledgerFen).toBe(batch.netFen)
  const tied = await as('owner', tieSettlements, { from: '2026-11-20', to: '2026-11-20' })
  expect(tied).toMatchObject({ batches: 1, isTied: true, isPart: false })
  expect(tied.items).toMatchObject({
    count: 4,
    keptFen: 1_167,
    feeFen: batch.channelFeeFen + batch.functionFeeFen + batch.taxFen,
  })
  expect(await as('owner', tieSettlements, { from: '2026-11-21' })).toMatchObject({ batches: 0, isTied: true })
  expect((await as('other', tieSettlements)).batches).toBe(0)
})

test('a refund after its batch is a line of a later one, and the first stays as it was', async () => {
  const [first, second] = [await sell(books, at('12:00'), 2_000), await sell(books, at('12:01'), 800)]
  const id = await settleAll([first])
  const before = await as('owner', getSettlement, { id })
  await giveBack(books, first, 300)
  // The second is found later: its batch takes the refund.
  await inTx(books, async (tx) => {
    const run = await runOf(books)
    await sql`with line as (insert into statement_line (file_id, run_id, line_no, kind, amount_fen, at, matched_id,
          order_id)
        select id, ${run.id}, 9, 'payment', 800, ${at('12:01')}, ${second.attemptId}, ${second.orderId}
        from statement_file where run_id = ${run.id} returning id)
      insert into statement_match (kind, matched_id, run_id, line_id, order_id)
      select 'payment', ${second.attemptId}, ${run.id}, id, ${second.orderId} from line`.execute(tx)
    await settleRest(tx, books.world.services.clock.now())
  })
  const later = (await as('owner', listSettlements)).items.find((each) => each.id !== id)
  const { items } = await as('owner', listSettledItems, { settlementId: later?.id })
  expect(items.map(({ refundFen, netFen }) => [refundFen, netFen])).toEqual(expect.arrayContaining([[300, -300]]))
  expect(sumOf(items.map(({ netFen }) => netFen))).toBe(later?.netFen)
  expect(await as('owner', getSettlement, { id })).toEqual(before)
  expect((await as('owner', tieSettlements)).isTied).toBe(true)
})

test('a statement is the same whenever it is asked for, its checksum that of the lines below the heading', async () => {
  const id = await settleAll([await sell(books, at('12:00'), 1_234), await sell(books, at('12:05'), 99)])
  const { hash } = await as('owner', getSettlement, { id })
  const csv = await as('owner', getStatement, { id, format: 'csv' })
  const text = Buffer.from(csv.content, 'base64').toString('utf8')
  const body = text.slice(text.indexOf('\r\n') + 2)
  expect(createHash('sha256').update(body).digest('hex')).toBe(hash)
  expect(body.split('\r\n')).toHaveLength(3)
  await as('owner', confirmSettlement, { id })
  const [again, sheet] = [
    await as('platform', getStatement, { id }),
    await as('owner', getStatement, { id, format: 'xlsx' }),
  ]
  expect([csv.hash, again.hash, sheet.hash]).toEqual([hash, hash, hash])
  expect(Buffer.from(again.content, 'base64').toString('utf8').endsWith(body)).toBe(true)
  expect(await codeOf('other', getStatement, { id })).toBe('request.notFound')
})

test('a person of the merchant confirms, once; the platform does not do it for them', async () => {
  const sold = await sell(books)
  const id = await settleAll([sold])
  expect(await codeOf('platform', confirmSettlement, { id })).toBe('settlement.notMerchant')
  expect(await codeOf('other', confirmSettlement, { id })).toBe('request.notFound')
  expect((await as('owner', confirmSettlement, { id })).state).toBe('confirmed')
  expect(await codeOf('owner', confirmSettlement, { id })).toBe('settlement.state')
  const orderNo = await orderNoOf(sold)
  expect(await codeOf('owner', disputeOrder, { id, orderNo, reason: 'Too late' })).toBe('settlement.state')
  expect(await as('owner', getSettlement, { id })).toMatchObject({ confirmedBy: expect.any(String), whyNot: 'state' })
})

test('a disputed order keeps its settlement open until the platform has answered', async () => {
  const sold = await sell(books)
  const id = await settleAll([sold])
  const orderNo = await orderNoOf(sold)
  const reason = 'The fee is wrong'
  expect(await codeOf('owner', disputeOrder, { id, orderNo: 'NO-SUCH', reason })).toBe('settlementDispute.notIn')
  expect(await codeOf('platform', disputeOrder, { id, orderNo, reason })).toBe('settlement.notMerchant')
  const dispute = await as('owner', disputeOrder, { id, orderNo, reason })
  expect(await codeOf('owner', disputeOrder, { id, orderNo, reason })).toBe('settlementDispute.exists')
  expect(await codeOf('owner', confirmSettlement, { id })).toBe('settlement.disputed')
  // The platform's own finance is no administrator: machines are granted to them, and the books are theirs.
  const platform = { kind: 'granted', merchantId: books.platformId, userId: 0 } as const
  const toAnswer = await as('treasurer', listDisputes.count, { state: 'toAnswer' })
  expect([await countWaitingDisputes(books.db, platform), toAnswer.total]).toEqual([1, 1])
  const owner = { kind: 'subtree', merchantId: books.merchantId } as const
  expect([
    await countWaitingDisputes(books.db, owner),
    (await as('owner', listDisputes, { state: 'toAnswer' })).items,
  ]).toEqual([0, []])
  const answer = { correction: 'refund', answer: 'The fee is paid back' }
  expect(await codeOf('owner', acceptDispute, { id: dispute.id, ...answer })).toBe('settlementDispute.notPlatform')
  expect((await as('treasurer', getSettlement, { id })).state).toBe('open')
  await as('treasurer', acceptDispute, { id: dispute.id, ...answer })
  expect(await codeOf('platform', refuseDispute, { id: dispute.id, answer: 'No' })).toBe('settlementDispute.state')
  expect(await as('owner', getDispute, { id: dispute.id })).toMatchObject({ state: 'accepted', ...answer })
  expect((await as('owner', confirmSettlement, { id })).state).toBe('confirmed')
})

test('a dispute is taken back by the side that raised it', async () => {
  const sold = await sell(books)
  const id = await settleAll([sold])
  const dispute = await as('owner', disputeOrder, { id, orderNo: await orderNoOf(sold), reason: 'By mistake' })
  expect(await codeOf('platform', withdrawDispute, { id: dispute.id })).toBe('settlement.notMerchant')
  expect((await as('owner', withdrawDispute, { id: dispute.id })).state).toBe('withdrawn')
  expect((await as('owner', getSettlement, { id })).whyNot).toBe(null)
})

test('what a merchant says nothing about is confirmed by itself, but for what it disputes', async () => {
  const sold = await sell(books)
  const id = await settleAll([sold])
  const { clock } = books.world.services
  const stateOf = async () => (await as('owner', getSettlement, { id })).state
  const soon = { db: books.world.services.db, clock: { now: () => new Date(clock.now().getTime() + 6 * 86_400_000) } }
  await lapse(soon)
  expect(await stateOf()).toBe('open')
  const late = { ...soon, clock: { now: () => new Date(clock.now().getTime() + 8 * 86_400_000) } }
  const dispute = await as('owner', disputeOrder, { id, orderNo: await orderNoOf(sold), reason: 'Too little' })
  await lapse(late)
  expect(await stateOf()).toBe('open')
  await as('platform', refuseDispute, { id: dispute.id, answer: 'It is right' })
  await lapse(late)
  expect(await stateOf()).toBe('lapsed')
})

test('the database itself keeps what was settled, and lets nothing be disputed after it was confirmed', async () => {
  const sold = await sell(books)
  const id = await settleAll([sold])
  const { db } = books
  await expect(sql`update settlement set net_fen = net_fen where id = ${id}`.execute(db)).resolves.toBeDefined()
  await expect(sql`update settlement set orders = 9 where id = ${id}`.execute(db)).rejects.toThrow(/stays as it was/)
  await as('owner', confirmSettlement, { id })
  await expect(
    sql`insert into settlement_dispute (settlement_id, merchant_id, order_id, order_no, reason, raised_by, raised_at)
      select ${id}, ${books.merchantId}, ${sold.orderId}, 'x', 'Too late', u.id, ${at('12:00')}
      from app_user u limit 1`.execute(db),
  ).rejects.toThrow(/confirmed/)
})

test('one number finds its order, settled or not, with its fees, its settlements and its postings', async () => {
  const [sold, waiting] = [await sell(books, at('12:00'), 2_000), await sell(books, at('12:01'), 700)]
  const id = await settleAll([sold])
  await giveBack(books, sold, 500)
  const orderNo = await orderNoOf(sold)
  const { items } = await as('owner', listTransactions, { orderNo })
  expect(items).toMatchObject([{ orderNo, settled: 'settled', settlementId: id, paidFen: 2_000, channelFeeFen: 12 }])
  const toCome = await as('owner', listTransactions, { settled: 'waiting' })
  expect(toCome.items.map((each) => [each.id, each.settled, each.netFen])).toEqual([[waiting.orderId, 'waiting', null]])
  const settled = await as('owner', listTransactions, { settled: 'settled', from: '2026-11-20', to: '2026-11-20' })
  expect(settled.items.map((each) => each.id)).toEqual([sold.orderId])
  const one = await as('owner', getTransaction, { id: sold.orderId })
  expect(one.batches).toMatchObject([{ settlementId: id, refundNo: null, amountFen: 2_000 }])
  expect(one.entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['sale', 'refund']))
  expect(await codeOf('other', getTransaction, { id: sold.orderId })).toBe('request.notFound')
})
