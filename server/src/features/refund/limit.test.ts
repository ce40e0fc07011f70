import { getRefund } from '@aisle/contract/refund/refund'
import { applyRefund, approveRefund } from '@aisle/contract/refund/verbs'
import { resetSetting, saveSetting } from '@aisle/contract/system/setting'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addSession, addUser } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { routes as settingRoutes } from '../system/setting.routes'
import { routes } from './refund.routes'
import { NOON, openShop, type Shop } from './testing'

let shop: Shop
let http: HttpWorld
let rootId: number
const limit = { key: 'refund.secondPersonFen' }
let count = 0

beforeAll(async () => {
  shop = await openShop()
  http = await openHttp(shop.world, routesWith(...routes, ...settingRoutes))
  const root = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(shop.db)
  rootId = root.rows[0]?.id ?? 0
})
afterAll(async () => {
  await http.close()
  await shop.close()
})

async function person(merchantId: number, kind: 'platform_admin' | 'merchant_admin' = 'merchant_admin') {
  const token = await addSession(shop.db, (await addUser(shop.db, { merchantId, kind, grants: ['*'] })).id, NOON)
  return async (endpoint: Endpoint, input: Record<string, unknown>) => {
    const { body } = await http.call(endpoint, input, { token })
    return { code: body.code, data: Object(body.data) }
  }
}

/** Asked for ten yuan of an order that came out. */
async function asked(by: Awaited<ReturnType<typeof person>>) {
  const machine = await shop.newMachine()
  count += 1
  const orderNo = await shop.bought(machine, `L-${count}`)
  await shop.vended(machine, `L-${count}`, [true, true])
  return (await by(applyRefund, { orderNo, amountFen: 1000, reason: 'asked' })).data
}

test('whom a limit holds lowers it, and raises it in no way; the platform does', async () => {
  const boss = await person(shop.merchantId)
  const platform = await person(rootId, 'platform_admin')
  const save = (by: typeof boss, value: number, version: number) =>
    by(saveSetting, { ...limit, value, version, merchantId: shop.merchantId })
  expect((await save(boss, 5_001, 0)).code).toBe('setting.raisedByPlatform')
  expect((await save(boss, 600, 0)).code).toBe('H0000')
  expect((await save(boss, 601, 1)).code).toBe('setting.raisedByPlatform')
  expect((await boss(resetSetting, { ...limit, version: 1 })).code).toBe('setting.raisedByPlatform')
  expect((await save(platform, 700, 1)).code).toBe('H0000')
  expect((await platform(resetSetting, { ...limit, version: 2, merchantId: shop.merchantId })).code).toBe('H0000')
})

test('what was asked for above the limit is approved by another, however high the limit is since', async () => {
  const boss = await person(shop.merchantId)
  const platform = await person(rootId, 'platform_admin')
  const own = { ...limit, merchantId: shop.merchantId }
  expect((await platform(saveSetting, { ...own, value: 600, version: 0 })).code).toBe('H0000')
  const { id, state } = await asked(boss)
  expect(state).toBe('pending_review')
  expect((await platform(saveSetting, { ...own, value: 100_000, version: 1 })).code).toBe('H0000')
  expect((await boss(approveRefund, { id })).code).toBe('refund.ownRequest')
  expect((await boss(getRefund, { id })).data).toMatchObject({ isOwnAboveLimit: true })
  expect((await platform(approveRefund, { id })).code).toBe('H0000')
})
