import {
  adminResetPass,
  changeOwnPassword,
  openForgotten,
  resetPass,
  resetPassByGet,
  sendPhoneCode,
} from '@aisle/contract/identity/password'
import { listOwnSessions } from '@aisle/contract/identity/ownSessions'
import { getUserInfo } from '@aisle/contract/identity/session'
import { b64u, defaultKdf, deriveKeys, verifierText } from '@aisle/contract/identity/signin'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Accounts, codeOf, dataOf, openAccounts } from '../../../testing/accounts'
import { saltFor } from './credential'
import { makeMerchant, makeUser } from '../testing'

let at: Accounts
beforeAll(async () => {
  at = await openAccounts()
})
afterAll(() => at.close())

const setPhone = (account: string, phone: string) =>
  sql`update app_user set phone = ${phone} where account = ${account}`.execute(at.pool.db)
const codeSentTo = async (phone: string) => /\d{6}/.exec((await at.sentTo(phone))[0] ?? '')?.[0] ?? ''
const audited = async (action: string) =>
  (await sql<{ after: unknown }>`select after from audit_log where action = ${action}`.execute(at.pool.db)).rows

describe('changing the own password', () => {
  test('takes a proof of the old one, ends every session, and the new one signs in', async () => {
    await makeUser(at, 'changer', 'old secret')
    const token = await at.tokenOf('changer', 'old secret')
    const other = await at.tokenOf('changer', 'old secret')
    const wrong = { proof: await at.proofOf(token, 'a guess'), verifier: at.verifierOf('changer', 'new secret') }
    expect(codeOf(await at.call(changeOwnPassword, wrong, token))).toBe('password.wrong')
    const right = { ...wrong, proof: await at.proofOf(token, 'old secret') }
    expect(codeOf(await at.call(changeOwnPassword, right, token))).toBe('H0000')
    for (const each of [token, other]) expect(codeOf(await at.call(getUserInfo, {}, each))).toBe('S9999')
    expect(codeOf(await at.signIn('changer', 'old secret'))).toBe('signIn.wrong')
    expect(codeOf(await at.signIn('changer', 'new secret'))).toBe('')
    expect(JSON.stringify(await audited('identity.changeOwnPassword'))).toContain('"by":"own"')
  })

  test('a proof serves once, who guesses is slowed down, and another account’s verifier is none', async () => {
    await makeUser(at, 'guesser', 'old secret')
    const token = await at.tokenOf('guesser', 'old secret')
    const verifier = at.verifierOf('guesser', 'new secret')
    const foreign = { proof: await at.proofOf(token, 'old secret'), verifier: at.verifierOf('changer', 'x') }
    expect(codeOf(await at.call(changeOwnPassword, foreign, token))).toBe('request.invalid')
    const plain = { proof: foreign.proof, verifier: 'new secret' }
    expect(codeOf(await at.call(changeOwnPassword, plain, token))).toBe('request.invalid')
    const same = { proof: foreign.proof, verifier: at.verifierOf('guesser', 'old secret') }
    expect(codeOf(await at.call(changeOwnPassword, same, token))).toBe('password.same')
    expect(codeOf(await at.call(changeOwnPassword, { proof: foreign.proof, verifier }, token))).toBe('password.wrong')
    for (let i = 0; i < 4; i += 1) {
      const guess = { proof: await at.proofOf(token, `guess ${i}`), verifier }
      expect(codeOf(await at.call(changeOwnPassword, guess, token))).toBe('password.wrong')
    }
    const right = { proof: await at.proofOf(token, 'old secret'), verifier }
    expect(codeOf(await at.call(changeOwnPassword, right, token))).toBe('password.slowDown')
  })

  test('a password that somebody else made opens nothing but its own change', async () => {
    const userId = await makeUser(at, 'fresh', 'initial', { grants: ['*'] })
    await sql`update credential set must_change = true where user_id = ${userId}`.execute(at.pool.db)
    const answer = await at.signIn('fresh', 'initial')
    expect(answer.body.mustChangePassword).toBe(true)
    const token = String(answer.body.session_key)
    expect(dataOf(await at.call(getUserInfo, {}, token)).mustChangePassword).toBe(true)
    expect(codeOf(await at.call(listOwnSessions, {}, token))).toBe('password.mustChange')
    const change = { proof: await at.proofOf(token, 'initial'), verifier: at.verifierOf('fresh', 'my own') }
    expect(codeOf(await at.call(changeOwnPassword, change, token))).toBe('H0000')
    const own = await at.tokenOf('fresh', 'my own')
    expect(codeOf(await at.call(listOwnSessions, {}, own))).toBe('H0000')
  })
})

