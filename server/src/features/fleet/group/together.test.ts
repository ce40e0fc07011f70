import {
  addAssortment,
  getAssortment,
  listPlaceable,
  removeAssortment,
  setAssortment,
  stopAssortment,
} from '@aisle/contract/fleet/assortment'
import {
  addMachineGroup,
  addMembers,
  dropMembers,
  listGroupMachines,
  removeMachineGroup,
} from '@aisle/contract/fleet/group'
import {
  addOfficialAccount,
  editOfficialAccount,
  getOfficialAccount,
  hideAccount,
  linkFor,
  removeOfficialAccount,
  showAccount,
} from '@aisle/contract/fleet/officialAccount'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMachine, addProduct } from '../../../testing/builders'
import { addFamily, addSession, addUser, type Family } from '../../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../../testing/http'
import { routesWith } from '../../../testing/stubs'
import { openWorld, type World } from '../../../testing/world'
import { routes as assortmentRoutes } from '../assortment/assortment.routes'
import { allowedProducts, recommendedProducts } from '../assortment/assortment.store'
import { routes as groupRoutes } from './group'
import { routes as accountRoutes } from '../officialAccount/officialAccount'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let family: Family
let token: string
let machineIds: number[]

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...groupRoutes, ...assortmentRoutes, ...accountRoutes))
  family = await addFamily(world.services.db, NOON)
  const user = await addUser(world.services.db, { merchantId: family.ours.merchantId, grants: ['*'] })
  token = await addSession(world.services.db, user.id, NOON)
  machineIds = family.ours.machines.map(({ id }) => id)
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const call = async (...[endpoint, input]: Parameters<HttpWorld['call']>) => {
  const { status, body, text } = await http.call(endpoint, input, { token })
  return { status, code: body.code, data: (body.data ?? {}) as Record<string, unknown>, text }
}
const made = async (...asked: Parameters<HttpWorld['call']>) => Number((await call(...asked)).data.id)
const ours = () => ({ merchantId: family.ours.merchantId })
const theirs = () => family.theirs.machines[0]?.id ?? 0

test('all that a filter finds join a group when it still finds as many; machines of others never do', async () => {
  const id = await made(addMachineGroup, { ...ours(), name: 'Hospital cabinets' })
  const filter = { membership: 'out' }
  const changed = await call(addMembers, { id, machines: { filter, count: 9 } })
  expect(changed).toMatchObject({ status: 409, code: 'group.changed' })
  const all = await call(addMembers, { id, machines: { filter, count: 2 } })
  expect(all).toMatchObject({ status: 200, data: { changed: 2 } })
  expect(await call(addMembers, { id, machines: { machineIds: [theirs()] } })).toMatchObject({ status: 404 })
  const dropped = await call(dropMembers, { id, machines: { machineIds: [machineIds[0]] } })
  expect(dropped.data).toEqual({ changed: 1 })
  const { items } = (await call(listGroupMachines, { id, membership: 'in' })).data as { items: { id: number }[] }
  expect(items.map((each) => each.id)).toEqual([machineIds[1]])
})

test('an assortment holds for its machines and its groups; stopped or empty it restricts nothing', async () => {
  const { db } = world.services
  const [named, grouped] = machineIds
  const standing = family.ours.machines[0]?.slots[0]?.productId ?? 0
  const other = await addProduct(db, ours())
  const groupId = await made(addMachineGroup, { ...ours(), name: 'Offices' })
  await call(addMembers, { id: groupId, machines: { machineIds: [grouped] } })
  const id = await made(addAssortment, { ...ours(), name: 'Drinks' })
  const slots = [{ code: 'A1', productId: other.id }]
  const targets = { groupIds: [groupId], machineIds: [named] }
  const nothing = await call(setAssortment, { id, version: 1, productIds: [], slots, ...targets })
  expect(nothing).toMatchObject({ status: 422, code: 'assortment.notInIt' })
  await call(setAssortment, { id, version: 1, productIds: [], slots: [], ...targets })
  expect((await allowedProducts(db, machineIds)).size).toBe(0)
  await call(setAssortment, { id, version: 2, productIds: [other.id], slots, ...targets })
  const allowed = await allowedProducts(db, machineIds)
  expect(machineIds.map((each) => [...(allowed.get(each) ?? [])])).toEqual([[other.id], [other.id]])
  expect([...(await recommendedProducts(db, grouped ?? 0))]).toEqual([['A1', other.id]])
  const { data } = await call(getAssortment, { id })
  expect(data).toMatchObject({ machineCount: 2, strayCount: 2 })
  expect(standing).not.toBe(other.id)
  expect(await call(removeMachineGroup, { id: groupId })).toMatchObject({ status: 409, code: 'request.inUse' })
  expect(await call(removeAssortment, { id })).toMatchObject({ status: 409, code: 'request.inUse' })
  await call(stopAssortment, { id })
  expect((await allowedProducts(db, machineIds)).size).toBe(0)
})

