import { randomBytes } from 'node:crypto'
import { getCheckCode, getLoginParam } from '@aisle/contract/identity/session'
import { authMessage, b64u, clientProof, verifyProof } from '@aisle/contract/identity/signin'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCredential } from '../password/credential'
import {
  call,
  cheapKeys,
  codeIn,
  codeOf,
  finish,
  type Identity,
  makeUser,
  openIdentity,
  ORIGIN,
  prepare,
  randomKeys,
  signInAs,
} from '../testing'

const PASSWORD = '极密的Pass-word\u00e9 2026'
let identity: Identity
let userId: number
let nextIp = 0
const elsewhere = () => ({ ip: `10.${++nextIp}.0.1` })

beforeAll(async () => {
  identity = await openIdentity()
  userId = await makeUser(identity, 'admin', PASSWORD)
  await makeUser(identity, 'mallory', 'mallory-1')
})
afterAll(() => identity.close())

test('of 64 uses of one challenge at once, one succeeds', async () => {
  for (let round = 0; round < 8; round += 1) {
    const place = elsewhere()
    const prepared = await prepare(identity, 'admin', PASSWORD, place)
    const uses = Array.from({ length: 64 }, () => finish(identity, prepared, place))
    const settled = await Promise.allSettled(uses)
    expect(settled.filter((each) => each.status === 'fulfilled')).toHaveLength(1)
  }
})

test('a recorded sign-in is worth nothing, at once or later, from there or elsewhere', async () => {
  const place = elsewhere()
  const recorded = []
  for (let i = 0; i < 20; i += 1) {
    const prepared = await prepare(identity, 'admin', PASSWORD, place)
    await finish(identity, prepared, place)
    recorded.push(prepared)
  }
  const later = new Date(identity.clock.at.getTime() + 60_000)
  for (const prepared of recorded) {
    expect(await codeOf(finish(identity, prepared, place))).toBe('signIn.codeInvalid')
    expect(await codeOf(finish(identity, prepared, { ...elsewhere(), now: later }))).toBe('signIn.codeInvalid')
  }
})

test('64 guesses at once are no more guesses than one after the other', async () => {
  await makeUser(identity, 'target', 'secret')
  const prepared = []
  for (let i = 0; i < 64; i += 1) prepared.push({ place: elsewhere(), guess: i })
  const ready = await Promise.all(
    prepared.map(async ({ place, guess }) => ({
      place,
      it: await prepare(identity, 'target', `guess ${guess}`, place),
    })),
  )
  await Promise.allSettled(ready.map(({ place, it }) => finish(identity, it, place)))
  const judged = await sql<{ outcome: string; count: number }>`
    select outcome, count(*) as count from sign_in_log where account = 'target'
    group by outcome order by outcome`.execute(identity.pool.db)
  expect(judged.rows).toEqual([
    { outcome: 'throttled', count: 59 },
    { outcome: 'wrong', count: 5 },
  ])
})

