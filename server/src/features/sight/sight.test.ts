import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listMachinesOfUser, listSeers } from '@aisle/contract/sight/why'
import { machineInSight, sightOf } from '../../kernel/scope'
import { addKin, addSession, addUser, type Branch, type BuiltUser, type Relation } from '../../testing/fixtures'
import { type HttpWorld, openHttp } from '../../testing/http'
import { routesWith } from '../../testing/stubs'
import { openWorld, type World } from '../../testing/world'
import { routes } from './why.routes'

const NOON = new Date('2026-11-20T04:00:00Z')
const ENDED = '2001-01-01T00:00:00Z'
let world: World
let http: HttpWorld
let kin: Record<Relation, Branch>
let platformId: number
let units: { top: number; team: number; other: number }
let people: Record<'platform' | 'admin' | 'person' | 'member' | 'doctor' | 'parentAdmin', BuiltUser>

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routesWith(...routes))
  const { db } = world.services
  ;({ kin, platformId } = await addKin(db, NOON))
  // Whoever answers for a key of theirs is not of this story.
  await sql`update app_user set state = 'disabled' where id in (select answers_by from api_key)`.execute(db)
  const { merchantId } = kin.own
  units = { top: await addUnit('Top'), team: 0, other: await addUnit('Other') }
  units.team = await addUnit('Team', units.top)
  const grants = ['*']
  people = {
    platform: await addUser(db, { merchantId: platformId, kind: 'platform_admin', grants }),
    parentAdmin: await addUser(db, { merchantId: kin.parent.merchantId, grants }),
    admin: await addUser(db, { merchantId, grants }),
    person: await addUser(db, { merchantId, kind: 'ordinary', grants }),
    member: await addUser(db, { merchantId, kind: 'ordinary', grants }),
    doctor: await addUser(db, { merchantId, kind: 'doctor', grants }),
  }
  await sql`update app_user set organisation_id = ${units.team} where id = ${people.member.id}`.execute(db)
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
  await sql`update merchant set state = 'active'`.execute(db)
})

async function addUnit(name: string, parentId: number | null = null): Promise<number> {
  const made = await sql<{ id: number }>`insert into organisation (merchant_id, parent_id, name)
    values (${kin.own.merchantId}, ${parentId}, ${name}) returning id`.execute(world.services.db)
  return made.rows[0]?.id ?? 0
}

const machineOf = (relation: Relation, nth = 0): number => kin[relation].machines[nth]?.id ?? 0

const grant = (to: 'merchant' | 'user' | 'organisation', id: number, machineId: number, endsAt: string | null = null) =>
  sql`insert into ${sql.table(`machine_grant_${to}`)} (${sql.ref(`${to}_id`)}, machine_id, ends_at)
    values (${id}, ${machineId}, ${endsAt})`.execute(world.services.db)

/** The relations whose first machine the user sees. */
async function seenBy({ id }: BuiltUser): Promise<Relation[]> {
  const { db } = world.services
  const user = await sql<{ kind: 'ordinary'; merchantId: number }>`
    select kind, merchant_id as "merchantId" from app_user where id = ${id}`.execute(db)
  const [actor] = user.rows.map((row) => ({ ...row, userId: id }))
  if (!actor) throw new Error('no such user')
  const found = await sql<{ id: number }>`select id from machine
    where ${machineInSight(sightOf(actor), sql`machine.id`)}`.execute(db)
  const ids = new Set(found.rows.map((row) => row.id))
  return (Object.keys(kin) as Relation[]).filter((relation) => ids.has(machineOf(relation)))
}

test('the platform sees all machines, a merchant its own and those below, people none without a grant', async () => {
  expect(await seenBy(people.platform)).toHaveLength(5)
  expect(await seenBy(people.parentAdmin)).toEqual(['parent', 'own', 'child', 'sibling'].sort(byTree))
  expect(await seenBy(people.admin)).toEqual(['own', 'child'])
  for (const one of [people.person, people.member, people.doctor]) expect(await seenBy(one)).toEqual([])
})

const order = ['own', 'parent', 'child', 'sibling', 'stranger']
const byTree = (a: string, b: string) => order.indexOf(a) - order.indexOf(b)

test("a machine authorised to a merchant is in sight of its administrator, not of its parent's", async () => {
  await grant('merchant', kin.own.merchantId, machineOf('stranger'))
  expect(await seenBy(people.admin)).toEqual(['own', 'child', 'stranger'])
  expect(await seenBy(people.parentAdmin)).not.toContain('stranger')
  expect(await seenBy(people.person)).toEqual([])
})

test('a person and a doctor see the machines that are authorised to them', async () => {
  await grant('user', people.person.id, machineOf('own'))
  await grant('user', people.doctor.id, machineOf('child'))
  expect(await seenBy(people.person)).toEqual(['own'])
  expect(await seenBy(people.doctor)).toEqual(['child'])
})

test('a machine authorised to a unit is in sight of who is in it or below it', async () => {
  await grant('organisation', units.top, machineOf('own'))
  await grant('organisation', units.other, machineOf('child'))
  expect(await seenBy(people.member)).toEqual(['own'])
  expect(await seenBy(people.person)).toEqual([])
})

