import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import {
  grantToMerchant,
  grantToOrganisation,
  grantToUser,
  listGrantLogMachines,
  listMerchantGrantees,
  listMerchantGrantLog,
  listMerchantMachines,
  listTeamGrantees,
  listUserGrantLog,
  listUserMachines,
  revokeFromMerchant,
  revokeFromUser,
} from '@aisle/contract/sight/authorisation'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addKin, addSession, addUser, type Branch, type BuiltUser, type Relation } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes } from './authorisation.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let kin: Record<Relation, Branch>
let people: Record<'platform' | 'admin' | 'person' | 'parentAdmin', BuiltUser>
let unitId: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  const family = await addKin(db, NOON)
  kin = family.kin
  const { merchantId } = kin.own
  unitId = kin.own.ids.organisations ?? 0
  const grants = ['*']
  people = {
    platform: await addUser(db, { merchantId: family.platformId, kind: 'platform_admin', grants }),
    parentAdmin: await addUser(db, { merchantId: kin.parent.merchantId, grants }),
    admin: await addUser(db, { merchantId, grants }),
    person: await addUser(db, { merchantId, kind: 'ordinary', grants }),
  }
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(async () => {
  const { db } = world.services
  for (const to of ['merchant', 'user', 'organisation']) {
    await sql`delete from ${sql.table(`machine_grant_${to}`)}`.execute(db)
  }
  await sql`update organisation set state = 'active'`.execute(db)
})

const machineOf = (relation: Relation, nth = 0): number => kin[relation].machines[nth]?.id ?? 0
const merchantOf = (relation: Relation): number => kin[relation].merchantId

type Data = { items: Record<string, unknown>[]; total: number; sums: Record<string, number>; changed: number }

async function as(by: BuiltUser, endpoint: Endpoint, input: Record<string, unknown>) {
  const token = await addSession(world.services.db, by.id, NOON)
  const { status, body } = await http.call(endpoint, input, { token })
  return { status, code: body.code, fields: body.fields, data: body.data as Data }
}

const named = (...machineIds: number[]) => ({ machines: { machineIds } })

async function grantedTo(by: BuiltUser, endpoint: Endpoint, id: number): Promise<unknown[]> {
  const { data } = await as(by, endpoint, { id, state: 'granted' })
  return data.items.map((item) => item.id)
}

test('machines are authorised to a user by name, and taken back', async () => {
  const { id } = people.person
  const both = [machineOf('own'), machineOf('own', 1)]
  expect((await as(people.admin, grantToUser, { id, ...named(...both) })).data.changed).toBe(2)
  expect(await grantedTo(people.admin, listUserMachines, id)).toEqual(both)
  const again = await as(people.admin, grantToUser, { id, ...named(...both) })
  expect(again.data.changed).toBe(0)
  expect((await as(people.admin, revokeFromUser, { id, ...named(machineOf('own')) })).data.changed).toBe(1)
  expect(await grantedTo(people.admin, listUserMachines, id)).toEqual([machineOf('own', 1)])
})

test('all that a filter finds are authorised at once, as many as were seen', async () => {
  const id = unitId
  const filter = { q: 'Kinchild' }
  const changed = await as(people.admin, grantToOrganisation, { id, machines: { filter, count: 3 } })
  expect([changed.status, changed.code]).toEqual([409, 'authorisation.changed'])
  const done = await as(people.admin, grantToOrganisation, { id, machines: { filter, count: 2 } })
  expect(done.data.changed).toBe(2)
})

test('the list counts what the filter finds and says what may be changed', async () => {
  const { id } = people.person
  const { data } = await as(people.admin, listUserMachines.count, { id })
  expect(data).toMatchObject({ total: 4, sums: { found: 4, changeable: 4 } })
  await as(people.admin, grantToUser, { id, ...named(machineOf('child')) })
  const free = await as(people.admin, listUserMachines, { id, state: 'free' })
  expect(free.data.items).toHaveLength(3)
  const owned = await as(people.admin, listUserMachines, { id, ownerId: merchantOf('child') })
  expect(owned.data.items).toHaveLength(2)
})

test('nobody authorises a machine that they do not see, and one such refuses all', async () => {
  const { id } = people.person
  const answer = await as(people.admin, grantToUser, { id, ...named(machineOf('own'), machineOf('stranger')) })
  expect([answer.status, answer.code]).toEqual([404, 'request.notFound'])
  expect(await grantedTo(people.admin, listUserMachines, id)).toEqual([])
})

