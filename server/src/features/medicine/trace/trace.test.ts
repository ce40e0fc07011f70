import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/medicine/trace'
import * as upload from '@aisle/contract/medicine/traceUpload'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp, statusAndCode } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openTracePlatform } from '../../../testing/tracePlatform'
import { openWorld, type World } from '../../../testing/world'
import { takeTraces } from './trace.commands'
import { routes } from './trace.routes'
import { tellPlatform } from './traceUpload.channel'
import { uploadTraces } from './traceUpload.jobs'

const NOON = new Date('2026-11-20T04:00:00Z')
const SECRET = 'a-secret-of-the-platform'
const anywhere = { address: () => true, ip: () => true }
let world: World
let http: HttpWorld
let merchantId: number
let strangerId: number
let machine: BuiltMachine
let product: { id: number; code: string }
let platform: Awaited<ReturnType<typeof openTracePlatform>>
let ours: number
let strange: number
let now = NOON

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  const parentId = await addMerchant(db)
  merchantId = await addMerchant(db, { parentId })
  strangerId = await addMerchant(db, { parentId })
  product = await addProduct(db, { merchantId, medicineClass: 'otc_b' })
  machine = await addMachine(db, { merchantId, products: [product], licenceMode: 'retail', stock: 10 })
  await sql`insert into medicine (product_id, approval_number) values (${product.id}, 'H20093458')
    on conflict do nothing`.execute(db)
  await sql`insert into medicine_trace_prefix (product_id, level, prefix)
    values (${product.id}, 'pack', '8123456'), (${product.id}, 'middle', '8123457')`.execute(db)
  await sql`insert into medicine_batch (product_id, number, expires_on, changed_at)
    values (${product.id}, 'B-1', '2027-11-19', ${NOON}), (${product.id}, 'B-2', '2027-12-19', ${NOON})`.execute(db)
  const grants = ['batch.*']
  ours = (await addUser(db, { merchantId, kind: 'merchant_admin', grants })).id
  strange = (await addUser(db, { merchantId: strangerId, kind: 'merchant_admin', grants })).id
  platform = await openTracePlatform(SECRET)
})
afterAll(async () => {
  await platform.close()
  await http.close()
  await world.close()
})

/** Signed in anew each time: tests move the clock by hours. */
const call = async (endpoint: Endpoint, input?: Record<string, unknown>, as = ours) =>
  http.call(endpoint, input, { token: await addSession(world.services.db, as, now) })
const ask = async <T>(endpoint: Endpoint, input?: Record<string, unknown>, as = ours): Promise<T> => {
  const answer = await call(endpoint, input, as)
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
  return answer.body.data as T
}
const codeOf = (serial: number, prefix = '8123456') => `${prefix}${String(serial).padStart(13, '0')}`
const enter = (codes: readonly string[], more: Record<string, unknown> = {}) =>
  ask<contract.TraceTold>(contract.registerTraces, {
    merchantId,
    productCode: product.code,
    batch: 'B-1',
    codes,
    ...more,
  })
const storyOf = async (code: string, as = ours) =>
  (await ask<{ found: contract.TraceStory | null }>(contract.findTrace, { code }, as)).found
let orderId = 900
const sellOne = (traceCode: string) => {
  orderId += 1
  const order = { orderId, orderNo: `${machine.code}-${orderId}`, orderAt: now, index: 0, isSecond: false }
  const piece = { merchantId, machineId: machine.id, productId: product.id, batch: null, soldAt: now, heardAt: now }
  return world.services.db
    .transaction()
    .execute((tx) => takeTraces(tx, [], [{ ...order, ...piece, traceCode }]))
    .then(() => order.orderNo)
}

