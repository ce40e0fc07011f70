import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportableOf } from '@aisle/contract/exports'
import type { ListEndpoint } from '@aisle/contract/kernel/endpoint'
import { getCompleteness } from '@aisle/contract/report/overview'
import { requestReport } from '@aisle/contract/report/request'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbedded, type Embedded } from '../db/embedded'
import { migrate } from '../db/migrate'
import { openPool, type Pool } from '../db/pool'
import { openReplica, type Replica } from '../db/replica'
import { throwAwayFolder } from '../db/testing.places'
import { systemClock } from '../kernel/clock'
import { jobs, routes } from './features'
import { addMerchant } from '../testing/builders'
import { addSession, addUser } from '../testing/fixtures'
import { type HttpWorld, openHttp } from '../testing/http'
import { openWorld, type World } from '../testing/world'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const folders = [throwAwayFolder('test'), throwAwayFolder('test')] as const
let primary: Embedded
let standby: Embedded
let pool: Pool
let replica: Replica
let world: World
let http: HttpWorld
let own: World
let parentId: number
let token: string

/** A cluster at rest, copied, that then follows the one it is a copy of. */
beforeAll(async () => {
  const [from, to] = folders
  const first = await startEmbedded({ dataDir: from, log: quiet, isDurable: false })
  await migrate(first.url, quiet)
  await first.stop()
  execFileSync('cp', ['-a', `${from}/.`, to])
  // What it has acknowledged it has written, as everywhere but in other tests.
  primary = await startEmbedded({ dataDir: from, log: quiet, isDurable: true })
  const { port, username, password } = new URL(primary.url)
  const follow = `host=127.0.0.1 port=${port} user=${username} password=${password}`
  writeFileSync(join(to, 'postgres/standby.signal'), '')
  appendFileSync(join(to, 'postgres/postgresql.auto.conf'), `primary_conninfo = '${follow}'\n`)
  standby = await startEmbedded({ dataDir: to, log: quiet, isDurable: false })
  pool = openPool(primary.url, 5, () => undefined)
  await sql`select ensure_partitions(current_date - 100, current_date + 31)`.execute(pool.db)
  const warn = () => undefined
  replica = openReplica(pool.raw, { url: standby.url, max: 4, clock: systemClock, warn, lookMs: 20, mostMs: 2_000 })
  own = await openWorld(systemClock.now())
  world = { ...own, url: primary.url, services: { ...own.services, db: pool.db, clock: systemClock, replica } }
  http = await openHttp(world, routes)
  const grants = routes.map(({ endpoint }) => endpoint.access).filter((access) => access.includes('.'))
  parentId = await addMerchant(pool.db)
  const { id } = await addUser(pool.db, { merchantId: parentId, grants: [...new Set(grants)] })
  token = await addSession(pool.db, id, systemClock.now())
})
afterAll(async () => {
  await http.close()
  await replica.stop()
  await pool.close()
  await own.close()
  await standby.stop()
  await primary.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const isReplica = async () => {
  const found = await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(replica.reader() ?? pool.db)
  return found.rows[0]?.is
}

test('what was committed is read from the replica once it has come there', async () => {
  const id = await addMerchant(pool.db, { parentId })
  const db = await replica.readerOf(systemClock.now())
  const found = await sql<{ id: number }>`select id from merchant where id = ${id}`.execute(db ?? expect.fail())
  expect(found.rows).toEqual([{ id }])
  expect(await isReplica()).toBe(true)
})

test('one that stands still is not read from, and is again when it has caught up', async () => {
  const asked = async (text: string) => {
    const client = new pg.Client({ connectionString: standby.url })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await asked('select pg_wal_replay_pause()')
  await addMerchant(pool.db, { parentId })
  await expect.poll(isReplica).toBe(false)
  expect((await http.call(getCompleteness, {}, { token })).status).toBe(200)
  await asked('select pg_wal_replay_resume()')
  await expect.poll(isReplica).toBe(true)
})

test('every report answers from a database in which nothing can be written', async () => {
  const figures = routes.filter((route) => route.kind === 'query' && route.isOfFigures)
  expect(figures.length).toBeGreaterThan(40)
  const answers: string[] = []
  for (const { endpoint } of figures) {
    const { status } = await http.call(endpoint, {}, { token })
    // Some want to be told more than nothing; none may fail.
    if (![200, 422].includes(status)) answers.push(`${endpoint.name} ${status}`)
  }
  expect(answers).toEqual([])
})

test('every list is exported from there', async () => {
  const lists = routes.map(({ endpoint }) => endpoint as ListEndpoint).filter(({ name }) => exportableOf(name))
  expect(lists.length).toBeGreaterThan(40)
  const make = jobs.find(({ name }) => name === 'report.make') ?? expect.fail('nobody makes reports')
  const ends: string[] = []
  for (const { name } of lists) {
    const columns = Object.keys(exportableOf(name)?.fields ?? {})
    const { body } = await http.call(requestReport, { list: name, query: {}, columns, format: 'csv' }, { token })
    // A list of what belongs to one thing wants to be told which.
    if (body.code === 'request.invalid') continue
    const { id } = body.data as { id: number }
    await make.run(world.services, { id }).catch((cause: unknown) => ends.push(`${name}: ${String(cause)}`))
  }
  expect(ends).toEqual([])
  const made = await sql<{ state: string }>`select distinct state from report_request`.execute(pool.db)
  expect(made.rows).toEqual([{ state: 'done' }])
})
