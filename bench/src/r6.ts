import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openBalancer } from './kit/balancer'
import { startDemo } from './kit/demo'
import { type Bench, digits, type Line, notMeasured } from './kit/figure'
import { type Broker, brokers, type Node, type Shared, startNode } from './kit/nodes'
import { repository } from './kit/server'
import type { MachinePlan } from '../../fleet/src/world'
import { openTellers } from './kit/tellers'
import { openWatcher } from './kit/watcher'

const what = 'three servers behind a balancer'
const MACHINES = 12
const BOARDS = 6
const CALM_MS = 8_000
const CUT_MS = 20_000
const PAUSED_MS = 60_000

/** One killed, one cut off, one paused for a minute, while machines sell and boards watch; over each broker. */
export async function r6(bench: Bench): Promise<Line[]> {
  const lines: Line[] = []
  for (const { name, start } of brokers) {
    const broker = await start()
    if (!broker) {
      lines.push(notMeasured('R6', `${what}, ${name}`, `needs ${name}`))
      continue
    }
    try {
      lines.push(...(await withBroker(bench, broker)))
    } finally {
      await broker.stop()
    }
  }
  return lines
}

async function withBroker(bench: Bench, broker: Broker): Promise<Line[]> {
  const database = await bench.cluster.fresh(`r6_${broker.name.replace(/\W/g, '_')}`)
  // Its network and keys are what the three share; its machines are switched off with it.
  const reaches = { DATABASE_URL: database.url, MQTT_URL: `mqtt://127.0.0.1:${broker.port}` }
  const network = { DEMO_RATE: '0', DEMO_DAYS: '2', DEMO_MACHINES: '40' }
  const seeded = await startDemo({ ...reaches, ...network, MQTT_SHARED: broker.isShared ? '1' : '0' })
  const fleet = JSON.parse(readFileSync(join(seeded.dataDir, 'demo/fleet.json'), 'utf8')) as { machines: MachinePlan[] }
  const keysFile = join(database.dataDir, 'keys.json')
  execFileSync('mkdir', ['-p', database.dataDir])
  execFileSync('cp', [join(seeded.dataDir, 'keys.json'), keysFile])
  await seeded.stop()
  const shared: Shared = { databaseUrl: database.url, broker, keysFile, folder: database.dataDir }
  const nodes: Node[] = []
  try {
    for (const index of [0, 1, 2]) nodes.push(await startNode(index, shared))
    const shops = fleet.machines.filter(({ category }) => category !== 'medicine').slice(0, MACHINES)
    return await play(bench, { broker, nodes, shops, databaseUrl: database.url })
  } finally {
    for (const node of nodes) await node.stop()
    await database.close()
  }
}

type Stage = { broker: Broker; nodes: readonly Node[]; shops: readonly MachinePlan[]; databaseUrl: string }

async function play({ say }: Bench, { broker, nodes, shops, databaseUrl }: Stage): Promise<Line[]> {
  const [first, second, third] = nodes
  if (!first || !second || !third) throw new Error('there are three')
  const balancer = await openBalancer(nodes.map(({ port }) => port))
  const counted = async () => {
    const answer = await fetch(`http://127.0.0.1:${balancer.port}/api/wallboard`, { headers: { connection: 'close' } })
    const { data } = (await answer.json()) as { data: { figures: { allTransactionsNumberSum: number } } }
    return data.figures.allTransactionsNumberSum
  }
  const before = await counted()
  const boards = Array.from({ length: BOARDS }, () => openWatcher(balancer.port))
  const tellers = await openTellers(`mqtt://127.0.0.1:${broker.port}`, shops)
  const lines: Line[] = []
  const during = async (fault: string, run: () => Promise<void>) => {
    await delay(CALM_MS)
    tellers.longestMs()
    for (const board of boards) board.longestMs()
    await run()
    const [boardMs, saleMs] = [Math.max(...boards.map((board) => board.longestMs())), tellers.longestMs()]
    say(`${broker.name}, ${fault}: a board heard nothing for ${digits(boardMs)} ms, a sale waited ${digits(saleMs)} ms`)
    const ours = `${digits(boardMs / 1_000)} s, the slowest sale ${digits(saleMs / 1_000)} s`
    const goal = { atMost: 3 }
    const title = `${what}, ${broker.name}, ${fault}: no board without a push for`
    lines.push({ id: 'R6', what: title, ours, anchor: '', value: boardMs / 1_000, unit: 's', goal })
  }
  try {
    await during('nothing', () => delay(CALM_MS))
    await during('one killed', async () => {
      first.kill()
      await delay(CALM_MS)
      await first.again()
    })
    await during('one cut off', async () => {
      for (const wire of second.wires) wire.hush()
      await delay(CUT_MS)
      for (const wire of second.wires) wire.mend()
      await delay(CALM_MS)
    })
    await during('one paused for a minute', async () => {
      third.pause()
      await delay(PAUSED_MS)
      third.goOn()
      await delay(CALM_MS)
    })
    await tellers.settle(90_000)
    const env = { ...process.env, DATABASE_URL: databaseUrl }
    const books = execFileSync('npm', ['run', '--silent', 'verify'], { cwd: repository, env, encoding: 'utf8' }).trim()
    const off = (await counted()) - before - tellers.told()
    const ours = `${tellers.told()} sales, ${tellers.waiting()} unacknowledged, ${off} too many; ${books}`
    const title = `${what}, ${broker.name}: sales lost or doubled`
    lines.push({ id: 'R6', what: title, ours, anchor: '', value: Math.abs(off), unit: '', goal: { atMost: 0 } })
    return lines
  } finally {
    for (const board of boards) board.close()
    await tellers.close()
    balancer.close()
  }
}