test('each line is bound for itself, and what is wrong with the others is told by its number', async () => {
  await sellOne(codeOf(9))
  const told = await enter([codeOf(1), 'A 1', codeOf(1), codeOf(2), codeOf(1, '8999999'), codeOf(9), 'OWN-1'])
  expect(told).toEqual({
    bound: 3,
    known: 0,
    left: [
      { line: 2, code: 'A 1', outcome: 'unreadable' },
      { line: 3, code: codeOf(1), outcome: 'doubled' },
      { line: 5, code: codeOf(1, '8999999'), outcome: 'otherProduct' },
      { line: 6, code: codeOf(9), outcome: 'sold' },
    ],
  })
  expect(await enter([codeOf(1), codeOf(2)])).toMatchObject({ bound: 0, known: 2, left: [] })
  expect(await storyOf(codeOf(1))).toMatchObject({ state: 'in_stock', batch: 'B-1', machineCode: null, orderNo: null })
  expect(await storyOf(codeOf(1, '8999999'))).toBeNull()
})

test('codes go into a slot, are sold, come back, are destroyed; the story says all of it', async () => {
  await enter([codeOf(11)], { reference: 'DN-7' })
  await enter([codeOf(11)], { machineCode: machine.code, slotCode: 'A1' })
  expect(await storyOf(codeOf(11))).toMatchObject({ machineCode: machine.code, slotCode: 'A1' })
  const orderNo = await sellOne(codeOf(11))
  expect(await storyOf(codeOf(11))).toMatchObject({ state: 'sold', orderNo, machineCode: null })
  const back = { merchantId, codes: [codeOf(11), codeOf(1), 'NOBODY-1'], reason: 'wrong size' }
  expect(await ask(contract.takeBackTraces, back)).toEqual({
    bound: 1,
    known: 0,
    left: [
      { line: 2, code: codeOf(1), outcome: 'notHere' },
      { line: 3, code: 'NOBODY-1', outcome: 'notHere' },
    ],
  })
  await enter([codeOf(11)])
  expect(await sellOne(codeOf(11))).not.toBe(orderNo)
  await ask(contract.takeBackTraces, { ...back, codes: [codeOf(11)] })
  expect(await ask(contract.destroyTraces, { ...back, codes: [codeOf(11)] })).toMatchObject({ bound: 1, left: [] })
  const story = await storyOf(codeOf(11))
  expect(story?.state).toBe('destroyed')
  expect(story?.events.map(({ verb }) => verb)).toEqual([
    'receive',
    'load',
    'sell',
    'takeBack',
    'receive',
    'sell',
    'takeBack',
    'destroy',
  ])
  expect(story?.events[0]).toMatchObject({ reference: 'DN-7', batch: 'B-1' })
})

test('a case holds its packs: they go where it goes, and it can’t be held by one of them', async () => {
  const top = codeOf(1, '8123457')
  await enter([codeOf(21), codeOf(22)], { holder: top })
  expect(await storyOf(top)).toMatchObject({ level: 'middle', holdCount: 2 })
  await enter([top], { level: 'middle', machineCode: machine.code, slotCode: 'A1' })
  expect(await storyOf(codeOf(22))).toMatchObject({ machineCode: machine.code, holder: top })
  const ring = {
    merchantId,
    productCode: product.code,
    batch: 'B-1',
    codes: [top],
    holder: codeOf(21),
    level: 'middle',
  }
  expect(statusAndCode(await call(contract.registerTraces, ring))).toEqual([422, 'trace.holder'])
})

test.each([
  [{ machineCode: 'NONE' }, 422, 'trace.machineUnknown'],
  [{ slotCode: 'Z9' }, 422, 'trace.slotUnknown'],
  [{ productCode: 'NONE' }, 422, 'trace.productUnknown'],
  [{ batch: 'NONE' }, 422, 'trace.batchUnknown'],
  [{ holder: 'A 1' }, 422, 'trace.holder'],
  [{ merchantId: 99_999_999 }, 404, 'request.notFound'],
])('entered with %j it is refused as %i %s', async (change, status, code) => {
  const whole = { merchantId, productCode: product.code, batch: 'B-1', codes: ['OWN-77'], machineCode: machine.code }
  const answer = await call(contract.registerTraces, { ...whole, slotCode: 'A1', ...change })
  expect(statusAndCode(answer)).toEqual([status, code])
  expect(await storyOf('OWN-77')).toBeNull()
})