test('a stopped unit grants nothing, nor does one below it', async () => {
  await grant('organisation', units.top, machineOf('own'))
  await grant('organisation', units.team, machineOf('child'))
  const { db } = world.services
  await sql`update organisation set state = 'stopped' where id = ${units.top}`.execute(db)
  expect(await seenBy(people.member)).toEqual([])
  await sql`update organisation set state = 'active' where id = ${units.top}`.execute(db)
  await sql`update organisation set state = 'stopped' where id = ${units.team}`.execute(db)
  expect(await seenBy(people.member)).toEqual([])
})

test('a stopped merchant is granted nothing', async () => {
  await grant('merchant', kin.own.merchantId, machineOf('stranger'))
  await grant('user', people.person.id, machineOf('stranger'))
  expect(await seenBy(people.person)).toEqual(['stranger'])
  await sql`update merchant set state = 'stopped' where id = ${kin.own.merchantId}`.execute(world.services.db)
  expect(await seenBy(people.admin)).toEqual(['own', 'child'])
  expect(await seenBy(people.person)).toEqual([])
})

test('people lose what their merchant no longer sees', async () => {
  await grant('user', people.person.id, machineOf('stranger'))
  await grant('organisation', units.team, machineOf('stranger'))
  expect([await seenBy(people.person), await seenBy(people.member)]).toEqual([[], []])
  await grant('merchant', kin.own.merchantId, machineOf('stranger'))
  expect([await seenBy(people.person), await seenBy(people.member)]).toEqual([['stranger'], ['stranger']])
})

test('a grant that has ended shows nothing', async () => {
  await grant('merchant', kin.own.merchantId, machineOf('stranger'), ENDED)
  await grant('user', people.person.id, machineOf('own'), ENDED)
  await grant('organisation', units.team, machineOf('own'), ENDED)
  expect(await seenBy(people.admin)).toEqual(['own', 'child'])
  expect([await seenBy(people.person), await seenBy(people.member)]).toEqual([[], []])
})

async function asked(by: BuiltUser, endpoint: typeof listSeers | typeof listMachinesOfUser, id: number) {
  const token = await addSession(world.services.db, by.id, NOON)
  const { status, body } = await http.call(endpoint, { id, pageSize: 200 }, { token })
  const counted = await http.call(endpoint.count, { id }, { token })
  const rows = body.data as { items: Record<string, unknown>[] } | undefined
  const whole = counted.body.data as { sums?: { others: number } } | undefined
  return { status, items: rows?.items ?? [], others: whole?.sums?.others }
}

async function grantSome(): Promise<void> {
  await grant('merchant', kin.own.merchantId, machineOf('stranger'))
  await grant('user', people.person.id, machineOf('stranger'))
  await grant('user', people.person.id, machineOf('own'))
  await grant('organisation', units.top, machineOf('own'))
  await grant('organisation', units.team, machineOf('own'), ENDED)
  await grant('user', people.doctor.id, machineOf('child'))
}

test('who can see a machine is told with the reason, of people in sight; of others the number', async () => {
  await grantSome()
  const told = await asked(people.admin, listSeers, machineOf('own'))
  const reasons = told.items.map(({ userId, reason, via }) => [userId, reason, via])
  expect(reasons).toEqual([
    [people.admin.id, 'owner', expect.stringContaining('Kinown')],
    [people.member.id, 'organisation', 'Top'],
    [people.person.id, 'user', null],
  ])
  // The platform's and the parent's administrator.
  expect(told.others).toBe(2)
  const whole = await asked(people.platform, listSeers, machineOf('own'))
  expect(whole.items.map(({ reason }) => reason)).toEqual(['platform', 'owner', 'above', 'organisation', 'user'])
  expect(whole.others).toBe(0)
})

test('the reasons name exactly those who see the machine', async () => {
  await grantSome()
  for (const relation of Object.keys(kin) as Relation[]) {
    const { items } = await asked(people.platform, listSeers, machineOf(relation))
    const named = new Set(items.map(({ userId }) => userId))
    for (const one of Object.values(people)) {
      expect([relation, named.has(one.id)]).toEqual([relation, (await seenBy(one)).includes(relation)])
    }
  }
})

test('what a user sees is told with the reason, and only what the asker sees too', async () => {
  await grantSome()
  for (const one of Object.values(people)) {
    const { items } = await asked(people.platform, listMachinesOfUser, one.id)
    const ids = new Set(items.map(({ id }) => id))
    expect((Object.keys(kin) as Relation[]).filter((each) => ids.has(machineOf(each)))).toEqual(await seenBy(one))
    expect(items).toHaveLength(ids.size)
  }
  const { items } = await asked(people.person, listMachinesOfUser, people.admin.id)
  expect(items.map(({ id, reason }) => [id, reason])).toEqual([
    [machineOf('own'), 'owner'],
    [machineOf('stranger'), 'merchant'],
  ])
})

test('who sees a machine out of sight, or what a user out of sight sees, is not told', async () => {
  expect((await asked(people.admin, listSeers, machineOf('stranger'))).status).toBe(404)
  expect((await asked(people.admin, listMachinesOfUser, people.parentAdmin.id)).status).toBe(404)
})
