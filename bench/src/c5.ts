import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Reader } from '../../server/src/kernel/context'
import { addSession, addUser } from '../../server/src/testing/fixtures'
import { type Bench, digits, type Line } from './kit/figure'
import { makeNetwork } from './kit/network'
import { type Server, startApi } from './kit/server'

const MACHINES = Number(process.env.RECALL_MACHINES ?? 50_000)
const WAIT_MS = 10 * 60_000
const BATCH = 'C5-RECALLED'

/** From the click that starts a recall until no slot offers the batch, and until all machines have been told. */
export async function c5({ cluster, say }: Bench): Promise<Line[]> {
  const fresh = await cluster.fresh('recall')
  const { db } = fresh.pool
  say(`${digits(MACHINES)} machines with a slot of the batch each`)
  await makeNetwork(db, { merchants: 500, machines: MACHINES, products: 1, slots: 1 })
  await holdBatch(db)
  await fresh.pool.raw.query('vacuum analyze')
  const tokens: string[] = []
  for (let n = 0; n < 2; n += 1) {
    const { id } = await addUser(db, { merchantId: 1, kind: 'platform_admin', grants: ['*'] })
    tokens.push(await addSession(db, id, new Date()))
  }
  const server = await startApi(fresh, { ROLE: 'all' })
  try {
    return await recallAll(db, server, tokens)
  } finally {
    await server.stop()
    await fresh.close()
  }
}

/** The goods of the network become a medicine, and what lies in its slots one batch. */
async function holdBatch(db: Reader): Promise<void> {
  await sql`update product set kind = 'medicine', medicine_class = 'otc_b'`.execute(db)
  await sql`insert into medicine_batch (product_id, number, expires_on, changed_at)
    select id, ${BATCH}, '2099-01-01', now() from product`.execute(db)
  await sql`insert into slot_layer (place_id, product_id, sequence, batch, quantity, filled_at)
    select place_id, product_id, 1, ${BATCH}, 5, now() from slot`.execute(db)
  await sql`insert into batch_level (place_id, product_id, batch, quantity)
    select place_id, product_id, ${BATCH}, 5 from slot`.execute(db)
}

async function recallAll(db: Reader, server: Server, tokens: readonly string[]): Promise<Line[]> {
  const [writer = '', starter = ''] = tokens
  const batch = await sql<{ id: number }>`select id from medicine_batch where number = ${BATCH}`.execute(db)
  const wanted = { batchId: batch.rows[0]?.id, class: 'i', reason: 'bench', isDrill: false }
  const { id } = await post<{ id: number }>(server, writer, '/api/recalls', wanted)
  const startedMs = performance.now()
  await post(server, starter, `/api/recalls/${id}/start`, {})
  const answeredMs = performance.now() - startedMs
  await until(async () => (await offering(db)) === 0)
  const stoppedMs = performance.now() - startedMs
  await until(async () => (await countOf(db, sql`device_command where type = 'recall_batch'`)) === MACHINES)
  const toldMs = performance.now() - startedMs
  await until(async () => (await countOf(db, sql`repair_order where recall_id is not null`)) === MACHINES)
  const pullingMs = performance.now() - startedMs
  const what = `recall over ${digits(MACHINES)} machines`
  const plain = { id: 'C5', anchor: '', unit: '', goal: null, value: null }
  return [
    {
      ...plain,
      what: `${what}, until no slot offers it`,
      ours: `${digits(stoppedMs)} ms`,
      anchor: `the call ${digits(answeredMs)} ms`,
      value: stoppedMs / 1000,
      unit: 's',
      goal: { atMost: 1 },
    },
    { ...plain, what: `${what}, until each has its command`, ours: `${digits(toldMs / 1000)} s` },
    { ...plain, what: `${what}, until each has its work order`, ours: `${digits(pullingMs / 1000)} s` },
  ]
}

/** Slots whose layers the rule would still let out. */
const offering = (db: Reader) =>
  countOf(
    db,
    sql`slot_layer l join medicine_batch b on b.product_id = l.product_id and b.number = l.batch
    where l.batch = ${BATCH} and b.state = 'available'`,
  )

async function countOf(db: Reader, from: ReturnType<typeof sql>): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from ${from}`.execute(db)
  return found.rows[0]?.count ?? 0
}

async function post<T>(server: Server, token: string, path: string, body: Record<string, unknown>): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} was refused: ${text}`)
  return (JSON.parse(text) as { data: T }).data
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endsMs = performance.now() + WAIT_MS
  while (performance.now() < endsMs) {
    if (await isSo()) return
    await delay(20)
  }
  throw new Error(`not so within ${WAIT_MS / 1000} s`)
}
