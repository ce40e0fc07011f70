import {
  addApiKey,
  editApiKey,
  getApiKey,
  listApiKeys,
  listScopes,
  revokeApiKey,
  takeOverApiKey,
} from '@aisle/contract/events/apiKey'
import { addMachineGroup, listMachineGroups } from '@aisle/contract/fleet/group'
import { changeOwnPassword } from '@aisle/contract/identity/password'
import { listMerchants, resumeMerchant, stopMerchant } from '@aisle/contract/merchant/merchant'
import { listUsers } from '@aisle/contract/people/user'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../main/features'
import { addMerchant } from '../../../testing/builders'
import { addSession, addUser } from '../../../testing/fixtures'
import { type Answer, type HttpWorld, openHttp, statusAndCode } from '../../../testing/http'
import { openWorld, type World } from '../../../testing/world'
import { sweepRates } from './gate'

const NOON = new Date('2026-11-20T04:00:00Z')
let world: World
let http: HttpWorld
let root: number
let ours: number
let child: number
let theirs: number

beforeAll(async () => {
  world = await openWorld(NOON)
  http = await openHttp(world, routes)
  const { db } = world.services
  root = await addMerchant(db)
  ours = await addMerchant(db, { parentId: root })
  child = await addMerchant(db, { parentId: ours })
  theirs = await addMerchant(db, { parentId: root })
})
afterAll(async () => {
  await http.close()
  await world.close()
})
beforeEach(() => world.setNow(NOON))

const as = (token: string) => ({ token })
async function signedIn(more: Partial<Parameters<typeof addUser>[1]> = {}) {
  const user = await addUser(world.services.db, { merchantId: ours, grants: ['*'], ...more })
  return { ...user, token: await addSession(world.services.db, user.id, world.services.clock.now()) }
}
type Maker = Awaited<ReturnType<typeof signedIn>>

const SCOPES = ['machineGroup.read', 'machineGroup.write']
let made = 0
async function make(maker: Maker, more: Record<string, unknown> = {}): Promise<Answer> {
  made += 1
  const input = { merchantId: ours, name: `ERP ${made}`, scopes: SCOPES, expiresOn: '2027-01-31', ...more }
  return http.call(addApiKey, input, as(maker.token))
}
async function keyOf(maker: Maker, more: Record<string, unknown> = {}): Promise<{ id: number; key: string }> {
  const answer = await make(maker, more)
  expect(statusAndCode(answer)).toEqual([200, 'H0000'])
  return answer.body.data as { id: number; key: string }
}
const dataOf = ({ body }: Answer) => body.data as Record<string, unknown> & { items: Record<string, unknown>[] }

test('a key is told once and reads and writes what people do, in its own name', async () => {
  const maker = await signedIn()
  const { id, key } = await keyOf(maker)
  expect(key).toMatch(/^aisle_live_[a-z0-9]{8}_[\w-]{43}$/)
  const group = { merchantId: child, name: 'By the ERP' }
  const asked = { ...as(key), key: 'erp-group-1' }
  const first = await http.call(addMachineGroup, group, asked)
  expect(statusAndCode(first)).toEqual([200, 'H0000'])
  // The same key of the same call answers the first answer again.
  expect(dataOf(await http.call(addMachineGroup, group, asked))).toEqual(dataOf(first))
  const listed = dataOf(await http.call(listMachineGroups, {}, as(key)))
  expect(listed.items.map(({ name }) => name)).toEqual(['By the ERP'])
  const audited = await sql`select u.kind, u.display_name as name, l.action from audit_log l
    join app_user u on u.id = l.user_id where l.action = 'fleet.addMachineGroup'`.execute(world.services.db)
  expect(audited.rows).toEqual([{ kind: 'program', name: `ERP ${made}`, action: 'fleet.addMachineGroup' }])
  const kept = await http.call(listApiKeys, {}, as(maker.token))
  expect(kept.text).not.toContain(key.slice(-43))
  expect(dataOf(kept).items).toContainEqual(
    expect.objectContaining({
      id,
      state: 'valid',
      scopeCount: 2,
      begins: key.slice(0, 19),
      lastUsedAt: expect.anything(),
    }),
  )
  const digest = await sql`select encode(key_hash, 'base64') as hash from api_key where id = ${id}`.execute(
    world.services.db,
  )
  expect(JSON.stringify(digest.rows)).not.toContain(key.slice(-43))
})