test('a person is given what their merchant sees, also by who sees more', async () => {
  const { id } = people.person
  for (const relation of ['parent', 'sibling', 'stranger'] as const) {
    expect((await as(people.platform, grantToUser, { id, ...named(machineOf(relation)) })).status).toBe(404)
  }
  await as(people.platform, grantToMerchant, { id: merchantOf('own'), ...named(machineOf('stranger')) })
  expect((await as(people.admin, grantToUser, { id, ...named(machineOf('stranger')) })).data.changed).toBe(1)
})

test("an owner's machines are not authorised to itself or to who stands above it", async () => {
  for (const relation of ['own', 'parent'] as const) {
    const answer = await as(people.platform, grantToMerchant, {
      id: merchantOf(relation),
      ...named(machineOf('own')),
    })
    expect(answer.status).toBe(404)
  }
  for (const relation of ['child', 'sibling', 'stranger'] as const) {
    const answer = await as(people.platform, grantToMerchant, {
      id: merchantOf(relation),
      ...named(machineOf('own')),
    })
    expect([relation, answer.data.changed]).toEqual([relation, 1])
  }
})

test('a merchant authorises its own machines to merchants below it, and does not pass on those of others', async () => {
  const id = merchantOf('child')
  await as(people.platform, grantToMerchant, { id: merchantOf('own'), ...named(machineOf('stranger')) })
  expect((await as(people.admin, grantToMerchant, { id, ...named(machineOf('own')) })).data.changed).toBe(1)
  expect((await as(people.admin, grantToMerchant, { id, ...named(machineOf('stranger')) })).status).toBe(404)
  const others = ['parent', 'sibling', 'stranger'] as const
  for (const relation of others) {
    const answer = await as(people.admin, grantToMerchant, { id: merchantOf(relation), ...named(machineOf('own')) })
    expect(answer.status).toBe(404)
  }
})

test('what the platform authorised to a merchant is shown to it, and not its to change', async () => {
  const id = merchantOf('own')
  await as(people.platform, grantToMerchant, { id, ...named(machineOf('stranger')) })
  const { data } = await as(people.admin, listMerchantMachines, { id })
  expect(data.items).toMatchObject([{ id: machineOf('stranger'), isGranted: true, mayChange: false, grantedBy: null }])
  const counted = await as(people.admin, listMerchantMachines.count, { id })
  expect(counted.data.sums).toEqual({ found: 1, changeable: 0 })
  expect((await as(people.admin, revokeFromMerchant, { id, ...named(machineOf('stranger')) })).status).toBe(404)
  expect((await as(people.platform, revokeFromMerchant, { id, ...named(machineOf('stranger')) })).data.changed).toBe(1)
})

test('it holds until the end of the day that is named, and not for a day that is past', async () => {
  const id = people.person.id
  const until = (untilDay: string) => as(people.admin, grantToUser, { id, ...named(machineOf('own')), untilDay })
  expect((await until('2026-11-19')).code).toBe('authorisation.past')
  expect((await until('2026-11-20')).data.changed).toBe(1)
  await until('2099-12-31')
  const { data } = await as(people.admin, listUserMachines, { id, state: 'granted' })
  expect(new Date(String(data.items[0]?.endsAt)).toISOString()).toBe('2099-12-31T16:00:00.000Z')
})

test('administrators are granted nothing, nor is who or what is stopped', async () => {
  const machines = named(machineOf('own'))
  expect((await as(people.parentAdmin, grantToUser, { id: people.admin.id, ...machines })).code).toBe(
    'authorisation.needless',
  )
  const { db } = world.services
  await sql`update organisation set state = 'stopped' where id = ${unitId}`.execute(db)
  expect((await as(people.admin, grantToOrganisation, { id: unitId, ...machines })).code).toBe('authorisation.stopped')
})

test('who sees a machine for a time passes it on, and to themselves, for that time at most', async () => {
  const { id } = people.person
  const ends = new Date('2090-01-01T00:00:00Z')
  await sql`insert into machine_grant_user (machine_id, user_id, ends_at)
    values (${machineOf('own')}, ${id}, ${ends})`.execute(world.services.db)
  await as(people.person, grantToUser, { id, ...named(machineOf('own')) })
  await as(people.person, grantToOrganisation, { id: unitId, ...named(machineOf('own')), untilDay: '2099-01-01' })
  const kept = await sql<{ at: Date }>`select ends_at as at from machine_grant_user
    union all select ends_at from machine_grant_organisation`.execute(world.services.db)
  expect(kept.rows).toEqual([{ at: ends }, { at: ends }])
})

