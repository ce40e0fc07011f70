import {
  addBatch,
  cancelBatch,
  extendBatch,
  listBatches,
  previewBatch,
  releaseCodes,
} from '@aisle/contract/pickup/batch'
import {
  cancelPickupCode,
  getPickupCode,
  listPickupCodes,
  logOutPickupCode,
  revealPickupCode,
  summarisePickupCodes,
} from '@aisle/contract/pickup/pickupCode'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes } from './pickup.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let rootId: number
let merchantId: number
let product: { id: number; code: string }
let machines: BuiltMachine[]
let token: string

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  rootId = await addMerchant(world.services.db)
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  const { db, clock } = world.services
  merchantId = await addMerchant(db, { parentId: rootId })
  product = await addProduct(db, { merchantId })
  const build = { merchantId, products: [product] }
  machines = [await addMachine(db, build), await addMachine(db, build)]
  const administrator = await addUser(db, { merchantId, grants: ['pickupCode.*'] })
  token = await addSession(db, administrator.id, clock.now())
})

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
const codesOf = async (batchId: number): Promise<Record<string, unknown>[]> =>
  (await call(listPickupCodes, { batchId })).data.items ?? []

test('who sees some machines sees the codes that are good there, and ends only those good nowhere else', async () => {
  const { db, clock } = world.services
  const [seen, other] = machines.map(({ id }) => id)
  const machineIds = [seen ?? 0]
  const worker = await addUser(db, { merchantId, kind: 'ordinary', grants: ['pickupCode.*'], machineIds })
  const as = await addSession(db, worker.id, clock.now())
  const own = await make({ scope: 'machines', machineIds, count: 2 })
  const elsewhere = await make({ scope: 'machines', machineIds: [other] })
  const everywhere = await make({ count: 3 })
  const listed = await call(listBatches, {}, as)
  expect((listed.data.items as unknown as { id: number }[]).map(({ id }) => id)).toEqual([everywhere, own])
  expect((await call(listPickupCodes.count, {}, as)).data.total).toBe(5)
  expect((await call(summarisePickupCodes, {}, as)).data).toMatchObject({ unused: 5 })
  const idOf = async (batchId: number) => (await codesOf(batchId))[0]?.id
  const reason = '顾客遗失卡片'
  const verbs = [revealPickupCode, cancelPickupCode, logOutPickupCode]
  const ask = async (batchId: number) => {
    const id = await idOf(batchId)
    const answers = [(await call(getPickupCode, { id }, as)).code]
    for (const verb of verbs) answers.push((await call(verb, { id, reason }, as)).code)
    const pages = { id: batchId, use: 'print', fromSerial: 1, toSerial: 1 }
    return [
      ...answers,
      (await call(releaseCodes, pages, as)).code,
      (await call(cancelBatch, { id: batchId, reason }, as)).code,
    ]
  }
  const unseen = 'pickupCode.unseen'
  expect(await ask(elsewhere)).toEqual(Array.from({ length: 6 }, () => 'request.notFound'))
  expect(await ask(everywhere)).toEqual(['H0000', unseen, unseen, unseen, unseen, unseen])
  expect((await call(revealPickupCode, { id: await idOf(own), reason }, as)).code).toBe('H0000')
  expect((await call(cancelPickupCode, { id: await idOf(own), reason }, as)).code).toBe('H0000')
  expect((await call(cancelBatch, { id: own, reason }, as)).code).toBe('H0000')
})

test('who sees some machines makes and extends no codes that give goods out of others', async () => {
  const { db, clock } = world.services
  const machineIds = [machines[0]?.id ?? 0]
  const worker = await addUser(db, { merchantId, kind: 'ordinary', grants: ['pickupCode.*'], machineIds })
  const as = await addSession(db, worker.id, clock.now())
  expect(await call(addBatch, wanted(), as)).toMatchObject({ status: 403, code: 'pickupCode.beyond' })
  const pointIds = (
    await sql<{ id: number }>`select point_id as id from machine
    where id = any(${machines.map(({ id }) => id)}::bigint[])`.execute(db)
  ).rows.map(({ id }) => id)
  const atPoints = wanted({ scope: 'points', pointIds: [...new Set(pointIds)] })
  expect((await call(previewBatch, atPoints, as)).code).toBe('pickupCode.beyond')
  const own = await call(addBatch, wanted({ scope: 'machines', machineIds }), as)
  expect(own.code).toBe('H0000')
  expect((await call(extendBatch, { id: own.data.id, expiresOn: '2027-12-01' }, as)).code).toBe('H0000')
  const all = await make()
  expect((await call(extendBatch, { id: all, expiresOn: '2027-12-01' }, as)).code).toBe('pickupCode.beyond')
  await sql`update machine_grant_user set ends_at = '2028-01-01' where user_id = ${worker.id}`.execute(db)
  const longer = await call(extendBatch, { id: own.data.id, expiresOn: '2028-06-01' }, as)
  expect(longer.code).toBe('pickupCode.beyond')
})
