import {
  addBatch,
  cancelBatch,
  extendBatch,
  getBatch,
  listBatches,
  listContentProducts,
  listReleased,
  previewBatch,
  releaseCodes,
} from '@aisle/contract/pickup/batch'
import {
  cancelPickupCode,
  getPickupCode,
  listPickupCodes,
  logOutPickupCode,
  markPickupCodeUsed,
  revealPickupCode,
  summarisePickupCodes,
} from '@aisle/contract/pickup/pickupCode'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { pickupCodeState } from '@aisle/contract/pickup/states'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { holdCodes, settleCodes } from './hold.commands'
import { jobs } from './pickup.jobs'
import { routes } from './pickup.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const DAY_MS = 86_400_000
let world: World
let http: HttpWorld
let platformId: number
let merchantId: number
let product: { id: number; code: string }
let machines: BuiltMachine[]
let token: string
let orderId = 900_000

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  platformId = await addMerchant(world.services.db)
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  world.setNow(NOON)
  const { db } = world.services
  merchantId = await addMerchant(db, { parentId: platformId })
  product = await addProduct(db, { merchantId })
  const build = { merchantId, products: [product] }
  machines = [await addMachine(db, build), await addMachine(db, build)]
  token = await enter(['pickupCode.*'])
})

let userId: number
async function enter(grants: string[]): Promise<string> {
  const { db, clock } = world.services
  userId = (await addUser(db, { merchantId, grants })).id
  return addSession(db, userId, clock.now())
}

const call = async (endpoint: Endpoint, input: Record<string, unknown>, as = token) => {
  const { status, body } = await http.call(endpoint, input, { token: as })
  return { status, code: String(body.code), data: (body.data ?? {}) as Record<string, never> }
}
const wanted = (more: Record<string, unknown> = {}) => ({
  merchantId,
  description: '周年礼品',
  content: product.code,
  quantity: 1,
  ...more,
})
const make = async (more: Record<string, unknown> = {}): Promise<number> => {
  const { code, data } = await call(addBatch, wanted(more))
  expect(code).toBe('H0000')
  return data.id ?? 0
}
const codesOf = async (batchId: number, more: Record<string, unknown> = {}): Promise<Record<string, unknown>[]> =>
  (await call(listPickupCodes, { batchId, ...more })).data.items ?? []
const run = async (name: string, payload: Record<string, number> = {}) => {
  const job = jobs.find((each) => each.name === name)
  if (!job) throw new Error(`no job ${name}`)
  await job.run(world.services, payload)
}
const plainOf = async (id: unknown): Promise<string> =>
  (await call(revealPickupCode, { id, reason: '顾客遗失卡片' })).data.code ?? ''

/** As an order.request at a machine takes it. */
async function hold(code: string, at = 0, products = [product.id]) {
  const { db, keys } = world.services
  orderId += 1
  const asked = {
    orderId,
    orderNo: `NO-${orderId}`,
    machine: { id: machines[at]?.id ?? 0, merchantId },
    code,
    items: products.map((productId) => ({ productId })),
    receivedAt: world.services.clock.now(),
  }
  const own = orderId
  const refused = await db.transaction().execute((tx) => holdCodes(tx, [asked], keys))
  return { orderId: own, refused: refused.get(own) ?? null }
}
const settle = (order: number, isDispensed: boolean) =>
  world.services.db
    .transaction()
    .execute((tx) =>
      settleCodes(tx, [
        { orderId: order, at: world.services.clock.now(), items: [{ productId: product.id, isDispensed }] },
      ]),
    )