test('a key makes nothing without the scope, of another merchant, or without the key of the call', async () => {
  const { key } = await keyOf(await signedIn(), { scopes: ['machineGroup.read'] })
  const group = { merchantId: ours, name: 'Not allowed' }
  expect(statusAndCode(await http.call(addMachineGroup, group, as(key)))).toEqual([403, 'request.notPermitted'])
  const { key: writer } = await keyOf(await signedIn())
  const strange = await http.call(addMachineGroup, { ...group, merchantId: theirs }, as(writer))
  expect(statusAndCode(strange)).toEqual([404, 'request.notFound'])
  const keyless = await http.call(addMachineGroup, group, { token: writer, key: 'short' })
  expect(statusAndCode(keyless)).toEqual([400, 'request.keyMissing'])
  const merchants = dataOf(await http.call(listMerchants, {}, as(writer))).items.map(({ id }) => id)
  expect(new Set(merchants)).toEqual(new Set([ours, child]))
})

test('what only a person may do is refused in words, whatever the key holds', async () => {
  const { key } = await keyOf(await signedIn())
  const answer = await http.call(changeOwnPassword, {}, { token: key, headers: { 'accept-language': 'en' } })
  expect(statusAndCode(answer)).toEqual([403, 'apiKey.personOnly'])
  expect(answer.body.msg).toContain('Sign in')
  expect(statusAndCode(await make({ id: 0, account: '', token: key }))).toEqual([403, 'apiKey.personOnly'])
})

test('nobody gives a key what they do not hold, what is for people, or what they do not see', async () => {
  const clerk = await signedIn({ grants: ['apiKey.*', 'machine.read', 'withdrawal.write'] })
  const offered = dataOf(await http.call(listScopes, {}, as(clerk.token))).items.map(({ code }) => code)
  expect(offered).toEqual(['machine.read', 'apiKey.read'])
  for (const scope of ['machine.write', 'withdrawal.write', 'apiKey.write', 'nothing.atAll', '*', 'machine.*']) {
    const refused = await make(clerk, { scopes: ['machine.read', scope] })
    expect([scope, refused.body.code]).toEqual([scope, 'apiKey.notYours'])
  }
  expect((await make(clerk, { scopes: ['machine.read'] })).status).toBe(200)
  const partial = await signedIn({ kind: 'ordinary' })
  expect(statusAndCode(await make(partial))).toEqual([403, 'apiKey.partSight'])
  expect(statusAndCode(await make(clerk, { merchantId: theirs }))).toEqual([404, 'request.notFound'])
  for (const expiresOn of ['2026-11-19', '2028-11-20']) {
    expect(statusAndCode(await make(clerk, { scopes: ['machine.read'], expiresOn }))).toEqual([422, 'apiKey.lastDay'])
  }
})

test('a key may never do more than who answers for it, and waits for another when they are gone', async () => {
  const { db } = world.services
  const maker = await signedIn({ grants: ['apiKey.write', 'machineGroup.read', 'machineGroup.write'] })
  const { id, key } = await keyOf(maker)
  const read = async () => statusAndCode(await http.call(listMachineGroups, {}, as(key)))
  expect(await read()).toEqual([200, 'H0000'])
  await sql`delete from role_permission where permission = 'machineGroup.read'
    and role_id in (select role_id from user_role where user_id = ${maker.id})`.execute(db)
  expect(await read()).toEqual([403, 'request.notPermitted'])
  const other = await signedIn()
  const detail = dataOf(await http.call(getApiKey, { id }, as(other.token)))
  expect(detail.scopes).toMatchObject([{ isHeld: false }, { isHeld: true }])
  await sql`update app_user set state = 'disabled' where id = ${maker.id}`.execute(db)
  expect(await read()).toEqual([403, 'apiKey.unanswered'])
  expect((await http.call(takeOverApiKey, { id }, as(other.token))).status).toBe(200)
  expect(await read()).toEqual([200, 'H0000'])
})

