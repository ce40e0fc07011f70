import {
  confirmSecondFactor,
  getOwnSecondFactor,
  isRisky,
  onSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  startSecondFactor,
  turnOffSecondFactor,
} from '@aisle/contract/identity/secondFactor'
import { getUserInfo } from '@aisle/contract/identity/session'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Accounts, codeOf, dataOf, openAccounts } from '../../../testing/accounts'
import { makeMerchant, makeUser } from '../testing'
import { uriOf } from './totp.rules'

let at: Accounts
beforeAll(async () => {
  at = await openAccounts()
})
afterAll(() => at.close())

const totp = (secret: string) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.clock.at.getTime(), digits: 6, period: 30 })

/** @returns the secret and the recovery codes of a factor that was just turned on */
async function turnedOn(account: string, password: string) {
  const token = await at.tokenOf(account, password)
  const started = dataOf(await at.call(startSecondFactor, { proof: await at.proofOf(token, password) }, token))
  const confirmed = dataOf(await at.call(confirmSecondFactor, { code: totp(started.secret) }, token))
  return { token, secret: String(started.secret), codes: confirmed.recoveryCodes as string[] }
}
async function challengeOf(account: string, password: string): Promise<string> {
  const { body } = await at.signIn(account, password)
  return String(Object(body.secondFactor).challenge)
}

describe('signing in with a second factor', () => {
  test('gives no session for the password alone, and one for the code of the app', async () => {
    await makeUser(at, 'eve', 'secret')
    const { secret } = await turnedOn('eve', 'secret')
    const first = await at.signIn('eve', 'secret')
    expect(first.body).toMatchObject({ code: 'signIn.secondFactor', secondFactor: { exp: 120, setup: null } })
    expect(Object.keys(first.body)).not.toContain('session_key')
    expect(typeof first.body.serverSig).toBe('string')
    at.later(30)
    const { challenge } = Object(first.body.secondFactor)
    const second = await at.call(onSecondFactor, { challenge, code: totp(secret) })
    expect(codeOf(second)).toBe('')
    expect(codeOf(await at.call(getUserInfo, {}, String(second.body.session_key)))).toBe('H0000')
    expect(codeOf(await at.call(onSecondFactor, { challenge, code: totp(secret) }))).toBe('secondFactor.challengeOver')
  })

  test('a code is taken once: not again in its time step, and none of an earlier one', async () => {
    await makeUser(at, 'fay', 'secret')
    const { secret } = await turnedOn('fay', 'secret')
    const used = totp(secret)
    expect(codeOf(await at.call(onSecondFactor, { challenge: await challengeOf('fay', 'secret'), code: used }))).toBe(
      'secondFactor.wrong',
    )
    at.later(30)
    const next = totp(secret)
    const tries = await Promise.all(
      [await challengeOf('fay', 'secret'), await challengeOf('fay', 'secret')].map((challenge) =>
        at.call(onSecondFactor, { challenge, code: next }),
      ),
    )
    expect(new Set(tries.map(codeOf))).toEqual(new Set(['', 'secondFactor.wrong']))
  })

  test('guesses are slowed down over all challenges, and five burn one', async () => {
    await makeUser(at, 'gus', 'secret')
    const { codes } = await turnedOn('gus', 'secret')
    const challenge = await challengeOf('gus', 'secret')
    const guesses = []
    for (let i = 0; i < 5; i += 1)
      guesses.push(codeOf(await at.call(onSecondFactor, { challenge, code: 'AAAAA-AAAAA' })))
    expect(guesses).toEqual(Array.from({ length: 5 }, () => 'secondFactor.wrong'))
    const right = { challenge: await challengeOf('gus', 'secret'), code: codes[0] }
    expect(codeOf(await at.call(onSecondFactor, { ...right, challenge }))).toBe('secondFactor.challengeOver')
    expect(codeOf(await at.call(onSecondFactor, right))).toBe('secondFactor.slowDown')
    at.later(31)
    expect(codeOf(await at.call(onSecondFactor, right))).toBe('')
  })

  test('a challenge is good for two minutes, a recovery code for one use in whatever spelling', async () => {
    await makeUser(at, 'hal', 'secret')
    const { codes } = await turnedOn('hal', 'secret')
    expect(codes).toHaveLength(10)
    const late = await challengeOf('hal', 'secret')
    at.later(121)
    const code = (codes[3] ?? '').toLowerCase().replace('-', '')
    expect(codeOf(await at.call(onSecondFactor, { challenge: late, code }))).toBe('secondFactor.challengeOver')
    const use = async () =>
      codeOf(await at.call(onSecondFactor, { challenge: await challengeOf('hal', 'secret'), code }))
    expect(await use()).toBe('')
    expect(await use()).toBe('secondFactor.wrong')
  })

  test('what is kept says nothing without the key file, and no log holds a code or the secret', async () => {
    await makeUser(at, 'ida', 'secret')
    const { secret, codes } = await turnedOn('ida', 'secret')
    const dump = await sql<{ text: string }>`select coalesce(string_agg(f::text, ' '), '') ||
      coalesce((select string_agg(c::text, ' ') from recovery_code c), '') as text from second_factor f`.execute(
      at.pool.db,
    )
    const hex = (text: string) => Buffer.from(text).toString('hex')
    for (const kept of [dump.rows[0]?.text ?? '', at.logged.join('\n')]) {
      for (const each of [secret, ...codes])
        expect([kept.includes(each), kept.includes(hex(each))]).toEqual([false, false])
    }
  })
})

