import { createHash } from 'node:crypto'
import { getPendingReviews } from '@aisle/contract/notice/bell'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/support/customer'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { serveRaw } from '../../../transport/http/raw'
import { routes as bellRoutes } from '../../notice/bell.routes'
import { NOON, openShop, type Shop } from '../../refund/testing'
import { codeOf } from './code'
import { follow } from './customer.jobs'
import { routes } from './customer.routes'
import { rawRoutes } from './page.routes'
import { browserOf, caseIn } from './testing'

let shop: Shop
let http: HttpWorld
let machine: BuiltMachine
let helper: string
let helperId: number
let customer: ReturnType<typeof browserOf>
let count = 0

beforeAll(async () => {
  shop = await openShop()
  const { db, world, services } = shop
  http = await openHttp(world, routesWith(...routes, ...bellRoutes), (app) => serveRaw(app, rawRoutes, services))
  const grants = ['feedback.*', 'refund.*', 'machine.read']
  helperId = (await addUser(db, { merchantId: shop.merchantId, kind: 'merchant_admin', grants })).id
})
afterAll(async () => {
  await http.close()
  await shop.close()
})
beforeEach(async () => {
  shop.world.setNow(NOON)
  await sql`delete from customer_call`.execute(shop.db)
  helper = await addSession(shop.db, helperId, NOON)
  machine = await shop.newMachine(false)
  customer = browserOf(http.app)
})

type Detail = OutputOf<typeof contract.getCustomerCase>
type List = OutputOf<typeof contract.listCustomerCases>
const call = (endpoint: Parameters<HttpWorld['call']>[0], input: Record<string, unknown> = {}, token = helper) =>
  http.call(endpoint, input, { token })
const does = async (...args: Parameters<typeof call>) => (await call(...args)).body.code
const detail = async (id: number) => (await call(contract.getCustomerCase, { id })).body.data as Detail
const listed = async (query: Record<string, unknown> = {}) =>
  ((await call(contract.listCustomerCases, query)).body.data as List).items.map(({ id }) => id)

async function bought(outs: readonly boolean[] = [true], slots = ['A1']): Promise<string> {
  const no = `S-${(count += 1)}`
  const orderNo = await shop.bought(machine, no, slots)
  await shop.vended(machine, no, outs, slots)
  return orderNo
}

/** @returns its id and the address on which the customer follows it */
async function complained(more: Record<string, string> = {}): Promise<{ id: number; location: string }> {
  const at = new Date(shop.services.clock.now().getTime() + 8 * 3600_000).toISOString().slice(0, 16)
  const said = { kind: 'wrong', amount: '5', at, once: `${(count += 1)}`.padStart(22, 'x'), ...more }
  const location = caseIn(await customer.send(`/c/${codeOf(shop.services.keys, machine.code)}`, said))
  const hash = createHash('sha256').update(location.slice('/c/case/'.length)).digest()
  const { id } = await shop.one(sql<{ id: number }>`select id from customer_case where token_hash = ${hash}`)
  return { id, location }
}

test('support sees the order with what speaks for it, pays it back in one tap, and the customer reads so', async () => {
  const orderNo = await bought()
  const { id, location } = await complained({ goods: 'A1', phone: '13800138000', body: 'It was salted.' })
  const seen = await detail(id)
  expect(seen).toMatchObject({ state: 'received', held: 'notReported', phone: '13800138000', orderNo })
  expect(seen.order).toMatchObject({ orderNo, leftFen: 500, evidence: ['amount', 'time', 'goods', 'alone'] })
  expect(seen.order?.sureness).toBeGreaterThanOrEqual(80)
  const { items } = (await call(contract.listCustomerCases, { q: '8000' })).body.data as List
  expect(items).toMatchObject([{ id, phone: '•••• 8000', sureness: seen.order?.sureness }])
  expect(await does(contract.refundCustomerCase, { id, amountFen: 500 })).toBe('H0000')
  expect(await shop.refunds(orderNo)).toMatchObject([
    { state: 'refunding', amount_fen: 500, cause: 'other', requested_by: helperId },
  ])
  expect((await customer.get(location)).text).toContain('The money is on its way back')
  await shop.settle()
  expect((await customer.get(location)).text).toContain('¥5.00 is back')
  expect(await does(contract.refundCustomerCase, { id, amountFen: 500 })).toBe('customer.state')
})

test('a refund that waits for review is approved by who may, and by nobody else', async () => {
  const orderNo = await bought([false])
  const { id } = await complained({ kind: 'other' })
  await does(contract.chooseCustomerOrder, { id, orderNo })
  const { id: other } = await addUser(shop.db, {
    merchantId: shop.merchantId,
    kind: 'merchant_admin',
    grants: ['feedback.*', 'refund.apply'],
  })
  const asker = await addSession(shop.db, other, NOON)
  expect(await does(contract.refundCustomerCase, { id, amountFen: 500 }, asker)).toBe('customer.pending')
  expect(await does(contract.refundCustomerCase, { id, amountFen: 500 })).toBe('H0000')
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'refunding', amount_fen: 500, requested_by: null }])
})

