import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callAgain, getShipment, listShipments } from '@aisle/contract/partner/shipment'
import { CALLS_A_MINUTE } from '@aisle/contract/events/open'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { call as callOut } from '../../kernel/callOut'
import { seal } from '../../kernel/seal'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { races, racing, together } from '../../testing/races'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { serveRaw } from '../../transport/http/raw'
import { ingest } from '../device/link/ingest'
import { spoken } from '../device/testing'
import { contradictions } from '../trade/recount'
import { sweepWaiting } from '../trade/sale/vend.commands'
import { callBack } from './callback.jobs'
import { rawRoutes } from './open.routes'
import { routes } from './partner.routes'
import { signatureOf, signedText } from '../events/signature.rules'

const NOON = new Date('2026-11-20T04:00:00Z')
const SECRET = 'a-secret-of-a-partner'
let world: World
let http: HttpWorld
let machine: BuiltMachine
let other: BuiltMachine
let configId: number
let token: string
let seq = 0
let listener: Server
let heard: { headers: Record<string, unknown>; body: string }[] = []
let answerWith: { status: number; headers?: Record<string, string> } = { status: 204 }

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes), (app) => serveRaw(app, rawRoutes, world.services))
  const { db, keys } = world.services
  const platformId = await addMerchant(db)
  const merchantId = await addMerchant(db, { parentId: platformId })
  const products = [await addProduct(db, { merchantId }), await addProduct(db, { merchantId, medicineClass: 'rx' })]
  machine = await addMachine(db, { merchantId, products, stock: 500, licenceMode: 'hospital' })
  other = await addMachine(db, { merchantId: await addMerchant(db, { parentId: platformId }), products: [] })
  await sql`update machine_state set is_connected = true, last_seen_at = ${NOON}`.execute(db)
  const user = await addUser(db, { merchantId, grants: ['shipResult.*'] })
  token = await addSession(db, user.id, NOON)
  listener = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      heard.push({ headers: request.headers, body })
      response.writeHead(answerWith.status, answerWith.headers).end('thanks')
    })
  })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  const { port } = listener.address() as AddressInfo
  const made = await sql<{ id: number }>`insert into integration_config (merchant_id, parent_class, child_class,
      interface_type, path, contract_number, created_at)
    values (${merchantId}, 'dispensing', 'ship_request', 'both', ${`http://127.0.0.1:${port}/told`}, 'C-1', ${NOON})
    returning id`.execute(db)
  configId = made.rows[0]?.id ?? 0
  await sql`update integration_config set state = 'enabled', secret_set_at = ${NOON},
    secret = ${seal(keys, `integration:${configId}`, SECRET)} where id = ${configId}`.execute(db)
})
afterAll(async () => {
  await new Promise((done) => listener.close(done))
  await http.close()
  await world.close()
})
beforeEach(async () => {
  world.setNow(NOON)
  heard = []
  answerWith = { status: 204 }
  await sql`delete from partner_rate`.execute(world.services.db)
})

type Signing = { secret?: string; atMs?: number; nonce?: string; signedUrl?: string; signedBody?: string }

async function call(method: 'GET' | 'POST', url: string, body = '', signing: Signing = {}) {
  const { secret = SECRET, atMs = world.services.clock.now().getTime(), nonce = randomUUID() } = signing
  const text = signedText({ method, url: signing.signedUrl ?? url, body: signing.signedBody ?? body }, { atMs, nonce })
  const response = await http.app.inject({
    method,
    url,
    ...(method === 'POST' ? { payload: body } : {}),
    headers: {
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      'accept-language': 'en',
      'x-aisle-key': String(configId),
      'x-aisle-timestamp': String(atMs),
      'x-aisle-nonce': nonce,
      'x-aisle-signature': signatureOf(secret, text),
    },
  })
  return { status: response.statusCode, body: response.json() as Record<string, unknown> }
}
const ship = (requestNo: string, more: Record<string, unknown> = {}, signing: Signing = {}) =>
  call(
    'POST',
    '/open/v1/shipments',
    JSON.stringify({ requestNo, machine: machine.code, items: [{ slot: 'A1' }], ...more }),
    signing,
  )
const result = (orderNo: unknown, ok: boolean, index = 0) => {
  seq += 1
  const no = String(orderNo).slice(machine.code.length + 1)
  const codes = { motorCode: ok ? '100' : '103', sensorCode: ok ? '01' : '03' }
  const vend = { orderNo: no, index, slot: 'A1', ok, ...codes }
  return ingest(world.services, [spoken(world, machine.code, seq, 'vend.result', vend)])
}
const told = () => callBack(world.services, (url, said) => callOut(url, said, { address: () => true, ip: () => true }))
const count = async (from: string) =>
  (await sql.raw<{ n: number }>(`select count(*)::int as n from ${from}`).execute(world.services.db)).rows[0]?.n

test('a signed request becomes an order that costs nothing here and a ship command; its end is told back', async () => {
  const accepted = await ship('R-1', { items: [{ slot: 'A1' }, { product: machine.slots[0]?.productCode }] })
  expect(accepted).toMatchObject({ status: 200, body: { requestNo: 'R-1', items: [{ slot: 'A1' }, { slot: 'A1' }] } })
  const { orderNo } = accepted.body
  const commands = await sql`select state, data from device_command where data ->> 'orderNo' like 'OPEN-%'`.execute(
    world.services.db,
  )
  expect(commands.rows).toMatchObject([{ data: { items: [{ index: 0 }, { index: 1 }] } }])
  expect((await call('GET', '/open/v1/shipments/R-1')).body).toMatchObject({ state: 'shipping', endedAt: null })
  await result(orderNo, true, 0)
  await told()
  expect(heard).toHaveLength(0)
  await result(orderNo, false, 1)
  await told()
  expect(heard).toHaveLength(1)
  const [first] = heard
  const { headers, body } = first ?? { headers: {}, body: '' }
  expect(headers['x-aisle-signature']).toBe(
    signatureOf(SECRET, `${String(headers['x-aisle-timestamp'])}\n${String(headers['x-aisle-event'])}\n${body}`),
  )
  expect(JSON.parse(body)).toMatchObject({
    event: 'shipment.ended',
    shipment: { requestNo: 'R-1', state: 'partly', items: [{ state: 'dispensed' }, { state: 'jammed' }] },
  })
  expect(await contradictions(world.services.db)).toEqual([])
})

test('64 times the same request at once is one shipment, one use and one answer; another body is refused', async () => {
  await sql`update integration_config set use_count = 0, max_count = 1000`.execute(world.services.db)
  const all = await Promise.all(Array.from({ length: 64 }, () => ship('R-64')))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(all.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(await count(`orders where tender_code = 'R-64'`)).toBe(1)
  expect(await count('integration_config where use_count = 1')).toBe(1)
  const differs = await ship('R-64', { items: [{ slot: 'A1', quantity: 2 }] })
  expect([differs.status, differs.body.code]).toEqual([409, 'shipment.reused'])
})

test.each([
  ['of a product', (shelf: BuiltMachine) => ({ product: shelf.slots[0]?.productCode })],
  ['in a slot', () => ({ slot: 'A1' })],
])('the last piece %s is promised once to 64 who ask at once', racing, async (what, item) => {
  const { db } = world.services
  await sql`update integration_config set use_count = 0, max_count = null`.execute(db)
  await races(`last piece ${what}`, async () => {
    const { merchantId } = machine
    const shelf = await addMachine(db, { merchantId, products: [await addProduct(db, { merchantId })], stock: 1 })
    await sql`update machine_state set is_connected = true, last_seen_at = ${NOON} where machine_id = ${shelf.id}
      `.execute(db)
    await sql`delete from partner_rate`.execute(db)
    const asked = { machine: shelf.code, items: [item(shelf)] }
    const all = await together((n) => ship(`LAST-${shelf.code}-${n}`, asked))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = all.filter(({ status }) => status !== 200).map(({ body }) => body.code)
    expect(new Set(refused)).toEqual(new Set(['slot' in item(shelf) ? 'shipment.refused' : 'shipment.noProduct']))
    expect(await count(`orders where machine_id = ${shelf.id}`)).toBe(1)
  })
})

test('the last use is taken once by many at once, and what was accepted can still be looked at', async () => {
  await sql`update integration_config set use_count = 0, max_count = 3`.execute(world.services.db)
  const all = await Promise.all(Array.from({ length: 16 }, (_, i) => ship(`U-${i}`)))
  expect(all.filter(({ status }) => status === 200)).toHaveLength(3)
  const spent = all.find(({ status }) => status !== 200)
  expect([spent?.status, spent?.body.code]).toEqual([403, 'interface.spent'])
  expect(await count(`orders where tender_code like 'U-%'`)).toBe(3)
  expect((await call('GET', '/open/v1/shipments/R-1')).status).toBe(200)
  await sql`update integration_config set use_count = 0, max_count = null`.execute(world.services.db)
})

test.each([
  ['another secret', { secret: 'wrong' }, 'signature.wrong'],
  ['another body', { signedBody: '{}' }, 'signature.wrong'],
  ['another address', { signedUrl: '/open/v1/other' }, 'signature.wrong'],
  ['a clock six minutes behind', { atMs: NOON.getTime() - 6 * 60_000 }, 'signature.old'],
  ['a clock six minutes ahead', { atMs: NOON.getTime() + 6 * 60_000 }, 'signature.old'],
  ['a nonce that is too short', { nonce: 'x' }, 'signature.missing'],
] as const)('signed with %s it is refused and leaves nothing', async (_, signing, code) => {
  const refused = await ship(`S-${randomBytes(4).toString('hex')}`, {}, signing)
  expect([refused.status, refused.body.code]).toEqual([401, code])
  expect(await count(`orders where tender_code like 'S-%'`)).toBe(0)
})

test('the same call word for word is taken once', async () => {
  const nonce = randomUUID()
  expect((await ship('N-1', {}, { nonce })).status).toBe(200)
  expect((await ship('N-1', {}, { nonce })).body.code).toBe('signature.replayed')
  expect((await ship('N-1')).status).toBe(200)
  expect(await count(`orders where tender_code = 'N-1'`)).toBe(1)
})

test.each([
  ['a machine of others', () => ({ machine: other.code }), 404, 'shipment.noMachine'],
  ['a slot that is not there', () => ({ items: [{ slot: 'Z9' }] }), 422, 'shipment.refused'],
  ['more than there is', () => ({ items: [{ product: 'P0' }] }), 422, 'shipment.noProduct'],
  ['prescription medicine', () => ({ items: [{ slot: 'A2' }] }), 422, 'shipment.refused'],
  ['nothing', () => ({ items: [] }), 422, 'request.invalid'],
  ['an unknown field', () => ({ pay: 1 }), 422, 'request.invalid'],
  ['too many pieces', () => ({ items: [{ slot: 'A1', quantity: 20 }, { slot: 'A1' }] }), 422, 'shipment.tooMany'],
] as const)('%s is refused, in words, and takes no use', async (_, more, status, code) => {
  const refused = await ship('B-1', more())
  expect([refused.status, refused.body.code]).toEqual([status, code])
  expect(String(refused.body.msg)).not.toContain('refusal.')
  expect(await count('integration_config where use_count > 1')).toBe(0)
})

test('a machine that does not listen is asked for nothing', async () => {
  world.setNow(new Date(NOON.getTime() + 20 * 60_000))
  expect((await ship('O-1')).body.code).toBe('shipment.machineOffline')
})

test('slots are read page by page, of own machines alone', async () => {
  const url = `/open/v1/machines/${machine.code}/slots`
  const first = await call('GET', `${url}?pageSize=1`)
  expect(first.body).toMatchObject({ items: [{ slot: 'A1', priceFen: 500 }], nextCursor: 'A1' })
  const last = await call('GET', `${url}?pageSize=1&cursor=A1`)
  expect(last.body).toMatchObject({ items: [{ slot: 'A2' }], nextCursor: null })
  expect((await call('GET', `/open/v1/machines/${other.code}/slots`)).status).toBe(404)
})

test('who calls too often in a minute is asked to slow down', async () => {
  await sql`insert into partner_rate (config_id, minute, calls)
    values (${configId}, date_trunc('minute', ${NOON}::timestamptz), ${CALLS_A_MINUTE})`.execute(world.services.db)
  expect((await call('GET', '/open/v1/shipments/R-1')).status).toBe(429)
})

test('what is not heard is said again, word for word, later and later; a redirect is not followed', async () => {
  const { orderNo } = (await ship('C-1')).body
  answerWith = { status: 302, headers: { location: '/elsewhere' } }
  await result(orderNo, true)
  await told()
  await told()
  expect(heard).toHaveLength(1)
  world.setNow(new Date(NOON.getTime() + 61_000))
  answerWith = { status: 500 }
  await told()
  world.setNow(new Date(NOON.getTime() + 5 * 60_000))
  answerWith = { status: 200 }
  await told()
  expect(heard).toHaveLength(3)
  expect(new Set(heard.map(({ body }) => body)).size).toBe(1)
  expect(new Set(heard.map(({ headers }) => headers['x-aisle-event'])).size).toBe(1)
  const listed = await http.call(listShipments, { requestNo: 'C-1' }, { token })
  const [row] = (listed.body.data as { items: { id: number }[] }).items
  expect(row).toMatchObject({ callback: 'delivered', tries: 3, result: 'dispensed', nextTryAt: null })
  const again = await http.call(callAgain, { id: row?.id }, { token })
  expect(again.status).toBe(200)
  expect((await http.call(callAgain, { id: row?.id }, { token })).body.code).toBe('partnerCallback.waiting')
  await told()
  expect(heard).toHaveLength(4)
  const detail = await http.call(getShipment, { id: row?.id }, { token })
  const [callback] = (detail.body.data as { callbacks: { attempts: { byName: string | null }[] }[] }).callbacks
  expect(callback?.attempts.map(({ byName }) => byName !== null)).toEqual([true, false, false, false])
})

test('after three days it is given up; private addresses are never called', async () => {
  const { orderNo } = (await ship('P-1')).body
  await result(orderNo, true)
  for (let tries = 0; tries < 12; tries += 1) {
    await callBack(world.services)
    world.setNow(new Date(world.services.clock.now().getTime() + 2 * 24 * 3_600_000))
  }
  expect(heard).toHaveLength(0)
  const tries = await sql`select t.problem, k.state from partner_try t join partner_callback k on k.id = t.callback_id
    join partner_request r on r.id = k.request_id where r.request_no = 'P-1'`.execute(world.services.db)
  expect(tries.rows).toHaveLength(10)
  expect(tries.rows[0]).toEqual({ problem: 'address', state: 'failed' })
})

test('a silent machine is told as a timeout, and what comes late as a correction', async () => {
  const { orderNo } = (await ship('T-1')).body
  const later = new Date(NOON.getTime() + 6 * 60_000)
  world.setNow(later)
  await world.services.db.transaction().execute((tx) => sweepWaiting(tx, later))
  await told()
  await result(orderNo, true)
  await told()
  const mine = heard.map(({ body }) => JSON.parse(body)).filter(({ shipment }) => shipment.requestNo === 'T-1')
  expect(mine.map(({ event, shipment }) => [event, shipment.state])).toEqual([
    ['shipment.ended', 'timeout'],
    ['shipment.corrected', 'dispensed'],
  ])
})
