import { randomInt } from 'node:crypto'
import { deriveKeys, defaultKdf, normaliseAccount } from '@aisle/contract/identity/signin'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blockedUntil, endAllBegun, unblock } from '../account/account.commands'
import { saltFor, openCredential } from './credential'
import { makeInitialCredential } from './initialCredential'
import { newPassword } from './initialPassword.rules'
import { codeOf, finish, type Identity, makeUser, openIdentity, prepare, signInAs } from '../testing'

let identity: Identity
beforeAll(async () => {
  identity = await openIdentity()
})
afterAll(() => identity.close())

test('an initial password has 12 symbols that nobody mixes up, a letter and a digit among them', () => {
  for (let i = 0; i < 1000; i += 1) {
    const password = newPassword(randomInt)
    expect(password).toMatch(/^[a-hjkmnp-z2-9]{12}$/)
    expect(password).toMatch(/[a-z].*\d|\d.*[a-z]/)
  }
})

test('an initial credential opens to its password, replaces the old one and must be changed', async () => {
  const userId = await makeUser(identity, 'Newcomer', 'old password')
  const account = normaliseAccount('Newcomer')
  const password = await identity.pool.db
    .transaction()
    .execute((tx) => makeInitialCredential(tx, identity.keys, { userId, account, at: identity.clock.at }))
  const found = await sql<{ stored_key: Buffer; server_key: Buffer; must_change: boolean }>`
    select stored_key, server_key, must_change from credential where user_id = ${userId}`.execute(identity.pool.db)
  const [row] = found.rows
  if (!row) throw new Error('no credential')
  const opened = openCredential(identity.keys, userId, { storedKey: row.stored_key, serverKey: row.server_key })
  const keys = deriveKeys(password, saltFor(identity.keys, account), defaultKdf)
  expect(Buffer.from(opened.storedKey)).toEqual(Buffer.from(keys.storedKey))
  expect(Buffer.from(opened.serverKey)).toEqual(Buffer.from(keys.serverKey))
  expect(row.must_change).toBe(true)
})

test('ended sessions are ended for the reason given, and there are none left to end', async () => {
  const userId = await makeUser(identity, 'leaver', 'secret')
  const { tokenHash } = await signInAs(identity, 'leaver', 'secret')
  const end = () =>
    identity.pool.db.transaction().execute((tx) => endAllBegun(tx, userId, 'disabled', identity.clock.at))
  expect([await end(), await end()]).toEqual([1, 0])
  const found = await sql<{ end_reason: string }>`
    select end_reason from session where token_hash = ${tokenHash}`.execute(identity.pool.db)
  expect(found.rows).toEqual([{ end_reason: 'disabled' }])
})

test('an account blocked by wrong guesses is free again once somebody unblocks it', async () => {
  await makeUser(identity, 'guessed', 'secret')
  for (let i = 0; i < 5; i += 1) {
    const place = { ip: `198.51.100.${i}` }
    await codeOf(finish(identity, await prepare(identity, 'guessed', 'wrong', place), place))
  }
  const until = () => blockedUntil(identity.pool.db, 'guessed', identity.clock.at)
  expect(await until()).toBeInstanceOf(Date)
  await identity.pool.db.transaction().execute((tx) => unblock(tx, 'guessed', identity.clock.at))
  expect(await until()).toBeNull()
  const { token } = await signInAs(identity, 'guessed', 'secret', { ip: '198.51.100.77' })
  expect(token).not.toBe('')
})
