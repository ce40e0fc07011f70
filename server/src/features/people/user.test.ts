import { defaultKdf, deriveKeys } from '@aisle/contract/identity/signin'
import {
  addUser,
  assignRoles,
  disableUser,
  editUser,
  enableUser,
  getUser,
  getUserChoices,
  listUsers,
  resetUserPassword,
  type UserDetail,
  unblockUser,
} from '@aisle/contract/people/user'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unseal } from '../../kernel/seal'
import { addSession, addUser as addAccount } from '../../testing/fixtures'
import { openCredential, saltFor } from '../identity/password/credential'
import { type Caller, data, NOON, openPeople, type People, PHONE } from './testing'
import { statusAndCode } from '../../testing/http'

let people: People
let merchantId: number
let boss: Caller
let platform: Caller

beforeAll(async () => {
  people = await openPeople()
  merchantId = people.family.ours.merchantId
  boss = await people.as({ merchantId, grants: ['user.*', 'machine.read', 'order.read'] })
  platform = await people.as({ merchantId: people.family.platformId, kind: 'platform_admin', grants: ['*'] })
})
afterAll(() => people.close())

const NEW = { account: ' Zhang.San ', name: '张三', phone: PHONE, kind: 'ordinary' }
const detail = async (id: number, by = boss) => data<UserDetail>(await by.call(getUser, { id }))
const added = async (more: Record<string, unknown>, by = boss) =>
  data<{ id: number }>(await by.call(addUser, { ...NEW, ...more })).id
const edited = ({ id, version, name, phone, email, organisationId, kind, language }: UserDetail) => ({
  id,
  version,
  name,
  phone,
  email,
  organisationId,
  kind,
  language,
})

/** What went to the phone, as only delivery can read it. */
async function lastSms(userId: number): Promise<{ type: string; receiver: string; vars: Record<string, string> }> {
  const found = await sql<{ type: string; receiver: string; body: string; sealed_body: Buffer }>`
    select type, receiver, body, sealed_body from outbox_message where user_id = ${userId} and channel = 'sms'
    order by id desc limit 1`.execute(people.db)
  const [row] = found.rows
  if (!row) throw new Error('no message')
  expect(row.body).toBe('')
  const opened = unseal(people.world.services.keys, `outbox:${row.receiver}`, row.sealed_body)
  return { type: row.type, receiver: row.receiver, ...(JSON.parse(opened) as { vars: Record<string, string> }) }
}

async function provesWith(userId: number, account: string, password: string): Promise<boolean> {
  const found = await sql<{ stored_key: Buffer; server_key: Buffer }>`
    select stored_key, server_key from credential where user_id = ${userId} and must_change`.execute(people.db)
  const [row] = found.rows
  if (!row) return false
  const { keys } = people.world.services
  const opened = openCredential(keys, userId, { storedKey: row.stored_key, serverKey: row.server_key })
  return Buffer.from(deriveKeys(password, saltFor(keys, account), defaultKdf).storedKey).equals(opened.storedKey)
}

