import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { addSession, addUser } from '../../../server/src/testing/fixtures'
import { besideServer } from '../../../server/src/testing/running'
import { query, type RunningServer, startSeeded, startServer } from '../kit/harness'
import { arm, disarm, openPoints, passed, type Points } from '../kit/killPoints'

/**
 * kill -9 in the middle of a recall, at points of its start, its list of places, its commands, work orders and notices:
 * once the server is back all have been told, each once. `POINTS=all`, or how many of them.
 */
const wanted = process.env.POINTS ?? '3'
const isOfRecall = /recall|repair_order/

type Stage = { server: RunningServer; points: Points; tokens: [string, string]; batches: number[] }

test(`a recall that is killed at ${wanted} of its points reaches each machine, once`, async () => {
  test.setTimeout(wanted === 'all' ? 3_600_000 : 180_000 + Number(wanted) * 60_000)
  const points = openPoints()
  const stage = await openStage(points)
  try {
    // The first also waits for what the demo left to do; what both of two pass is passed by each.
    await recalled(stage)
    const seen = [(await recalled(stage)) ?? [], (await recalled(stage)) ?? []] as const
    const all = seen[0].map(nameless).filter((point) => seen[1].map(nameless).includes(point))
    const chosen = wanted === 'all' ? all : spread(all, Number(wanted))
    console.log(`${all.length} points: ${all.join(', ')}`)
    expect(chosen.length).toBeGreaterThan(0)
    for (const point of chosen) await killedAt(stage, point)
    console.log(`killed at ${chosen.join(', ')}`)
  } finally {
    await stage.server.stop()
    rmSync(points.folder, { recursive: true })
  }
})

async function openStage(points: Points): Promise<Stage> {
  const server = await startSeeded(points.env)
  const { services, close } = besideServer(server.place.dataDir)
  const person = async () => {
    const { id } = await addUser(services.db, { merchantId: 1, kind: 'platform_admin', grants: ['*'] })
    return addSession(services.db, id, new Date())
  }
  const tokens: Stage['tokens'] = [await person(), await person()]
  await close()
  const held = await query<{ id: number }>(
    server,
    `select b.id from medicine_batch b where b.state = 'available' and exists (select from batch_level l
      join slot s on s.place_id = l.place_id and s.machine_id is not null
      where l.product_id = b.product_id and l.batch = b.number and l.quantity > 0) order by b.id`,
  )
  return { server, points, tokens, batches: held.map(({ id }) => Number(id)) }
}

/** Not each recall passes the same points: of a batch that lies in few places, two of them may fall into one. */
async function killedAt(stage: Stage, point: string): Promise<void> {
  for (let tries = 0; tries < 4; tries += 1) if (await recalled(stage, point)) return
  throw new Error(`no recall came to ${point}`)
}

/**
 * One recall from its start until all are told, which dies at `point`.
 * @returns the points that it passed; null where it was done without coming to `point`
 */
async function recalled(stage: Stage, point = ''): Promise<string[] | null> {
  const batchId = stage.batches.pop()
  const [writer, starter] = stage.tokens
  const wish = { batchId, class: 'i', reason: 'told by the maker', isDrill: false }
  const { id } = await post<{ id: number }>(stage.server, writer, '/api/recalls', wish)
  arm(stage.points, `R${id}`, point.replace('{id}', String(id)))
  const key = randomUUID()
  const start = () => post(stage.server, starter, `/api/recalls/${id}/start`, {}, key)
  // Whoever is not answered asks again.
  await start().catch((cause: unknown) => {
    if (point === '') throw cause
  })
  const told = toldAll(stage.server, id)
  if (point !== '') {
    const isKilled = await Promise.race([stage.server.died.then(() => true), told.then(() => false)])
    if (!isKilled) {
      disarm(stage.points)
      return null
    }
    expect(await stage.server.died).toBe('SIGKILL')
  } else await told
  const names = passed(stage.points).filter((name) => isOfRecall.test(name))
  disarm(stage.points)
  if (point !== '') {
    stage.server = await startServer(stage.points.env, stage.server.place)
    await start()
    await toldAll(stage.server, id)
  }
  return names
}

/** Each place once, each machine's command and work order once, and the batch is for sale nowhere. */
async function toldAll(server: RunningServer, id: number): Promise<void> {
  const [book] = await query<{ places: number; machines: number }>(
    server,
    `select count(distinct l.place_id)::int as places, count(distinct s.machine_id)::int as machines
    from recall r join medicine_batch b on b.id = r.batch_id
    join batch_level l on l.product_id = b.product_id and l.batch = b.number and l.quantity > 0
    join place p on p.id = l.place_id and p.kind <> 'transit' left join slot s on s.place_id = l.place_id
    where r.id = $1`,
    [id],
  )
  expect(book?.machines).toBeGreaterThan(0)
  const said = `select b.state, r.state as recall,
      (select count(*)::int from recall_target t where t.recall_id = r.id) as places,
      (select count(*)::int from recall_target t where t.recall_id = r.id and t.state = 'pending') as untold,
      (select count(*)::int from device_command c where c.type = 'recall_batch' and c.data ->> 'recall' = r.id::text)
        as commands,
      (select count(*)::int from repair_order o where o.recall_id = r.id) as orders
    from recall r join medicine_batch b on b.id = r.batch_id where r.id = $1`
  await expect
    .poll(() => query(server, said, [id]), { timeout: 60_000 })
    .toEqual([
      {
        state: 'recalled',
        recall: 'active',
        places: book?.places,
        untold: 0,
        commands: book?.machines,
        orders: book?.machines,
      },
    ])
}

/** The answer's address names the recall. */
const nameless = (point: string) => point.replace(/recalls\/[0-9]+/, 'recalls/{id}')

const spread = (all: readonly string[], count: number) =>
  Array.from({ length: count }, (_, i) => all[Math.floor(((i + 0.5) * all.length) / count)] ?? '')

async function post<T>(
  server: RunningServer,
  token: string,
  path: string,
  body: Record<string, unknown>,
  key: string = randomUUID(),
): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key }
  const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} was refused: ${text}`)
  return (JSON.parse(text) as { data: T }).data
}
