import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openPool } from '../db/pool'
import { freshDatabase, withSettings } from '../db/testing'
import { type Running, run } from './main'

let dataDir: string
let database: Awaited<ReturnType<typeof freshDatabase>>
let running: Running[] = []
let said: string[] = []

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'aisle-main-'))
  database = await freshDatabase()
})
afterEach(async () => {
  await Promise.all(running.map(({ stop }) => stop()))
  running = []
  said = []
})
afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

async function start(env: Record<string, string> = {}): Promise<Running> {
  const own = { DATA_DIR: dataDir, DATABASE_URL: database.url, PORT: '0', LOG_LEVEL: 'silent' }
  const started = await run({ ...own, MQTT_PORT: String(await freePort()), ...env }, (line) => said.push(line))
  running.push(started)
  return started
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const address = probe.address()
  await new Promise((done) => probe.close(done))
  return typeof address === 'object' && address ? address.port : 0
}

const status = async (url: string) => (await fetch(url)).status

test('all of it runs, is ready, and ends in order', async () => {
  const { url, stop } = await start()
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
    state: 'ready',
    database: true,
    bus: true,
    broker: true,
  })
  expect(await status(`${url}/healthz`)).toBe(200)
  expect(await status(`${url}/api/machines`)).toBe(401)
  await stop()
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
})

test('the figures of the program are told to who has their key, and to nobody where none is set', async () => {
  const key = 'a key for the figures'
  const [open, closed] = [await start({ METRICS_KEY: key, ROLE: 'api' }), await start({ ROLE: 'api' })]
  const ask = (url: string, said?: string) =>
    fetch(`${url}/metrics`, { headers: said === undefined ? {} : { authorization: said } })
  expect(await (await ask(open.url, `Bearer ${key}`)).text()).toMatch(/aisle_database_connections/)
  const turnedAway = [await ask(open.url), await ask(open.url, 'Bearer another'), await ask(closed.url, 'Bearer ')]
  expect(turnedAway.map((answer) => answer.status)).toEqual([404, 404, 404])
})

test('how old the last good backup is, is told; without one it is older than any', async () => {
  const key = 'a key for the figures'
  const { url } = await start({ METRICS_KEY: key, ROLE: 'api' })
  const age = async () => {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })
    return /^aisle_backup_age_seconds (.+)$/m.exec(await answer.text())?.[1]
  }
  expect(await age()).toBe('+Inf')
  const pool = openPool(database.url, 1, () => undefined)
  const ran = (hours: number, isGood: boolean) =>
    pool.raw.query(
      `insert into backup_run (file, by_schedule, began_at, ended_at, is_good, problem, bytes, books_hash)
       select '/b.tar.gz', true, moment, moment, $2::boolean, case when $2::boolean then '' else 'full' end, 1,
         sha256('')
       from (select now() - make_interval(hours => $1::int) as moment) as run`,
      [hours, isGood],
    )
  await ran(3, true)
  await ran(1, false)
  await pool.close()
  expect(Number(await age())).toBeGreaterThanOrEqual(3 * 3600)
  expect(Number(await age())).toBeLessThan(3 * 3600 + 600)
})

test('a folder into which a restore was cut off is not started', async () => {
  const half = mkdtempSync(join(tmpdir(), 'aisle-main-'))
  writeFileSync(join(half, 'restore.unfinished'), '')
  await expect(start({ ROLE: 'api', DATA_DIR: half })).rejects.toThrow(/did not come to its end.*npm run restore/)
  rmSync(half, { recursive: true })
})

test('keys come from the environment or a mounted file, and then none are made', async () => {
  await start({ ROLE: 'api' })
  const text = readFileSync(join(dataDir, 'keys.json'), 'utf8')
  const other = mkdtempSync(join(tmpdir(), 'aisle-main-'))
  const secret = join(other, 'secret')
  writeFileSync(secret, text)
  const place = { ROLE: 'api', DATA_DIR: join(other, 'data') }
  const ways: Record<string, string>[] = [
    { AISLE_KEYS: text },
    { AISLE_KEYS: Buffer.from(text).toString('base64') },
    { AISLE_KEYS_FILE: secret },
  ]
  for (const given of ways) {
    await (await start({ ...place, ...given })).stop()
    expect(readdirSync(place.DATA_DIR)).not.toContain('keys.json')
  }
  await expect(start({ ...place, AISLE_KEYS_FILE: `${secret}.gone` })).rejects.toThrow(/there is no .*gone/)
  await expect(start({ ...place, AISLE_KEYS: 'no keys' })).rejects.toThrow(/AISLE_KEYS is damaged/)
  await expect(start({ ...place, AISLE_KEYS: text, AISLE_KEYS_FILE: secret })).rejects.toThrow(/not both/)
  rmSync(other, { recursive: true })
})