describe('adding a person', () => {
  test('normalises the account, sends the password to the phone, and makes it one to be changed', async () => {
    const roleId = await people.role(merchantId, 'Orders', ['order.read'])
    const id = await added({ roleIds: [roleId] })
    const person = await detail(id)
    expect(person).toMatchObject({
      account: 'zhang.san',
      roleNames: 'Orders',
      mustChangePassword: true,
      machineCount: 0,
    })
    const sms = await lastSms(id)
    expect(sms).toMatchObject({ type: 'password.initial', receiver: PHONE, vars: { account: 'zhang.san' } })
    expect(await provesWith(id, 'zhang.san', sms.vars['password'] ?? '')).toBe(true)
    expect(JSON.stringify(person.history)).not.toContain(sms.vars['password'])
    expect(person.history).toMatchObject([{ action: 'people.addUser', byName: boss.account }])
  })

  test('whose account another one has is refused in words', async () => {
    expect(statusAndCode(await boss.call(addUser, { ...NEW, account: 'taken' }))[0]).toBe(200)
    const again = await boss.call(addUser, { ...NEW, account: 'ＴＡＫＥＮ' })
    expect(statusAndCode(again)).toEqual([409, 'user.accountTaken'])
    expect(again.body.msg).toContain('taken')
  })

  test.each([
    ['a merchant out of sight', () => ({ merchantId: people.family.theirs.merchantId }), 404, 'request.notFound'],
    ['a platform administrator', () => ({ kind: 'platform_admin' }), 403, 'user.kindNotYours'],
    ['a foreign unit', () => ({ organisationId: people.family.theirs.ids['organisations'] }), 409, 'user.unitNotHere'],
    ['a phone of ten digits', () => ({ phone: '1391234567' }), 422, 'request.invalid'],
    ['a phone that begins 12', () => ({ phone: '12912345678' }), 422, 'request.invalid'],
    ['no name', () => ({ name: ' ' }), 422, 'request.invalid'],
  ])('%s is refused', async (_, more, status, code) => {
    expect(statusAndCode(await boss.call(addUser, { ...NEW, account: 'nobody', ...more() }))).toEqual([status, code])
  })

  test('numbers that only the wider phone rule takes are refused where the narrow one holds', async () => {
    const phone = '19912345678'
    await sql`insert into setting (key, value) values ('phone.rule', '"narrow"')`.execute(people.db)
    const refused = await boss.call(addUser, { ...NEW, account: 'narrow', phone })
    await sql`delete from setting where key = 'phone.rule'`.execute(people.db)
    expect(statusAndCode(refused)).toEqual([422, 'request.invalid'])
    expect(statusAndCode(await boss.call(addUser, { ...NEW, account: 'wide', phone }))[0]).toBe(200)
  })

  test('roles that hold more than the giver, or belong elsewhere, are refused', async () => {
    const more = await people.role(merchantId, 'Money', ['withdrawal.write'])
    const theirs = await people.role(people.family.theirs.merchantId, 'Theirs', [])
    expect(statusAndCode(await boss.call(addUser, { ...NEW, account: 'rr', roleIds: [more] }))).toEqual([
      403,
      'role.notYours',
    ])
    expect(statusAndCode(await boss.call(addUser, { ...NEW, account: 'rr', roleIds: [theirs] }))).toEqual([
      409,
      'user.roleNotHere',
    ])
  })

  test('an ordinary user may add ordinary people of the own merchant and no administrators', async () => {
    const clerk = await people.as({ merchantId, kind: 'ordinary', grants: ['user.*'] })
    expect(statusAndCode(await clerk.call(addUser, { ...NEW, account: 'by-clerk' }))[0]).toBe(200)
    expect(statusAndCode(await clerk.call(addUser, { ...NEW, account: 'chief', kind: 'merchant_admin' }))).toEqual([
      403,
      'user.kindNotYours',
    ])
    const choices = data<{ kinds: string[] }>(await clerk.call(getUserChoices))
    expect(choices.kinds).toEqual(['ordinary', 'doctor'])
  })
})

describe('editing a person', () => {
  test('changes the facts, raises the version and says in the history what changed', async () => {
    const id = await added({ account: 'edit-me' })
    const person = await detail(id)
    const organisationId = people.family.ours.ids['organisations']
    const wanted = { ...edited(person), name: '李四', organisationId, kind: 'merchant_admin' }
    expect(statusAndCode(await boss.call(editUser, wanted))[0]).toBe(200)
    const now = await detail(id)
    expect(now).toMatchObject({ name: '李四', organisationId, kind: 'merchant_admin', version: person.version + 1 })
    expect(now.history[0]?.changes).toContainEqual({ field: 'name', before: '张三', after: '李四' })
    expect(now.machineCount).toBe(2)
  })

  test('the second of two is told what the first changed', async () => {
    const person = await detail(await added({ account: 'edit-twice' }))
    await boss.call(editUser, { ...edited(person), name: 'First' })
    const second = await boss.call(editUser, { ...edited(person), name: 'Second' })
    expect(statusAndCode(second)).toEqual([409, 'edit.stale'])
    expect(second.text).toContain('First')
  })

  test('nobody raises or lowers themselves, though they may correct their own name', async () => {
    const me = { ...edited(await detail(boss.id)), phone: PHONE }
    expect(statusAndCode(await boss.call(editUser, { ...me, name: 'Boss' }))[0]).toBe(200)
    const now = { ...me, version: me.version + 1 }
    expect(statusAndCode(await boss.call(editUser, { ...now, kind: 'ordinary' }))).toEqual([403, 'user.self'])
  })
})

