import { SURFACE_HEADER } from '@aisle/contract/rights/surface'
import { permissions } from '@aisle/contract/permissions'
import { getUserInfo, getUserResource } from '@aisle/contract/identity/session'
import {
  copyRole,
  createRole,
  deleteRole,
  editRole,
  getPermissionTree,
  getRole,
  listRoles,
  previewPermissions,
  setPermissions,
} from '@aisle/contract/rights/role'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRights, type Person, type RightsWorld } from './testing'

let rights: RightsWorld
let admin: Person
let manager: Person
let clerk: Person

const managerGrants = ['role.*', 'order.*', 'machine.read', 'refund.read']

beforeAll(async () => {
  rights = await openRights()
  admin = await rights.person({ merchantId: rights.platformId, kind: 'platform_admin', grants: ['*'] })
  manager = await rights.person({ grants: managerGrants })
  clerk = await rights.person({ kind: 'ordinary' })
})
afterAll(() => rights.close())

let made = 0
const roleOf = (grants: readonly string[], holders: readonly Person[] = []) => {
  made += 1
  return rights.addRole({ merchantId: rights.ours, name: `Made ${made}`, grants, holders })
}
const permissionsOf = async (id: number) =>
  (await admin.call<{ permissions: string[]; version: number }>(getRole, { id })).data.permissions.sort()
const pathsOf = async (person: Person) =>
  JSON.stringify((await rights.http.call(getUserResource, {}, { token: person.token })).body.userInfo)

test('a role is made, described and found, and its name is taken once a merchant', async () => {
  const { data, code } = await manager.call<{ id: number }>(createRole, { name: 'Night shift', type: 'operation' })
  expect(code).toBe('H0000')
  const found = await manager.call<{ items: unknown[] }>(listRoles, { q: 'night' })
  expect(found.data.items).toMatchObject([
    { id: data.id, name: 'Night shift', surface: 'web', origin: 'merchant', userCount: 0, permissionCount: 0 },
  ])
  expect((await manager.call(createRole, { name: 'Night shift' })).code).toBe('role.nameTaken')
  expect((await admin.call(createRole, { name: 'Night shift', merchantId: rights.theirs })).code).toBe('H0000')
})

