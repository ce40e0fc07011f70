import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { throwAwayFolder } from '../../server/src/db/testing.places'
import { type Bench, digits, type Goal, type Line } from './kit/figure'
import { below, processes, pssOf } from './kit/processes'
import { median } from './kit/rounds'
import { answering, freePort, repository } from './kit/server'

const IDLE_MS = 15_000
const STOP_WAIT_MS = 20_000
const MB = 1_000_000

/** `npm start` where the demo's data already lie, and what server and database hold when nobody sells or asks. */
export async function p8a({ rounds, say }: Bench): Promise<Line[]> {
  const dataDir = throwAwayFolder('bench')
  const password = { DEMO_PASSWORD: 'aisle-in-a-bench' }
  const env = { ...password, DATA_DIR: dataDir, PORT: String(await freePort()), MQTT_PORT: String(await freePort()) }
  const seconds: number[] = []
  const memory: number[] = []
  try {
    say('making the data of the demo')
    await started(env, async () => delay(5_000))
    while (seconds.length < rounds) {
      await started(env, async ({ ms }) => void seconds.push(ms / 1000))
      if (!existsSync('/proc/self/smaps_rollup')) continue
      say(`idle for ${IDLE_MS / 1000} s`)
      await started({ ...env, DEMO: '0' }, async ({ npm }) => {
        await delay(IDLE_MS)
        memory.push(residentBytes(npm, dataDir) / MB)
      })
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
  return [
    alone('npm start with data present, to the login page', seconds, 's', { atMost: 2 }),
    alone('idle memory of server and database (PSS)', memory, 'MB', { atMost: 250 }),
  ]
}

function alone(what: string, values: readonly number[], unit: string, goal: Goal): Line {
  if (values.length === 0)
    return { id: 'P8a', what, ours: 'not measured', anchor: 'needs Linux', value: null, unit, goal }
  const spread = `${unit} (${digits(Math.min(...values))}–${digits(Math.max(...values))})`
  return {
    id: 'P8a',
    what,
    ours: `${digits(median(values))} ${unit}`,
    anchor: '',
    value: median(values),
    unit: spread,
    goal,
  }
}

type Start = { npm: number; ms: number }

async function started(env: Record<string, string>, work: (start: Start) => Promise<void>): Promise<void> {
  // Its own process group, so that all of it, shells included, can be told to end at once.
  const child = spawn('npm', ['start'], {
    cwd: repository,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  try {
    const ms = await answering(`http://127.0.0.1:${env.PORT}/login`, child, 5)
    await work({ npm: child.pid ?? 0, ms })
  } finally {
    await endGroup(child, join(env.DATA_DIR ?? '', 'postgres/postmaster.pid'))
  }
}

async function endGroup(child: ChildProcess, lock: string): Promise<void> {
  if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
  const endsMs = performance.now() + STOP_WAIT_MS
  while (existsSync(lock) && performance.now() < endsMs) await delay(50)
  if (existsSync(lock)) throw new Error('npm start was told to end and left its database running')
}

/** What only they use, and their share of what several use: pages that PostgreSQL's processes share count once. */
function residentBytes(npm: number, dataDir: string): number {
  const all = processes()
  const postmaster = Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
  const server = below(npm, all).find((pid) =>
    /^[^\0]*node\0.*start\.mjs/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
  )
  if (server === undefined) throw new Error('the server is not among the processes of npm start')
  return [server, postmaster, ...below(postmaster, all)].reduce((sum, pid) => sum + pssOf(pid), 0)
}
