import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { customerPayBack } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { putSetting } from '../../../kernel/settings'
import type { BuiltMachine } from '../../../testing/builders'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { serveRaw } from '../../../transport/http/raw'
import { NOON, openShop, type Shop } from '../../refund/testing'
import { codeOf } from './code'
import { follow, forget } from './customer.jobs'
import { rawRoutes } from './page.routes'
import { browserOf, caseIn, formOf } from './testing'

let shop: Shop
let http: HttpWorld
let machine: BuiltMachine
let path: string
let count = 0
let customer: ReturnType<typeof browserOf>

beforeAll(async () => {
  shop = await openShop()
  http = await openHttp(shop.world, routesWith(), (app) => serveRaw(app, rawRoutes, shop.services))
})
afterAll(async () => {
  await http.close()
  await shop.close()
})
beforeEach(async () => {
  shop.world.setNow(NOON)
  await sql`delete from customer_call`.execute(shop.db)
  machine = await shop.newMachine(false)
  path = `/c/${codeOf(shop.services.keys, machine.code)}`
  count += 1
  customer = browserOf(http.app, `203.0.113.${count}`)
})

const said = (more: Record<string, string> = {}) => ({
  kind: 'nothing',
  amount: '5',
  at: wall(),
  once: createHash('sha256')
    .update(`${(count += 1)}`)
    .digest('base64url')
    .slice(0, 22),
  ...more,
})
/** Now, as the clock beside the machine shows it. */
const wall = () => new Date(shop.services.clock.now().getTime() + 8 * 3600_000).toISOString().slice(0, 16)

/** An order of which the machine says that nothing came out; its refund waits for review. */
async function jammed(of = machine): Promise<string> {
  const no = `C-${(count += 1)}`
  const orderNo = await shop.bought(of, no, ['A1'])
  await shop.vended(of, no, [false], ['A1'])
  return orderNo
}
const rowOf = (location: string) =>
  shop.one(sql<Record<string, unknown>>`select c.*, n.order_no from customer_case c
    left join order_number n on n.order_id = c.order_id
    where c.token_hash = ${createHash('sha256').update(location.slice('/c/case/'.length)).digest()}`)

test('the page says which machine it is, in four languages, in a few kilobytes, and nobody keeps it', async () => {
  const words = { zh: '发生了什么', en: 'What happened', fr: 'Ce qui s’est passé', ko: '무슨 일이 있었나요' }
  for (const [language, word] of Object.entries(words)) {
    const { status, text, headers } = await customer.get(path, language)
    expect(status).toBe(200)
    expect(text).toContain(word)
    expect(text).toContain(machine.code)
    expect(text).toContain(`<html lang="${language}">`)
    expect(Buffer.byteLength(text)).toBeLessThan(20_000)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    // Nothing else is fetched for it: all that it weighs is here.
    expect(text).not.toMatch(/<(link|img|script src)/)
  }
  expect((await customer.get(`${path}?lang=fr`, 'zh')).text).toContain('<html lang="fr">')
})

test('what others asked stands there as text, five of them, and the page stays small', async () => {
  const answer = '<b>行</b>'.repeat(220)
  await sql`insert into faq (topic, place, readers, question_zh, answer_zh, state, created_at)
    select 'order', n, '{customers}', '问题 ' || n, ${answer}, 'published', now() from generate_series(1, 7) n`.execute(
    shop.db,
  )
  const { text } = await customer.get(path, 'zh')
  expect(text.match(/<details lang="zh">/g)).toHaveLength(5)
  expect(text).toContain('问题 5')
  expect(text).not.toContain('<b>')
  expect(Buffer.byteLength(text)).toBeLessThan(50 * 1024)
  expect((await customer.get(path, 'fr')).text).not.toContain('class="sheet asked"')
  await sql`delete from faq`.execute(shop.db)
})

test('money that the machine itself says it owes goes back at once to whoever paid, and the page says so', async () => {
  const orderNo = await jammed()
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'pending_review' }])
  const location = caseIn(await customer.send(path, said()))
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'refunding', amount_fen: 500, requested_by: null }])
  expect(await rowOf(location)).toMatchObject({ state: 'refunded', order_no: orderNo, held: null })
  expect((await customer.get(location)).text).toContain('The money is on its way back')
  await shop.settle()
  const there = await customer.get(location)
  expect(there.text).toContain('¥5.00 is back')
  expect(there.text).toContain('The money is back')
  // Neither its number nor how it was paid.
  expect(there.text).not.toContain(orderNo)
  expect(there.text).not.toMatch(/wechat/i)
})