describe('one’s own second factor', () => {
  test('begins with a proof of the password, can be renewed and turned off with a code', async () => {
    await makeUser(at, 'jon', 'secret')
    const token = await at.tokenOf('jon', 'secret')
    const guess = { proof: await at.proofOf(token, 'a guess') }
    expect(codeOf(await at.call(startSecondFactor, guess, token))).toBe('password.wrong')
    expect(codeOf(await at.call(confirmSecondFactor, { code: '123456' }, token))).toBe('secondFactor.setupOver')
    const { secret, codes, token: own } = await turnedOn('jon', 'secret')
    expect(codeOf(await at.call(getUserInfo, {}, token))).toBe('S9999')
    expect(dataOf(await at.call(getOwnSecondFactor, {}, own))).toMatchObject({ isOn: true, recoveryLeft: 10 })
    const again = { proof: await at.proofOf(own, 'secret') }
    expect(codeOf(await at.call(startSecondFactor, again, own))).toBe('secondFactor.alreadyOn')
    at.later(30)
    const renewed = dataOf(await at.call(renewRecoveryCodes, { code: totp(secret) }, own)).recoveryCodes as string[]
    expect(renewed).not.toContain(codes[0])
    expect(codeOf(await at.call(turnOffSecondFactor, { code: codes[0] }, own))).toBe('secondFactor.wrong')
    expect(codeOf(await at.call(turnOffSecondFactor, { code: renewed[0] }, own))).toBe('H0000')
    expect(codeOf(await at.signIn('jon', 'secret'))).toBe('')
  })

  test('is demanded by the setting of whoever can move money or edit rights, before there is a session', async () => {
    await sql`insert into setting (key, merchant_id, value)
      values ('secondFactor.requiredForRisk', null, 'true')`.execute(at.pool.db)
    await makeUser(at, 'kim', 'secret', { grants: ['refund.approve'] })
    await makeUser(at, 'lee', 'secret', { grants: ['refund.read', 'machine.read'] })
    expect(codeOf(await at.signIn('lee', 'secret'))).toBe('')
    const first = await at.signIn('kim', 'secret')
    const { challenge, setup } = Object(first.body.secondFactor)
    expect(setup.uri).toBe(uriOf(setup.secret, 'kim'))
    expect(codeOf(await at.call(onSecondFactor, { challenge, code: 'AAAAA-AAAAA' }))).toBe('secondFactor.wrong')
    const second = await at.call(onSecondFactor, { challenge, code: totp(setup.secret) })
    expect(codeOf(second)).toBe('')
    expect(second.body.recoveryCodes).toHaveLength(10)
    expect((await at.signIn('kim', 'secret')).body).toMatchObject({ secondFactor: { setup: null } })
    await sql`delete from setting where key = 'secondFactor.requiredForRisk'`.execute(at.pool.db)
  })

  test('is demanded of what a role gives on the phone alone, since every call may come from there', async () => {
    await sql`insert into setting (key, merchant_id, value)
      values ('secondFactor.requiredForRisk', null, 'true')`.execute(at.pool.db)
    const id = await makeUser(at, 'mae', 'secret', { grants: ['machine.read'] })
    expect(codeOf(await at.signIn('mae', 'secret'))).toBe('')
    await sql`with made as (insert into role (merchant_id, name, surface)
        select merchant_id, 'Pays back on the road', 'app' from app_user where id = ${id} returning id),
      granted as (insert into role_permission select id, 'refund.approve' from made)
      insert into user_role select ${id}, id from made`.execute(at.pool.db)
    expect((await at.signIn('mae', 'secret')).body).toMatchObject({ secondFactor: { setup: expect.anything() } })
    await sql`delete from setting where key = 'secondFactor.requiredForRisk'`.execute(at.pool.db)
  })

  test.each([
    [['*'], true],
    [['refund.approve'], true],
    [['role.*'], true],
    [['user.write'], true],
    [['user.read', 'refund.read', 'machine.*'], false],
    [[], false],
  ])('of %j that is %s', (grants, risky) => {
    expect(isRisky(grants)).toBe(risky)
  })

  test('is removed by an administrator for accounts below alone, whose owner is told', async () => {
    const found = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(at.pool.db)
    const merchantId = await makeMerchant(at.pool, 'TEAM', false, found.rows[0]?.id ?? 0)
    const boss = await makeUser(at, 'boss', 'secret', { merchantId, grants: ['user.write'] })
    await sql`update app_user set kind = 'merchant_admin' where id = ${boss}`.execute(at.pool.db)
    const worker = await makeUser(at, 'worker', 'secret', { merchantId })
    const stranger = await makeUser(at, 'stranger', 'secret')
    await turnedOn('worker', 'secret')
    const token = await at.tokenOf('boss', 'secret')
    const reason = 'lost telephone'
    expect(codeOf(await at.call(resetSecondFactor, { id: stranger, reason }, token))).toBe('request.notFound')
    expect(dataOf(await at.call(resetSecondFactor, { id: worker, reason }, token))).toEqual({ wasOn: true })
    expect(codeOf(await at.signIn('worker', 'secret'))).toBe('')
    const told = await sql<{ type: string; vars: object }>`
      select type, vars from outbox_message where user_id = ${worker}`.execute(at.pool.db)
    expect(told.rows).toEqual([{ type: 'secondFactor.reset', vars: { by: expect.any(String) } }])
  })
})

test('the address for the app fits the picture, however long the account', () => {
  const secret = 'A'.repeat(32)
  for (const account of ['admin', '张'.repeat(64), 'x'.repeat(64)]) {
    const uri = uriOf(secret, account)
    expect(uri.length).toBeLessThanOrEqual(106)
    expect(new URL(uri).searchParams.get('secret')).toBe(secret)
  }
})