test('what would be made is told before: goods, machines, half a year and the room in the limit', async () => {
  await sql`update merchant set pickup_code_limit = 5 where id = ${merchantId}`.execute(world.services.db)
  await make({ count: 2 })
  const content = `${product.code}*${product.code}`
  const told = await call(previewBatch, wanted({ content, quantity: 2, count: 3, pickupsAllowed: 4 }))
  expect(told.data).toMatchObject({
    goods: [{ code: product.code, quantity: 2, machines: 2 }],
    pieces: 8,
    machines: 2,
    complete: 2,
    limit: 5,
    inForce: 2,
    isOverLimit: false,
    expiresAt: '2027-05-20T16:00:00.000Z',
  })
  expect((await call(previewBatch, wanted({ count: 4 }))).data).toMatchObject({ isOverLimit: true })
  expect((await call(addBatch, wanted({ content, quantity: 1 }))).code).toBe('request.invalid')
  expect((await call(addBatch, wanted({ content: 'NOSUCHTHING' }))).code).toBe('pickupCode.unknownProduct')
  expect((await call(addBatch, wanted({ expiresOn: '2026-11-19' }))).code).toBe('pickupCode.badExpiry')
  expect((await call(addBatch, wanted({ expiresOn: '2036-11-19' }))).code).toBe('pickupCode.badExpiry')
  expect((await call(addBatch, wanted({ scope: 'machines' }))).code).toBe('request.invalid')
})

test.each(pickupCodeState.states)(
  'what is told of the room before is what the limit takes: a code that is %s',
  async (state) => {
    const { db } = world.services
    await sql`update merchant set pickup_code_limit = 2 where id = ${merchantId}`.execute(db)
    await make({ count: 2 })
    await sql`update pickup_code set state = ${state}, held_by = case when ${state} = 'in_use' then id end
    where merchant_id = ${merchantId}`.execute(db)
    const told = (await call(previewBatch, wanted({ count: 1 }))).data
    const counts = ['unused', 'in_use', 'partly_shipped', 'invalid'].includes(state)
    expect(told).toMatchObject({ inForce: counts ? 2 : 0, isOverLimit: counts })
    expect((await call(addBatch, wanted({ count: 1 }))).code).toBe(counts ? 'pickupCode.overLimit' : 'H0000')
  },
)

test('places and products of others are as good as none', async () => {
  const { db } = world.services
  const other = await addMerchant(db, { parentId: platformId })
  const theirs = await addProduct(db, { merchantId: other })
  const foreign = await addMachine(db, { merchantId: other, products: [theirs] })
  const scope = { scope: 'machines', machineIds: [foreign.id] }
  expect((await call(addBatch, wanted(scope))).code).toBe('pickupCode.unknownPlace')
  expect((await call(addBatch, wanted({ content: theirs.code }))).code).toBe('pickupCode.unknownProduct')
  expect((await call(listContentProducts, { merchantId: other })).data.items).toEqual([])
  expect((await call(addBatch, wanted({ merchantId: other }))).code).toBe('request.notFound')
})

test('sixty-four people make codes at once, and the limit holds to the last one', async () => {
  await sql`update merchant set pickup_code_limit = 100 where id = ${merchantId}`.execute(world.services.db)
  const answers = await Promise.all(Array.from({ length: 64 }, () => call(addBatch, wanted({ count: 7 }))))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(14)
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['H0000', 'pickupCode.overLimit']))
  const found = await sql<{ count: number }>`select count(*)::int as count from pickup_code
    where merchant_id = ${merchantId}`.execute(world.services.db)
  expect(found.rows[0]?.count).toBe(98)
})

test('codes that are invalid for a while count towards the limit: they come back', async () => {
  const { db } = world.services
  await sql`update merchant set pickup_code_limit = 5 where id = ${merchantId}`.execute(db)
  const batchId = await make({ count: 4 })
  await sql`update product set state = 'offline' where id = ${product.id}`.execute(db)
  await run('pickup.sweep')
  const named = await sql<{ name: string }>`select name from product where id = ${product.id}`.execute(db)
  expect((await codesOf(batchId))[0]).toMatchObject({ state: 'invalid', offlineGoods: named.rows[0]?.name })
  const other = await addProduct(db, { merchantId })
  expect((await call(previewBatch, wanted({ content: other.code, count: 2 }))).data).toMatchObject({
    inForce: 4,
    isOverLimit: true,
  })
  expect((await call(addBatch, wanted({ content: other.code, count: 2 }))).code).toBe('pickupCode.overLimit')
  expect((await call(addBatch, wanted({ content: other.code, count: 1 }))).code).toBe('H0000')
})