test('what the channel does not take is not said to be on its way', async () => {
  const orderNo = await jammed()
  const location = caseIn(await customer.send(path, said()))
  await sql`update refund set state = 'needs_handling', next_at = null where order_no = ${orderNo}`.execute(shop.db)
  const { text } = await customer.get(location)
  expect(text).toContain('It takes longer')
  expect(text).not.toContain('on its way')
})

test('what has gone back by the rule already is told, and paid once', async () => {
  machine = await shop.newMachine(true)
  path = `/c/${codeOf(shop.services.keys, machine.code)}`
  const orderNo = await jammed()
  const location = caseIn(await customer.send(path, said()))
  expect(await rowOf(location)).toMatchObject({ state: 'refunded', order_no: orderNo })
  expect(await shop.refunds(orderNo)).toHaveLength(1)
})

test.each([
  ['above the limit', 'aboveLimit', () => limitTo(499)],
  ['where it is switched off', 'off', () => limitTo(0)],
  ['beside another payment of the amount', 'several', another],
])('%s it waits for a person', async (_, held, before) => {
  const orderNo = await jammed()
  await before()
  const location = caseIn(await customer.send(path, said()))
  await limitTo(2_000)
  expect(await rowOf(location)).toMatchObject({ state: 'received', held, order_no: orderNo })
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'pending_review' }])
})

/** It comes out. */
async function another(): Promise<void> {
  const no = `D-${count}`
  await shop.bought(machine, no, ['A2'])
  await shop.vended(machine, no, [true], ['A2'])
}

async function limitTo(value: number): Promise<void> {
  const { id: userId } = await shop.one(sql<{
    id: number
  }>`insert into app_user (merchant_id, account, display_name, kind)
    values (${shop.rootId}, ${`limit${(count += 1)}`}, 'L', 'platform_admin') returning id`)
  const by = { userId, at: NOON }
  await shop.db
    .transaction()
    .execute((tx) => putSetting(tx, { key: customerPayBack.key, merchantId: shop.merchantId, value, version: 1, by }))
}

test('what a person has rejected no complaint sends', async () => {
  const orderNo = await jammed()
  await sql`update refund set state = 'rejected', ended_at = ${NOON}, decided_by = (select min(id) from app_user),
    decided_at = ${NOON} where order_no = ${orderNo}`.execute(shop.db)
  const location = caseIn(await customer.send(path, said()))
  expect(await rowOf(location)).toMatchObject({ state: 'received', held: 'noChannel' })
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'rejected' }])
})

test('64 who claim the same order at once have it once: one case, one refund', async () => {
  const orderNo = await jammed()
  const all = await Promise.all(
    Array.from({ length: 64 }, (_, at) => browserOf(http.app, `198.51.100.${at}`).send(path, said())),
  )
  expect(all.every(({ status }) => status === 303)).toBe(true)
  const found = await sql<{ state: string; order_id: number | null }>`select state, order_id from customer_case
    where machine_id = ${machine.id}`.execute(shop.db)
  expect(found.rows).toHaveLength(64)
  expect(found.rows.filter(({ order_id }) => order_id !== null)).toMatchObject([{ state: 'refunded' }])
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'refunding', amount_fen: 500 }])
})

test('the same form sent 64 times is one case', async () => {
  const form = said()
  const all = await Promise.all(
    Array.from({ length: 64 }, (_, at) => browserOf(http.app, `198.51.100.${at}`).send(path, form)),
  )
  expect(new Set(all.map(caseIn)).size).toBe(1)
  expect(
    (
      await shop.one(sql<{ n: number }>`select count(*)::int as n from customer_case
    where machine_id = ${machine.id}`)
    ).n,
  ).toBe(1)
})

