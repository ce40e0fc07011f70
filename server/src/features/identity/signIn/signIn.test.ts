import { randomBytes } from 'node:crypto'
import { getCheckCode, getLoginParam, onLogin } from '@aisle/contract/identity/session'
import { b64u, clientProof, passwordField } from '@aisle/contract/identity/signin'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '../../../kernel/token'
import {
  call,
  codeOf,
  finish,
  type Identity,
  makeMerchant,
  makeUser,
  openIdentity,
  prepare,
  refusalOf,
  signInAs,
} from '../testing'

let identity: Identity
let nextIp = 0
/** A subnet of its own, so that no test fails because another one failed before it. */
const elsewhere = () => ({ ip: `10.${++nextIp}.0.1` })
const sessions = async (userId: number) => {
  const found = await sql<{ token_hash: Buffer; end_reason: string | null; ends_at: Date }>`
    select token_hash, end_reason, ends_at from session where user_id = ${userId} order by created_at`.execute(
    identity.pool.db,
  )
  return found.rows
}
const outcomes = async (account: string) => {
  const found = await sql<{ outcome: string }>`
    select outcome from sign_in_log where account = ${account} order by id`.execute(identity.pool.db)
  return found.rows.map((row) => row.outcome)
}

beforeAll(async () => {
  identity = await openIdentity()
  await makeUser(identity, '张伟', 'right-1', { grants: ['machine.*'] })
  await makeUser(identity, 'other', 'right-2')
  await makeUser(identity, 'gone', 'right-3', { state: 'disabled' })
})
afterAll(() => identity.close())

describe('signing in', () => {
  test('gives a session of which the database holds only the hash, the menus, and proof of the server', async () => {
    const userId = await makeUser(identity, 'fresh', 'secret', { grants: ['machine.*'] })
    const { answer, token, tokenHash } = await signInAs(identity, 'Fresh ', 'secret', elsewhere())
    expect(answer).toMatchObject({ code: '', msg: '', userInfo: { userid: String(userId), accountname: 'fresh' } })
    expect(answer.userInfo?.menuJsonTree[0]?.children.map((group) => group.code)).toContain('shj')
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const [session] = await sessions(userId)
    expect(session?.token_hash).toEqual(tokenHash)
    expect(session?.ends_at).toEqual(new Date(identity.clock.at.getTime() + 12 * 3600_000))
    expect(await outcomes('fresh')).toEqual(['ok'])
  })

  test('in a merchant with one session an account ends the earlier ones and tells them B1000', async () => {
    const root = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(identity.pool.db)
    const merchantId = await makeMerchant(identity.pool, 'SINGLE', true, root.rows[0]?.id ?? null)
    const userId = await makeUser(identity, 'single', 'secret', { merchantId })
    const listener = new Client({ connectionString: identity.url })
    await listener.connect()
    const heard = new Promise<string>((resolve) => listener.on('notification', (note) => resolve(note.payload ?? '')))
    await listener.query('listen aisle_live')
    const first = await signInAs(identity, 'single', 'secret', elsewhere())
    await signInAs(identity, 'single', 'secret', elsewhere())
    const reasons = (await sessions(userId)).map((each) => each.end_reason)
    expect(new Set(reasons)).toEqual(new Set(['elsewhere', null]))
    expect(JSON.parse(await heard)).toEqual({
      topic: 'session',
      tokenHash: first.tokenHash.toString('hex'),
      code: 'B1000',
    })
    await listener.end()
  })

  test('in any other merchant sessions stand side by side', async () => {
    const userId = await makeUser(identity, 'many', 'secret')
    await signInAs(identity, 'many', 'secret', elsewhere())
    await signInAs(identity, 'many', 'secret', elsewhere())
    expect((await sessions(userId)).map((each) => each.end_reason)).toEqual([null, null])
  })

  test('many at once in a merchant with one session leave one', async () => {
    const root = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(identity.pool.db)
    const merchantId = await makeMerchant(identity.pool, 'SINGLE2', true, root.rows[0]?.id ?? null)
    const userId = await makeUser(identity, 'single2', 'secret', { merchantId })
    const ready = []
    for (let i = 0; i < 8; i += 1) {
      const { deviceCookie } = await signInAs(identity, 'single2', 'secret', elsewhere())
      const place = { ...elsewhere(), deviceCookie }
      ready.push({ place, prepared: await prepare(identity, 'single2', 'secret', place) })
    }
    await Promise.all(ready.map(({ place, prepared }) => finish(identity, prepared, place)))
    expect((await sessions(userId)).filter((each) => each.end_reason === null)).toHaveLength(1)
  })
})