test('a product that is taken out of sale is out from that moment, and the code is good again with it', async () => {
  const { db } = world.services
  const other = await addProduct(db, { merchantId })
  const batchId = await make({ content: other.code })
  const id = (await codesOf(batchId))[0]?.id
  const code = await plainOf(id)
  await sql`update product set state = 'offline' where id = ${other.id}`.execute(db)
  // No job has run between.
  expect((await hold(code, 0, [other.id])).refused).toBe('codeInvalid')
  expect((await codesOf(batchId))[0]).toMatchObject({ state: 'unused', shipped: 0 })
  await sql`update product set state = 'online' where id = ${other.id}`.execute(db)
  expect((await hold(code, 0, [other.id])).refused).toBeNull()
})

test('one code in two cities at the same moment: one machine has it, and the log tells both sides', async () => {
  const { db } = world.services
  await sql`update point set city = case when id = (select point_id from machine where id = ${machines[0]?.id})
    then '北京' else '深圳' end where merchant_id = ${merchantId}`.execute(db)
  const id = (await codesOf(await make()))[0]?.id
  const code = await plainOf(id)
  const [first, second] = await Promise.all([hold(code, 0), hold(code, 1)])
  expect(new Set([first.refused, second.refused])).toEqual(new Set(['codeSpent', null]))
  const winner = first.refused ? second : first
  await settle(winner.orderId, true)
  const { data } = await call(getPickupCode, { id }, await enter(['pickupCode.read']))
  expect(data).toMatchObject({ state: 'fully_shipped', shipped: 1 })
  const events = data.events as unknown as Record<string, unknown>[]
  const kinds = ['dispensed', 'ended', 'held', 'made', 'refused', 'revealed']
  expect(events).toHaveLength(kinds.length)
  expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(kinds))
  const used = events.find(({ kind }) => kind === 'dispensed')
  const refused = events.find(({ kind }) => kind === 'refused')
  expect(used).toMatchObject({ orderNo: `NO-${winner.orderId}`, pieces: 1 })
  expect(refused).toMatchObject({ refusal: 'codeSpent' })
  expect(new Set([used?.machineCode, refused?.machineCode])).toEqual(new Set(machines.map((machine) => machine.code)))
})

test('what did not come out is free again, and a refusal tried again within a minute is one', async () => {
  const batchId = await make()
  const id = (await codesOf(batchId))[0]?.id
  const code = await plainOf(id)
  const held = await hold(code)
  expect((await call(cancelPickupCode, { id, reason: '发错了' })).code).toBe('pickupCode.inHand')
  await hold(code, 1)
  await hold(code, 1)
  await settle(held.orderId, false)
  const events = (await call(getPickupCode, { id })).data.events as unknown as Record<string, unknown>[]
  expect(events.filter(({ kind }) => kind === 'refused')).toHaveLength(1)
  expect(events.find(({ kind }) => kind === 'givenBack')).toMatchObject({ pieces: 1 })
  expect((await codesOf(batchId))[0]).toMatchObject({ state: 'unused', shipped: 0 })
})