test('the fourth case of a number in a month is for a person, the sixth in a day is refused', async () => {
  const phone = '+33 6 12 34 56 78'
  const held: unknown[] = []
  for (let round = 0; round < 5; round += 1) {
    machine = await shop.newMachine(false)
    path = `/c/${codeOf(shop.services.keys, machine.code)}`
    await jammed()
    held.push((await rowOf(caseIn(await customer.send(path, said({ phone }))))).held)
  }
  expect(held).toEqual([null, null, null, 'phoneOften', 'phoneOften'])
  const { status, text } = await customer.send(path, said({ phone }))
  expect(status).toBe(429)
  expect(text).toContain('Too much came from this phone number today')
  const kept = await shop.one(sql<{ all: string }>`select string_agg(t::text, '') as all from customer_case t`)
  expect(kept.all).not.toContain('612345678')
})

test('more than five cases at a machine in a day raise an alarm, and nothing goes back there by itself', async () => {
  for (let round = 0; round < 5; round += 1) caseIn(await customer.send(path, said({ amount: '9' })))
  const orderNo = await jammed()
  expect((await rowOf(caseIn(await customer.send(path, said())))).held).toBe('machineOften')
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'pending_review' }])
  await follow(shop.services)
  const alarms = sql<{
    state: string
  }>`select state from alarm where machine_id = ${machine.id} and cause = 'complaints'`
  expect((await alarms.execute(shop.db)).rows).toEqual([{ state: 'open' }])
  shop.later(25 * 60)
  await follow(shop.services)
  expect((await alarms.execute(shop.db)).rows).toEqual([{ state: 'closed' }])
})

test('a machine that says late what became of an order: its money goes back then, as the customer sees', async () => {
  const no = `L-${count}`
  const orderNo = await shop.bought(machine, no, ['A1'])
  const location = caseIn(await customer.send(path, said()))
  const waits = { state: 'received', held: 'untold', order_no: orderNo }
  expect(await rowOf(location)).toMatchObject(waits)
  await follow(shop.services)
  expect(await rowOf(location)).toMatchObject(waits)
  await shop.vended(machine, no, [false], ['A1'])
  await follow(shop.services)
  expect(await rowOf(location)).toMatchObject({ state: 'refunded', order_no: orderNo })
  expect(await shop.refunds(orderNo)).toMatchObject([{ state: 'refunding' }])
})

