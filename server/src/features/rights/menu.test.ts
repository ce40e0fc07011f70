import { getUserResource, type MenuGroup } from '@aisle/contract/identity/session'
import { arrangeMenu, editMenuItem, getMenu, resetMenu } from '@aisle/contract/rights/menu'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { openRights, type Person, type RightsWorld } from './testing'

let rights: RightsWorld
let admin: Person
let manager: Person
let worker: Person

beforeAll(async () => {
  rights = await openRights()
  admin = await rights.person({ merchantId: rights.platformId, kind: 'platform_admin', grants: ['*'] })
  manager = await rights.person({ grants: ['*'] })
  worker = await rights.person({ kind: 'ordinary', grants: ['order.read', 'machine.read'] })
})
afterAll(() => rights.close())
beforeEach(() => sql`delete from menu_change`.execute(rights.world.services.db))

async function groupsOf(person: Person, language = 'en'): Promise<MenuGroup[]> {
  const { body } = await rights.http.call(getUserResource, { language }, { token: person.token })
  return (body.userInfo as { menuJsonTree: { children: MenuGroup[] }[] }).menuJsonTree[0]?.children ?? []
}
const groupOf = async (person: Person, code: string) => (await groupsOf(person)).find((group) => group.code === code)
const titlesIn = (group: MenuGroup | undefined) => (group?.children ?? []).map(({ title }) => title)
const pathsIn = (group: MenuGroup | undefined) => (group?.children ?? []).map(({ path }) => path)

const item = { key: 'screen:jygl/ddgl', version: 0, titles: {}, icon: null, isHidden: null }

test('an entry is called what the merchant calls it, in the languages that it names, for all below', async () => {
  const input = { ...item, merchantId: rights.ours, titles: { en: 'Sales', zh: '' }, icon: null }
  expect((await manager.call(editMenuItem, input)).data).toEqual({ version: 1 })
  expect(titlesIn(await groupOf(worker, 'jygl'))).toContain('Sales')
  expect(titlesIn(await groupOf(admin, 'jygl'))).not.toContain('Sales')
  const french = (await groupsOf(worker, 'fr')).find((group) => group.code === 'jygl')
  expect(titlesIn(french)).not.toContain('Sales')
})

test('the nearest level decides; what it leaves open is as above, at last as shipped', async () => {
  const above = { ...item, merchantId: rights.platformId, titles: { en: 'Platform’s' }, isHidden: true }
  await admin.call(editMenuItem, above)
  expect(pathsIn(await groupOf(worker, 'jygl'))).not.toContain('/jygl/ddgl')
  await manager.call(editMenuItem, { ...item, merchantId: rights.ours, isHidden: false })
  expect(titlesIn(await groupOf(worker, 'jygl'))).toContain('Platform’s')
  await manager.call(resetMenu, { merchantId: rights.ours, key: item.key })
  expect(pathsIn(await groupOf(worker, 'jygl'))).not.toContain('/jygl/ddgl')
  await admin.call(resetMenu, { merchantId: rights.platformId })
  expect(pathsIn(await groupOf(worker, 'jygl'))).toContain('/jygl/ddgl')
})

test('entries are arranged and moved, and others stay behind those that were named', async () => {
  const keys = ['screen:jygl/ddcx', 'screen:shj/wdshj', 'screen:jygl/ddgl']
  const input = { merchantId: rights.ours, parent: 'group:jygl', keys }
  expect((await manager.call(arrangeMenu, input)).code).toBe('H0000')
  expect(pathsIn(await groupOf(worker, 'jygl')).slice(0, 3)).toEqual(['/jygl/ddcx', '/shj/wdshj', '/jygl/ddgl'])
  expect(pathsIn(await groupOf(worker, 'shj'))).not.toContain('/shj/wdshj')
  const top = { merchantId: rights.ours, parent: null, keys: ['group:jygl', 'group:home'] }
  expect((await manager.call(arrangeMenu, top)).code).toBe('H0000')
  expect((await groupsOf(worker)).slice(0, 2).map(({ code }) => code)).toEqual(['jygl', 'home'])
  const { data } = await manager.call<{ changed: number }>(resetMenu, { merchantId: rights.ours })
  expect(data.changed).toBeGreaterThan(3)
  expect((await groupsOf(worker))[0]?.code).toBe('home')
})

test.each([
  ['a group below a group', 'group:jygl', ['group:shj'], 'menu.wrongHolder'],
  ['a page on top', null, ['screen:jygl/ddgl'], 'menu.wrongHolder'],
  ['a section in a section', 'section:xtgl/zfsz', ['section:xtgl/dagl'], 'menu.wrongHolder'],
  ['what there is not', 'group:jygl', ['screen:jygl/none'], 'menu.unknown'],
  ['below what there is not', 'group:none', ['screen:jygl/ddgl'], 'menu.unknown'],
])('%s is refused', async (_, parent, keys, code) => {
  expect((await manager.call(arrangeMenu, { merchantId: rights.ours, parent, keys })).code).toBe(code)
})

test('another merchant’s menu is not there, and two who edit one entry are told', async () => {
  const theirs = { merchantId: rights.theirs }
  expect((await manager.call(getMenu, theirs)).code).toBe('request.notFound')
  expect((await manager.call(editMenuItem, { ...item, ...theirs })).code).toBe('request.notFound')
  expect((await manager.call(resetMenu, theirs)).code).toBe('request.notFound')
  const ours = { ...item, merchantId: rights.ours }
  expect((await manager.call(editMenuItem, { ...ours, isHidden: true })).code).toBe('H0000')
  const late = await admin.call(editMenuItem, { ...ours, isHidden: false })
  expect([late.code, late.fields.map(({ path }) => path)]).toEqual(['edit.stale', ['isHidden', 'version']])
  expect((await manager.call(editMenuItem, { ...ours, key: 'screen:none' })).code).toBe('menu.unknown')
  expect((await manager.call(editMenuItem, { ...ours, version: 1, icon: 'skull' })).code).toBe('menu.unknown')
})

test('hiding the menu’s own management keeps nobody from it', async () => {
  await admin.call(editMenuItem, { ...item, key: 'group:xtgl', merchantId: rights.platformId, isHidden: true })
  expect(await groupOf(admin, 'xtgl')).toBeUndefined()
  const { data } = await admin.call<{ items: { key: string; isHidden: boolean }[]; changed: number }>(getMenu)
  expect(data.items.find(({ key }) => key === 'group:xtgl')?.isHidden).toBe(true)
  expect((await admin.call(resetMenu, { merchantId: rights.platformId })).code).toBe('H0000')
  expect(await groupOf(admin, 'xtgl')).toBeDefined()
})

test('where neither a merchant nor one below it has a pharmacy, its people see no medicines', async () => {
  const { db } = rights.world.services
  const below = sql`path @> array[${rights.ours}]::bigint[]`
  expect(await groupOf(manager, 'ypgl')).toBeDefined()
  await sql`update merchant set has_pharmacy = false where ${below}`.execute(db)
  expect([await groupOf(manager, 'ypgl'), (await groupOf(admin, 'ypgl'))?.code]).toEqual([undefined, 'ypgl'])
  await sql`update merchant set has_pharmacy = true where ${below}`.execute(db)
})
