import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../db/testing'
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
  expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/aisle_database_connections/)
  expect(await status(`${url}/api/machines`)).toBe(401)
  await stop()
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
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

test('a port that is taken is said plainly', async () => {
  const { url } = await start({ ROLE: 'api' })
  const { port } = new URL(url)
  await expect(start({ ROLE: 'api', PORT: port })).rejects.toThrow(`127.0.0.1:${port} is in use by another program`)
  await expect(start({ ROLE: 'gateway', MQTT_PORT: port })).rejects.toThrow(/set MQTT_PORT/)
})