describe('each check of a sign-in', () => {
  test('a challenge that was never given, or not tied to an account, or a field that is no proof', async () => {
    const ctx = identity.contextAt(elsewhere())
    const password = (cid: string) => passwordField(cid, randomBytes(32))
    const account = '张伟'
    expect(await codeOf(call(ctx, onLogin, { account, password: password('nope'), checkCode: 'K7Q2' }))).toBe(
      'signIn.codeInvalid',
    )
    const { cid, checkCode = '' } = await call(ctx, getCheckCode, {})
    expect(await codeOf(call(ctx, onLogin, { account, password: password(cid), checkCode }))).toBe('signIn.codeInvalid')
    expect(await codeOf(call(ctx, onLogin, { account, password: 'right-1', checkCode }))).toBe('signIn.codeInvalid')
  })

  test('a challenge serves once', async () => {
    const place = elsewhere()
    const prepared = await prepare(identity, '张伟', 'right-1', place)
    await finish(identity, prepared, place)
    expect(await codeOf(finish(identity, prepared, place))).toBe('signIn.codeInvalid')
  })

  test('a challenge is tied to one account and one pair of nonces', async () => {
    const ctx = identity.contextAt(elsewhere())
    const { cid } = await call(ctx, getCheckCode, {})
    const cnonce = b64u(randomBytes(16))
    await call(ctx, getLoginParam, { account: '张伟', cid, cnonce })
    expect(await codeOf(call(ctx, getLoginParam, { account: 'other', cid, cnonce }))).toBe('signIn.codeInvalid')
  })

  test('the account is the one that the challenge was given for', async () => {
    const place = elsewhere()
    const prepared = await prepare(identity, 'other', 'right-1', place)
    expect(await codeOf(finish(identity, { ...prepared, account: '张伟' }, place))).toBe('signIn.codeInvalid')
    expect(await outcomes('other')).toEqual([])
  })

  test('the origin is the one that asked for the salt', async () => {
    const place = elsewhere()
    const prepared = await prepare(identity, '张伟', 'right-1', place)
    expect(await codeOf(finish(identity, prepared, { ...place, origin: 'https://evil.example' }))).toBe(
      'signIn.codeInvalid',
    )
    expect(await codeOf(prepare(identity, '张伟', 'right-1', { ...place, origin: '' }))).toBe('request.malformed')
  })

  test('a proof made for another origin is wrong even when the request claims ours', async () => {
    const place = elsewhere()
    const prepared = await prepare(identity, '张伟', 'right-1', place)
    const phished = Uint8Array.from(prepared.am, (byte, i) => (i === 20 ? byte ^ 1 : byte))
    expect(await codeOf(finish(identity, { ...prepared, am: phished }, place))).toBe('signIn.wrong')
  })

  test('a wrong password', async () => {
    const place = elsewhere()
    const prepared = await prepare(identity, '张伟', 'wrong', place)
    expect(await codeOf(finish(identity, prepared, place))).toBe('signIn.wrong')
  })

  test('a user who is disabled, or whose merchant is stopped, with the right password', async () => {
    const place = elsewhere()
    const prepared = await prepare(identity, 'gone', 'right-3', place)
    expect(await codeOf(finish(identity, prepared, place))).toBe('signIn.wrong')
    expect(await outcomes('gone')).toContain('disabled')
    const root = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(identity.pool.db)
    const merchantId = await makeMerchant(identity.pool, 'STOPPED', false, root.rows[0]?.id ?? null)
    await makeUser(identity, 'stopped', 'secret', { merchantId })
    await sql`update merchant set state = 'stopped' where id = ${merchantId}`.execute(identity.pool.db)
    const stopped = await prepare(identity, 'stopped', 'secret', place)
    expect(await codeOf(finish(identity, stopped, place))).toBe('signIn.wrong')
  })

  test('an account that isn’t there', async () => {
    const place = elsewhere()
    const prepared = await prepare(identity, 'nobody', 'any', place)
    expect(await codeOf(finish(identity, prepared, place))).toBe('signIn.wrong')
    expect(await outcomes('nobody')).toEqual(['wrong'])
    expect(
      await sql`select from session where user_id not in (select id from app_user)`.execute(identity.pool.db),
    ).toHaveProperty('rows', [])
  })

  test('a user without a password yet', async () => {
    const userId = await makeUser(identity, 'unset', 'secret')
    await sql`delete from credential where user_id = ${userId}`.execute(identity.pool.db)
    const place = elsewhere()
    const prepared = await prepare(identity, 'unset', 'secret', place)
    expect(await codeOf(finish(identity, prepared, place))).toBe('signIn.wrong')
  })

  test('the stored key of a leaked database does not sign in', async () => {
    const place = elsewhere()
    const prepared = await prepare(identity, '张伟', 'right-1', place)
    const leaked = { ...prepared.keys, clientKey: prepared.keys.storedKey }
    expect(await codeOf(finish(identity, { ...prepared, keys: leaked }, place))).toBe('signIn.wrong')
  })
})