describe('a dump of the database', () => {
  test('without the key file opens no credential, so no guess can be tested', async () => {
    const found = await sql<{ stored_key: Buffer; server_key: Buffer }>`
      select stored_key, server_key from credential where user_id = ${userId}`.execute(identity.pool.db)
    const [row] = found.rows
    if (!row) throw new Error('no credential')
    const sealed = { storedKey: row.stored_key, serverKey: row.server_key }
    expect(() => openCredential(randomKeys(), userId, sealed)).toThrow()
    const { storedKey } = cheapKeys(PASSWORD)
    expect(openCredential(identity.keys, userId, sealed).storedKey).toEqual(Buffer.from(storedKey))
    expect([row.stored_key, row.server_key].map((sealedKey) => sealedKey.includes(Buffer.from(storedKey)))).toEqual([
      false,
      false,
    ])
    const am = authMessage({
      origin: ORIGIN,
      account: 'admin',
      cid: 'c',
      checkCode: 'K7Q2',
      cnonce: 'n',
      snonce: 's',
      salt: 'salt',
      kdf: { a: 'argon2id', m: 19456, t: 2, p: 1 },
    })
    const guess = clientProof(cheapKeys(PASSWORD), am)
    expect(verifyProof(row.stored_key.subarray(12, 44), am, guess)).toBe(false)
  })

  test('holds the password in no form, and neither do the logs', async () => {
    const place = elsewhere()
    const { token } = await signInAs(identity, 'admin', PASSWORD, place)
    await codeOf(finish(identity, await prepare(identity, 'admin', `${PASSWORD}!`, place), place))
    const secrets = [PASSWORD, PASSWORD.normalize('NFD'), token].flatMap((text) => {
      const bytes = Buffer.from(text)
      return [text, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')]
    })
    const dump = await dumpOf(identity.url)
    expect(dump).toContain('mallory')
    expect(secrets.filter((secret) => dump.includes(secret))).toEqual([])
    const logged = identity.logged.join('')
    expect(logged).toContain('salt asked')
    expect(secrets.filter((secret) => logged.includes(secret))).toEqual([])
  })
})

describe('the check code', () => {
  test.each([
    ['0000', '0000'],
    ['empty', ''],
    ['another one', 'AAAA'],
  ])('%s is refused, and the challenge with it', async (_, checkCode) => {
    const place = elsewhere()
    const prepared = await prepare(identity, 'mallory', 'mallory-1', place)
    const other = prepared.checkCode === checkCode ? 'BBBB' : checkCode
    expect(await codeOf(finish(identity, { ...prepared, checkCode: other }, place))).toBe('signIn.codeInvalid')
    expect(await codeOf(finish(identity, prepared, place))).toBe('signIn.codeInvalid')
  })

  test('wrong, makes the address read pictures but slows no account down', async () => {
    const place = elsewhere()
    const prepared = await prepare(identity, 'mallory', 'mallory-1', place)
    await codeOf(finish(identity, { ...prepared, checkCode: '????' }, place))
    const modeAt = async (ip: string, account: string) =>
      (await call(identity.contextAt({ ip }), getCheckCode, { account })).mode
    expect(await modeAt(place.ip, 'somebody')).toBe('typed')
    expect(await modeAt(elsewhere().ip, 'mallory')).toBe('auto')
  })

  test('of somebody else’s challenge is refused', async () => {
    const place = elsewhere()
    const theirs = await prepare(identity, 'admin', PASSWORD, place)
    const mine = await prepare(identity, 'mallory', 'mallory-1', place)
    const mixed = { ...mine, cid: theirs.cid, checkCode: theirs.checkCode }
    expect(await codeOf(finish(identity, mixed, place))).toBe('signIn.codeInvalid')
  })

  test('serves for 120 s and no longer', async () => {
    const place = elsewhere()
    const inTime = await prepare(identity, 'mallory', 'mallory-1', place)
    const tooLate = await prepare(identity, 'mallory', 'mallory-1', place)
    const after = (ms: number) => ({ ...place, now: new Date(identity.clock.at.getTime() + ms) })
    expect((await finish(identity, inTime, after(119_999))).code).toBe('')
    expect(await codeOf(finish(identity, tooLate, after(120_000)))).toBe('signIn.codeInvalid')
    const { cid } = await call(identity.contextAt(place), getCheckCode, {})
    const bound = call(identity.contextAt(after(120_000)), getLoginParam, {
      account: 'mallory',
      cid,
      cnonce: b64u(randomBytes(16)),
    })
    expect(await codeOf(bound)).toBe('signIn.codeInvalid')
  })

  test('may be typed in lower case', async () => {
    const place = elsewhere()
    const prepared = await prepare(identity, 'mallory', 'mallory-1', place)
    const lower = { ...prepared, checkCode: prepared.checkCode.toLowerCase() }
    expect((await finish(identity, lower, place)).code).toBe('')
  })

  test('is a picture without any text of it once the account failed, and its clear one serves no more', async () => {
    await makeUser(identity, 'hot', 'secret')
    const early = elsewhere()
    const clean = await call(identity.contextAt(early), getCheckCode, {})
    expect(clean).toMatchObject({ mode: 'auto', exp: 120 })
    expect(clean.image).toBeUndefined()
    const place = elsewhere()
    await codeOf(finish(identity, await prepare(identity, 'hot', 'wrong', place), place))
    const typed = await call(identity.contextAt(elsewhere()), getCheckCode, { account: 'Hot' })
    expect(typed).toMatchObject({ mode: 'typed' })
    expect(typed.checkCode).toBeUndefined()
    expect(typed.image).toMatch(/^data:image\/png;base64,/)
    expect(JSON.stringify(typed)).not.toContain(await codeIn(identity.pool, typed.cid))
    const cnonce = b64u(randomBytes(16))
    const withClear = call(identity.contextAt(early), getLoginParam, { account: 'hot', cid: clean.cid, cnonce })
    expect(await codeOf(withClear)).toBe('signIn.codeInvalid')
    const sameAddress = await call(identity.contextAt(place), getCheckCode, { account: 'somebody' })
    expect(sameAddress.mode).toBe('typed')
  })

  test('a flood of codes from one address is told to slow down, others are not', async () => {
    const flooding = elsewhere()
    await sql`insert into sign_in_challenge (cid, code, mode, ip, expires_at)
      select 'flood-' || n, 'K7Q2', 'auto', ${flooding.ip}, ${new Date(identity.clock.at.getTime() + 1000)}
      from generate_series(1, 600) as n`.execute(identity.pool.db)
    expect(await codeOf(call(identity.contextAt(flooding), getCheckCode, {}))).toBe('signIn.slowDown')
    expect((await call(identity.contextAt(elsewhere()), getCheckCode, {})).mode).toBe('auto')
  })
})

/** Every row of every table as text. */
async function dumpOf(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const tables = await client.query<{ name: string }>(`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`)
  const texts: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} as t`)
    texts.push(...rows.map(({ row }) => row))
  }
  await client.end()
  return texts.join('\n')
}
