import { endOtherSessions } from '@aisle/contract/identity/ownSessions'
import { adminResetPass, changeOwnPassword, resetPass, sendPhoneCode } from '@aisle/contract/identity/password'
import {
  confirmSecondFactor,
  onSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  startSecondFactor,
  turnOffSecondFactor,
} from '@aisle/contract/identity/secondFactor'
import { getUserInfo, onLoginSSO } from '@aisle/contract/identity/session'
import { createTicket } from '@aisle/contract/identity/sso'
import { disableUser, resetUserPassword } from '@aisle/contract/people/user'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Accounts, codeOf, dataOf, openAccounts } from '../../../testing/accounts'
import { routes as userRoutes } from '../../people/user.routes'
import { endAllBegun } from '../account/account.commands'
import { cheapKeys, makeUser } from '../testing'
import { write } from '../password/credential.store'
import { defaultKdf } from '@aisle/contract/identity/signin'

let at: Accounts
let admin: { id: number; token: string }
beforeAll(async () => {
  at = await openAccounts(...userRoutes)
  const id = await makeUser(at, 'root', 'secret', { grants: ['*'] })
  await sql`update app_user set kind = 'platform_admin', phone = '13900001111' where id = ${id}`.execute(at.pool.db)
  admin = { id, token: await at.tokenOf('root', 'secret') }
  await sql`insert into setting (key, merchant_id, value)
    values ('link.inspection', null, '"https://inspection.example/"')`.execute(at.pool.db)
})
afterAll(() => at.close())

/** Whether the setting demands a second factor of who may approve refunds, as all here may. */
const demand = async (isDemanded: boolean) => {
  await sql`delete from setting where key = 'secondFactor.requiredForRisk'`.execute(at.pool.db)
  if (!isDemanded) return
  await sql`insert into setting (key, merchant_id, value)
    values ('secondFactor.requiredForRisk', null, 'true')`.execute(at.pool.db)
}

/** Of this step; each is taken once, so between two there is `at.later(30)`. */
function totp(secret: string): string {
  const timestamp = at.clock.at.getTime()
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp, digits: 6, period: 30 })
}

async function enter(account: string, secret: string | null): Promise<string> {
  const { body } = await at.signIn(account, 'secret')
  if (secret === null) return String(body.session_key)
  const { challenge } = Object(body.secondFactor)
  at.later(30)
  return String((await at.call(onSecondFactor, { challenge, code: totp(secret) })).body.session_key)
}

async function turnOn(account: string): Promise<string> {
  const token = await at.tokenOf(account, 'secret')
  const { secret } = dataOf(await at.call(startSecondFactor, { proof: await at.proofOf(token, 'secret') }, token))
  await at.call(confirmSecondFactor, { code: totp(secret) }, token)
  return String(secret)
}

let people = 0

/** Somebody with everything begun that there is: by themselves, or by who knows their password. */
async function begun(hasFactor: boolean) {
  await demand(false)
  people += 1
  const account = `person${people}`
  const phone = `1380000${String(people).padStart(4, '0')}`
  const id = await makeUser(at, account, 'secret', { grants: ['refund.approve'] })
  await sql`update app_user set phone = ${phone} where id = ${id}`.execute(at.pool.db)
  const own = hasFactor ? await turnOn(account) : null
  const [token, other] = [await enter(account, own), await enter(account, own)]
  await demand(true)
  at.later(30)
  const { challenge, setup } = Object((await at.signIn(account, 'secret')).body.secondFactor)
  const secret = String(own ?? setup.secret)
  const proof = await at.proofOf(token, 'secret')
  const started = own ? null : dataOf(await at.call(startSecondFactor, { proof }, token))
  const { address } = dataOf(await at.call(createTicket, { system: 'inspection' }, token))
  const ticket = new URL(address).searchParams.get('ticket') ?? ''
  await at.call(sendPhoneCode, { phone })
  const code = /\d{6}/.exec((await at.sentTo(phone))[0] ?? '')?.[0] ?? ''
  return { id, account, phone, token, other, challenge, secret, ownSetup: String(started?.secret), ticket, code }
}
type Begun = Awaited<ReturnType<typeof begun>>

async function whatIsLeft(person: Begun): Promise<string[]> {
  const { account, challenge, code, id, other, phone, secret, ticket } = person
  const pass = at.verifierOf(account, 'theirs')
  const answers = {
    session: codeOf(await at.call(getUserInfo, {}, other)) === 'H0000',
    ticket: codeOf(await at.call(onLoginSSO, { ticket, audience: 'inspection' })) === '',
    setup: (await sql`select from second_factor_setup where user_id = ${id}`.execute(at.pool.db)).rows.length > 0,
    challenge: await isIn(challenge, secret),
    code: codeOf(await at.call(resetPass, { phone, checkCode: code, pass })) === 'H0000',
  }
  return Object.entries(answers).flatMap(([name, isLeft]) => (isLeft ? [name] : []))
}

