import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { MachinePlan } from '../../fleet/src/world'
import type { Reader } from '../../server/src/kernel/context'
import { addSession, addUser } from '../../server/src/testing/fixtures'
import type { Fresh } from './kit/database'
import { type Bench, digits, type Line, notMeasured } from './kit/figure'
import { makeNetwork } from './kit/network'
import { below, canTell, cpuSecondsOf, parentOf, processes, pssOf } from './kit/processes'
import { end, freePort, repository, type Server, startApi } from './kit/server'

const MACHINES = 10_000
const ASKED = 5_000
const MINUTES = 2
const CONNECT_WAIT_MS = 10 * 60_000
const ANSWER_WAIT_MS = 5 * 60_000
const MB = 1_000_000

/** Ten thousand machines on one server, each with its heartbeat a minute; then one thing asked of half of them. */
export async function c9({ cluster, say }: Bench): Promise<Line[]> {
  if (!canTell()) return [notMeasured('C9', `${digits(MACHINES)} machines connected`, 'needs Linux')]
  const fresh = await cluster.fresh('fleet')
  const { db } = fresh.pool
  await makeNetwork(db, { merchants: 500, machines: MACHINES, products: 50, slots: 2 })
  await sql`update machine set category = 'drink' where id <= ${ASKED}`.execute(db)
  await fresh.pool.raw.query('vacuum analyze')
  const admin = await addUser(db, { merchantId: 1, kind: 'platform_admin', grants: ['*'] })
  const token = await addSession(db, admin.id, new Date())
  const mqttPort = await freePort()
  const server = await startApi(fresh, { ROLE: 'all', MQTT_PORT: String(mqttPort) })
  let fleet: ChildProcess | undefined
  try {
    say('connecting')
    const startedMs = performance.now()
    fleet = startMachines(fresh, mqttPort)
    await until(CONNECT_WAIT_MS, async () => (await count(db, sql`is_connected and beat_at is not null`)) >= MACHINES)
    const connectedS = (performance.now() - startedMs) / 1000
    return [
      plain('all connected, told their slots and beat once', `${digits(connectedS)} s`),
      ...(await atRest(db, server, fleet, say)),
      await oneCommand(db, server, token),
    ]
  } finally {
    if (fleet) await end(fleet)
    await server.stop()
    await fresh.close()
  }
}

function startMachines({ dataDir }: Fresh, mqttPort: number): ChildProcess {
  const machines = Array.from(
    { length: MACHINES },
    (_, i): MachinePlan => ({
      code: `BENCH${i + 1}`,
      secret: 'bench',
      timeZone: 'Asia/Shanghai',
      category: 'combo',
      slots: [slot(i + 1, 1), slot(i + 1, 2)],
    }),
  )
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'fleet.json')
  writeFileSync(file, JSON.stringify({ machines }))
  const url = `mqtt://127.0.0.1:${mqttPort}`
  const options = ['--file', file, '--url', url, '--data-dir', dataDir, '--rate', '0', '--machines', String(MACHINES)]
  const script = join(repository, 'fleet/dist/main.js')
  const still = ['--no-refill', '--offline', '0', '--jam', '0']
  return spawn(process.execPath, [script, ...options, ...still], { stdio: ['pipe', 'ignore', 'inherit'] })
}

const slot = (machine: number, position: number) => ({
  code: `A${position}`,
  product: `P${1 + ((machine * 7 + position) % 50)}X`,
  priceFen: 500,
  stock: 50,
  capacity: 99,
})

/** What it costs that they are there: heartbeats, states, sweeps and alarms, over some minutes. */
async function atRest(db: Reader, server: Server, fleet: ChildProcess, say: (text: string) => void): Promise<Line[]> {
  say('a minute of settling')
  await delay(60_000)
  const postmaster = await postmasterOf(db)
  const from = {
    server: cpuSecondsOf(server.pid),
    database: databaseCpu(postmaster),
    fleet: cpuSecondsOf(fleet.pid ?? 0),
  }
  const began = await databaseNow(db)
  say(`${MINUTES} minutes of heartbeats`)
  await delay(MINUTES * 60_000)
  const shareOf = (seconds: number) => `${digits((100 * seconds) / (MINUTES * 60))} % of a core`
  const heard = await count(db, sql`beat_at > ${began}`)
  const silent = await count(db, sql`not is_connected`)
  return [
    plain(
      'server, heartbeats each 60 s',
      `${shareOf(cpuSecondsOf(server.pid) - from.server)}, ${digits(pssOf(server.pid) / MB)} MB`,
    ),
    plain('database beside it', shareOf(databaseCpu(postmaster) - from.database)),
    plain('the simulated machines themselves', shareOf(cpuSecondsOf(fleet.pid ?? 0) - from.fleet)),
    plain(
      `machines that beat in ${MINUTES} minutes`,
      `${digits(heard)} of ${digits(MACHINES)}, ${silent} taken for gone`,
    ),
  ]
}

/** From the person's click until each machine has said that it did it. */
async function oneCommand(db: Reader, server: Server, token: string): Promise<Line> {
  const startedMs = performance.now()
  const machines = { filter: { category: 'drink' }, count: ASKED }
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/machine-commands/batch`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ type: 'set_volume_or_screen', volume: 40, reason: 'quiet at night', machines }),
  })
  if (!answer.ok) throw new Error(`the batch was refused: ${await answer.text()}`)
  const answeredMs = performance.now() - startedMs
  const left = () => countIn(db, sql`device_command`, sql`state not in ('done', 'failed', 'refused', 'expired')`)
  await until(ANSWER_WAIT_MS, async () => (await left()) === 0)
  const allMs = performance.now() - startedMs
  const done = await countIn(db, sql`device_command`, sql`state = 'done'`)
  const what = `a command to ${digits(ASKED)} machines, until all acknowledged`
  return {
    ...plain(what, `${digits(allMs / 1000)} s`),
    anchor: `the call ${digits(answeredMs)} ms; ${digits(done)} done`,
  }
}

const plain = (what: string, ours: string): Line => ({
  id: 'C9',
  what: `${digits(MACHINES)} machines: ${what}`,
  ours,
  anchor: '',
  value: null,
  unit: '',
  goal: null,
})

type Condition = ReturnType<typeof sql>

const count = (db: Reader, where: Condition) => countIn(db, sql`machine_state`, where)

async function countIn(db: Reader, table: Condition, where: Condition): Promise<number> {
  const found = await sql<{ count: number }>`select count(*) as count from ${table} where ${where}`.execute(db)
  return found.rows[0]?.count ?? 0
}

async function databaseNow(db: Reader): Promise<Date> {
  const found = await sql<{ now: Date }>`select now() as now`.execute(db)
  return found.rows[0]?.now ?? new Date()
}

async function postmasterOf(db: Reader): Promise<number> {
  const found = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return parentOf(found.rows[0]?.pid ?? 0)
}

/** Of the processes that are there; the server keeps its connections. */
const databaseCpu = (postmaster: number): number =>
  [postmaster, ...below(postmaster, processes())].reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)

async function until(withinMs: number, isSo: () => Promise<boolean>): Promise<void> {
  const endsMs = performance.now() + withinMs
  while (performance.now() < endsMs) {
    if (await isSo()) return
    await delay(100)
  }
  throw new Error(`not so within ${withinMs / 1000} s`)
}