test('above the limit another person looks first, and the customer hears of it once they have', async () => {
  await sql`insert into setting (key, merchant_id, value, version) values ('refund.secondPersonFen', ${shop.merchantId},
    '100'::jsonb, 1)`.execute(shop.db)
  const orderNo = await bought()
  const { id, location } = await complained()
  expect((await call(contract.refundCustomerCase, { id, amountFen: 500 })).body.data).toEqual({
    id,
    state: 'processing',
  })
  await sql`delete from setting where key = 'refund.secondPersonFen'`.execute(shop.db)
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'pending_review' }])
  shop.later(1)
  const second = await addUser(shop.db, { merchantId: shop.merchantId, kind: 'merchant_admin', grants: ['refund.*'] })
  await sql`update refund set state = 'refunding', next_at = ${shop.services.clock.now()}, decided_by = ${second.id},
    decided_at = ${shop.services.clock.now()} where order_no = ${orderNo}`.execute(shop.db)
  await follow(shop.services)
  expect((await detail(id)).work).toBe('refunded')
  expect((await customer.get(location)).text).toContain('on its way back')
})

test('an order of another machine, or of another case, is not chosen', async () => {
  const orderNo = await bought()
  const first = await complained()
  const second = await complained()
  expect((await detail(first.id)).orderNo).toBe(orderNo)
  expect(await detail(second.id)).toMatchObject({ order: null, candidates: [{ orderNo, claimedBy: first.id }] })
  expect(await does(contract.chooseCustomerOrder, { id: second.id, orderNo })).toBe('customer.claimed')
  machine = await shop.newMachine(false)
  const elsewhere = await bought()
  expect(await does(contract.chooseCustomerOrder, { id: second.id, orderNo: elsewhere })).toBe('customer.elsewhere')
  expect(await does(contract.refundCustomerCase, { id: second.id, amountFen: 500 })).toBe('customer.noOrder')
})

test('an answer reaches the page, a word of the customer opens it again, and states say what follows', async () => {
  const { id, location } = await complained()
  expect(await does(contract.takeCustomerCase, { id })).toBe('H0000')
  expect(await does(contract.answerCustomerCase, { id, body: 'We <look> into it.' })).toBe('H0000')
  const read = await customer.get(location)
  expect(read.text).toContain('We have answered')
  expect(read.text).toContain('We &#60;look&#62; into it.')
  shop.later(5)
  await customer.send(location, { word: 'And now?' })
  expect(await detail(id)).toMatchObject({ state: 'reopened', words: [{ who: null, body: 'And now?' }, {}] })
  expect(await does(contract.closeCustomerCase, { id })).toBe('H0000')
  expect((await customer.get(location)).text).toContain('Closed')
  expect(await does(contract.closeCustomerCase, { id })).toBe('customer.state')
  expect(await does(contract.answerCustomerCase, { id, body: 'hello' })).toBe('customer.state')
  expect(await does(contract.reopenCustomerCase, { id })).toBe('H0000')
  expect((await detail(id)).work).toBe('reopened')
})

test('the badge says how many its list shows, what is overdue is told apart, and the tallies agree', async () => {
  await sql`alter table customer_word disable trigger user`.execute(shop.db)
  await sql`delete from customer_word`.execute(shop.db)
  await sql`alter table customer_word enable trigger user`.execute(shop.db)
  await sql`delete from customer_case`.execute(shop.db)
  const [one, two, three] = [await complained(), await complained(), await complained()]
  await does(contract.answerCustomerCase, { id: three.id, body: 'Done.' })
  await does(contract.takeCustomerCase, { id: two.id })
  const reviews = (await call(getPendingReviews)).body.data as OutputOf<typeof getPendingReviews>
  const badge = reviews.items.find(({ kind }) => kind === 'customerCase')
  expect(badge).toMatchObject({ count: 2, screen: 'shkf/khfk', query: { state: 'toAnswer' } })
  const counted = (await call(contract.listCustomerCases.count, { state: 'toAnswer' })).body.data
  expect(counted).toMatchObject({ total: badge?.count })
  expect(await listed()).toEqual([one.id, two.id, three.id])
  expect(await listed({ assignee: 'me' })).toEqual([two.id])
  expect(await listed({ state: 'overdue' })).toEqual([])
  shop.later(7 * 24 * 60)
  helper = await addSession(shop.db, helperId, shop.services.clock.now())
  expect(await listed({ state: 'overdue' })).toEqual([one.id, two.id])
  const tallies = (await call(contract.summariseCustomerCases)).body.data
  expect(tallies).toEqual({ toAnswer: 2, overdue: 2, mine: 1, reopened: 0 })
  const pages: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const asked = { pageSize: 1, sort: 'newest', ...(cursor && { cursor }) }
    const page = (await call(contract.listCustomerCases, asked)).body.data as List
    pages.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  }
  expect(pages).toEqual([three.id, two.id, one.id])
})

test('the history of the number and of the machine stands beside the case', async () => {
  const first = await complained({ phone: '13800138001' })
  const place = machine
  machine = await shop.newMachine(false)
  const second = await complained({ phone: '138 0013 8001' })
  expect(await detail(second.id)).toMatchObject({ ofPhone: [{ id: first.id }], ofMachine: [] })
  machine = place
  const third = await complained()
  expect(await detail(third.id)).toMatchObject({ ofPhone: [], ofMachine: [{ id: first.id }] })
})

test('64 who pay the same case back at once pay it once', async () => {
  const orderNo = await bought()
  const { id } = await complained()
  const all = await Promise.all(
    Array.from({ length: 64 }, () => does(contract.refundCustomerCase, { id, amountFen: 500 })),
  )
  expect(all.filter((code) => code === 'H0000')).toHaveLength(1)
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'refunding', amount_fen: 500 }])
})

test('the address on the machine opens its page', async () => {
  const { data } = (await call(contract.getCustomerAddress, { id: machine.id })).body
  const { path, address } = data as OutputOf<typeof contract.getCustomerAddress>
  expect(address).toBe(`http://aisle.test${path}`)
  expect((await customer.get(path)).text).toContain(machine.code)
})
