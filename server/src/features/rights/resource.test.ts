import { getUserInfo, getUserResource } from '@aisle/contract/identity/session'
import {
  createExternal,
  deleteExternal,
  editExternal,
  getResource,
  listResources,
  switchOff,
  switchOn,
} from '@aisle/contract/rights/resource'
import { listRoles, setPermissions } from '@aisle/contract/rights/role'
import { getMenu } from '@aisle/contract/rights/menu'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRights, type Person, type RightsWorld } from './testing'

let rights: RightsWorld
let admin: Person
let worker: Person

beforeAll(async () => {
  rights = await openRights()
  admin = await rights.person({ merchantId: rights.platformId, kind: 'platform_admin', grants: ['*'] })
  worker = await rights.person({ kind: 'ordinary', grants: ['order.*', 'ext.shop'] })
})
afterAll(() => rights.close())
beforeEach(async () => {
  await sql`delete from resource_off`.execute(rights.world.services.db)
  await sql`delete from external_resource`.execute(rights.world.services.db)
})

const menusOf = async (person: Person, language = 'en') =>
  JSON.stringify((await rights.http.call(getUserResource, { language }, { token: person.token })).body.userInfo)
const shop = {
  code: 'ext.shop',
  titles: { en: 'Spare parts', fr: 'Pièces' },
  url: 'https://parts.example/',
  description: '',
  menuGroup: 'shj',
}

test('every permission stands in the list with what it opens and who holds it', async () => {
  const { data } = await admin.call<{ items: { code: string }[] }>(listResources, { q: 'order.read' })
  expect(data.items.find(({ code }) => code === 'order.read')).toMatchObject({
    kind: 'function',
    state: 'on',
    userCount: 2,
  })
  const one = await admin.call<{ pages: { path: string }[]; roles: { name: string }[] }>(getResource, {
    code: 'order.read',
  })
  expect(one.data.pages.map(({ path }) => path)).toContain('/jygl/ddgl')
  expect(one.data.roles.map(({ name }) => name)).toContain(`Role of ${worker.account}`)
  expect((await admin.call(getResource, { code: 'order.fly' })).code).toBe('resource.unknown')
})

test('pages of the list follow each other without a gap', async () => {
  type Page = { items: { code: string }[]; nextCursor: string | null }
  const pageAfter = async (cursor: string | null): Promise<Page> =>
    (await admin.call<Page>(listResources, { pageSize: 50, ...(cursor ? { cursor } : {}) })).data
  const pages = [await pageAfter(null)]
  for (let next = pages[0]?.nextCursor; next; next = pages.at(-1)?.nextCursor) pages.push(await pageAfter(next))
  const codes = pages.flatMap(({ items }) => items.map(({ code }) => code))
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes).toContain('role.viewAs')
})

test('a function that is switched off is refused to everybody at once, with words, until it is on again', async () => {
  const other = await rights.person({ grants: ['menu.*', 'machine.read'] })
  expect((await other.call(getMenu)).code).toBe('H0000')
  const off = await admin.call(switchOff, { code: 'order.read', reason: 'Data is being moved' })
  expect(off.code).toBe('H0000')
  expect(await menusOf(worker)).not.toContain('/jygl/ddgl')
  const info = await worker.call<{ permissions: string[] }>(getUserInfo)
  expect(info.data.permissions).not.toContain('order.read')
  expect(info.data.permissions).not.toContain('order.*')
  expect((await admin.call<{ off: unknown }>(getResource, { code: 'order.read' })).data.off).toMatchObject({
    reason: 'Data is being moved',
    by: admin.account,
  })
  expect((await admin.call(switchOff, { code: 'order.read', reason: 'again' })).code).toBe('resource.state')
  expect((await admin.call(switchOn, { code: 'order.read' })).code).toBe('H0000')
  expect((await admin.call(switchOn, { code: 'order.read' })).code).toBe('resource.state')
  expect(await menusOf(worker)).toContain('/jygl/ddgl')
})

