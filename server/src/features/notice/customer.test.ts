import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getPushMessage, resendMessage } from '@aisle/contract/notice/push'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { seal } from '../../kernel/seal'
import { addMachine, addOrder, addProduct, type BuiltMachine } from '../../testing/builders'
import { tellCustomers } from './customer.commands'
import { deliver } from './deliver'
import { dataOf, NOON, openPlace, type Place, type Somebody, somebody } from './testing'

const APP = 'wx5d0c1a9e7b3f2468'
const SECRET = 'secret-of-tests'
const CONTENT = '单号:{{character_string1.DATA}}\n商品:{{thing2.DATA}}\n金额:{{amount3.DATA}}\n{{phrase4.DATA}}'

let place: Place
let admin: Somebody
let wechat: Stand
let machine: BuiltMachine
let accountId: number

beforeAll(async () => {
  place = await openPlace()
  admin = await somebody(place, place.platform.id, { kind: 'platform_admin' })
  wechat = await standIn()
  const { db } = place.world.services
  const merchantId = place.ours.id
  machine = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })] })
})
beforeEach(async () => {
  const { db, keys } = place.world.services
  place.world.setNow(NOON)
  Object.assign(wechat, {
    secret: SECRET,
    tokens: [],
    heard: [],
    asked: 0,
    next: null,
    following: new Set(['oA', 'oB']),
  })
  await sql`delete from official_account`.execute(db)
  const templates = { paid: 'T-PAID', refunded: 'T-GONE' }
  const made = await sql<{ id: number }>`insert into official_account (merchant_id, platform, name, app_id, link,
      templates, address) values (${place.ours.id}, 'wechat_account', 'Cabinet life', ${APP}, 'https://m.example.com/x',
      ${JSON.stringify(templates)}, ${wechat.url}) returning id`.execute(db)
  accountId = made.rows[0]?.id ?? 0
  const sealed = seal(keys, `officialAccount:${accountId}`, SECRET)
  await sql`update official_account set sealed_secret = ${sealed} where id = ${accountId}`.execute(db)
})
afterAll(async () => {
  wechat.server.close()
  await place.close()
})

/** A paid order whose customer has a name at the account. */
async function paidBy(openId: string, more: { paymentState?: string; shipState?: string } = {}): Promise<number> {
  const { db, clock } = place.world.services
  const { paymentState = 'paid', shipState = 'in_transit' } = more
  const at = clock.now()
  const { id } = await addOrder(db, machine, at, 1250)
  await sql`update orders set payment_state = ${paymentState}, ship_state = ${shipState} where id = ${id}`.execute(db)
  await sql`insert into order_payer (order_id, account_id, merchant_id, occurred_at, open_id, kept_at)
    values (${id}, ${accountId}, ${machine.merchantId}, ${at}, ${openId}, ${at})`.execute(db)
  return id
}
const orderNoOf = async (id: number) =>
  (await sql<{ no: string }>`select order_no as no from orders where id = ${id}`.execute(place.world.services.db))
    .rows[0]?.no
const run = async () => {
  await tellCustomers(place.world.services)
  await deliver(place.world.services)
}
type Kept = { id: number; type: string; state: string; error: string | null }
const messagesOf = async (orderId: number) =>
  (
    await sql<Kept>`select id, type, state, error from outbox_message where reference like ${`customer/${orderId}/%`}
      order by id`.execute(place.world.services.db)
  ).rows

test('who paid by the account hears of it once, in the fields that the template has', async () => {
  const id = await paidBy('oA')
  await run()
  await run()
  expect(await messagesOf(id)).toMatchObject([{ type: 'customer.paid', state: 'sent', error: null }])
  expect(wechat.heard).toEqual([
    {
      touser: 'oA',
      template_id: 'T-PAID',
      client_msg_id: expect.stringMatching(/^aisle-\d+$/),
      data: {
        character_string1: { value: await orderNoOf(id) },
        thing2: { value: expect.any(String) },
        amount3: { value: '12.50元' },
        phrase4: { value: '支付成功' },
      },
    },
  ])
})

test('access is asked for once while it lives, kept sealed, and asked for anew when it ended early', async () => {
  await paidBy('oA')
  await run()
  await paidBy('oB')
  await run()
  expect([wechat.asked, wechat.heard.length]).toEqual([1, 2])
  const kept = await sql<{ text: string }>`select row_to_json(o)::text as text from official_account o`.execute(
    place.world.services.db,
  )
  expect(kept.rows[0]?.text).not.toContain(wechat.tokens[0]?.text)
  // Somebody else renewed it.
  wechat.tokens.length = 0
  await paidBy('oA')
  await run()
  expect([wechat.asked, wechat.heard.length]).toEqual([2, 3])
  // It ended by itself.
  place.world.setNow(new Date(NOON.getTime() + 3 * 3_600_000))
  await paidBy('oA')
  await run()
  expect([wechat.asked, wechat.heard.length]).toEqual([3, 4])
})

