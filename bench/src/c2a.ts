import { sql } from 'kysely'
import type { Reader } from '../../server/src/kernel/context'
import { addSession, addUser } from '../../server/src/testing/fixtures'
import { type Bench, digits, type Goal, type Line } from './kit/figure'
import { latencies, percentile } from './kit/latency'
import { makeNetwork } from './kit/network'
import { startApi } from './kit/server'

const MACHINES = 50_000
const CLIENTS = 4
const CALLS = 400

type Asked = { what: string; paths: readonly string[]; goal: Goal | null }
const asked: readonly Asked[] = [
  { what: 'status list, worst first', paths: ['/api/machine-status'], goal: { atMost: 100 } },
  {
    what: 'status list, connection and condition together',
    paths: ['/api/machine-status?connection=offline&condition=fault', '/api/machine-status?condition=low_stock'],
    goal: { atMost: 200 },
  },
  { what: 'machine list, worst first', paths: ['/api/machines'], goal: { atMost: 100 } },
  { what: 'the figures above it', paths: ['/api/machines/summary'], goal: null },
  { what: 'the map by city', paths: ['/api/machine-status/map'], goal: null },
]

/** The fleet now at 50,000 machines, as the platform sees all of them and a region every fourth. */
export async function c2a({ cluster, say }: Bench): Promise<Line[]> {
  const fresh = await cluster.fresh('status')
  const { db } = fresh.pool
  say(`making ${MACHINES.toLocaleString('en')} machines`)
  await makeNetwork(db, { merchants: 500, machines: MACHINES, products: 50, slots: 2 })
  await spoil(db)
  await fresh.pool.raw.query('vacuum analyze')
  const now = new Date()
  const grants = ['machine.read']
  const admin = await addUser(db, { merchantId: 1, kind: 'platform_admin', grants: ['*'] })
  const manager = await addUser(db, { merchantId: 2, kind: 'merchant_admin', grants })
  const askers = [
    { name: 'platform', token: await addSession(db, admin.id, now) },
    { name: 'region', token: await addSession(db, manager.id, now) },
  ]
  const server = await startApi(fresh)
  const lines: Line[] = []
  try {
    for (const { what, paths, goal } of asked) {
      for (const { name, token } of askers) {
        const load = { port: server.port, paths, token, clients: CLIENTS }
        await latencies({ ...load, calls: 40 })
        const took = await latencies({ ...load, calls: CALLS })
        const p99 = percentile(took, 0.99)
        lines.push({
          id: 'C2a',
          what: `${what} of ${MACHINES.toLocaleString('en')}, ${name}, ${CLIENTS} at once`,
          ours: `p99 ${digits(p99)} ms`,
          anchor: `p50 ${digits(percentile(took, 0.5))} ms`,
          value: p99,
          unit: 'ms',
          goal,
        })
      }
    }
  } finally {
    await server.stop()
    await fresh.close()
  }
  return lines
}

/** One in fifty is broken, one in thirty too warm, one in twenty silent, some never spoke; a third lacks something. */
async function spoil(db: Reader): Promise<void> {
  await sql`update machine set temperature_min_c = 2, temperature_max_c = 8`.execute(db)
  await sql`update machine_state s set
      last_seen_at = case when id % 41 = 0 then null
        when id % 20 = 0 then now() - interval '1 hour' else now() + interval '1 day' end,
      is_connected = id % 20 <> 0 and id % 41 <> 0,
      faults = case when id % 50 = 0 then array['E12'] else '{}' end,
      temperature_c = case when id % 30 = 0 then 11 else 5 end,
      low_change = id % 70 = 0, low_slots = case when id % 3 = 0 then 1 + id % 5 else 0 end,
      slot_count = 48, beat_at = now()
    from (select machine_id as mid, machine_id as id from machine_state) numbered where mid = machine_id`.execute(db)
}
