import { adminResetPass } from '@aisle/contract/identity/password'
import { resetSecondFactor } from '@aisle/contract/identity/secondFactor'
import { b64u, defaultKdf, type Keys, verifierText } from '@aisle/contract/identity/signin'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { editDoctor } from '@aisle/contract/people/doctor'
import { moveOrganisation, resumeOrganisation, stopOrganisation } from '@aisle/contract/people/organisation'
import {
  addUser,
  assignRoles,
  disableUser,
  editUser,
  enableUser,
  getUser,
  resetUserPassword,
  type UserDetail,
  unblockUser,
} from '@aisle/contract/people/user'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { saltFor } from '../identity/password/credential'
import { routes as passwordRoutes } from '../identity/password/password.routes'
import { routes as secondFactorRoutes } from '../identity/secondFactor/secondFactor.routes'
import { cheapKeys } from '../identity/testing'
import { type Caller, data, openPeople, type People, PHONE } from './testing'
import { statusAndCode } from '../../testing/http'

const NEVER = null
const SOON = '2090-01-01T00:00:00Z'
const PAST = '2001-01-01T00:00:00Z'
let people: People
let merchantId: number
let boss: Caller
let machines: [number, number]
let strange: number
let units: { narrow: number; wide: number; below: number }
/** With every right over people and one machine of the merchant's two. */
let clerk: Caller

beforeAll(async () => {
  people = await openPeople(...passwordRoutes, ...secondFactorRoutes)
  const { family } = people
  merchantId = family.ours.merchantId
  machines = [family.ours.machines[0]?.id ?? 0, family.ours.machines[1]?.id ?? 0]
  strange = family.theirs.machines[0]?.id ?? 0
  boss = await people.as({ merchantId, grants: ['user.*', 'organisation.*', 'doctor.*', 'machine.read'] })
  const unit = async (name: string, parentId: number | null = null) => {
    const made = await sql<{ id: number }>`insert into organisation (merchant_id, parent_id, name)
      values (${merchantId}, ${parentId}, ${name}) returning id`.execute(people.db)
    return made.rows[0]?.id ?? 0
  }
  units = { narrow: await unit('Narrow'), wide: await unit('Wide'), below: 0 }
  units.below = await unit('Below', units.wide)
  clerk = await people.as({ merchantId, kind: 'ordinary', grants: ['user.*', 'organisation.*', 'doctor.*'] })
})
afterAll(() => people.close())
beforeEach(async () => {
  for (const to of ['merchant', 'user', 'organisation']) {
    await sql`delete from ${sql.table(`machine_grant_${to}`)}`.execute(people.db)
  }
  await sql`update organisation set state = 'active', parent_id = null
    where id in (${units.narrow}, ${units.wide})`.execute(people.db)
  await sql`update organisation set parent_id = ${units.wide} where id = ${units.below}`.execute(people.db)
  await sql`update app_user set organisation_id = null where id = ${clerk.id}`.execute(people.db)
  await grant('user', clerk.id, machines[0])
  for (const machine of machines) await grant('organisation', units.wide, machine)
})

const grant = (to: 'merchant' | 'user' | 'organisation', id: number, machine: number, endsAt: string | null = NEVER) =>
  sql`insert into ${sql.table(`machine_grant_${to}`)} (${sql.ref(`${to}_id`)}, machine_id, ends_at)
    values (${id}, ${machine}, ${endsAt})`.execute(people.db)
const detail = async (id: number, by = boss) => data<UserDetail>(await by.call(getUser, { id }))
const edited = async (id: number) => {
  const { version, name, email, organisationId, kind, language } = await detail(id)
  return { id, version, name, phone: PHONE, email, organisationId, kind, language }
}
const put = (id: number, unit: number | null) =>
  sql`update app_user set organisation_id = ${unit} where id = ${id}`.execute(people.db)
const versionOf = async (unit: number) => {
  const found = await sql<{ version: number }>`select version from organisation where id = ${unit}`.execute(people.db)
  return found.rows[0]?.version ?? 0
}
const moved = async (unit: number, parentId: number | null, by = clerk) =>
  statusAndCode(await by.call(moveOrganisation, { id: unit, version: await versionOf(unit), parentId }))

function verifierOf(account: string): string {
  const salt = saltFor(people.world.services.keys, account)
  const { storedKey, serverKey }: Keys = cheapKeys('given')
  return verifierText({
    v: 1,
    kdf: defaultKdf,
    salt: b64u(salt),
    storedKey: b64u(storedKey),
    serverKey: b64u(serverKey),
  })
}