test('without a demo an empty database is told how to make its first administrator', async () => {
  const { url } = await start()
  expect(said.join('\n')).toContain(`${url}/first-admin#`)
  expect(said.join('\n')).not.toMatch(/password/i)
})

test('each role serves its part and its health', async () => {
  const [api, worker] = [await start({ ROLE: 'api' }), await start({ ROLE: 'worker' })]
  expect(await status(`${api.url}/api/machines`)).toBe(401)
  expect(await status(`${worker.url}/api/machines`)).toBe(404)
  expect(await status(`${worker.url}/readyz`)).toBe(200)
})

test('keys are made once, for this user alone, and a database refuses others', async () => {
  await start({ ROLE: 'api' })
  const file = join(dataDir, 'keys.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const kept = readFileSync(file, 'utf8')
  const other = mkdtempSync(join(tmpdir(), 'aisle-main-'))
  await expect(start({ ROLE: 'api', DATA_DIR: other })).rejects.toThrow(/other keys/)
  rmSync(other, { recursive: true })
  writeFileSync(file, kept.slice(0, 50))
  await expect(start({ ROLE: 'api' })).rejects.toThrow(/damaged/)
  writeFileSync(file, kept)
  await start({ ROLE: 'api' })
  expect(readFileSync(file, 'utf8')).toBe(kept)
})

test('from each start on the data folder is for this user alone, with all that lies in it', async () => {
  const reports = join(dataDir, 'exports')
  mkdirSync(reports, { recursive: true })
  const report = join(reports, '1-old.csv')
  writeFileSync(report, 'orders')
  for (const [path, mode] of [
    [dataDir, 0o755],
    [reports, 0o755],
    [report, 0o644],
  ] as const)
    chmodSync(path, mode)
  await start({ ROLE: 'api' })
  const modes = [dataDir, reports, report].map((path) => statSync(path).mode & 0o777)
  expect(modes).toEqual([0o700, 0o700, 0o600])
})

test('what outlives a transaction goes past a pooler: who listens, holds locks, waits for jobs', async () => {
  const named = (name: string) => withSettings(database.url, { application_name: name })
  const MQTT_URL = 'mqtt://127.0.0.1:1'
  const urls = { DATABASE_URL: named('pooled'), DATABASE_DIRECT_URL: named('direct'), DATABASE_PREPARED: '0' }
  await start({ ...urls, MQTT_URL, MQTT_SHARED: '0' })
  const pool = openPool(database.url, 1, () => undefined)
  const ask = async (text: string) => (await pool.raw.query<{ who: string }>(text)).rows.map(({ who }) => who)
  const here = `a.datname = current_database() and a.pid <> pg_backend_pid()`
  await expect
    .poll(() =>
      ask(`select distinct a.application_name as who from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and ${here}`),
    )
    .toEqual(['direct'])
  const listening = `select distinct a.application_name as who from pg_stat_activity a where ${here} and a.query ~* `
  expect(await ask(`${listening} '^listen'`)).toEqual(['direct'])
  await expect.poll(() => ask(`${listening} 'graphile_worker'`)).toEqual(['direct'])
  expect(
    await ask(`select distinct a.application_name as who from pg_stat_activity a where ${here} order by 1`),
  ).toEqual(['direct', 'pooled'])
  await pool.close()
})

test('a port that is taken is said plainly', async () => {
  const { url } = await start({ ROLE: 'api' })
  const { port } = new URL(url)
  await expect(start({ ROLE: 'api', PORT: port })).rejects.toThrow(`127.0.0.1:${port} is in use by another program`)
  await expect(start({ ROLE: 'gateway', MQTT_PORT: port })).rejects.toThrow(/set MQTT_PORT/)
})