test('who calls what is switched off is told so, whatever they hold', async () => {
  await sql`insert into resource_off values ('role.read', 'Behind the back', now(), ${admin.id})`.execute(
    rights.world.services.db,
  )
  const answer = await admin.call(listRoles)
  expect([answer.status, answer.code]).toEqual([403, 'resource.off'])
})

test('what is needed to switch on again stays on, and merchants switch nothing', async () => {
  for (const code of ['resource.write', 'role.write', 'menu.write']) {
    expect((await admin.call(switchOff, { code, reason: 'no' })).code).toBe('resource.essential')
  }
  expect((await admin.call(switchOff, { code: 'order.fly', reason: 'no' })).code).toBe('resource.unknown')
  const manager = await rights.person({ grants: ['*'] })
  expect((await manager.call(switchOff, { code: 'order.read', reason: 'ours' })).code).toBe('role.protected')
  expect((await manager.call(switchOn, { code: 'order.read' })).code).toBe('role.protected')
  expect((await manager.call(createExternal, shop)).code).toBe('role.protected')
})

test('the address of another system is a menu for whoever holds its code, in the language there is', async () => {
  expect((await admin.call(createExternal, shop)).code).toBe('H0000')
  expect(await menusOf(worker)).toContain('https://parts.example/')
  expect(await menusOf(worker, 'fr')).toContain('"title":"Pièces"')
  expect(await menusOf(worker, 'zh')).toContain('"title":"Spare parts"')
  const stranger = await rights.person({ kind: 'ordinary', grants: ['order.read'] })
  expect(await menusOf(stranger)).not.toContain('parts.example')
  await admin.call(switchOff, { code: 'ext.shop', reason: 'moved' })
  expect(await menusOf(worker)).not.toContain('parts.example')
})

test('an address is changed by who read its newest version, and its code is taken once', async () => {
  const { data } = await admin.call<{ id: number }>(createExternal, shop)
  expect((await admin.call(createExternal, shop)).code).toBe('resource.codeTaken')
  expect((await admin.call(createExternal, { ...shop, code: 'ext.other', menuGroup: 'nowhere' })).code).toBe(
    'menu.unknown',
  )
  expect((await admin.call(createExternal, { ...shop, code: 'ext.other', titles: {} })).code).toBe('request.invalid')
  expect((await admin.call(createExternal, { ...shop, code: 'ext.other', url: 'javascript:1' })).code).toBe(
    'request.invalid',
  )
  const { code: _, ...facts } = shop
  const wanted = { ...facts, id: data.id, version: 1, url: 'https://new.example/' }
  expect((await admin.call(editExternal, wanted)).data).toEqual({ version: 2 })
  const late = await admin.call(editExternal, { ...wanted, url: 'https://late.example/' })
  expect([late.code, late.fields.map(({ path }) => path)]).toEqual(['edit.stale', ['url', 'version']])
  const manager = await rights.person({ grants: ['*'] })
  expect((await manager.call(editExternal, { ...wanted, version: 2 })).code).toBe('request.notFound')
  expect((await manager.call(deleteExternal, { id: data.id })).code).toBe('request.notFound')
})

test('an address that a role holds is not deleted', async () => {
  const { data } = await admin.call<{ id: number }>(createExternal, { ...shop, code: 'ext.crm' })
  const roleId = await rights.addRole({ merchantId: rights.ours, name: 'Sales' })
  await admin.call(setPermissions, { id: roleId, version: 1, permissions: ['ext.crm'] })
  const refused = await admin.call(deleteExternal, { id: data.id })
  expect(refused.code).toBe('request.inUse')
  expect(refused.msg).toContain('Sales')
  await admin.call(setPermissions, { id: roleId, version: 2, permissions: [] })
  expect((await admin.call(deleteExternal, { id: data.id })).code).toBe('H0000')
})