describe('nobody widens their own sight', () => {
  test('by moving themselves to a unit that sees more', async () => {
    const wanted = { ...(await edited(clerk.id)), organisationId: units.wide }
    expect(statusAndCode(await clerk.call(editUser, wanted))).toEqual([403, 'user.self'])
  })

  test('by moving or resuming the unit that they are in or below', async () => {
    await put(clerk.id, units.narrow)
    expect(await moved(units.narrow, units.wide)).toEqual([403, 'organisation.own'])
    await put(clerk.id, units.below)
    await sql`update organisation set state = 'stopped' where id = ${units.wide}`.execute(people.db)
    expect(await moved(units.below, null)).toEqual([403, 'organisation.own'])
    expect(statusAndCode(await clerk.call(resumeOrganisation, { id: units.wide }))).toEqual([403, 'organisation.own'])
  })

  test('by the hands of somebody whom they made', async () => {
    await put(clerk.id, units.narrow)
    const hand = await people.as({ merchantId, kind: 'ordinary', grants: ['user.*', 'organisation.*'] })
    expect(await moved(units.narrow, units.wide, hand)).toEqual([403, 'organisation.beyond'])
    const wanted = { ...(await edited(clerk.id)), organisationId: units.wide }
    expect(statusAndCode(await hand.call(editUser, wanted))[0]).toBe(403)
  })

  test('and two calls at once, of which each alone gives nothing, do not together', async () => {
    const { id } = await people.as({ merchantId, kind: 'ordinary' })
    const wanted = { ...(await edited(id)), organisationId: units.narrow }
    await Promise.all([clerk.call(editUser, wanted), moved(units.narrow, units.wide)])
    expect((await detail(id)).machineCount).toBe(0)
    await put(id, null)
  })
})

describe('nobody gives sight that they do not have', () => {
  test('with the unit of somebody new, or of somebody there', async () => {
    const person = { account: 'n1', name: 'n1', phone: PHONE, kind: 'ordinary', organisationId: units.below }
    expect(statusAndCode(await clerk.call(addUser, person))).toEqual([403, 'account.wouldHoldMore'])
    const { id } = await people.as({ merchantId, kind: 'ordinary' })
    const wanted = { ...(await edited(id)), organisationId: units.below }
    expect(statusAndCode(await clerk.call(editUser, wanted))).toEqual([403, 'account.wouldHoldMore'])
    expect(statusAndCode(await boss.call(editUser, wanted))[0]).toBe(200)
  })

  test('with a unit that is stopped for now', async () => {
    await sql`update organisation set state = 'stopped' where id = ${units.wide}`.execute(people.db)
    const { id } = await people.as({ merchantId, kind: 'ordinary' })
    const wanted = { ...(await edited(id)), organisationId: units.below }
    expect(statusAndCode(await clerk.call(editUser, wanted))).toEqual([403, 'account.wouldHoldMore'])
    expect(statusAndCode(await clerk.call(resumeOrganisation, { id: units.wide }))).toEqual([
      403,
      'organisation.beyond',
    ])
  })

  test('for longer than they have it', async () => {
    await sql`update machine_grant_user set ends_at = ${SOON} where user_id = ${clerk.id}`.execute(people.db)
    await grant('organisation', units.narrow, machines[0])
    const { id } = await people.as({ merchantId, kind: 'ordinary' })
    const wanted = { ...(await edited(id)), organisationId: units.narrow }
    expect(statusAndCode(await clerk.call(editUser, wanted))).toEqual([403, 'account.wouldHoldMore'])
    await sql`update machine_grant_organisation set ends_at = ${SOON}`.execute(people.db)
    expect(statusAndCode(await clerk.call(editUser, wanted))[0]).toBe(200)
  })

  test('by making somebody administrator of a merchant that is authorised more', async () => {
    const child = await sql<{ id: number }>`insert into merchant (parent_id, code, name, type)
      values (${merchantId}, 'CHILD', 'Child', 'ordinary') returning id`.execute(people.db)
    const childId = child.rows[0]?.id ?? 0
    const person = { name: 'n', phone: PHONE, kind: 'merchant_admin', merchantId: childId }
    expect(statusAndCode(await boss.call(addUser, { ...person, account: 'c1' }))[0]).toBe(200)
    await grant('merchant', childId, strange)
    expect(statusAndCode(await boss.call(addUser, { ...person, account: 'c2' }))).toEqual([
      403,
      'account.wouldHoldMore',
    ])
    await grant('merchant', merchantId, strange)
    expect(statusAndCode(await boss.call(addUser, { ...person, account: 'c3' }))[0]).toBe(200)
  })

  test('but moves and stops what shows no more than they see', async () => {
    expect(await moved(units.below, null)).toEqual([403, 'organisation.beyond'])
    expect(statusAndCode(await clerk.call(stopOrganisation, { id: units.wide }))).toEqual([403, 'organisation.beyond'])
    await sql`delete from machine_grant_organisation where machine_id = ${machines[1]}`.execute(people.db)
    expect(await moved(units.below, units.narrow)).toEqual([200, 'H0000'])
    expect(statusAndCode(await clerk.call(stopOrganisation, { id: units.wide }))[0]).toBe(200)
    expect(statusAndCode(await clerk.call(resumeOrganisation, { id: units.wide }))[0]).toBe(200)
  })
})