test('another merchant neither sees a code nor takes it, and is told only that it is elsewhere', async () => {
  expect(await storyOf(codeOf(1), strange)).toBeNull()
  const listed = await ask<{ items: unknown[] }>(contract.listTraces, {}, strange)
  expect(listed.items).toEqual([])
  const theirs = await addProduct(world.services.db, { merchantId: strangerId })
  const input = { merchantId: strangerId, productCode: theirs.code, batch: 'B-1', codes: [codeOf(1)] }
  expect(await ask(contract.registerTraces, input, strange)).toMatchObject({
    bound: 0,
    left: [{ line: 1, code: codeOf(1), outcome: 'elsewhere' }],
  })
})

test('packs whose codes nobody scanned are listed until somebody does', async () => {
  const [row] = (await ask<{ items: { missing: number; pieces: number; codes: number }[] }>(contract.listUncoded)).items
  expect(row).toMatchObject({ pieces: 10, codes: 2, missing: 8 })
  await enter([codeOf(31)], { machineCode: machine.code, slotCode: 'A1' })
  const after = await ask<{ items: { missing: number }[] }>(contract.listUncoded, { machineCode: machine.code })
  expect(after.items).toMatchObject([{ missing: 7 }])
})

test('5,000 codes are entered at once, and the list pages by key', async () => {
  const codes = Array.from({ length: 5_000 }, (_, at) => codeOf(100_000 + at))
  expect(await enter(codes, { batch: 'B-2' })).toEqual({ bound: 5_000, known: 0, left: [] })
  const first = await ask<{ items: { id: number }[]; nextCursor: string }>(contract.listTraces, { batch: 'B-2' })
  const second = await ask<{ items: { id: number }[] }>(contract.listTraces, { batch: 'B-2', cursor: first.nextCursor })
  expect([first.items.length, second.items.length]).toEqual([20, 20])
  expect(second.items[0]?.id).toBeLessThan(first.items.at(-1)?.id ?? 0)
  expect(await ask(contract.summariseTraces, { productId: product.id })).toMatchObject({ twice: 0, sold: 1 })
  await sql`update trace_upload set state = 'accepted' where trace_code_id in
    (select id from trace_code where batch = 'B-2')`.execute(world.services.db)
})

const run = (minutes = 0) => {
  now = new Date(now.getTime() + minutes * 60_000)
  world.setNow(now)
  return uploadTraces(world.services, (...told) => tellPlatform(...told, anywhere))
}
const uploadsOf = async (trace: string) =>
  (await ask<{ items: upload.TraceUpload[] }>(upload.listTraceUploads, { trace })).items.reverse()
const statesOf = async (trace: string) => (await uploadsOf(trace)).map(({ kind, state }) => `${kind} ${state}`)
const takenOf = (code: string) => platform.taken.filter((item) => item.code === code).map(({ kind }) => kind)

test('nobody tells the platform without an account; with one each pack is told in order, and once', async () => {
  await run()
  expect(platform.asked).toEqual([])
  const summary = await ask<{ unsendable: number }>(upload.summariseTraceUploads)
  expect(summary.unsendable).toBeGreaterThan(5)
  const account = { merchantId, enterpriseNo: 'E-1', address: 'https://platform.example.com/t' }
  expect(statusAndCode(await call(upload.putTraceAccount, account))).toEqual([422, 'traceUpload.noSecret'])
  const inside = { ...account, address: 'http://127.0.0.1/t', secret: SECRET }
  expect((await call(upload.putTraceAccount, inside)).status).toBe(422)
  await ask(upload.putTraceAccount, { ...account, secret: SECRET })
  expect(JSON.stringify(await ask(upload.listTraceAccounts))).not.toContain(SECRET)
  await sql`update trace_account set address = ${platform.address}`.execute(world.services.db)
  await run()
  expect(await statesOf(codeOf(11))).toEqual([
    'receipt accepted',
    'sale accepted',
    'return accepted',
    'receipt accepted',
    'sale accepted',
    'return accepted',
    'destruction accepted',
  ])
  expect(takenOf(codeOf(11))).toEqual(['receipt', 'sale', 'return', 'receipt', 'sale', 'return', 'destruction'])
  // Put into a slot after it had been received: nothing that the platform asks.
  expect(await ask(upload.summariseTraceUploads)).toMatchObject({ queued: 0, sent: 0, refused: 0, unsendable: 0 })
})

