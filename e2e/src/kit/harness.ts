import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import { runningIn } from '../../../server/src/db/embedded.running'
import { openPool } from '../../../server/src/db/pool'
import { throwAwayFolder } from '../../../server/src/db/testing.places'

/** The demo's accounts, each of one kind of user; all have the same password, which starts without the demo too. */
export const accounts = ['admin', 'merchant', 'operator', 'maintainer', 'pharmacist', 'doctor', 'finance'] as const
export type Account = (typeof accounts)[number]
export const password = 'aisle-in-a-test'

/** Where a server keeps its data and listens; one that crashed is started again at the same place. */
export type Place = { dataDir: string; port: number; mqttPort: number }

export type RunningServer = {
  url: string
  mqttUrl: string
  place: Place
  /** Waits until it serves; after a crash of its database it comes back by itself. */
  ready: () => Promise<void>
  /** Ends it and throws its data away. */
  stop: () => Promise<void>
  /** Ends it and keeps its data. */
  end: () => Promise<void>
  /** kill -9, as a machine does that loses its power. */
  crash: () => Promise<void>
  /** The signal that its process died of, once it has; null when it ended by itself. */
  died: Promise<NodeJS.Signals | null>
  /** What it printed so far. */
  said: () => string
}

/** What a test sets or looks up behind the server's back, where no screen offers it yet. */
export async function query<R>(server: RunningServer, text: string, values: unknown[] = []): Promise<R[]> {
  const pool = openPool(runningIn(server.place.dataDir).url, 1, () => undefined)
  try {
    return (await pool.raw.query(text, values)).rows
  } finally {
    await pool.close()
  }
}

const entry = fileURLToPath(new URL('../../../server/dist/main.js', import.meta.url))
const READY_WAIT_MS = 120_000
/** PostgreSQL has to be gone before its folder is copied or thrown away, on a busy machine too. */
const STOP_WAIT_MS = 60_000

/** The built server on free ports with a database of its own, the demo network and a few simulated machines. */
export async function startServer(env: Record<string, string> = {}, at?: Place): Promise<RunningServer> {
  const place = at ?? { dataDir: throwAwayFolder('e2e'), port: await freePort(), mqttPort: await freePort() }
  const { dataDir, port, mqttPort } = place
  // A storm of about a sale a second.
  const demo = { DEMO: '1', DEMO_PASSWORD: password, DEMO_MACHINES: '12', DEMO_RATE: '160', DEMO_DAYS: '8' }
  const listening = { HOST: '127.0.0.1', PORT: String(port), MQTT_PORT: String(mqttPort), DATA_DIR: dataDir }
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, ...demo, ...listening, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => said.push(String(part)))
  const died = new Promise<NodeJS.Signals | null>((done) => child.once('exit', (_, signal) => done(signal)))
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    await end(child)
    rmSync(dataDir, { recursive: true, force: true })
  }
  const crash = async () => {
    child.kill('SIGKILL')
    await died
  }
  const ready = async () => {
    if (!(await isReady(url, child))) throw new Error(`the server is not ready:\n${said.join('')}`)
  }
  try {
    await ready()
  } catch (cause) {
    await stop()
    throw cause
  }
  return {
    url,
    mqttUrl: `mqtt://127.0.0.1:${mqttPort}`,
    place,
    ready,
    stop,
    end: () => end(child),
    crash,
    died,
    said: () => said.join(''),
  }
}

/**
 * Seeds the demo network in a folder of its own, once a run, and ends. Every server of the run starts on a copy of
 * it, which takes a second where seeding takes half a minute.
 * @returns what throws it away
 */
export async function seedOnce(): Promise<() => void> {
  const { place, end: stopSeeding } = await startServer({ DEMO_RATE: '0' })
  await stopSeeding()
  await databaseGone(place)
  process.env.AISLE_E2E_SEED = place.dataDir
  return () => rmSync(place.dataDir, { recursive: true, force: true })
}

/** A server that ends waits seconds for its database; on a busy machine that one is still writing then. */
async function databaseGone({ dataDir }: Place): Promise<void> {
  const startedMs = performance.now()
  while (existsSync(join(dataDir, 'postgres/postmaster.pid')) && performance.now() - startedMs < STOP_WAIT_MS) {
    await delay(100)
  }
}

/** A server on a copy of the seeded network; its simulated machines live unless `DEMO` is 0. */
export async function startSeeded(
  env: Record<string, string> = {},
  dataDir = throwAwayFolder('e2e'),
): Promise<RunningServer> {
  const seed = process.env.AISLE_E2E_SEED
  if (!seed) throw new Error('harness.setup.ts has seeded nothing')
  // With its owners: PostgreSQL reads only a folder of its own user.
  mkdirSync(dataDir, { recursive: true })
  execFileSync('cp', ['-Rp', `${seed}/.`, dataDir])
  return startServer(env, { dataDir, port: await freePort(), mqttPort: await freePort() })
}

async function isReady(url: string, child: ChildProcess): Promise<boolean> {
  const startedMs = performance.now()
  while (child.exitCode === null && performance.now() - startedMs < READY_WAIT_MS) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return true
    await delay(100)
  }
  return false
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_WAIT_MS)
  await ended
  clearTimeout(killer)
}

/** Below those that the system gives to whoever connects, and of each worker its own: nobody takes one meanwhile. */
let nextPort = 12_000 + 1_000 * (1 + Number(process.env.TEST_PARALLEL_INDEX ?? -1))

async function freePort(): Promise<number> {
  const port = nextPort++
  return (await isFree(port)) ? port : freePort()
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  await new Promise((done) => probe.close(done))
  return true
}
