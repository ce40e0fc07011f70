import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { importColumns } from '@aisle/contract/fleet/machineImport'
import { sheetBombs } from '../../server/src/testing/bombs'
import { addSession, addUser } from '../../server/src/testing/fixtures'
import { type Bench, digits, type Line, notMeasured } from './figure'
import { makeNetwork } from './network'
import { canTell, pssOf } from './processes'
import { type Server, startApi } from './server'

/** Unfolded; just below what is refused by its directory alone. */
const MEGABYTES = 28
const LARGEST_BYTES = 500_000
const EVERY_MS = 10
const PREVIEW = '/api/machine-imports/preview'

type Seen = { name: string; megabytes: number; waitedMs: number; tookMs: number; code: string }

/** Sheets that are made to take memory and time, sent to the built server while somebody else asks for its health. */
export async function s9({ cluster, say }: Bench): Promise<Line[]> {
  if (!canTell()) return [notMeasured('S9', 'the worst import', 'needs Linux')]
  const fresh = await cluster.fresh('packed')
  await makeNetwork(fresh.pool.db, { merchants: 4, machines: 4, products: 4, slots: 1 })
  const tokens = await Promise.all([0, 1].map(() => tokenOf(fresh.pool.db)))
  const server = await startApi(fresh)
  try {
    // What it takes once: modules, plans, the first thread.
    for (let warm = 0; warm < 5; warm += 1) await send(server, tokens[0] ?? '', Buffer.from(heading))
    const seen: Seen[] = []
    for (const [name, file] of files()) {
      say(`${name}, ${digits(file.length / 1000)} kB`)
      seen.push(await watched(server, name, () => send(server, tokens[0] ?? '', file)))
    }
    const worst = seen.toSorted((a, b) => b.megabytes - a.megabytes)[0]
    const again = files().get(worst?.name ?? '') ?? Buffer.alloc(0)
    const both = () => Promise.all(tokens.map((token) => send(server, token, again))).then(([code = '']) => code)
    seen.push(await watched(server, `two people at once: ${worst?.name}`, both))
    return [...seen.map(lineOf), ...summary(seen)]
  } finally {
    await server.stop()
    await fresh.close()
  }
}

async function tokenOf(db: Parameters<typeof addUser>[0]): Promise<string> {
  const user = await addUser(db, { merchantId: 1, kind: 'platform_admin', grants: ['*'] })
  return addSession(db, user.id, new Date())
}

const heading = importColumns.map((each) => each.replace('?', '')).join()

function files(): Map<string, Buffer> {
  const row = (n: number) => `IMP${n},Name ${n},Merchant 1,nowhere ${n},robot,0,99,,,,,,,,9,3`
  const honest = [heading, ...Array.from({ length: 5_000 }, (_, n) => row(n))].join('\n')
  const bombs = Object.entries(sheetBombs).map(([name, make]) => [name, make(MEGABYTES)] as const)
  const all = [...bombs, ['5,000 rows, all wrong (csv)', Buffer.from(honest)] as const]
  const [fitting, over] = [all.filter(([, { length }]) => length <= LARGEST_BYTES), all.length]
  if (fitting.length < over - 1) throw new Error('a bomb is larger than what is measured')
  return new Map(fitting)
}

/** What the server takes more at most, and how long its health is waited for, until the call is answered. */
async function watched(server: Server, name: string, work: () => Promise<string>): Promise<Seen> {
  await delay(500)
  const before = pssOf(server.pid)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const since = performance.now()
  let [isOver, most, waitedMs] = [false, before, 0]
  const watching = (async () => {
    while (!isOver) {
      const asked = performance.now()
      await healthOf(agent, server.port)
      waitedMs = Math.max(waitedMs, performance.now() - asked)
      most = Math.max(most, pssOf(server.pid))
      await delay(EVERY_MS)
    }
  })()
  const code = await work()
  const tookMs = performance.now() - since
  isOver = true
  await watching
  agent.destroy()
  return { name, megabytes: (most - before) / 2 ** 20, waitedMs, tookMs, code }
}

function healthOf(agent: Agent, port: number): Promise<void> {
  return new Promise((done, fail) => {
    const asked = request({ agent, port, path: '/healthz' }, (answer) => void answer.on('end', done).resume())
    asked.on('error', fail).end()
  })
}

async function send(server: Server, token: string, file: Buffer): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${PREVIEW}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ file: file.toString('base64') }),
  })
  const { code } = (await answer.json()) as { code: string }
  return `${answer.status} ${code}`
}

const lineOf = ({ name, megabytes, waitedMs, tookMs, code }: Seen): Line => ({
  id: 'S9',
  what: name,
  ours: `${digits(Math.max(0, megabytes))} MB more`,
  anchor: `/healthz within ${digits(waitedMs)} ms, answered ${code} after ${digits(tookMs)} ms`,
  value: null,
  unit: '',
  goal: null,
})

function summary(seen: readonly Seen[]): Line[] {
  const megabytes = Math.max(...seen.map((each) => each.megabytes))
  const waitedMs = Math.max(...seen.map((each) => each.waitedMs))
  const line = (what: string, value: number, unit: string, atMost: number): Line => ({
    id: 'S9',
    what,
    ours: `${digits(value)} ${unit}`,
    anchor: '',
    value,
    unit,
    goal: { atMost },
  })
  return [
    line('most memory of any of them', megabytes, 'MB', 64),
    line('longest wait of somebody else', waitedMs, 'ms', 100),
  ]
}
