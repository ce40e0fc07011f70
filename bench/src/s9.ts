import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { flowCardColumns } from '@aisle/contract/fleet/flowCard'
import { importColumns } from '@aisle/contract/fleet/machineImport'
import { sheetBombs } from '../../server/src/testing/bombs'
import { addSession, addUser } from '../../server/src/testing/fixtures'
import { type Bench, digits, type Line, notMeasured } from './kit/figure'
import { makeNetwork } from './kit/network'
import { canTell, pssOf } from './kit/processes'
import { type Server, startApi } from './kit/server'

/** Unfolded; just below what is refused by its directory alone. */
const MEGABYTES = 28
const LARGEST_BYTES = 500_000
const EVERY_MS = 10
const MACHINES = '/api/machine-imports'
const MERCHANT_ID = 101

type Sent = { file: Buffer; path: string; merchantId?: number }
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
    for (let warm = 0; warm < 5; warm += 1) await send(server, tokens[0] ?? '', looked(heading))
    const seen: Seen[] = []
    const watch = async (name: string, work: () => Promise<string>) => seen.push(await watched(server, name, work))
    for (const [name, sent] of sheets()) {
      say(`${name}, ${digits(sent.file.length / 1000)} kB`)
      await watch(name, () => send(server, tokens[0] ?? '', sent))
    }
    const worst = seen.toSorted((a, b) => b.megabytes - a.megabytes)[0]?.name ?? ''
    const again = sheets().get(worst) ?? looked(heading)
    await watch(`two people at once: ${worst}`, () =>
      Promise.all(tokens.map((token) => send(server, token, again))).then(([code = '']) => code),
    )
    await watch('5,000 rows, imported', () => send(server, tokens[0] ?? '', { ...looked(right()), path: MACHINES }))
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

const heading = importColumns.join()

const looked = (text: string): Sent => ({ file: Buffer.from(text), path: `${MACHINES}/preview` })
const lines = (head: string, line: (n: number) => string) =>
  [head, ...Array.from({ length: 5_000 }, (_, n) => line(n))].join('\n')
const right = () => lines(heading, (n) => `IMP${n},Name ${n},Merchant 1,Point 1,drink,2,3`)

/** Made to harm, and the longest that people fill in themselves. */
function sheets(): Map<string, Sent> {
  const wrong = lines(heading, (n) => `IMP${n},Name ${n},Merchant 1,nowhere ${n},robot,0,99,,,,,,,,9,3`)
  const cards = lines(flowCardColumns.join(), (n) => `8986${n},nobody,huge,BENCH${n},x,1,2,many,few,2026-13-01,never`)
  const all = new Map<string, Sent>([
    ...Object.entries(sheetBombs).map(([name, make]) => [name, { ...looked(''), file: make(MEGABYTES) }] as const),
    ['5,000 rows, all wrong (csv)', looked(wrong)],
    ['5,000 rows, all right (csv)', looked(right())],
    [
      '5,000 data cards, all wrong (csv)',
      { file: Buffer.from(cards), path: '/api/flow-card-imports/preview', merchantId: MERCHANT_ID },
    ],
  ])
  const over = [...all].filter(([, { file }]) => file.length > LARGEST_BYTES).map(([name]) => name)
  if (over.length > 1) throw new Error(`larger than what is measured: ${over.join(', ')}`)
  for (const name of over) all.delete(name)
  return all
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

async function send(server: Server, token: string, { file, path, ...more }: Sent): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ ...more, file: file.toString('base64') }),
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