test('a cancelled batch gives nothing from that moment, also what a machine gives back afterwards', async () => {
  await sql`update merchant set pickup_code_limit = 3 where id = ${merchantId}`.execute(world.services.db)
  const batchId = await make({ count: 3 })
  const codes = await codesOf(batchId)
  const [inHand, free] = [await plainOf(codes[0]?.id), await plainOf(codes[1]?.id)]
  const held = await hold(inHand)
  expect((await call(cancelBatch, { id: batchId, reason: '活动结束' })).status).toBe(200)
  expect((await hold(free)).refused).toBe('codeInvalid')
  await run('pickup.followBatch', { batchId })
  const states = (await codesOf(batchId)).map(({ state }) => String(state))
  expect(states.toSorted((a, b) => a.localeCompare(b))).toEqual(['cancelled', 'cancelled', 'in_use'])
  expect((await call(getBatch, { id: batchId })).data).toMatchObject({ state: 'cancelled', isFollowing: true })
  await settle(held.orderId, false)
  await run('pickup.sweep')
  expect(new Set((await codesOf(batchId)).map(({ state }) => state))).toEqual(new Set(['cancelled']))
  expect((await call(getBatch, { id: batchId })).data).toMatchObject({ isFollowing: false, cancelReason: '活动结束' })
  expect((await call(cancelBatch, { id: batchId, reason: '再来一次' })).code).toBe('pickupCode.cancelled')
  // Their room in the limit is free again.
  expect((await call(addBatch, wanted({ count: 3 }))).status).toBe(200)
})

test('a batch that is cancelled while it is made is made no further', async () => {
  const batchId = await make({ count: 12_000 })
  expect((await call(getBatch, { id: batchId })).data).toMatchObject({ state: 'making', made: 0 })
  await call(cancelBatch, { id: batchId, reason: '数量写错' })
  await run('pickup.makeCodes', { batchId })
  expect((await call(getBatch, { id: batchId })).data).toMatchObject({ state: 'cancelled', made: 0, byState: [] })
})

test('codes are good for longer when their batch is, and what is over stays over', async () => {
  const batchId = await make({ count: 2, expiresOn: '2026-11-21' })
  const codes = await codesOf(batchId)
  await call(logOutPickupCode, { id: codes[1]?.id, reason: '收回礼品卡' })
  expect((await call(extendBatch, { id: batchId, expiresOn: '2026-11-21' })).code).toBe('pickupCode.badExpiry')
  expect((await call(extendBatch, { id: batchId, expiresOn: '2026-12-31' })).status).toBe(200)
  const code = await plainOf(codes[0]?.id)
  // The day that stood on it before is over, and its code was not told yet.
  await goOn(3)
  await run('pickup.sweep')
  const stands = (await codesOf(batchId)).map(({ state, expiresAt }) => [state, Date.parse(String(expiresAt))])
  expect(stands).toEqual([
    ['unused', Date.parse('2026-12-31T16:00:00Z')],
    ['logged_out', Date.parse('2026-11-21T16:00:00Z')],
  ])
  expect((await hold(code)).refused).toBeNull()
  await goOn(60)
  expect((await call(extendBatch, { id: batchId, expiresOn: '2027-02-01' })).code).toBe('pickupCode.nothingLeft')
})

/** Days later, when a session of before is over. */
async function goOn(days: number): Promise<void> {
  world.setNow(new Date(NOON.getTime() + days * DAY_MS))
  token = await enter(['pickupCode.*'])
}

test('codes in clear: shown with a reason, printed and exported by who opened them, and nobody else', async () => {
  const { db } = world.services
  const batchId = await make({ count: 5 })
  const codes = await codesOf(batchId)
  const plain = await plainOf(codes[0]?.id)
  expect(plain).toMatch(/^[3-9A-Y]{10}$/)
  expect(plain.slice(-4)).toBe(codes[0]?.tail)
  const print = { id: batchId, use: 'print', fromSerial: 2, toSerial: 4 }
  const { data: opened } = await call(releaseCodes, print)
  expect(opened).toMatchObject({ count: 3 })
  const listed = await call(listReleased, { releaseId: opened.releaseId })
  const items = listed.data.items as unknown as { serial: number; code: string }[]
  expect(items.map(({ serial }) => serial)).toEqual([2, 3, 4])
  for (const { code } of items) expect(code).toMatch(/^[3-9A-Y]{10}$/)
  const opener = userId
  const colleague = await enter(['pickupCode.*'])
  expect((await call(listReleased, { releaseId: opened.releaseId }, colleague)).data.items).toEqual([])
  world.setNow(new Date(NOON.getTime() + 2 * DAY_MS))
  const late = await addSession(db, opener, world.services.clock.now())
  expect((await call(listReleased, { releaseId: opened.releaseId }, late)).data.items).toEqual([])
  const log = await sql<{ action: string; text: string }>`select action, coalesce(after::text, '') as text
    from audit_log where action like 'pickup.%' and merchant_id = ${merchantId} order by id`.execute(db)
  expect(log.rows.map(({ action }) => action)).toEqual([
    'pickup.addBatch',
    'pickup.revealPickupCode',
    'pickup.releaseCodes',
  ])
  expect(log.rows.some(({ text }) => text.includes(plain))).toBe(false)
  const kept = await sql<{ text: string }>`select coalesce(response::text, '') as text from idempotency_key`.execute(db)
  expect(kept.rows.some(({ text }) => text.includes(plain))).toBe(false)
})

