import { afterEach, expect, inject, test } from 'vitest'
import { waitForDatabase } from './patient'
import { openPool } from './pool'
import { asAdmin, freshDatabase } from './testing'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function openPatient() {
  const { url, drop } = await freshDatabase()
  const name = new URL(url).pathname.slice(1)
  const pool = openPool(url, 2, () => undefined)
  closers.push(drop, pool.close)
  const stopping = new AbortController()
  const waits: unknown[] = []
  waitForDatabase(pool.raw, stopping.signal, (cause) => waits.push(cause))
  const admin = (statement: string) => asAdmin(inject('testDatabase').url, statement)
  const goAway = async () => {
    await admin(`alter database ${name} allow_connections false`)
    await admin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  }
  return { pool, waits, stopping, goAway, comeBack: () => admin(`alter database ${name} allow_connections true`) }
}

test('what is asked while the database is away is answered when it is back', async () => {
  const { pool, waits, goAway, comeBack } = await openPatient()
  await goAway()
  const asked = pool.raw.query('select 1 as one')
  await expect.poll(() => waits.length).toBeGreaterThan(0)
  await comeBack()
  expect((await asked).rows).toEqual([{ one: 1 }])
})

test('who stops is not kept waiting', async () => {
  const { pool, waits, stopping, goAway } = await openPatient()
  await goAway()
  const asked = pool.raw.query('select 1 as one')
  await expect.poll(() => waits.length).toBeGreaterThan(0)
  stopping.abort()
  expect((await asked).rows).toEqual([])
})
