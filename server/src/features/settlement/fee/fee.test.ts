import {
  addFeeRule,
  endFeeRule,
  getFeeRule,
  getMerchantFees,
  listFeeRules,
  listMerchantFees,
  previewFeeRule,
  takeBackFeeRule,
} from '@aisle/contract/settlement/fee'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addSession, addUser } from '../../../testing/fixtures'
import { openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { match } from '../match.commands'
import { closeClean } from '../run.commands'
import { lockRun } from '../run.store'
import { routes } from '../settlement.routes'
import { findRule } from './feeRule.store'
import { type Books, giveBack, importBill, openBooks, paymentLine, refundLine, runOf, sell } from '../testing'

let books: Books
let http: Awaited<ReturnType<typeof openHttp>>
let platform: string
let merchant: string

beforeEach(async () => {
  books = await openBooks()
  http = await openHttp(books.world, routesWith(...routes))
  const now = books.world.services.clock.now()
  const grants = ['settlement.*']
  const admin = await addUser(books.db, { merchantId: books.platformId, kind: 'platform_admin', grants })
  const owner = await addUser(books.db, { merchantId: books.merchantId, kind: 'merchant_admin', grants })
  platform = await addSession(books.db, admin.id, now)
  merchant = await addSession(books.db, owner.id, now)
})
afterEach(async () => {
  await http.close()
  await books.world.close()
})

const call = async (endpoint: Endpoint, input: Record<string, unknown>, token = platform) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}
const terms = { subject: 'wechat', ratePercent: 0.38, basis: 'order', minFen: 0, reason: 'contract of 2026' }
const agree = (more: Record<string, unknown>) =>
  call(addFeeRule, { ...terms, merchantId: books.merchantId, validFrom: '2026-11-22', ...more })
const rateOn = async (day: string) => (await findRule(books.db, books.merchantId, 'wechat', day)).ratePpm

async function settleTheDay(): Promise<void> {
  const [one, two] = [await sell(books), await sell(books, undefined, 555)]
  const back = await giveBack(books, two, 200)
  const run = await runOf(books)
  await importBill(books, run, 'trade', [paymentLine(one), paymentLine(two), refundLine(back)])
  const { db, clock } = books.world.services
  await db.transaction().execute(async (tx) => {
    const held = await lockRun(tx, run.id)
    if (held) await match(tx, held, clock.now())
    await closeClean(tx, run.id, clock.now())
  })
}

test('a fee holds from its first day to its last, and days that have begun keep theirs', async () => {
  expect((await agree({ validFrom: '2026-11-21' })).code).toBe('feeRule.day')
  expect((await agree({ validTo: '2026-11-21' })).code).toBe('feeRule.day')
  const { data } = await agree({ validTo: '2026-12-31' })
  const id = Number(data.id)
  expect([await rateOn('2026-11-21'), await rateOn('2026-11-22'), await rateOn('2027-01-01')]).toEqual([
    6000, 3800, 6000,
  ])
  expect((await agree({})).code).toBe('feeRule.exists')
  expect((await call(endFeeRule, { id, validTo: '2026-11-20' })).code).toBe('feeRule.day')
  expect((await call(endFeeRule, { id, validTo: '2026-11-25' })).status).toBe(200)
  expect([await rateOn('2026-11-25'), await rateOn('2026-11-26')]).toEqual([3800, 6000])
  expect((await call(getFeeRule, { id })).data).toMatchObject({
    state: 'coming',
    ratePercent: 0.38,
    validTo: '2026-11-25',
    history: [{ id, validFrom: '2026-11-22' }],
  })
})

test('a rule is taken back before its first day, and afterwards only replaced', async () => {
  const { id } = (await agree({})).data
  expect((await call(takeBackFeeRule, { id })).status).toBe(200)
  expect((await call(getFeeRule, { id })).status).toBe(404)
  const forAll = await call(listFeeRules, { subject: 'wechat', state: 'in_force' })
  const [shipped] = forAll.data.items as { id: number; merchantId: number | null }[]
  expect(shipped?.merchantId).toBeNull()
  expect((await call(takeBackFeeRule, { id: shipped?.id })).code).toBe('feeRule.state')
  expect((await call(endFeeRule, { id: shipped?.id, validTo: '2026-12-01' })).code).toBe('feeRule.forAll')
  await settleTheDay()
  const told = async (change: string) =>
    sql`${sql.raw(change)} where id = ${shipped?.id}`.execute(books.db).then(
      () => 'taken',
      (error: Error) => error.message,
    )
  expect(await told('update fee_rule set rate_ppm = 1')).toMatch('stay as they are')
  expect(await told('delete from fee_rule')).toMatch('has been settled by')
})

test('nobody of a merchant agrees its own fees, and it sees what holds for it', async () => {
  const { id } = (await agree({})).data
  const own = { ...terms, merchantId: books.merchantId, validFrom: '2026-11-23', ratePercent: 0 }
  expect((await call(addFeeRule, own, merchant)).code).toBe('request.notPermitted')
  expect((await call(endFeeRule, { id, validTo: '2026-11-30' }, merchant)).code).toBe('request.notFound')
  expect((await call(takeBackFeeRule, { id }, merchant)).code).toBe('request.notFound')
  const { reason: _, ...asked } = own
  expect((await call(previewFeeRule, { ...asked, validFrom: undefined }, merchant)).status).not.toBe(200)
  const seen = (await call(listFeeRules, { subject: 'wechat' }, merchant)).data.items as { merchantId: number | null }[]
  expect(seen.map(({ merchantId }) => merchantId)).toEqual([books.merchantId, null])
})

