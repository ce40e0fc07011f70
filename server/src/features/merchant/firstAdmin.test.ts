import { createFirstAdmin, getFirstAdminParam } from '@aisle/contract/identity/firstAdmin'
import { b64u, verifierText } from '@aisle/contract/identity/signin'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashToken } from '../../kernel/token'
import { ensurePartitions } from '../system/public'
import { firstAdminToken } from './firstAdmin.commands'
import { grantsAnywhere } from '../identity/account/user.store'
import { call, cheapKeys, codeOf, type Identity, openIdentity, refusalOf, signInAs } from '../identity/testing'

let identity: Identity
beforeAll(async () => {
  identity = await openIdentity()
  await ensurePartitions(identity.pool.db, identity.clock.at)
})
afterAll(() => identity.close())

const tokenOf = async () => (await firstAdminToken(identity.services)) ?? ''
async function make(token: string, account: string, password: string, now = identity.clock.at) {
  const ctx = identity.contextAt({ now })
  const { salt, kdf, v } = await call(ctx, getFirstAdminParam, { token, account })
  const { storedKey, serverKey } = cheapKeys(password)
  const verifier = verifierText({ v, kdf, salt, storedKey: b64u(storedKey), serverKey: b64u(serverKey) })
  return call(ctx, createFirstAdmin, { token, account, displayName: '管理员', platformName: '平台', verifier })
}

test('a made-up, an overdue and a foreign verifier make nobody', async () => {
  expect(await codeOf(make('made-up', 'admin', 'secret'))).toBe('firstAdmin.linkInvalid')
  const token = await tokenOf()
  const anHourLater = new Date(identity.clock.at.getTime() + 3600_000)
  expect(await codeOf(make(token, 'admin', 'secret', anHourLater))).toBe('firstAdmin.linkInvalid')
  const input = { token, account: 'admin', displayName: 'A', platformName: 'P' }
  const plain = call(identity.contextAt(), createFirstAdmin, { ...input, verifier: 'my-password' })
  expect((await refusalOf(plain)).fields.map((each) => each.path)).toEqual(['verifier'])
  const { storedKey, serverKey } = cheapKeys('secret')
  const kdf = { a: 'argon2id', m: 19456, t: 2, p: 1 } as const
  const keys = { storedKey: b64u(storedKey), serverKey: b64u(serverKey) }
  const ownSalt = verifierText({ v: 1, kdf, salt: b64u(new Uint8Array(16)), ...keys })
  expect(await codeOf(call(identity.contextAt(), createFirstAdmin, { ...input, verifier: ownSalt }))).toBe(
    'request.invalid',
  )
})

test('of many at once, with one address or with two, one makes the first administrator, who can sign in', async () => {
  const tokens = [await tokenOf(), await tokenOf()]
  const tries = Array.from({ length: 8 }, (_, i) => make(tokens[i % 2] ?? '', `Admin${i}`, 'secret'))
  const settled = await Promise.allSettled(tries)
  const made = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value.account] : []))
  expect(made).toHaveLength(1)
  const { answer } = await signInAs(identity, made[0] ?? '', 'secret')
  expect(await grantsAnywhere(identity.pool.db, Number(answer.userInfo?.userid))).toEqual(['*'])
  const written = await sql<{ action: string; user_id: number }>`
    select action, user_id from audit_log`.execute(identity.pool.db)
  expect(written.rows).toEqual([{ action: 'identity.createFirstAdmin', user_id: Number(answer.userInfo?.userid) }])
  const merchants = await sql<{ type: string; name: string }>`select type, name from merchant`.execute(identity.pool.db)
  expect(merchants.rows).toEqual([{ type: 'platform', name: '平台' }])
})

test('once there is a user, no address is given and none works', async () => {
  expect(await firstAdminToken(identity.services)).toBeNull()
  await sql`insert into first_admin_link (token_hash, expires_at) values (${hashToken('late')}, 'infinity')`.execute(
    identity.pool.db,
  )
  expect(await codeOf(make('late', 'late', 'secret'))).toBe('firstAdmin.linkInvalid')
})
