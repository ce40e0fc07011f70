import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultKdf, deriveKeys, equalBytes } from '@aisle/contract/identity/signin'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../db/pool'
import { freshDatabase } from '../db/testing'
import { pastWithin } from '../demo/life/within'
import { addAccounts, deriveProofs, seedMerchants, seedPasswords } from '../demo/people/people'
import { kdfFrom, openCredential, saltFor } from '../features/identity/password/credential'
import { write } from '../features/identity/password/credential.store'
import { systemClock } from '../kernel/clock'
import type { Services } from '../kernel/context'
import { filesIn } from '../kernel/files/store'
import { readConfig } from './config'
import { prepare } from './firstStart'
import { checkKeys, openKeys } from './keys'
import { run } from './main'

const SHIPPED = 'aisle-demo'
const dataDir = mkdtempSync(join(tmpdir(), 'aisle-shipped-'))
const keys = openKeys(dataDir)
let database: Awaited<ReturnType<typeof freshDatabase>>
let pool: Pool
let services: Services

/** The people of a demo that `npm start` made, without its machines. */
beforeAll(async () => {
  database = await freshDatabase()
  pool = openPool(database.url, 3, () => undefined)
  services = { db: pool.db, clock: systemClock, log: pino({ level: 'silent' }), keys, dataDir, files: filesIn(dataDir) }
  await checkKeys(pool.db, keys, { dataDir })
  await pool.db.transaction().execute(async (tx) => {
    const past = pastWithin(services, tx)
    await seedMerchants(past)
    await addAccounts(past)
    await seedPasswords(past, SHIPPED, await deriveProofs(services, SHIPPED))
    await sql`insert into setting (key, value) values ('demo.seeded', '{}')`.execute(tx)
  })
  // A few stand for all; and as a database from before there were marks has them.
  await sql`delete from credential using app_user u where u.id = user_id
    and u.account not in ('admin', 'merchant', 'doctor', 'finance')`.execute(pool.db)
  await sql`update credential set is_shipped = null, demo_mac = null`.execute(pool.db)
})
afterAll(async () => {
  await pool.close()
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

const start = (env: Record<string, string>) =>
  run({ DATA_DIR: dataDir, DATABASE_URL: database.url, PORT: '0', LOG_LEVEL: 'silent', ROLE: 'api', ...env }, () => {})
const greeted = (env: Record<string, string>) => prepare(services, readConfig(env))

async function credentialOf(account: string) {
  const found = await sql<{ id: number; kdf: string; storedKey: Buffer; serverKey: Buffer; shipped: boolean | null }>`
    select u.id, c.kdf, c.stored_key as "storedKey", c.server_key as "serverKey", c.is_shipped as shipped
    from credential c join app_user u on u.id = c.user_id where u.account = ${account}`.execute(pool.db)
  const [row] = found.rows
  if (!row) throw new Error(`no credential of ${account}`)
  return row
}

async function has(account: string, password: string): Promise<boolean> {
  const { id, ...row } = await credentialOf(account)
  const { storedKey } = openCredential(keys, id, row)
  return equalBytes(storedKey, deriveKeys(password, saltFor(keys, account), kdfFrom(row.kdf)).storedKey)
}

async function choose(account: string, password: string): Promise<void> {
  const { id } = await credentialOf(account)
  const opened = deriveKeys(password, saltFor(keys, account), defaultKdf)
  await write(pool.db, keys, { userId: id, kdf: defaultKdf, opened, mustChange: false, at: systemClock.now() })
}

test('a demo served for real does not start while anybody has its password, and names them', async () => {
  await sql`update app_user set state = 'disabled' where account = 'finance'`.execute(pool.db)
  for (const HOST of ['0.0.0.0', '127.0.0.1']) {
    const refused = start({ DEMO: '0', HOST })
    await expect(refused).rejects.toThrow(/admin, .*doctor, finance, .*DEMO_PASSWORD/s)
  }
  // Once looked at, the database itself knows.
  expect((await credentialOf('admin')).shipped).toBe(true)
})

test('a gateway and a worker start, since nobody signs in there', async () => {
  const running = await start({ DEMO: '0', HOST: '127.0.0.1', ROLE: 'worker' })
  await running.stop()
})

test('on loopback the demo itself goes on with the password it shows', async () => {
  expect((await greeted({ DEMO: '1' })).accounts).toEqual(['admin', 'merchant', 'doctor', 'finance'])
})

test('DEMO_PASSWORD is in force after every start, but for whom chose a password of their own', async () => {
  await choose('doctor', 'a choice of mine')
  const first = await greeted({ DEMO: '1', DEMO_PASSWORD: 'first own one', HOST: '0.0.0.0' })
  expect(first.accounts).toEqual(['admin', 'merchant', 'finance'])
  expect(first.others).toContain('doctor')
  await greeted({ DEMO: '0', DEMO_PASSWORD: 'second own one', HOST: '0.0.0.0' })
  expect(await has('admin', 'second own one')).toBe(true)
  expect(await has('finance', 'second own one')).toBe(true)
  expect(await has('doctor', 'a choice of mine')).toBe(true)
  expect(await has('admin', SHIPPED)).toBe(false)
})

test('without DEMO_PASSWORD a start takes nobody back to the one that everybody knows', async () => {
  const { accounts, others } = await greeted({ DEMO: '1' })
  expect(accounts).toEqual([])
  expect(others).toContain('admin')
  expect(await has('admin', 'second own one')).toBe(true)
})

test('one who got it by another way is found at the next start', async () => {
  await choose('merchant', SHIPPED)
  await sql`update credential set is_shipped = null where demo_mac is null`.execute(pool.db)
  await expect(start({ DEMO: '0', HOST: '0.0.0.0' })).rejects.toThrow(/: merchant\. /)
})