describe('whoever has more rights', () => {
  test.each([
    ['disable', disableUser, {}],
    ['enable', enableUser, {}],
    ['reset', resetUserPassword, {}],
    ['unblock', unblockUser, {}],
    ['give roles to', assignRoles, { version: 1, roleIds: [] }],
    ['edit', editUser, { version: 1, name: 'x', phone: PHONE, kind: 'ordinary' }],
  ])('is not theirs to %s', async (_, endpoint, more) => {
    const richer = await addAccount(people.db, { merchantId, kind: 'ordinary', grants: ['refund.write'] })
    expect(statusAndCode(await boss.call(endpoint, { id: richer.id, ...more }))).toEqual([403, 'account.holdsMore'])
    const clerk = await people.as({ merchantId, kind: 'ordinary', grants: ['user.*'] })
    const chief = await addAccount(people.db, { merchantId, kind: 'merchant_admin' })
    expect(statusAndCode(await clerk.call(endpoint, { id: chief.id, ...more }))).toEqual([403, 'account.holdsMore'])
    expect((await detail(richer.id)).hindrance).toBe('holdsMore')
  })
})

describe('disabling', () => {
  test('ends the sessions at once, and enabling lets the person in again', async () => {
    const worker = await people.as({ merchantId, kind: 'ordinary', grants: ['user.read'] })
    expect(statusAndCode(await worker.call(listUsers))[0]).toBe(200)
    expect(statusAndCode(await boss.call(disableUser, { id: worker.id }))[0]).toBe(200)
    expect(statusAndCode(await worker.call(listUsers))).toEqual([401, 'S9999'])
    const ended = await sql`select end_reason from session where user_id = ${worker.id}`.execute(people.db)
    expect(ended.rows).toEqual([{ end_reason: 'disabled' }])
    expect(statusAndCode(await boss.call(disableUser, { id: worker.id }))).toEqual([409, 'user.state'])
    expect(statusAndCode(await boss.call(enableUser, { id: worker.id }))[0]).toBe(200)
    expect((await detail(worker.id)).state).toBe('active')
  })

  test('oneself is refused', async () => {
    expect(statusAndCode(await boss.call(disableUser, { id: boss.id }))).toEqual([403, 'user.self'])
  })
})

describe('a new password', () => {
  test('goes to the phone, ends the sessions and leaves the old one without use', async () => {
    const id = await added({ account: 'forgetful' })
    const before = await lastSms(id)
    await addSession(people.db, id, NOON)
    expect((await detail(id)).openSessions).toBe(1)
    expect(statusAndCode(await boss.call(resetUserPassword, { id }))[0]).toBe(200)
    const after = await lastSms(id)
    expect(after.type).toBe('password.reset')
    expect(await provesWith(id, 'forgetful', after.vars['password'] ?? '')).toBe(true)
    expect(await provesWith(id, 'forgetful', before.vars['password'] ?? '')).toBe(false)
    expect((await detail(id)).openSessions).toBe(0)
  })

  test('needs a phone', async () => {
    const { id } = await addAccount(people.db, { merchantId, kind: 'ordinary' })
    expect(statusAndCode(await boss.call(resetUserPassword, { id }))).toEqual([409, 'user.noPhone'])
  })

  test('an account that nothing blocks needs no unblocking', async () => {
    const id = await added({ account: 'free' })
    expect(statusAndCode(await boss.call(unblockUser, { id }))).toEqual([409, 'user.notBlocked'])
  })
})