test('a platform that takes and says nothing is asked again, later each time, and takes each once', async () => {
  platform.isSilent = true
  await enter([codeOf(41)])
  await sellOne(codeOf(41))
  const before = platform.asked.length
  await run()
  expect(await statesOf(codeOf(41))).toEqual(['receipt sent', 'sale queued'])
  expect((await uploadsOf(codeOf(41)))[0]?.problem).not.toBe('')
  await run()
  expect(platform.asked.length - before).toBe(1)
  await run(1)
  await run(1)
  expect(platform.asked.length - before).toBe(2)
  platform.isSilent = false
  await run(60)
  await run()
  expect(await statesOf(codeOf(41))).toEqual(['receipt accepted', 'sale accepted'])
  expect(takenOf(codeOf(41))).toEqual(['receipt', 'sale'])
})

test('what it delays waits; what it refuses waits for a person, who corrects it, and the rest follows', async () => {
  platform.how.delays = () => 1
  platform.how.refuses = ({ code, kind, batch }) =>
    code === codeOf(51) && kind === 'receipt' && batch === 'B-1' ? 'batch unknown' : null
  await enter([codeOf(51), codeOf(52)])
  await sellOne(codeOf(51))
  await run()
  expect(await statesOf(codeOf(52))).toEqual(['receipt sent'])
  await run(2)
  expect(await statesOf(codeOf(52))).toEqual(['receipt accepted'])
  const [refused] = await uploadsOf(codeOf(51))
  expect(refused).toMatchObject({ state: 'refused', reason: 'batch unknown' })
  await run(600)
  expect(await statesOf(codeOf(51))).toEqual(['receipt refused', 'sale queued'])
  platform.how.delays = () => 0
  const id = refused?.id ?? 0
  expect(statusAndCode(await call(upload.resendTraceUpload, { id, batch: 'B-2' }, strange))[0]).toBe(404)
  await ask(upload.resendTraceUpload, { id, batch: 'B-2' })
  const again = await call(upload.resendTraceUpload, { id, batch: 'B-2' })
  expect(statusAndCode(again)).toEqual([409, 'traceUpload.state'])
  await run()
  expect(await statesOf(codeOf(51))).toEqual(['receipt accepted', 'sale accepted'])
  platform.how.refuses = () => null
})

test('killed before it kept the answer it tells again; answers that are repeated change nothing', async () => {
  await enter([codeOf(61)])
  // As it stands after a kill: taken by the platform, and here only sent.
  await run()
  const [told] = await uploadsOf(codeOf(61))
  const id = told?.id ?? 0
  await sql`update trace_upload set state = 'sent', answered_at = null, next_try_at = ${now}
    where id = ${id}`.execute(world.services.db)
  platform.how.repeats = [{ id, outcome: 'refused', reason: 'late' }]
  await Promise.all([run(), run()])
  expect(await statesOf(codeOf(61))).toEqual(['receipt accepted'])
  expect(takenOf(codeOf(61))).toEqual(['receipt'])
  await enter([codeOf(62)])
  await run()
  expect(await statesOf(codeOf(61))).toEqual(['receipt accepted'])
  platform.how.repeats = []
})

test('a wrong secret is told as what it is, and nothing is lost by it', async () => {
  await ask(upload.putTraceAccount, {
    merchantId,
    enterpriseNo: 'E-1',
    address: 'https://platform.example.com/t',
    secret: 'another',
  })
  await sql`update trace_account set address = ${platform.address}`.execute(world.services.db)
  await enter([codeOf(71)])
  await run()
  expect((await uploadsOf(codeOf(71)))[0]).toMatchObject({ state: 'sent', problem: '401' })
  await ask(upload.putTraceAccount, {
    merchantId,
    enterpriseNo: 'E-1',
    address: 'https://a.example.com',
    secret: SECRET,
  })
  await sql`update trace_account set address = ${platform.address}`.execute(world.services.db)
  await run(1_440)
  expect(await statesOf(codeOf(71))).toEqual(['receipt accepted'])
})