test('a key ends when it is revoked, when its day is over, and while its merchant is stopped', async () => {
  const admin = await signedIn({ merchantId: root, kind: 'platform_admin' })
  const { id, key } = await keyOf(admin)
  const read = async () => statusAndCode(await http.call(listMachineGroups, {}, as(key)))
  await http.call(stopMerchant, { id: ours, machines: 'stop', reason: 'unpaid' }, as(admin.token))
  expect(await read()).toEqual([403, 'apiKey.merchantStopped'])
  await http.call(resumeMerchant, { id: ours }, as(admin.token))
  // The last day is the merchant's own: in Shanghai the first of February begins at 16:00.
  world.setNow(new Date('2027-01-31T15:59:00Z'))
  expect(await read()).toEqual([200, 'H0000'])
  world.setNow(new Date('2027-01-31T16:00:00Z'))
  expect(await read()).toEqual([401, 'apiKey.expired'])
  world.setNow(NOON)
  expect((await http.call(revokeApiKey, { id }, as(admin.token))).status).toBe(200)
  expect(await read()).toEqual([401, 'apiKey.revoked'])
  expect((await http.call(revokeApiKey, { id }, as(admin.token))).body.code).toBe('apiKey.isRevoked')
  expect(statusAndCode(await http.call(listMachineGroups, {}, as(`${key.slice(0, -1)}-`)))[0]).toBe(401)
})

test('a key has so many calls a minute, is told how many are left, and when to come again', async () => {
  const maker = await signedIn()
  const { id, key } = await keyOf(maker, { callsAMinute: 2 })
  const ask = async () => {
    const url = '/api/machine-groups?pageSize=1'
    const { statusCode, headers } = await http.app.inject({ url, headers: { authorization: `Bearer ${key}` } })
    return [statusCode, headers['ratelimit-policy'], headers.ratelimit, headers['retry-after']]
  }
  const policy = '"minute";q=2;w=60'
  expect(await ask()).toEqual([200, policy, '"minute";r=1;t=60', undefined])
  expect(await ask()).toEqual([200, policy, '"minute";r=0;t=60', undefined])
  world.setNow(new Date('2026-11-20T04:00:20Z'))
  expect(await ask()).toEqual([429, policy, '"minute";r=0;t=40', '40'])
  world.setNow(new Date('2026-11-20T04:01:00Z'))
  expect(await ask()).toEqual([200, policy, '"minute";r=1;t=60', undefined])
  world.setNow(new Date('2026-11-20T04:10:00Z'))
  await sweepRates(world.services)
  const left = await sql`select from api_key_rate where key_id = ${id}`.execute(world.services.db)
  expect(left.rows).toEqual([])
})

test('two who change a key at once are told of each other, and who changes it answers for it', async () => {
  const [one, two] = [await signedIn(), await signedIn()]
  const { id } = await keyOf(one)
  const to = { id, version: 1, scopes: ['machine.read'], expiresOn: '2027-03-01', callsAMinute: 60 }
  expect((await http.call(editApiKey, to, as(two.token))).status).toBe(200)
  expect(dataOf(await http.call(getApiKey, { id }, as(one.token)))).toMatchObject({
    answersBy: two.account,
    callsAMinute: 60,
    expiresOn: '2027-03-01',
    version: 2,
  })
  const stale = await http.call(editApiKey, { ...to, callsAMinute: 90 }, as(one.token))
  expect(statusAndCode(stale)).toEqual([409, 'edit.stale'])
})

test('a program is no person: it is in no list of people', async () => {
  const maker = await signedIn()
  await keyOf(maker)
  const listed = dataOf(await http.call(listUsers, { pageSize: 200 }, as(maker.token)))
  expect(listed.items.some(({ account }) => String(account).startsWith('key-'))).toBe(false)
})