test('the preview says of the rule in force what was charged, and of another what it would have cost', async () => {
  await settleTheDay()
  const charged = await sql<{ fen: number; function: number }>`select sum(channel_fee_fen)::int as fen,
    sum(function_fee_fen)::int as function from settlement`.execute(books.db)
  const ask = async (more: Record<string, unknown>) => {
    const { reason: _, ...asked } = terms
    return (await call(previewFeeRule, { ...asked, ...more })).data
  }
  const same = await ask({ ratePercent: 0.6 })
  // 1000 and 555 less 200: 0.6 % of each, half a fen up.
  expect(same).toMatchObject({
    orders: 2,
    keptFen: 1355,
    chargedFen: 8,
    wouldFen: 8,
    from: '2026-10-22',
    isPart: false,
  })
  expect(same.chargedFen).toBe(charged.rows[0]?.fen)
  expect(await ask({ ratePercent: 1, minFen: 9 })).toMatchObject({ chargedFen: 8, wouldFen: 19 })
  expect(await ask({ ratePercent: 1, basis: 'day' })).toMatchObject({ wouldFen: 14 })
  const sale = await ask({ subject: 'function_sale', ratePercent: 2, basis: 'day', merchantId: books.merchantId })
  expect(sale).toMatchObject({ chargedFen: charged.rows[0]?.function, wouldFen: 27 })
  expect(await ask({ subject: 'function_lottery' })).toMatchObject({ orders: 0, wouldFen: 0 })
})

test('the preview of a rule for all leaves out whoever has one of its own', async () => {
  await settleTheDay()
  await sql`insert into fee_rule (merchant_id, subject, rate_ppm, basis, valid_from, created_at)
    values (${books.merchantId}, 'wechat', 3800, 'order', '2026-11-01', now())`.execute(books.db)
  const { reason: _, ...asked } = terms
  expect((await call(previewFeeRule, asked)).data).toMatchObject({ orders: 0, merchants: [] })
  const own = { ...asked, merchantId: books.merchantId, ratePercent: 0.38 }
  expect((await call(previewFeeRule, own)).data).toMatchObject({
    orders: 2,
    chargedFen: 5,
    wouldFen: 5,
    merchants: [expect.objectContaining({ merchantId: books.merchantId, keptFen: 1355 })],
  })
})

test('tax is withheld of what was kept, stands as owed, and is no fee of the platform', async () => {
  await sql`insert into fee_rule (merchant_id, subject, rate_ppm, basis, valid_from, created_at)
    values (${books.merchantId}, 'tax', 30000, 'day', '2026-11-01', now())`.execute(books.db)
  await settleTheDay()
  // 3 % of 1355.
  const settled = await sql<{ tax: number; gap: number }>`select sum(tax_fen)::int as tax, sum(gross_fen - refund_fen
    - channel_fee_fen - function_fee_fen - tax_fen - net_fen)::int as gap from settlement`.execute(books.db)
  expect(settled.rows).toEqual([{ tax: 41, gap: 0 }])
  const owed = await sql<{ owner: number; fen: number }>`select merchant_id as owner, -balance_fen as fen
    from ledger_account where kind = 'tax_payable'`.execute(books.db)
  expect(owed.rows).toEqual([{ owner: books.platformId, fen: 41 }])
  const { reason: _, ...asked } = terms
  const dearer = { ...asked, subject: 'tax', basis: 'day', ratePercent: 6, merchantId: books.merchantId }
  expect((await call(previewFeeRule, dearer)).data).toMatchObject({ chargedFen: 41, wouldFen: 81 })
})

test('of each merchant is told what it pays today, by whose terms, and what is agreed to come', async () => {
  const own = { ...terms, subject: 'alipay', ratePercent: 0.5, minFen: 1, belowMin: 'waive' }
  const { id } = (await agree(own)).data
  const rates = async (token: string) =>
    (await call(listMerchantFees, { merchantId: books.merchantId }, token)).data.items as Record<string, unknown>[]
  expect(await rates(platform)).toMatchObject([{ id: books.merchantId, alipay: 0.6, functionSale: 1, ownTerms: 0 }])
  const shopping = (is: boolean) =>
    sql`update merchant set has_shopping = ${is} where id = ${books.merchantId}`.execute(books.db)
  await shopping(false)
  expect(await rates(platform)).toMatchObject([{ id: books.merchantId, alipay: 0.6, functionSale: 0 }])
  expect(await findRule(books.db, books.merchantId, 'function:sale', '2026-11-21')).toMatchObject({ ratePpm: 0 })
  await shopping(true)
  books.world.setNow(new Date('2026-11-22T04:00:00Z'))
  const later = books.world.services.clock.now()
  const { id: userId } = await addUser(books.db, {
    merchantId: books.merchantId,
    kind: 'merchant_admin',
    grants: ['*'],
  })
  const owner = await addSession(books.db, userId, later)
  expect(await rates(owner)).toMatchObject([{ id: books.merchantId, alipay: 0.5, ownTerms: 1 }])
  expect((await call(getMerchantFees, { id: books.merchantId }, owner)).data).toMatchObject({
    held: expect.arrayContaining([
      expect.objectContaining({ id, subject: 'alipay', belowMin: 'waive', ofId: books.merchantId }),
      expect.objectContaining({ subject: 'wechat', ratePercent: 0.6, ofId: null }),
    ]),
    coming: [],
  })
  expect((await call(getMerchantFees, { id: books.platformId }, owner)).status).toBe(404)
})