test('verbs follow the states: what is partly out may be marked as used, what is over stays over', async () => {
  const batchId = await make({ pickupsAllowed: 2 })
  const id = (await codesOf(batchId))[0]?.id
  const reason = '柜台已补货'
  expect((await call(markPickupCodeUsed, { id, reason })).code).toBe('pickupCode.state')
  const held = await hold(await plainOf(id))
  await settle(held.orderId, true)
  expect((await codesOf(batchId))[0]).toMatchObject({ state: 'partly_shipped', shipped: 1, pieces: 2 })
  expect((await call(markPickupCodeUsed, { id, reason })).status).toBe(200)
  expect((await call(getPickupCode, { id })).data).toMatchObject({ state: 'used', reason })
  expect((await call(cancelPickupCode, { id, reason })).code).toBe('pickupCode.state')
  expect((await call(revealPickupCode, { id, reason })).code).toBe('pickupCode.state')
})

test('codes are found by all that is known of them, with what is left of their value', async () => {
  const batchId = await make({ count: 3, expiresOn: '2026-12-24' })
  const codes = await codesOf(batchId)
  await call(cancelPickupCode, { id: codes[0]?.id, reason: '作废一张' })
  const held = await hold(await plainOf(codes[1]?.id))
  const idsOf = async (filter: Record<string, unknown>) =>
    ((await call(listPickupCodes, filter)).data.items as unknown as { id: number }[]).map(({ id }) => id)
  const own = codes.map(({ id }) => id)
  expect(await idsOf({ tail: String(codes[2]?.tail) })).toContain(own[2])
  expect(await idsOf({ tail: `ACDEFG${String(codes[2]?.tail)}`, batchId })).toContain(own[2])
  expect(await idsOf({ state: 'cancelled' })).toEqual([own[0]])
  expect(await idsOf({ machineCode: machines[0]?.code })).toEqual([own[1]])
  expect(await idsOf({ product: product.code })).toEqual(own)
  expect(await idsOf({ description: '周年', from: '2026-12-24', to: '2026-12-24' })).toEqual(own)
  expect(await idsOf({ from: '2026-12-25' })).toEqual([])
  const price = await sql<{ fen: number }>`select price_fen as fen from product where id = ${product.id}`.execute(
    world.services.db,
  )
  const fen = price.rows[0]?.fen ?? 0
  const { data } = await call(listPickupCodes.count, { batchId })
  expect(data.sums).toEqual({ valueFen: 3 * fen, leftFen: 2 * fen })
  await settle(held.orderId, true)
  expect((await call(listPickupCodes.count, { batchId })).data.sums).toEqual({ valueFen: 3 * fen, leftFen: fen })
  expect((await call(summarisePickupCodes, {})).data).toMatchObject({ unused: 1, inUse: 0, expiring: 0 })
  expect((await call(listBatches, { q: String(batchId) })).data.items).toMatchObject([
    { id: batchId, count: 3, made: 3 },
  ])
})