test('each message says why it could not be sent, and what passes is tried again', async () => {
  const stranger = await paidBy('oStranger')
  const refunded = await paidBy('oA', { paymentState: 'refunded' })
  await run()
  expect(await messagesOf(stranger)).toMatchObject([{ state: 'failed', error: '43004: require subscribe' }])
  expect(await messagesOf(refunded)).toMatchObject([
    { type: 'customer.paid', state: 'sent' },
    { type: 'customer.refunded', state: 'failed', error: 'the account has no template T-GONE' },
  ])
  wechat.next = { errcode: -1, errmsg: 'system error' }
  const later = await paidBy('oB')
  await run()
  const [waiting] = await messagesOf(later)
  expect(waiting).toMatchObject({ state: 'waiting', error: '-1: system error' })
  place.world.setNow(new Date(NOON.getTime() + 3_600_000))
  await run()
  expect(await messagesOf(later)).toMatchObject([{ state: 'sent' }])
})

test('a wrong secret fails the message with the words of the provider', async () => {
  wechat.secret = 'another'
  const id = await paidBy('oA')
  await run()
  expect(await messagesOf(id)).toMatchObject([{ state: 'failed', error: '40125: invalid appsecret' }])
})

test('an account that was stopped sends nothing: what waits is held and goes once it is shown again', async () => {
  const { db } = place.world.services
  const id = await paidBy('oA')
  await tellCustomers(place.world.services)
  await sql`update official_account set state = 'stopped' where id = ${accountId}`.execute(db)
  await run()
  const [held] = await messagesOf(id)
  expect(held).toMatchObject({ state: 'held' })
  const shown = dataOf<Record<string, unknown>>(await admin.call(getPushMessage, { id: held?.id ?? 0 }))
  expect(shown).toMatchObject({ channel: 'wechat', whyHeld: 'accountSilent', typeLabel: 'Cabinet life' })
  const second = await paidBy('oB')
  await run()
  expect(await messagesOf(second)).toEqual([])
  await sql`update official_account set state = 'active' where id = ${accountId}`.execute(db)
  dataOf(await admin.call(resendMessage, { id: held?.id ?? 0 }))
  await run()
  expect(await messagesOf(id)).toMatchObject([{ state: 'sent' }])
})

test('who paid is forgotten after a month', async () => {
  const id = await paidBy('oA')
  place.world.setNow(new Date(NOON.getTime() + 31 * 86_400_000))
  await tellCustomers(place.world.services)
  const left = await sql`select 1 from order_payer where order_id = ${id}`.execute(place.world.services.db)
  expect(left.rows).toEqual([])
})

type Json = Record<string, unknown>
type Stand = {
  server: Server
  url: string
  secret: string
  /** Access that opens, with its end. */
  tokens: { text: string; untilMs: number }[]
  /** Messages that were taken. */
  heard: Json[]
  asked: number
  following: Set<string>
  /** The next message is answered so. */
  next: Json | null
}

/** WeChat as its documents describe it: access that ends, templates that it knows, people who follow. */
async function standIn(): Promise<Stand> {
  const stand: Stand = {
    server: createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8')
        const answer = answerOf(stand, new URL(request.url ?? '/', stand.url), text ? (JSON.parse(text) as Json) : {})
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(answer))
      })
    }),
    url: '',
    secret: SECRET,
    tokens: [],
    heard: [],
    asked: 0,
    following: new Set(),
    next: null,
  }
  await new Promise<void>((resolve) => stand.server.listen(0, '127.0.0.1', resolve))
  stand.url = `http://127.0.0.1:${(stand.server.address() as AddressInfo).port}`
  return stand
}

const no = (errcode: number, errmsg: string) => ({ errcode, errmsg })

function answerOf(stand: Stand, url: URL, body: Json): Json {
  const nowMs = place.world.services.clock.now().getTime()
  if (url.pathname === '/cgi-bin/stable_token') return accessFor(stand, body, nowMs)
  const token = stand.tokens.find(({ text }) => text === url.searchParams.get('access_token'))
  if (!token) return no(40001, 'invalid credential, access_token is invalid or not latest')
  if (token.untilMs < nowMs) return no(42001, 'access_token expired')
  if (url.pathname === '/cgi-bin/template/get_all_private_template') {
    return { template_list: [{ template_id: 'T-PAID', title: 'Paid', content: CONTENT, example: '' }] }
  }
  const { next } = stand
  stand.next = null
  if (next) return next
  if (!stand.following.has(String(body.touser))) return no(43004, 'require subscribe')
  if (body.template_id !== 'T-PAID') return no(40037, 'invalid template_id')
  stand.heard.push(body)
  return { errcode: 0, errmsg: 'ok', msgid: 200163840 + stand.heard.length }
}

function accessFor(stand: Stand, { appid, secret, force_refresh: isForced }: Json, nowMs: number): Json {
  stand.asked += 1
  if (appid !== APP) return no(40013, 'invalid appid')
  if (secret !== stand.secret) return no(40125, 'invalid appsecret')
  if (isForced) stand.tokens.length = 0
  const text = `access-${stand.asked}`
  stand.tokens.push({ text, untilMs: nowMs + 7_200_000 })
  return { access_token: text, expires_in: 7200 }
}