async function isIn(challenge: string, secret: string): Promise<boolean> {
  at.later(30)
  return codeOf(await at.call(onSecondFactor, { challenge, code: totp(secret) })) === ''
}

const newPass = (account: string) => at.verifierOf(account, 'a new secret')
const ways: [string, boolean, (person: Begun) => Promise<unknown>][] = [
  [
    'changing the own password',
    false,
    async ({ account, token }) => {
      const input = { proof: await at.proofOf(token, 'secret'), verifier: newPass(account) }
      return at.call(changeOwnPassword, input, token)
    },
  ],
  [
    'changing it with a factor',
    true,
    async ({ account, token }) => {
      const input = { proof: await at.proofOf(token, 'secret'), verifier: newPass(account) }
      return at.call(changeOwnPassword, input, token)
    },
  ],
  [
    'a reset by the phone',
    false,
    ({ account, phone, code }) => at.call(resetPass, { phone, checkCode: code, pass: newPass(account) }),
  ],
  [
    'a reset to a password of the administrator',
    false,
    ({ account, phone }) => at.call(adminResetPass, { phone, pass: newPass(account) }, admin.token),
  ],
  ['a reset to a password by phone', false, ({ id }) => at.call(resetUserPassword, { id }, admin.token)],
  ['disabling', false, ({ id }) => at.call(disableUser, { id }, admin.token)],
  ['disabling somebody with a factor', true, ({ id }) => at.call(disableUser, { id }, admin.token)],
  ['ending the other sessions', false, ({ token }) => at.call(endOtherSessions, {}, token)],
  ['ending the other sessions, with a factor', true, ({ token }) => at.call(endOtherSessions, {}, token)],
  [
    'turning a factor on',
    false,
    ({ ownSetup, token }) => at.call(confirmSecondFactor, { code: totp(ownSetup) }, token),
  ],
  ['new recovery codes', true, ({ secret, token }) => at.call(renewRecoveryCodes, { code: totp(secret) }, token)],
  ['turning a factor off', true, ({ secret, token }) => at.call(turnOffSecondFactor, { code: totp(secret) }, token)],
  [
    'a factor reset by an administrator',
    true,
    ({ id }) => at.call(resetSecondFactor, { id, reason: 'lost telephone' }, admin.token),
  ],
]

test('what is begun can be finished while nothing changes', async () => {
  expect(await whatIsLeft(await begun(true))).toEqual(['session', 'ticket', 'challenge', 'code'])
  // A factor that is set up on the way ends what was begun before: the reset code too.
  expect(await whatIsLeft(await begun(false))).toEqual(['session', 'ticket', 'setup', 'challenge'])
})

test.each(ways)('%s leaves no second step, set-up, ticket, reset code or other session', async (_, hasFactor, end) => {
  const person = await begun(hasFactor)
  expect(codeOf((await end(person)) as Parameters<typeof codeOf>[0])).toBe('H0000')
  expect(await whatIsLeft(person)).toEqual([])
})

test('a sign-in that was half through when the password changed is wrong, and leaves no session', async () => {
  await demand(false)
  const userId = await makeUser(at, 'halfway', 'secret')
  let open = () => {}
  const gate = new Promise<void>((done) => (open = done))
  const changing = at.pool.db.transaction().execute(async (tx) => {
    await endAllBegun(tx, userId, 'password', at.clock.at)
    const opened = cheapKeys('another')
    await write(tx, at.keys, { userId, kdf: defaultKdf, opened, mustChange: false, at: at.clock.at })
    await gate
  })
  const waiting = async () =>
    (
      await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(at.pool.db)
    ).rows.length
  const signingIn = at.signIn('halfway', 'secret')
  await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(0), { timeout: 10_000 })
  open()
  await changing
  expect(codeOf(await signingIn)).toBe('signIn.wrong')
  expect(codeOf(await at.signIn('halfway', 'another'))).toBe('')
})

test('nobody puts away their own factor or password as an administrator', async () => {
  await demand(false)
  const reason = 'a browser that was left open'
  expect(codeOf(await at.call(resetSecondFactor, { id: admin.id, reason }, admin.token))).toBe('account.own')
  const own = { phone: '13900001111', pass: at.verifierOf('root', 'theirs') }
  expect(codeOf(await at.call(adminResetPass, own, admin.token))).toBe('account.own')
})
