import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMerchant } from '../../testing/builders'
import { addUser } from '../../testing/fixtures'
import { openWorld, type World } from '../../testing/world'
import type { Services } from '../../kernel/context'
import { sealPending, verifyChain } from './seal.commands'

const NOON = new Date('2026-11-20T04:00:00Z')
const ROWS = 60

let world: World
let services: Services
let dataDir: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'aisle-seal-'))
})
beforeEach(async () => {
  await world?.close()
  world = await openWorld(NOON)
  rmSync(join(dataDir, 'audit-seal.json'), { force: true })
  services = { ...world.services, dataDir }
  await write(ROWS / 2)
  await sealPending(services)
  await write(ROWS / 2)
  await sealPending(services)
})
afterAll(async () => {
  await world.close()
  rmSync(dataDir, { recursive: true })
})

/** Rows as commands leave them. */
async function write(count: number): Promise<void> {
  const merchantId = await addMerchant(services.db, { parentId: await platform() })
  const user = await addUser(services.db, { merchantId })
  await sql`with written as (
      insert into audit_log (at, merchant_id, user_id, ip, action, object_kind, object_id, before, after, trace_id)
      select ${NOON}::timestamptz - n * interval '1 minute', ${merchantId}, ${user.id}, '10.0.0.1', 'fleet.stopSale',
        'machine', 'M' || n, jsonb_build_object('operation', 'in_operation'),
        jsonb_build_object('operation', 'stopped', 'reason', 'n' || n), 'trace' || n
      from generate_series(1, ${count}) n returning id, at)
    insert into audit_pending select id, at from written`.execute(services.db)
}

async function platform(): Promise<number> {
  const found = await sql<{ id: number }>`select id from merchant where parent_id is null`.execute(services.db)
  return found.rows[0]?.id ?? addMerchant(services.db)
}

const problems = async () => (await verifyChain(services.db, services.keys, dataDir)).problems

/** As somebody who has the whole database and no key would: triggers are no obstacle to them. */
async function tamper(...statements: string[]): Promise<void> {
  await services.db.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db)
    for (const statement of statements) await sql.raw(statement).execute(db)
    await sql`set session_replication_role = default`.execute(db)
  })
}

const pick = (n: number) => `(select id from audit_log order by id offset ${n} limit 1)`

test('a log that nobody touched is as it was written, and every row of it is sealed', async () => {
  const verdict = await verifyChain(services.db, services.keys, dataDir)
  expect(verdict).toEqual({ rows: ROWS, problems: [], hasAnchor: true })
})

test('rows refuse to be changed or deleted', async () => {
  await expect(sql`update audit_log set ip = ''`.execute(services.db)).rejects.toThrow('never changed')
  await expect(sql`delete from audit_log`.execute(services.db)).rejects.toThrow('never changed')
})

test('what is written after the last seal waits for the next, and is no problem', async () => {
  await write(2)
  expect(await problems()).toEqual([])
  expect(await sealPending(services)).toBe(2)
  expect(await problems()).toEqual([])
})

const columns = ['ip', 'action', 'object_kind', 'object_id', 'trace_id']
const values = [
  ...columns.map((column) => `${column} = ${column} || 'x'`),
  `user_id = user_id + 1`,
  `merchant_id = (select max(id) from merchant) + 1`,
  `at = at + interval '1 microsecond'`,
  `before = null`,
  `after = after || '{"reason": "other"}'`,
]
test.each(values)('a row that was edited shows: %s', async (change) => {
  await tamper(`update audit_log set ${change} where id = ${pick(17)}`)
  expect(await problems()).toEqual([expect.stringMatching(/^row \d+: changed$/)])
})

test('a removed row shows, whether or not its link went with it', async () => {
  await tamper(`delete from audit_log where id = ${pick(20)}`)
  expect(await problems()).toEqual([expect.stringMatching(/^row \d+: removed$/)])
  await tamper('delete from audit_link where log_id not in (select id from audit_log)')
  expect(await problems()).toEqual([expect.stringMatching(/^seal 1: its links/)])
})

test('an inserted row shows, whether or not somebody linked it', async () => {
  const copy = `insert into audit_log (at, merchant_id, user_id, ip, action, object_kind, object_id, trace_id)
    select at, merchant_id, user_id, ip, action, object_kind, object_id, trace_id from audit_log where id = ${pick(3)}`
  await tamper(copy)
  expect(await problems()).toEqual([expect.stringMatching(/^row \d+: inserted$/)])
  await tamper(`insert into audit_link select (select max(seq) + 1 from audit_link), l.id, 2, audit_digest(l)
    from audit_log l order by l.id desc limit 1`)
  expect(await problems()).toEqual([expect.stringMatching(/^seal 2: its links/)])
})

test('two rows whose contents were swapped show both', async () => {
  await tamper(`update audit_log a set object_id = b.object_id from audit_log b
    where (a.id = ${pick(5)} and b.id = ${pick(6)}) or (a.id = ${pick(6)} and b.id = ${pick(5)})`)
  expect(await problems()).toHaveLength(2)
})

test('digests that were made to fit an edited row do not fit its seal', async () => {
  await tamper(
    `update audit_log set ip = 'x' where id = ${pick(40)}`,
    'update audit_link k set digest = audit_digest(l) from audit_log l where l.id = k.log_id',
  )
  expect(await problems()).toEqual([expect.stringMatching(/^seal 2: its links/)])
})

test('a chain that was cut at its end shows by the seal kept outside the database', async () => {
  const afterFirst = 'select log_id from audit_link where seal_id = 2'
  await tamper(
    `delete from audit_log where id in (${afterFirst})`,
    'delete from audit_link where seal_id = 2',
    'delete from audit_seal where id = 2',
  )
  expect(await problems()).toEqual([expect.stringMatching(/^seal 2: the chain was cut/)])
})

test('with other keys no seal fits', async () => {
  const others = { ...services.keys, auth: Buffer.alloc(32, 7) }
  expect((await verifyChain(services.db, others, dataDir)).problems).toHaveLength(2)
})
