import * as contract from '@aisle/contract/advice/recommendation'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { sold } from '../testing.sold'
import { recommendProducts } from './recommend.jobs'
import { routes } from './recommend.routes'

const DAY_MS = 86_400_000
/** Goods are filled in when the test begins; the four weeks that are looked at begin after that. */
const NOW = new Date(Date.now() + 40 * DAY_MS)
let world: World
let http: HttpWorld
let merchantId: number
let ownId: number
let strangerId: number
let own: BuiltMachine
let others: BuiltMachine[]
let products: { usual: number; weak: number; wanted: number }

beforeAll(async () => {
  world = await openWorld(NOW)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  const platformId = await addMerchant(db)
  merchantId = await addMerchant(db, { parentId: platformId })
  const otherId = await addMerchant(db, { parentId: platformId })
  const userOf = async (id: number) =>
    (await addUser(db, { merchantId: id, grants: ['product.read', 'slot.*', 'template.*'] })).id
  ownId = await userOf(merchantId)
  strangerId = await userOf(otherId)
  const [usual, weak, wanted] = [
    await addProduct(db, { merchantId }),
    await addProduct(db, { merchantId }),
    await addProduct(db, { merchantId }),
  ]
  products = { usual: usual.id, weak: weak.id, wanted: wanted.id }
  own = await addMachine(db, { merchantId, products: [usual, weak] })
  others = []
  for (let n = 0; n < 4; n += 1) others.push(await addMachine(db, { merchantId, products: [usual, wanted] }))
  await sell(own.id, usual.id, 20)
  for (const machine of others) await sell(machine.id, usual.id, 14)
  for (const [at, machine] of others.entries()) await sell(machine.id, wanted.id, 8 + (at % 2))
  await sell(own.id, weak.id, 1)
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  world.setNow(NOW)
  const { db } = world.services
  await sql`delete from recommendation`.execute(db)
  await sql`update slot set product_id = ${products.weak}, next_product_id = null, next_at = null, next_capacity = null,
    next_price_fen = null where id = ${own.slots[1]?.id}`.execute(db)
  await sql`update product set state = 'online', medicine_class = null, kind = 'goods'`.execute(db)
})

/** So many a day for three yuan of margin each, on the 28 days before. */
const sell = (machineId: number, productId: number, pieces: number, from = -28, days = 28) =>
  sold(world.services.db, NOW, { machineId, productId, pieces, fen: 500, from, days })

type Asked = Parameters<HttpWorld['call']>
const call = async (endpoint: Asked[0], input: Asked[1], by = ownId) => {
  const token = await addSession(world.services.db, by, world.services.clock.now())
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: body.data as Record<string, unknown> }
}
const listed = async (by = ownId) =>
  (await call(contract.listRecommendations, {}, by)).data.items as contract.Recommendation[]
const only = async () => (await listed())[0]?.id ?? 0

test('what similar machines sell is recommended once, planned for the slot, and measured', async () => {
  await recommendProducts(world.services)
  const first = await listed()
  await recommendProducts(world.services)
  expect(await listed()).toEqual(first)
  expect(first).toMatchObject([
    { kind: 'add', state: 'open', machineCode: own.code, slotCode: 'A2', certainty: 'likely', seenFen: null },
  ])
  const [{ id, gainFen } = { id: 0, gainFen: 0 }] = first
  expect((await call(contract.getRecommendation, { id })).data).toMatchObject({
    machines: 5,
    machinesWith: 4,
    similar: others.map(() => ({ marginFen: expect.any(Number) as number })),
    outgoingFen: 3 * 30 * 100,
  })
  expect((await call(contract.acceptRecommendation, { id })).data).toMatchObject({ state: 'accepted' })
  const slot = await sql`select product_id::int as now, next_product_id::int as next from slot
    where id = ${own.slots[1]?.id}`.execute(world.services.db)
  expect(slot.rows).toEqual([{ now: products.weak, next: products.wanted }])
  await recommendProducts(world.services)
  expect(await listed()).toMatchObject([{ id, state: 'accepted', seenFen: null, seenDays: 0 }])
  await sql`update slot set product_id = ${products.wanted}, next_product_id = null, next_at = null,
    next_capacity = null, next_price_fen = null where id = ${own.slots[1]?.id}`.execute(world.services.db)
  await recommendProducts(world.services)
  await sell(own.id, products.wanted, 7, 0, 10)
  world.setNow(new Date(NOW.getTime() + 10 * DAY_MS))
  await recommendProducts(world.services)
  // Seven a day where one was, in 30 days.
  expect(await listed()).toMatchObject([{ id, gainFen, seenFen: 6 * 300 * 30, seenDays: 10 }])
  expect((await call(contract.acceptRecommendation, { id })).code).toBe('recommendation.state')
})