test('unknown, wrong and disabled are answered alike, also in what was said before', async () => {
  await makeUser(identity, 'enabled2', 'right')
  await makeUser(identity, 'disabled2', 'right', { state: 'disabled' })
  const answers = []
  for (const account of ['nobody2', 'enabled2', 'disabled2']) {
    const ctx = identity.contextAt(elsewhere())
    const { cid, checkCode = '', mode, exp } = await call(ctx, getCheckCode, { account })
    const cnonce = b64u(randomBytes(16))
    const param = await call(ctx, getLoginParam, { account, cid, cnonce })
    const password = passwordField(cid, randomBytes(32))
    const { code, status, domain, vars, fields } = await refusalOf(call(ctx, onLogin, { account, password, checkCode }))
    const shape = { ...param, salt: param.salt.length, snonce: param.snonce.length }
    answers.push(JSON.stringify({ mode, exp, shape, code, status, domain, vars, fields }))
  }
  expect(new Set(answers)).toHaveProperty('size', 1)
  expect(JSON.parse(answers[0] ?? '')).toMatchObject({ code: 'signIn.wrong', status: 401 })
})

test('a salt stays the account’s own, whoever asks and however often', async () => {
  const salt = async (account: string) => {
    const ctx = identity.contextAt(elsewhere())
    const { cid } = await call(ctx, getCheckCode, {})
    return (await call(ctx, getLoginParam, { account, cid, cnonce: b64u(randomBytes(16)) })).salt
  }
  expect(await salt('ghost')).toBe(await salt(' GHOST'))
  expect(await salt('ghost')).not.toBe(await salt('other2'))
  expect(identity.logged.filter((line) => line.includes('"ghost"'))).toHaveLength(3)
})

test('the session key is what it takes, its hash is not', async () => {
  const { token, tokenHash } = await signInAs(identity, 'other', 'right-2', elsewhere())
  expect(hashToken(token)).toEqual(tokenHash)
  expect(hashToken(tokenHash.toString('base64url'))).not.toEqual(tokenHash)
})

test('a proof is bound to its challenge', async () => {
  const place = elsewhere()
  const one = await prepare(identity, '张伟', 'right-1', place)
  const two = await prepare(identity, '张伟', 'right-1', place)
  const password = passwordField(two.cid, clientProof(one.keys, one.am))
  const moved = call(identity.contextAt(place), onLogin, { account: '张伟', password, checkCode: two.checkCode })
  expect(await codeOf(moved)).toBe('signIn.wrong')
})