test('products of merchants above may be named, those of others are not there', async () => {
  const { db } = world.services
  const above = await addProduct(db, { merchantId: family.platformId })
  const foreign = await addProduct(db, { merchantId: family.theirs.merchantId })
  const id = await made(addAssortment, { ...ours(), name: 'Everything' })
  const contents = { slots: [], groupIds: [], machineIds: [] }
  expect(await call(setAssortment, { id, version: 1, productIds: [foreign.id], ...contents })).toMatchObject({
    status: 404,
  })
  expect(await call(setAssortment, { id, version: 1, productIds: [above.id], ...contents })).toMatchObject({
    status: 200,
  })
  const { text } = await call(listPlaceable, { q: above.code })
  expect(text).toContain(above.code)
  expect((await call(listPlaceable, { q: foreign.code })).text).not.toContain(foreign.code)
})

test('the secret of an account is sealed and told to nobody; a machine shows one account a platform', async () => {
  const { db } = world.services
  const secret = 'not-for-anybody-0123456789'
  const account = { ...ours(), platform: 'wechat_account', link: 'https://m.example.com/{code}' }
  const id = await made(addOfficialAccount, { ...account, name: 'First', appId: 'wx1234567890', secret })
  const second = await made(addOfficialAccount, { ...account, name: 'Second', appId: 'wx2234567890' })
  const [machineId] = machineIds
  expect(await call(showAccount, { id, machineIds: [machineId] })).toMatchObject({ data: { shown: 1 } })
  expect(await call(showAccount, { id, machineIds: [theirs()] })).toMatchObject({ status: 404 })
  const { data, text } = await call(getOfficialAccount, { id })
  expect(data).toMatchObject({ hasSecret: true, machineCount: 1 })
  expect(text).not.toContain(secret)
  await call(editOfficialAccount, { id, version: 1, name: 'First', link: account.link, secret: `${secret}-2` })
  const kept = await sql<{ text: string }>`
    select row_to_json(o)::text as text from official_account o union all select row_to_json(l)::text from audit_log l
    union all select row_to_json(k)::text from idempotency_key k`.execute(db)
  expect(kept.rows.map((row) => row.text).join()).not.toContain(secret)
  expect(await call(removeOfficialAccount, { id })).toMatchObject({ status: 409, code: 'request.inUse' })
  await call(showAccount, { id: second, machineIds: [machineId] })
  expect((await call(getOfficialAccount, { id })).data).toMatchObject({ machineCount: 0 })
  await call(hideAccount, { id: second, machineIds: [machineId] })
  expect(await call(removeOfficialAccount, { id: second })).toMatchObject({ status: 200 })
})

test('a group may be shown an account at once, and a link that no code can carry is refused', async () => {
  const groupId = await made(addMachineGroup, { ...ours(), name: 'All' })
  await addMachine(world.services.db, { ...ours(), products: [] })
  await call(addMembers, { id: groupId, machines: { filter: {}, count: 3 } })
  const account = { ...ours(), platform: 'alipay_mini', name: 'Mini', appId: '2021000000000000' }
  const long = `https://m.example.com/${'x'.repeat(60)}/{code}?c={code}`
  expect(await call(addOfficialAccount, { ...account, link: long })).toMatchObject({ status: 422 })
  const id = await made(addOfficialAccount, { ...account, link: 'https://m.example.com/{code}' })
  expect(await call(showAccount, { id, groupId })).toMatchObject({ data: { shown: 3 } })
  expect(linkFor('https://m.example.com/{code}', 'HZ0101')).toBe('https://m.example.com/HZ0101')
})