test('a word of the customer is kept, opens again what is over, and is no more than text', async () => {
  await jammed()
  const location = caseIn(await customer.send(path, said({ body: '<script>alert(1)</script>' })))
  expect((await customer.get(location)).text).not.toContain('<script>alert')
  shop.later(1)
  const sent = await customer.send(location, { word: 'It is <b>not</b> there.', lang: 'en' })
  expect([sent.status, sent.location]).toEqual([303, `${location}?lang=en`])
  await customer.send(location, { word: 'It is <b>not</b> there.', lang: 'en' })
  expect(await rowOf(location)).toMatchObject({ state: 'reopened', closed_at: null })
  const { text } = await customer.get(location)
  expect(text.match(/It is &#60;b&#62;not&#60;\/b&#62; there\./g)).toHaveLength(1)
  await follow(shop.services)
  expect(await rowOf(location)).toMatchObject({ state: 'reopened' })
  for (let word = 2; word <= 20; word += 1) await customer.send(location, { word: `Word ${word}` })
  expect((await customer.send(location, { word: 'One more' })).status).toBe(429)
  expect((await customer.send(location, { word: ' ' })).status).toBe(422)
})

test.each([
  ['no such machine', '/c/XX-00000000'],
  ['the bare code of a machine', () => `/c/${machine.code}`],
  ['a code with a wrong signature', () => `${path.slice(0, -1)}~`],
  ['a guessed case', '/c/case/AAAAAAAAAAAAAAAAAAAAAA'],
  ['no token at all', `/c/case/${'x'.repeat(500)}`],
  ['signs that no address has', '/c/%00%ff'],
])('%s is not found, and nobody learns more', async (_, address) => {
  const { status, text } = await customer.get(typeof address === 'string' ? address : address())
  expect(status === 404 || status === 400, `${status}`).toBe(true)
  expect(text).not.toContain(shop.world.url)
})

test('a form with something wrong says what beside the field and keeps what was typed', async () => {
  const wrong = { amount: '0', at: '2099-01-01T00:00', body: `"><img src=x>${'x'.repeat(10_000)}`, kind: 'other' }
  const { status, text } = await customer.send(path, said(wrong))
  expect(status).toBe(422)
  expect(text).toContain('Write an amount above 0')
  expect(text).toContain('That time is still to come')
  expect(text).toContain('500 characters at most')
  expect(text).not.toContain('"><img')
  expect(text).toMatch(/value="other" required checked/)
})

test('a picture is drawn anew and kept under a name by chance; what is none is refused, the rest stays', async () => {
  const bytes = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#c00' } })
    .withExif({ IFD0: { Artist: 'a place on a map' } })
    .jpeg()
    .toBuffer()
  const picture = { name: 'p.jpg', type: 'image/jpeg', bytes }
  const { picture: kept } = await rowOf(caseIn(await customer.send(path, { ...said(), picture })))
  const file = join(shop.services.dataDir, 'pictures', String(kept))
  const { width, exif } = await sharp(await readFile(file)).metadata()
  expect([width, exif]).toEqual([1600, undefined])
  const before = await readdir(join(shop.services.dataDir, 'pictures'))
  const fake = { ...picture, bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }
  const refused = await customer.send(path, { ...said({ goods: 'Cola' }), picture: fake })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('value="Cola"')
  expect(await readdir(join(shop.services.dataDir, 'pictures'))).toEqual(before)
})

test('number and picture are forgotten after 180 days, with the file', async () => {
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#c00' } })
    .png()
    .toBuffer()
  const picture = { name: 'p.png', type: 'image/png', bytes }
  const location = caseIn(await customer.send(path, { ...said({ phone: '13800138000' }), picture }))
  const name = String((await rowOf(location)).picture)
  await forget(shop.services)
  expect(await rowOf(location)).toMatchObject({ phone_end: '8000', picture: name })
  shop.later(181 * 24 * 60)
  await forget(shop.services)
  await forget(shop.services)
  expect(await rowOf(location)).toMatchObject({ phone: null, phone_hash: null, phone_end: '', picture: null })
  expect(await readdir(join(shop.services.dataDir, 'pictures'))).not.toContain(name)
})

test('from one address so many forms an hour, and a flood costs a line of a table', async () => {
  const codes: number[] = []
  for (let at = 0; at < 40; at += 1) codes.push((await customer.send(path, said({ amount: '0' }))).status)
  expect(codes.filter((code) => code === 422)).toHaveLength(30)
  expect(codes.filter((code) => code === 429)).toHaveLength(10)
  expect((await browserOf(http.app, '192.0.2.1').send(path, said())).status).toBe(303)
  shop.later(60)
  expect((await customer.send(path, said())).status).toBe(303)
})

test('500 MB are cut off at the limit, whether they say so or not', async () => {
  const { port } = await listening()
  const { headers } = formOf({})
  let sent = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= 500 * 1024 * 1024) return controller.close()
      const chunk = new Uint8Array(1024 * 1024)
      sent += chunk.length
      controller.enqueue(chunk)
    },
  })
  const init = { method: 'POST', body: endless, duplex: 'half', headers } as RequestInit
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, init).then(
    (response) => response.status,
    () => 'closed',
  )
  expect([413, 'closed']).toContain(answer)
  expect(sent).toBeLessThan(64 * 1024 * 1024)
  const said = await http.app.inject({
    method: 'POST',
    url: path,
    headers: { ...headers, 'content-length': String(500 * 1024 * 1024) },
    payload: Buffer.alloc(10),
  })
  expect([said.statusCode, said.headers.connection]).toEqual([413, 'close'])
  expect(said.payload).toContain('8 MB')
})

async function listening(): Promise<{ port: number }> {
  await http.app.listen({ port: 0, host: '127.0.0.1' })
  const address = http.app.server.address()
  return { port: typeof address === 'object' && address ? address.port : 0 }
}

test.each([
  ['json', 'application/json', '{}'],
  ['half a form', 'multipart/form-data; boundary=x', '--x\r\ncontent-disp'],
  ['no boundary', 'multipart/form-data', 'anything'],
])('%s is no form, and is told so', async (_, type, payload) => {
  const response = await http.app.inject({ method: 'POST', url: path, headers: { 'content-type': type }, payload })
  expect([response.statusCode, response.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
})
