import { randomUUID } from 'node:crypto'
import { endpoints } from '@aisle/contract/endpoints'
import { deriveKeys } from '@aisle/contract/identity/signin'
import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import { createMerchant } from '@aisle/contract/merchant/merchant'
import { getPushMessage, listPushMessages } from '@aisle/contract/notice/push'
import { addDoctor } from '@aisle/contract/people/doctor'
import { addUser, listUsers, resetUserPassword } from '@aisle/contract/people/user'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Accounts, dataOf, openAccounts } from '../../../testing/accounts'
import { carrySms } from '../../../testing/fixtures'
import { routes as merchantRoutes } from '../../merchant/merchant.routes'
import { routes as pushRoutes } from '../../notice/push.routes'
import { routes as doctorRoutes } from '../../people/doctor.routes'
import { routes as userRoutes } from '../../people/user.routes'
import { makeUser } from '../testing'

const PHONE = '13912345678'
const MASKED = '139••••5678'

let at: Accounts
let token: string
let made = 0

beforeAll(async () => {
  at = await openAccounts(...userRoutes, ...doctorRoutes, ...merchantRoutes, ...pushRoutes)
  const id = await makeUser(at, 'root', 'secret', { grants: ['*'] })
  await sql`update app_user set kind = 'platform_admin' where id = ${id}`.execute(at.pool.db)
  token = await at.tokenOf('root', 'secret')
})
beforeEach(() => provide(false))
afterAll(() => at.close())

const provide = (isOn: boolean) => carrySms(at.pool.db, isOn)

type Given = { account: string; name: string; phone: string; password: string | null }
type Way = { endpoint: Endpoint; input: (account: string) => Promise<Record<string, unknown>>; type?: string }

const added = async (account: string): Promise<number> =>
  dataOf(await at.call(addUser, { account, name: 'Ada', phone: PHONE, kind: 'ordinary' }, token)).id

const licence = { licenceIssuedBy: 'City', licenceValidFrom: '2024-01-01' }
const admin = { adminName: 'Ada', adminPhone: PHONE }
const ways: [string, Way][] = [
  [
    'a person',
    { endpoint: addUser, input: async (account) => ({ account, name: 'Ada', phone: PHONE, kind: 'ordinary' }) },
  ],
  [
    'a doctor',
    {
      endpoint: addDoctor,
      input: async (account) => {
        return { account, name: 'Ada', phone: PHONE, profession: 'doctor', licenceNumber: account, ...licence }
      },
    },
  ],
  [
    'a merchant with its administrator',
    {
      endpoint: createMerchant,
      input: async (loginName) => {
        const root = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(at.pool.db)
        const code = loginName.toUpperCase()
        return { parentId: root.rows[0]?.id, code, name: code, type: 'ordinary', loginName, ...admin }
      },
    },
  ],
  [
    'a reset',
    { endpoint: resetUserPassword, input: async (account) => ({ id: await added(account) }), type: 'password.reset' },
  ],
]

const ask = async ({ endpoint, input }: Way, isCarried: boolean) => {
  made += 1
  const account = `new${made}`
  const sent = await input(account)
  await provide(isCarried)
  const headers = { 'idempotency-key': randomUUID() }
  const call = () => at.call(endpoint, sent, token, headers)
  return { account, answer: await call(), again: call }
}
const messagesTo = async (account: string) => {
  const found = await sql<{ id: number; type: string; body: string; isSealed: boolean; isSecret: boolean }>`
    select o.id, o.type, o.body, o.sealed_body is not null as "isSealed", o.is_secret as "isSecret"
    from outbox_message o join app_user u on u.id = o.user_id where u.account = ${account} order by o.id`.execute(
    at.pool.db,
  )
  return found.rows
}

describe('where no SMS leaves the house', () => {
  test.each(ways)('%s: the password is told once, kept nowhere, and has to be changed', async (_, way) => {
    const { account, answer, again } = await ask(way, false)
    const given: Given = dataOf(answer).firstPassword
    expect(given).toEqual({ account, name: 'Ada', phone: MASKED, password: expect.stringMatching(/^[a-z2-9]{12}$/) })
    const password = given.password ?? ''
    expect(await messagesTo(account)).toEqual([])
    const second = await again()
    expect([second.status, second.body.code]).toEqual([409, 'request.keyReused'])
    expect(second.text).not.toContain(password)
    const kept = await sql<{ text: string }>`select coalesce(string_agg(t::text, ''), '') as text from (
      select row_to_json(a) from audit_log a union all select row_to_json(k) from idempotency_key k) t`.execute(
      at.pool.db,
    )
    expect(kept.rows[0]?.text).not.toContain(password)
    const signedIn = await at.signIn(account, password, {}, deriveKeys)
    expect(signedIn.body.mustChangePassword).toBe(true)
    const refused = await at.call(listUsers, {}, String(signedIn.body.session_key))
    expect(refused.body.code).toBe('password.mustChange')
  })
})

describe('where SMS is carried', () => {
  test.each(ways)('%s: the password goes to the phone sealed, and no answer holds it', async (_, way) => {
    const { account, answer, again } = await ask(way, true)
    expect(dataOf(answer).firstPassword).toEqual({ account, name: 'Ada', phone: MASKED, password: null })
    const sent = await messagesTo(account)
    expect(sent).toMatchObject([{ type: way.type ?? 'password.initial', body: '', isSealed: true, isSecret: true }])
    const [words = ''] = await at.sentTo(PHONE)
    const password = (JSON.parse(words) as { vars: { password: string } }).vars.password
    expect(password).toMatch(/^[a-z2-9]{12}$/)
    const read = await at.call(getPushMessage, { id: sent[0]?.id ?? 0 }, token)
    const listed = await at.call(listPushMessages, {}, token)
    for (const each of [answer, await again(), read, listed]) expect(each.text).not.toContain(password)
    expect(dataOf(read)).toMatchObject({ body: '', isSecret: true, isKept: true })
  })
})

test('nothing of the contract opens what a message seals, and the way that did is gone', async () => {
  expect(endpoints.filter(({ path }) => /push-messages.*reveal/.test(path))).toEqual([])
  await provide(true)
  await added('sealed')
  const [message] = await messagesTo('sealed')
  const answer = await at.http.app.inject({
    method: 'POST',
    url: `/api/push-messages/${message?.id}/reveal`,
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() },
    payload: { reason: 'told in person' },
  })
  expect(answer.statusCode).toBe(404)
})
