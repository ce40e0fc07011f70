import { getCheckCode } from '@aisle/contract/identity/session'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobs } from './identity.jobs'
import { call, codeOf, finish, type Identity, makeUser, openIdentity, prepare, signInAs } from '../testing'

let identity: Identity
let userId: number
beforeAll(async () => {
  identity = await openIdentity()
  userId = await makeUser(identity, 'admin', 'secret')
})
afterAll(() => identity.close())

const run = async (name: string) => {
  const job = jobs.find((each) => each.name === name)
  if (!job) throw new Error(`no job ${name}`)
  await job.run(identity.services, {})
}
const count = async (table: string) => {
  const found = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
    identity.pool.db,
  )
  return found.rows[0]?.count
}
const wait = (ms: number) => {
  identity.clock.at = new Date(identity.clock.at.getTime() + ms)
}
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

test('codes go when they have run out, counters when they mean nothing any more', async () => {
  const place = { ip: '10.0.0.1' }
  await codeOf(finish(identity, await prepare(identity, 'admin', 'wrong', place), place))
  await run('identity.sweepSignIn')
  expect(await count('sign_in_challenge')).toBe(1)
  wait(2 * MINUTE)
  await run('identity.sweepSignIn')
  expect([await count('sign_in_challenge'), await count('sign_in_spray')]).toEqual([0, 1])
  wait(DAY - 3 * MINUTE)
  await run('identity.sweepSignIn')
  expect([await count('sign_in_counter'), await count('sign_in_spray')]).toEqual([3, 0])
  wait(MINUTE)
  await run('identity.sweepSignIn')
  expect(await count('sign_in_counter')).toBe(0)
})

test('idle sessions end as expired, live ones stay', async () => {
  await signInAs(identity, 'admin', 'secret')
  wait(29 * MINUTE)
  const live = await signInAs(identity, 'admin', 'secret')
  wait(MINUTE)
  await run('identity.endSessions')
  const found = await sql<{ token_hash: Buffer; end_reason: string | null }>`
    select token_hash, end_reason from session order by created_at`.execute(identity.pool.db)
  expect(found.rows.map((each) => each.end_reason)).toEqual(['expired', null])
  expect(found.rows[1]?.token_hash).toEqual(live.tokenHash)
})

test('answers to repeated writes are kept for seven days', async () => {
  const age = (days: number) => new Date(identity.clock.at.getTime() - days * DAY)
  for (const [key, days] of [
    ['key-of-six-days', 6],
    ['key-of-eight-days', 8],
  ] as const) {
    await sql`insert into idempotency_key (user_id, key, endpoint, body_hash, created_at)
      values (${userId}, ${key}, 'x.y', ${Buffer.alloc(32)}, ${age(days)})`.execute(identity.pool.db)
  }
  await run('identity.forgetOld')
  const left = await sql<{ key: string }>`select key from idempotency_key`.execute(identity.pool.db)
  expect(left.rows.map((row) => row.key)).toEqual(['key-of-six-days'])
})

test('an unusual share of failures makes every new device read a picture, for as long as it lasts', async () => {
  const insert = (outcome: string, times: number, ago: number) =>
    sql`
    insert into sign_in_log (at, account, ip, agent, outcome)
    select ${new Date(identity.clock.at.getTime() - ago)}, 'a', '10.0.0.1', '', ${outcome}
    from generate_series(1, ${times}::int)`.execute(identity.pool.db)
  const mode = async () => (await call(identity.contextAt({ ip: '10.77.0.1' }), getCheckCode, {})).mode
  await insert('ok', 90, 2 * DAY)
  await insert('wrong', 10, 2 * DAY)
  await run('identity.watchSignIn')
  expect(await mode()).toBe('auto')
  await insert('wrong', 60, MINUTE)
  await run('identity.watchSignIn')
  expect(await mode()).toBe('typed')
  wait(16 * MINUTE)
  await run('identity.watchSignIn')
  expect(await mode()).toBe('auto')
})