describe('the password that the product ships', () => {
  const shippedOf = (account: string) => {
    const salt = saltFor(at.keys, account)
    const { storedKey, serverKey } = deriveKeys('aisle-demo', salt, defaultKdf)
    const texts = { salt: b64u(salt), storedKey: b64u(storedKey), serverKey: b64u(serverKey) }
    return verifierText({ v: 1, kdf: defaultKdf, ...texts })
  }

  test('is taken from nobody: not as one’s own, not by a code, not from an administrator', async () => {
    await makeUser(at, 'easy', 'old secret')
    await setPhone('easy', '+86 139 0000 7777')
    const admin = await makeUser(at, 'easy.admin', 'secret', { grants: ['*'] })
    await sql`update app_user set kind = 'platform_admin' where id = ${admin}`.execute(at.pool.db)
    const token = await at.tokenOf('easy', 'old secret')
    const own = { proof: await at.proofOf(token, 'old secret'), verifier: shippedOf('easy') }
    expect(codeOf(await at.call(changeOwnPassword, own, token))).toBe('password.shipped')
    const reset = { phone: '+86 139 0000 7777', pass: shippedOf('easy') }
    await at.call(sendPhoneCode, { phone: reset.phone })
    const checkCode = await codeSentTo(reset.phone)
    expect(codeOf(await at.call(resetPass, { ...reset, checkCode }))).toBe('password.shipped')
    const adminToken = await at.tokenOf('easy.admin', 'secret')
    expect(codeOf(await at.call(adminResetPass, reset, adminToken))).toBe('password.shipped')
    expect(codeOf(await at.signIn('easy', 'old secret'))).toBe('')
  })
})