test('of two who give two roles one name at once, the second is told that it is taken', async () => {
  const [first, second] = [await roleOf([]), await roleOf([])]
  const { db } = rights.world.services
  const { answer } = await db.transaction().execute(async (tx) => {
    await sql`update role set name = 'Wanted by two' where id = ${first}`.execute(tx)
    // Held back, since the first is not there yet for those who look.
    const wanted = { id: second, version: 1, name: 'Wanted by two', type: 'other', description: '' }
    const answer = manager.call(editRole, wanted)
    await expect
      .poll(async () => (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length)
      .toBeGreaterThan(0)
    return { answer }
  })
  expect((await answer).code).toBe('role.nameTaken')
})

test('nobody makes a role at a merchant out of sight, nor a template but the platform', async () => {
  expect((await manager.call(createRole, { name: 'Spy', merchantId: rights.theirs })).code).toBe('request.notFound')
  expect((await manager.call(createRole, { name: 'Mould', isTemplate: true })).code).toBe('role.protected')
  expect((await admin.call(createRole, { name: 'Mould', isTemplate: true })).code).toBe('H0000')
})

test('a role out of sight is as one that is not there, a template is seen and copied but not changed', async () => {
  const theirs = await rights.addRole({ merchantId: rights.theirs, name: 'Hidden' })
  for (const endpoint of [getRole, deleteRole, editRole, copyRole, setPermissions, previewPermissions]) {
    const input = { id: theirs, version: 1, name: 'x', type: 'other', description: '', permissions: [] }
    const fits = Object.fromEntries(Object.entries(input).filter(([name]) => name in endpoint.input.shape))
    expect((await manager.call(endpoint, fits)).code).toBe('request.notFound')
  }
  const template = await rights.addRole({
    merchantId: rights.platformId,
    name: 'Template',
    grants: ['order.read'],
    isTemplate: true,
  })
  expect((await manager.call(getRole, { id: template })).data).toMatchObject({ origin: 'template', isEditable: false })
  const change = { id: template, version: 1, permissions: [] }
  expect((await manager.call(setPermissions, change)).code).toBe('role.protected')
  expect((await manager.call(deleteRole, { id: template })).code).toBe('role.protected')
  const copied = await manager.call<{ id: number; leftOut: number }>(copyRole, { id: template, name: 'Our own' })
  expect(copied.data.leftOut).toBe(0)
  expect(await permissionsOf(copied.data.id)).toEqual(['order.read'])
})

test('a copy grants no more than who made it holds', async () => {
  const id = await roleOf(['order.read', 'alarm.read', 'feedback.read'])
  const copied = await manager.call<{ id: number; leftOut: number }>(copyRole, { id, name: 'Lesser' })
  expect(copied.data.leftOut).toBe(2)
  expect(await permissionsOf(copied.data.id)).toEqual(['order.read'])
})

test('nor what a noun will have one day, by who holds all that it has today', async () => {
  const codes = permissions.filter(({ noun }) => noun === 'alarm').map(({ code }) => code)
  const holder = await rights.person({ grants: ['role.*', ...codes] })
  const id = await roleOf(['alarm.*'])
  const copied = await holder.call<{ id: number; leftOut: number }>(copyRole, { id, name: 'Of today' })
  expect(copied.data.leftOut).toBe(0)
  expect(await permissionsOf(copied.data.id)).toEqual([...codes].sort())
})

test('whoever changes a row that somebody else changed since is told what', async () => {
  const id = await roleOf([])
  const wanted = { id, version: 1, name: 'Renamed', type: 'service', description: 'first' }
  expect((await manager.call(editRole, wanted)).data).toEqual({ version: 2 })
  const second = await admin.call(editRole, { ...wanted, description: 'second' })
  expect([second.code, second.fields.map(({ path }) => path)]).toEqual(['edit.stale', ['description', 'version']])
  const third = await admin.call(setPermissions, { id, version: 1, permissions: ['order.read'] })
  expect(third.code).toBe('edit.stale')
  const other = await roleOf([])
  expect((await manager.call(editRole, { ...wanted, id: other })).code).toBe('role.nameTaken')
})

test('a role that people hold is not deleted, and they are named', async () => {
  const id = await roleOf([], [clerk])
  const refused = await manager.call(deleteRole, { id })
  expect([refused.code, refused.status]).toEqual(['request.inUse', 409])
  expect(refused.fields.map(({ msg }) => msg).join()).toContain(clerk.account)
  await sql`delete from user_role where role_id = ${id}`.execute(rights.world.services.db)
  expect((await manager.call(deleteRole, { id })).code).toBe('H0000')
  expect((await manager.call(getRole, { id })).code).toBe('request.notFound')
})

test('nobody gives or takes what they do not hold', async () => {
  const id = await roleOf(['alarm.read'])
  const give = await manager.call(setPermissions, { id, version: 1, permissions: ['alarm.read', 'machine.write'] })
  expect([give.code, give.status]).toEqual(['role.notYours', 403])
  expect((await manager.call(setPermissions, { id, version: 1, permissions: [] })).code).toBe('role.notYours')
  const permissions = ['alarm.read', 'order.read', 'refund.read']
  expect((await manager.call(setPermissions, { id, version: 1, permissions })).code).toBe('H0000')
  expect(await permissionsOf(id)).toEqual(permissions)
})

test('what no version of the product knows is not given, and what grants everything is not taken apart', async () => {
  const id = await roleOf([])
  expect((await admin.call(setPermissions, { id, version: 1, permissions: ['order.fly'] })).code).toBe(
    'role.unknownPermission',
  )
  expect((await admin.call(previewPermissions, { id, permissions: ['order.fly'] })).code).toBe('role.unknownPermission')
  const all = await roleOf(['*'])
  expect((await admin.call(setPermissions, { id: all, version: 1, permissions: [] })).code).toBe('role.protected')
  expect((await admin.call(deleteRole, { id: all })).code).toBe('role.protected')
})

test('the preview says which menus come and go and for how many people it makes a difference', async () => {
  const other = await rights.person({ kind: 'ordinary', grants: ['order.read'] })
  const id = await roleOf(['machine.read'], [clerk, other])
  const { data } = await manager.call<{ menus: { appear: { path: string }[]; vanish: { path: string }[] } }>(
    previewPermissions,
    { id, permissions: ['order.read'] },
  )
  expect(data.menus.appear.map(({ path }) => path)).toContain('/jygl/ddgl')
  expect(data.menus.vanish.map(({ path }) => path)).toContain('/shj/wdshj')
  expect(data).toMatchObject({ granted: ['order.read'], taken: ['machine.read'], users: 2, untouched: 0 })
  const only = await manager.call(previewPermissions, { id, permissions: ['machine.read', 'order.read'] })
  expect(only.data).toMatchObject({ granted: ['order.read'], taken: [], users: 2, untouched: 1 })
  expect(await permissionsOf(id)).toEqual(['machine.read'])
})

test('what is given and taken holds for the very next call of whoever is signed in', async () => {
  const worker = await rights.person({ kind: 'ordinary' })
  const id = await roleOf([], [worker])
  expect((await worker.call(listRoles)).code).toBe('request.notPermitted')
  expect(await pathsOf(worker)).not.toContain('/xtgl/cxtgl/jsgl')
  await manager.call(setPermissions, { id, version: 1, permissions: ['role.read'] })
  expect((await worker.call(listRoles)).code).toBe('H0000')
  expect(await pathsOf(worker)).toContain('/xtgl/cxtgl/jsgl')
  await manager.call(setPermissions, { id, version: 2, permissions: [] })
  expect((await worker.call(listRoles)).code).toBe('request.notPermitted')
})

const onPhone = { [SURFACE_HEADER]: 'app' }

test('on the phone app roles count, and who has none may there what they may at the desk', async () => {
  const atDesk = { merchantId: rights.ours, name: 'At the desk', grants: ['role.read'] }
  const clerk = await rights.person({ kind: 'ordinary' })
  await rights.addRole({ ...atDesk, holders: [clerk] })
  expect((await clerk.call(listRoles, {}, onPhone)).code).toBe('H0000')
  await rights.addRole({ ...atDesk, name: 'Filling', grants: ['machine.read'], holders: [clerk], surface: 'app' })
  expect((await clerk.call(listRoles, {}, onPhone)).code).toBe('request.notPermitted')
  expect((await clerk.call(listRoles)).code).toBe('H0000')
})

test('a role of the app grants nothing in the back office', async () => {
  const worker = await rights.person({ kind: 'ordinary' })
  await rights.addRole({
    merchantId: rights.ours,
    name: 'On the road',
    grants: ['role.read'],
    holders: [worker],
    surface: 'app',
  })
  expect((await worker.call(listRoles)).code).toBe('request.notPermitted')
  expect((await worker.call(listRoles, {}, onPhone)).code).toBe('H0000')
  const info = await worker.call<{ roleChoices: { name: string }[] }>(getUserInfo)
  expect(info.data.roleChoices.map(({ name }) => name)).not.toContain('On the road')
})

test('the tree shows every permission, and which of them are the person’s own', async () => {
  type Tree = { groups: { resources: { key: string; actions: { code: string; isYours: boolean }[] }[] }[] }
  const { data } = await manager.call<Tree>(getPermissionTree)
  const actions = data.groups.flatMap((group) => group.resources.flatMap((resource) => resource.actions))
  const yours = new Set(actions.filter(({ isYours }) => isYours).map(({ code }) => code))
  expect(yours.has('order.read') && yours.has('role.viewAs')).toBe(true)
  expect(yours.has('machine.secret')).toBe(false)
  expect(actions.map(({ code }) => code)).toContain('machine.secret')
})