describe('roles', () => {
  test('are given and taken exactly as asked, on both surfaces, and the second of two is told', async () => {
    const web = await people.role(merchantId, 'Web role', ['order.read'])
    const app = await people.role(merchantId, 'App role', ['machine.read'], 'app')
    const person = await detail(await added({ account: 'roles' }))
    const give = (version: number, roleIds: number[]) => boss.call(assignRoles, { id: person.id, version, roleIds })
    expect(statusAndCode(await give(person.version, [web, app]))[0]).toBe(200)
    const now = await detail(person.id)
    expect(now.roles.map(({ name, surface }) => [name, surface])).toEqual([
      ['Web role', 'web'],
      ['App role', 'app'],
    ])
    expect(statusAndCode(await give(person.version, [web]))).toEqual([409, 'edit.stale'])
    expect(statusAndCode(await give(now.version, []))[0]).toBe(200)
    expect((await detail(person.id)).roles).toEqual([])
  })

  test('nobody gives any to themselves, but whoever may do everything', async () => {
    const mine = await people.role(merchantId, 'Mine', ['order.read'])
    const { version } = await detail(boss.id)
    expect(statusAndCode(await boss.call(assignRoles, { id: boss.id, version, roleIds: [mine] }))).toEqual([
      403,
      'user.self',
    ])
  })

  test('templates of the platform may be given, and what others cover may not', async () => {
    const template = await people.role(people.family.platformId, 'Template', ['order.read'])
    await sql`update role set is_template = true where id = ${template}`.execute(people.db)
    const person = await detail(await added({ account: 'templated' }))
    const { id, version } = person
    expect(statusAndCode(await boss.call(assignRoles, { id, version, roleIds: [template] }))[0]).toBe(200)
    const choices = data<{ roles: { name: string; isCovered: boolean }[] }>(await boss.call(getUserChoices))
    expect(choices.roles).toContainEqual(expect.objectContaining({ name: 'Template', isCovered: true }))
    expect(choices.roles).toContainEqual(expect.objectContaining({ name: 'Money', isCovered: false }))
  })
})

describe('the last administrator of the platform', () => {
  test('can neither be demoted nor lose the role, and of two who disable each other one stays', async () => {
    const me = await detail(platform.id, platform)
    const take = { id: me.id, version: me.version, roleIds: [] }
    expect(statusAndCode(await platform.call(assignRoles, take))).toEqual([409, 'user.lastAdmin'])
    const other = await people.as({ merchantId: people.family.platformId, kind: 'platform_admin', grants: ['*'] })
    const both = await Promise.all([
      platform.call(disableUser, { id: other.id }),
      other.call(disableUser, { id: platform.id }),
    ])
    const outcomes = both.map((answer) => Number(statusAndCode(answer)[0])).sort((a, b) => a - b)
    expect(outcomes[0]).toBe(200)
    expect([401, 409]).toContain(outcomes[1])
    const left = await sql`select id from app_user where kind = 'platform_admin' and state = 'active'`.execute(
      people.db,
    )
    expect(left.rows).toHaveLength(1)
    await sql`update app_user set state = 'active' where kind = 'platform_admin'`.execute(people.db)
  })
})

describe('the list', () => {
  test('shows people of the merchants in sight alone, by account, unit and state', async () => {
    const all = data<{ items: { merchantId: number }[] }>(await boss.call(listUsers, { pageSize: 200 }))
    expect(new Set(all.items.map((each) => each.merchantId))).toEqual(new Set([merchantId]))
    const found = async (filter: Record<string, unknown>) =>
      data<{ items: { account: string }[] }>(await boss.call(listUsers, filter)).items.map(({ account }) => account)
    expect(await found({ q: 'zhang' })).toEqual(['zhang.san'])
    expect(await found({ organisationId: people.family.ours.ids['organisations'], kind: 'merchant_admin' })).toEqual([
      'edit-me',
    ])
    expect(await found({ state: 'disabled' })).toEqual([])
    expect(await found({ q: 'zhang', signedIn: 'ever' })).toEqual([])
  })
})