test('it is accepted into the template that the machine follows, while the slot is as it is there', async () => {
  const { db } = world.services
  const [at, line] = [own.slots[1]?.id, { capacity: 6, alarm: 1 }]
  const made = await sql<{ id: number }>`insert into template (merchant_id, name, remark, created_at, updated_at)
    values (${merchantId}, 'Ward', '', ${NOW}, ${NOW}) returning id`.execute(db)
  const templateId = made.rows[0]?.id
  await sql`insert into template_use (template_id, machine_id, version, applied_at)
    values (${templateId}, ${own.id}, 1, ${NOW})`.execute(db)
  await sql`insert into template_slot (template_id, layer, position, product_id, price_fen, capacity, alarm_threshold)
    select ${templateId}, layer, position, product_id, 900, ${line.capacity}, ${line.alarm} from slot
    where machine_id = ${own.id}`.execute(db)
  await recommendProducts(world.services)
  const id = await only()
  await sql`update template_slot set product_id = ${products.usual} where template_id = ${templateId}`.execute(db)
  expect((await call(contract.getRecommendation, { id })).data.template).toBeNull()
  expect((await call(contract.acceptIntoTemplate, { id })).code).toBe('recommendation.noTemplate')
  await sql`update template_slot l set product_id = s.product_id from slot s where s.machine_id = ${own.id}
    and s.layer = l.layer and s.position = l.position and l.template_id = ${templateId}`.execute(db)

  expect((await call(contract.getRecommendation, { id })).data.template).toEqual({
    id: templateId,
    name: 'Ward',
    machines: 1,
  })
  expect((await call(contract.acceptIntoTemplate, { id })).data).toEqual({ id, state: 'accepted' })
  expect((await call(contract.getRecommendation, { id })).data.acceptedInto).toEqual({ id: templateId, name: 'Ward' })
  const after = await sql`select l.product_id::int as "inTemplate", s.product_id::int as "inSlot", l.capacity, t.version
    from slot s join template t on t.id = ${templateId} join template_slot l on l.template_id = t.id
      and l.layer = s.layer and l.position = s.position
    where s.id = ${at}`.execute(db)
  expect(after.rows).toEqual([{ inTemplate: products.wanted, inSlot: products.weak, capacity: 6, version: 2 }])
  expect((await call(contract.acceptIntoTemplate, { id })).code).toBe('recommendation.state')
})

test.each([
  ['sold nowhere for the time being', sql`update product set state = 'offline' where id = `],
  ['a medicine that the licence forbids', sql`update product set kind = 'medicine', medicine_class = 'rx' where id = `],
])('what is %s is not recommended', async (_, change) => {
  await sql`${change}${products.wanted}`.execute(world.services.db)
  await recommendProducts(world.services)
  expect(await listed()).toEqual([])
})

test('what was turned down is not said again, and nobody accepts for a slot that has changed', async () => {
  const { db } = world.services
  await recommendProducts(world.services)
  const id = await only()
  await sql`update slot set product_id = null where id = ${own.slots[1]?.id}`.execute(db)
  expect((await call(contract.acceptRecommendation, { id })).code).toBe('recommendation.changed')
  await sql`update slot set product_id = ${products.weak} where id = ${own.slots[1]?.id}`.execute(db)
  expect((await call(contract.ignoreRecommendation, { id, reason: '' })).status).toBe(422)
  expect((await call(contract.ignoreRecommendation, { id, reason: 'too big for it' })).data.state).toBe('ignored')
  await recommendProducts(world.services)
  expect(await listed()).toMatchObject([{ id, state: 'ignored' }])
})

test('one that nobody has decided on goes when its facts do; strangers see none', async () => {
  await recommendProducts(world.services)
  const id = await only()
  expect(await listed(strangerId)).toEqual([])
  for (const endpoint of [contract.getRecommendation, contract.acceptRecommendation]) {
    expect((await call(endpoint, { id }, strangerId)).status).toBe(404)
  }
  world.setNow(new Date(NOW.getTime() + 60 * DAY_MS))
  await recommendProducts(world.services)
  expect(await listed()).toEqual([])
})