describe('a forgotten password', () => {
  test('is set anew with the code sent to the phone, for the account of it that is chosen', async () => {
    await makeUser(at, 'anna', 'forgotten')
    await makeUser(at, 'anna.shop', 'kept')
    for (const account of ['anna', 'anna.shop']) await setPhone(account, '13800000001')
    const before = await at.tokenOf('anna', 'forgotten')
    const known = await at.call(sendPhoneCode, { phone: '13800000001' })
    const unknown = await at.call(sendPhoneCode, { phone: '13900000009' })
    expect(dataOf(unknown)).toEqual(dataOf(known))
    expect(await at.sentTo('13900000009')).toEqual([])
    const checkCode = await codeSentTo('13800000001')
    const opened = dataOf(await at.call(openForgotten, { phone: '13800000001', checkCode }))
    expect(opened.accounts.map((each: { account: string }) => each.account)).toEqual(['anna', 'anna.shop'])
    const reset = { phone: '13800000001', checkCode, pass: at.verifierOf('anna', 'remembered') }
    expect(dataOf(await at.call(resetPass, reset))).toEqual({ account: 'anna' })
    expect(codeOf(await at.call(resetPass, reset))).toBe('password.codeInvalid')
    expect(codeOf(await at.call(getUserInfo, {}, before))).toBe('S9999')
    expect(codeOf(await at.signIn('anna', 'remembered'))).toBe('')
    expect(codeOf(await at.signIn('anna.shop', 'kept'))).toBe('')
    expect(JSON.stringify(await audited('identity.resetPass'))).toContain('"by":"phone"')
  })

  test('a code is good for five minutes and five tries', async () => {
    await makeUser(at, 'bert', 'forgotten')
    await setPhone('bert', '13800000002')
    await at.call(sendPhoneCode, { phone: '13800000002' })
    const pass = at.verifierOf('bert', 'new')
    const right = await codeSentTo('13800000002')
    const wrong = right === '000000' ? '000001' : '000000'
    for (let i = 0; i < 5; i += 1) {
      const answer = await at.call(resetPass, { phone: '13800000002', checkCode: wrong, pass })
      expect(codeOf(answer)).toBe('password.codeInvalid')
    }
    expect(codeOf(await at.call(resetPass, { phone: '13800000002', checkCode: right, pass }))).toBe(
      'password.codeInvalid',
    )
    at.later(61)
    await at.call(sendPhoneCode, { phone: '13800000002' })
    const late = { phone: '13800000002', checkCode: await codeSentTo('13800000002'), pass }
    at.later(301)
    expect(codeOf(await at.call(resetPass, late))).toBe('password.codeInvalid')
  })

  test('one code a minute and ten a day go to a phone; whoever asks is answered alike', async () => {
    await makeUser(at, 'carl', 'forgotten')
    await setPhone('carl', '13800000003')
    const ask = () => at.call(sendPhoneCode, { phone: '13800000003' })
    await ask()
    expect(codeOf(await ask())).toBe('H0000')
    expect(await at.sentTo('13800000003')).toHaveLength(1)
    for (let i = 0; i < 12; i += 1) {
      at.later(61)
      await ask()
    }
    expect(await at.sentTo('13800000003')).toHaveLength(10)
  })

  test('by GET, as the specification has it, takes a verifier and no plain password, and logs neither', async () => {
    await makeUser(at, 'dora', 'forgotten')
    await setPhone('dora', '13800000004')
    at.later(24 * 3600)
    await at.call(sendPhoneCode, { phone: '13800000004' })
    const checkCode = await codeSentTo('13800000004')
    const pass = at.verifierOf('dora', 'remembered')
    const plain = { phone: '13800000004', checkCode, pass: 'remembered-in-plain' }
    expect(codeOf(await at.call(resetPassByGet, plain))).toBe('request.invalid')
    expect(codeOf(await at.call(resetPassByGet, { ...plain, pass }))).toBe('H0000')
    const log = at.logged.join('\n')
    for (const secret of [pass, 'remembered-in-plain', checkCode]) expect(log).not.toContain(secret)
  })
})

describe('a reset by an administrator', () => {
  test('reaches accounts below with no more rights, must be changed, and is written down', async () => {
    const root = await rootId()
    const merchantId = await makeMerchant(at.pool, 'BELOW', false, root)
    const elsewhere = await makeMerchant(at.pool, 'ELSEWHERE', false, root)
    const boss = await makeUser(at, 'boss', 'secret', { merchantId, grants: ['user.write', 'machine.read'] })
    await sql`update app_user set kind = 'merchant_admin' where id = ${boss}`.execute(at.pool.db)
    await makeUser(at, 'worker', 'old', { merchantId, grants: ['machine.read'] })
    await makeUser(at, 'richer', 'old', { merchantId, grants: ['refund.approve'] })
    await makeUser(at, 'stranger', 'old', { merchantId: elsewhere })
    await setPhone('worker', '13700000001')
    await setPhone('richer', '13700000002')
    await setPhone('stranger', '13700000003')
    const token = await at.tokenOf('boss', 'secret')
    const reset = (account: string, phone: string) =>
      at.call(adminResetPass, { phone, pass: at.verifierOf(account, 'given') }, token)
    expect(codeOf(await reset('stranger', '13700000003'))).toBe('request.notFound')
    expect(codeOf(await reset('richer', '13700000002'))).toBe('account.holdsMore')
    expect(codeOf(await reset('worker', '13700000001'))).toBe('H0000')
    expect((await at.signIn('worker', 'given')).body.mustChangePassword).toBe(true)
    expect(JSON.stringify(await audited('identity.adminResetPass'))).toContain('"by":"administrator"')
  })
})

async function rootId(): Promise<number> {
  const found = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(at.pool.db)
  return found.rows[0]?.id ?? 0
}
