import { getUserInfo, getUserResource, signOut } from '@aisle/contract/identity/session'
import { stopViewing, switchRole, viewAs } from '@aisle/contract/rights/acting'
import { createRole, listRoles, setPermissions } from '@aisle/contract/rights/role'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRights, type Person, type RightsWorld } from './testing'

let rights: RightsWorld
let admin: Person

beforeAll(async () => {
  rights = await openRights()
  admin = await rights.person({ merchantId: rights.platformId, kind: 'platform_admin', grants: ['*'] })
})
afterAll(() => rights.close())

type Info = {
  roles: string[]
  permissions: string[]
  activeRole: { id: number; name: string } | null
  viewedRole: { id: number; name: string } | null
  roleChoices: { id: number; name: string }[]
}
const infoOf = async (person: Person) => (await person.call<Info>(getUserInfo)).data
const menusOf = async (person: Person) =>
  JSON.stringify((await rights.http.call(getUserResource, {}, { token: person.token })).body.userInfo)
const role = (name: string, grants: readonly string[], holders: readonly Person[] = [], merchantId = rights.ours) =>
  rights.addRole({ merchantId, name, grants, holders })

test('who holds several roles acts with all of them, or with the one switched on', async () => {
  const person = await rights.person({ kind: 'ordinary', grants: ['role.read'] })
  const id = await role('Cashier', ['order.read'], [person])
  expect((await infoOf(person)).permissions.sort()).toEqual(['order.read', 'role.read'])
  expect((await person.call(switchRole, { roleId: id })).code).toBe('H0000')
  expect(await infoOf(person)).toMatchObject({
    permissions: ['order.read'],
    roles: ['Cashier'],
    activeRole: { id, name: 'Cashier' },
  })
  expect((await person.call(listRoles)).code).toBe('request.notPermitted')
  expect(await menusOf(person)).not.toContain('/xtgl/cxtgl/jsgl')
  expect((await person.call(switchRole, { roleId: null })).code).toBe('H0000')
  expect((await person.call(listRoles)).code).toBe('H0000')
  expect((await infoOf(person)).activeRole).toBeNull()
})

test('a role that the person does not hold can not be switched on', async () => {
  const person = await rights.person({ kind: 'ordinary' })
  const id = await role('Somebody else’s', ['*'])
  expect((await person.call(switchRole, { roleId: id })).code).toBe('acting.notHeld')
})

test('a switched-on role that is taken away leaves the person with the others', async () => {
  const person = await rights.person({ kind: 'ordinary', grants: ['role.read'] })
  const id = await role('Passing', ['order.read'], [person])
  await person.call(switchRole, { roleId: id })
  await sql`delete from user_role where role_id = ${id}`.execute(rights.world.services.db)
  expect(await infoOf(person)).toMatchObject({ permissions: ['role.read'], activeRole: null })
  await sql`delete from role where id = ${id}`.execute(rights.world.services.db)
  expect((await person.call(listRoles)).code).toBe('H0000')
})

test('seeing as a role shows what it may do, within the own rights, and writes nothing', async () => {
  const manager = await rights.person({ grants: ['role.*', 'order.read'] })
  const id = await role('Looked at', ['order.*', 'alarm.read', 'role.read', 'role.write'])
  expect((await manager.call(viewAs, { id })).code).toBe('H0000')
  const seen = await infoOf(manager)
  expect(seen).toMatchObject({ viewedRole: { id, name: 'Looked at' } })
  expect(seen.permissions.sort()).toEqual(['order.read', 'role.read', 'role.write'])
  expect(await menusOf(manager)).not.toContain('/shj/jqbj')
  expect((await manager.call(listRoles)).code).toBe('H0000')
  const write = await manager.call(createRole, { name: 'Not now' })
  expect([write.code, write.status]).toEqual(['viewing.readOnly', 403])
  expect((await manager.call(switchRole, { roleId: null })).code).toBe('viewing.readOnly')
  expect((await manager.call(stopViewing)).code).toBe('H0000')
  expect((await infoOf(manager)).viewedRole).toBeNull()
  expect((await manager.call(createRole, { name: 'Now' })).code).toBe('H0000')
})

test('only who may look, and only at roles in sight', async () => {
  const clerk = await rights.person({ kind: 'ordinary', grants: ['role.read'] })
  const id = await role('Out of reach', [], [], rights.theirs)
  expect((await clerk.call(viewAs, { id })).code).toBe('request.notPermitted')
  const manager = await rights.person({ grants: ['role.*'] })
  expect((await manager.call(viewAs, { id })).code).toBe('request.notFound')
  expect((await admin.call(viewAs, { id })).code).toBe('H0000')
  expect((await admin.call(stopViewing)).code).toBe('H0000')
  expect((await admin.call(stopViewing)).code).toBe('H0000')
})

test('who looks as a role may still sign out, and another session of theirs is not in it', async () => {
  const manager = await rights.person({ grants: ['role.*'] })
  const id = await role('Left behind', ['role.read'])
  const { rows } = await sql<{ n: number }>`select count(*) as n from session where view_role_id is not null`.execute(
    rights.world.services.db,
  )
  await manager.call(viewAs, { id })
  const after = await sql<{ n: number }>`select count(*) as n from session where view_role_id is not null`.execute(
    rights.world.services.db,
  )
  expect(after.rows[0]?.n).toBe((rows[0]?.n ?? 0) + 1)
  expect((await manager.call(signOut)).code).toBe('H0000')
  expect((await manager.call(getUserInfo)).code).toBe('S9999')
})

test('switching, looking and stopping are written down, and so is who changed a role', async () => {
  const manager = await rights.person({ grants: ['role.*', 'order.read'] })
  const id = await role('Written down', [], [manager])
  await manager.call(setPermissions, { id, version: 1, permissions: ['order.read'] })
  await manager.call(switchRole, { roleId: id })
  await manager.call(switchRole, { roleId: null })
  await manager.call(viewAs, { id })
  await manager.call(stopViewing)
  const found = await sql<{ action: string }>`select action from audit_log
    where user_id = ${manager.id} order by id`.execute(rights.world.services.db)
  expect(found.rows.map(({ action }) => action)).toEqual([
    'rights.setPermissions',
    'rights.switchRole',
    'rights.switchRole',
    'rights.viewAs',
    'rights.stopViewing',
  ])
})
