import { addSplitReceiver } from '@aisle/contract/settlement/splitReceiver'
import {
  addSplitRule,
  endSplitRule,
  getSplitRule,
  previewSplitRule,
  takeBackSplitRule,
} from '@aisle/contract/settlement/splitRule'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addSession, addUser } from '../../../testing/fixtures'
import { openHttp, type HttpWorld } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { addAccount, at, type Books, openBooks, sell } from '../testing'
import { settleRest } from '../settle.commands'
import { routes } from './split.routes'

let books: Books
let http: HttpWorld
let token: string

beforeEach(async () => {
  books = await openBooks(at('02:00', '2026-11-21'), 'demo')
  http = await openHttp(books.world, routesWith(...routes))
  const { id } = await addUser(books.db, { merchantId: books.platformId, grants: ['splitRule.*', 'splitRecord.*'] })
  token = await addSession(books.db, id, at('02:00', '2026-11-21'))
  await sql`insert into settlement_channel (provider_account_id, merchant_id, provider, account_id, funds_mode, since)
    select provider_account_id, merchant_id, provider, id, funds_mode, '2026-12-24' from payment_account`.execute(
    books.db,
  )
  await sql`delete from fee_rule`.execute(books.db)
})
afterEach(async () => {
  await http.close()
  await books.world.close()
})

const call = async (endpoint: Endpoint, input: Record<string, unknown>) => {
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data }
}

async function bound(account: string, more: object = {}): Promise<number> {
  const answer = await call(addSplitReceiver, {
    accountId: books.accountId,
    kind: 'outside',
    receiverName: account,
    accountType: 'openid',
    account,
    ...more,
  })
  const { id } = answer.data as { id: number }
  await sql`update split_receiver set state = 'bound', bound_at = now() where id = ${id}`.execute(books.db)
  return id
}
const rule = (receiverId: number, more: object = {}) => ({
  merchantId: books.merchantId,
  lines: [{ receiverId, ratePercent: 10 }],
  validFrom: '2026-11-22',
  reason: 'site agreement',
  ...more,
})

test('a rule begins tomorrow at the earliest, and never twice on a day', async () => {
  const receiverId = await bound('oLandlord1')
  expect(await call(addSplitRule, rule(receiverId, { validFrom: '2026-11-21' }))).toMatchObject({
    code: 'splitRule.day',
  })
  const made = await call(addSplitRule, rule(receiverId))
  expect(made.status).toBe(200)
  expect(await call(addSplitRule, rule(receiverId))).toMatchObject({ code: 'splitRule.exists' })
  const { id } = made.data as { id: number }
  expect(await call(getSplitRule, { id })).toMatchObject({
    data: { state: 'coming', ratePercent: 10, scope: 'merchant' },
  })
  expect((await call(endSplitRule, { id, validTo: '2026-11-30' })).status).toBe(200)
  expect((await call(takeBackSplitRule, { id })).status).toBe(200)
})

test('more than the contract allows, an unbound receiver and a stopped merchant are refused', async () => {
  const [one, other] = [await bound('oLandlord1'), await bound('oLandlord2')]
  const lines = [
    { receiverId: one, ratePercent: 20 },
    { receiverId: other, ratePercent: 10.01 },
  ]
  expect(await call(addSplitRule, rule(one, { lines }))).toMatchObject({ code: 'splitRule.cap' })
  await sql`update split_receiver set state = 'failed' where id = ${other}`.execute(books.db)
  expect(await call(addSplitRule, rule(other))).toMatchObject({ code: 'splitRule.receiver' })
  await sql`update merchant set state = 'stopped' where id = ${books.merchantId}`.execute(books.db)
  expect(await call(addSplitRule, rule(one))).toMatchObject({ code: 'splitRule.merchantStopped' })
})

test('persons give nothing back, and an account that shares nothing binds nobody', async () => {
  const asked = {
    accountId: books.accountId,
    kind: 'outside',
    receiverName: 'X',
    accountType: 'openid',
    account: 'oXXXX',
  }
  expect(await call(addSplitReceiver, { ...asked, consents: true })).toMatchObject({ code: 'splitReceiver.consent' })
  expect(await call(addSplitReceiver, { ...asked, accountType: 'login' })).toMatchObject({
    code: 'splitReceiver.channel',
  })
  const accountId = await addAccount(books.db, books.platformId, 'alipay')
  expect(await call(addSplitReceiver, { ...asked, accountId, accountType: 'login' })).toMatchObject({
    code: 'splitReceiver.channel',
  })
})

test('the simulation shares what was settled, by the function that settles', async () => {
  const receiverId = await bound('oLandlord1')
  await sell(books, at('12:00'), 1000)
  await sell(books, at('13:00'), 333)
  await books.world.services.db.transaction().execute((tx) => settleRest(tx, at('02:00', '2026-11-21')))
  const { data } = await call(previewSplitRule, { merchantId: books.merchantId, lines: `${receiverId}:b1000` })
  expect(data).toMatchObject({ orders: 2, paidFen: 1333, sharedFen: 133, cut: 0, overCap: false })
  const cut = await call(previewSplitRule, { merchantId: books.merchantId, lines: `${receiverId}:f200` })
  expect(cut.data).toMatchObject({ sharedFen: 299, cut: 1, cutFen: 101, receivers: [{ orders: 2, amountFen: 299 }] })
})