describe('an account that sees more', () => {
  type Way = [string, (id: number) => Promise<unknown>, boolean]
  const ways: Way[] = [
    ['granted by name', (id) => grant('user', id, machines[1]), true],
    ['granted through a unit', (id) => put(id, units.wide), true],
    ['granted through a unit above', (id) => put(id, units.below), true],
    [
      'through a unit that is stopped',
      async (id) => {
        await put(id, units.below)
        await sql`update organisation set state = 'stopped' where id = ${units.wide}`.execute(people.db)
      },
      true,
    ],
    ['of another merchant, which may be authorised again', (id) => grant('user', id, strange), true],
    ['that the clerk sees too', (id) => grant('user', id, machines[0]), false],
    ['that were taken back', (id) => grant('user', id, machines[1], PAST), false],
  ]
  test.each(ways)('machines %s', async (_, give, isGreater) => {
    const { id } = await people.as({ merchantId, kind: 'ordinary' })
    await give(id)
    expect((await detail(id, clerk)).hindrance).toBe(isGreater ? 'holdsMore' : null)
    expect((await detail(id, boss)).hindrance).toBe(null)
    const { machineCount } = await detail(id)
    expect(statusAndCode(await clerk.call(unblockUser, { id }))[1]).toBe(
      isGreater ? 'account.holdsMore' : 'user.notBlocked',
    )
    expect((await detail(id)).machineCount).toBe(machineCount)
  })

  type Call = [string, Endpoint, (person: UserDetail) => Record<string, unknown>]
  const calls: Call[] = [
    ['disabled', disableUser, () => ({})],
    ['enabled', enableUser, () => ({})],
    ['given a new password', resetUserPassword, () => ({})],
    ['unblocked', unblockUser, () => ({})],
    ['given roles', assignRoles, ({ version }) => ({ version, roleIds: [] })],
    ['edited', editUser, ({ version, name, kind }) => ({ version, name, kind, phone: PHONE })],
    ['edited as a doctor', editDoctor, ({ version }) => ({ version, profession: 'doctor', department: '' })],
    ['freed of the second factor', resetSecondFactor, () => ({ reason: 'lost' })],
    ['reset by phone', adminResetPass, ({ account }) => ({ phone: '13711112222', pass: verifierOf(account) })],
  ]
  test.each(calls)('is not %s', async (_, endpoint, input) => {
    const victim = await people.as({ merchantId, kind: endpoint === editDoctor ? 'doctor' : 'ordinary' })
    await sql`update app_user set phone = null where phone = '13711112222'`.execute(people.db)
    await sql`update app_user set phone = '13711112222' where id = ${victim.id}`.execute(people.db)
    await grant('user', victim.id, machines[1])
    const person = await detail(victim.id)
    const sent = endpoint === adminResetPass ? input(person) : { id: victim.id, ...input(person) }
    expect(statusAndCode(await clerk.call(endpoint, sent))).toEqual([403, 'account.holdsMore'])
    expect((await detail(victim.id)).version).toBe(person.version)
  })
})

test('what is switched off for everybody may come back, and counts', async () => {
  const { id } = await people.as({ merchantId, kind: 'ordinary', grants: ['refund.approve'] })
  await sql`insert into resource_off (code, reason, off_at, off_by)
    values ('refund.approve', 'test', now(), ${boss.id})`.execute(people.db)
  expect((await detail(id, clerk)).hindrance).toBe('holdsMore')
  await sql`delete from resource_off`.execute(people.db)
})