test('who runs a merchant passes on what it is shown for a time for that time, below it too', async () => {
  const { db } = world.services
  const ends = new Date('2090-01-01T00:00:00Z')
  const strange = machineOf('stranger')
  await sql`insert into machine_grant_merchant (machine_id, merchant_id, ends_at)
    values (${strange}, ${merchantOf('own')}, ${ends}), (${strange}, ${merchantOf('child')}, null)`.execute(db)
  const { id } = await addUser(db, { merchantId: merchantOf('child'), kind: 'ordinary' })
  const both = named(strange, machineOf('child'))
  expect((await as(people.admin, grantToUser, { id, ...both })).data.changed).toBe(2)
  const kept = await sql<{ at: Date | null }>`select ends_at as at from machine_grant_user
    where user_id = ${id} order by machine_id = ${strange} desc`.execute(db)
  expect(kept.rows).toEqual([{ at: ends }, { at: null }])
})

test('each command stands in the history with its machines, and names people in sight only', async () => {
  const id = merchantOf('sibling')
  await as(people.parentAdmin, grantToMerchant, { id, ...named(machineOf('own'), machineOf('child')) })
  await as(people.platform, revokeFromMerchant, { id, ...named(machineOf('own')) })
  const { data } = await as(people.parentAdmin, listMerchantGrantLog, { id })
  expect(data.items.slice(0, 2)).toMatchObject([
    { action: 'revoke', count: 1, byName: null },
    { action: 'grant', count: 2, byName: people.parentAdmin.account },
  ])
  const logId = Number(data.items[1]?.id)
  const which = await as(people.parentAdmin, listGrantLogMachines, { id: logId })
  expect(which.data.items.map((item) => item.id)).toEqual([machineOf('own'), machineOf('child')])
  expect((await as(people.admin, listGrantLogMachines, { id: logId })).status).toBe(404)
})

test('a command that changes nothing leaves no history, and history is never altered', async () => {
  const { id } = people.person
  const entries = async () => (await as(people.admin, listUserGrantLog, { id })).data.items.length
  const before = await entries()
  await as(people.admin, revokeFromUser, { id, ...named(machineOf('own')) })
  expect(await entries()).toBe(before)
  const { db } = world.services
  await expect(sql`delete from machine_grant_log`.execute(db)).rejects.toThrow('only added to')
  await expect(sql`update machine_grant_log set action = 'grant'`.execute(db)).rejects.toThrow('only added to')
})

test('one audit row tells a command, with the codes of up to 200 machines', async () => {
  const { id, account } = people.person
  await as(people.admin, grantToUser, { id, ...named(machineOf('own'), machineOf('child')) })
  const { db } = world.services
  const rows = await sql<Record<string, unknown>>`
    select merchant_id, object_kind, object_id, before, after from audit_log
    where action = 'sight.grantToUser' order by id desc limit 1`.execute(db)
  const codes = [kin.own.machines[0]?.code, kin.child.machines[0]?.code]
  expect(rows.rows).toEqual([
    {
      merchant_id: merchantOf('own'),
      object_kind: 'user',
      object_id: account,
      before: null,
      after: { granted: { machines: 2, codes } },
    },
  ])
})

test('the trees hold the merchants, units and people in sight, each with its machines', async () => {
  await as(people.admin, grantToUser, { id: people.person.id, ...named(machineOf('own')) })
  await as(people.admin, grantToMerchant, { id: merchantOf('child'), ...named(machineOf('own')) })
  const merchants = await as(people.admin, listMerchantGrantees, {})
  expect(merchants.data.items).toMatchObject([
    { id: merchantOf('own'), parentId: null, ownedCount: 2, grantedCount: 0 },
    { id: merchantOf('child'), parentId: merchantOf('own'), ownedCount: 2, grantedCount: 1 },
  ])
  const team = await as(people.admin, listTeamGrantees, { q: people.person.account })
  expect(team.data).toMatchObject({ people: [{ id: people.person.id, grantedCount: 1 }], hasMore: false })
})
