import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { sealPending, verifyChain } from '../../server/src/features/audit/seal.commands'
import { digits, type Bench, type Line } from './kit/figure'
import { timed } from './kit/rounds'

const ROWS = 500_000

/** The audit log: how fast it is sealed, and how fast a check of the whole chain reads it. */
export async function s7({ cluster, rounds, say }: Bench): Promise<Line[]> {
  const { pool, dataDir, close } = await cluster.fresh('audit')
  say(`writing ${ROWS.toLocaleString('en')} rows`)
  await sql`with written as (
      insert into audit_log (at, merchant_id, user_id, ip, action, object_kind, object_id, before, after, trace_id)
      select now() - n * interval '1 second', 1 + n % 50, 1 + n % 400, '10.0.0.' || n % 250, 'fleet.stopSale',
        'machine', 'M' || n % 5000, jsonb_build_object('operation', 'in_operation', 'note', repeat('a', 60)),
        jsonb_build_object('operation', 'stopped', 'reason', 'because of ' || n), 'trace' || n
      from generate_series(1, ${ROWS}) n returning id, at)
    insert into audit_pending select id, at from written`.execute(pool.db)
  const key = () => randomBytes(32)
  const keys = { id: 'bench', auth: key(), salt: key(), fake: key(), device: key() }
  const services = { db: pool.db, clock: { now: () => new Date(performance.timeOrigin) }, keys, dataDir }
  const sealing = await timed(() => sealPending(services))
  await sql`vacuum analyze`.execute(pool.db)
  const speeds: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const seconds = await timed(async () => {
      const { problems } = await verifyChain(pool.db, keys, dataDir)
      if (problems.length > 0) throw new Error(problems[0])
    })
    if (round > 0) speeds.push(ROWS / seconds)
  }
  await close()
  const middle = speeds.toSorted((a, b) => a - b)[Math.floor(speeds.length / 2)] ?? 0
  return [
    {
      id: 'S7',
      what: `a check of the audit chain, ${ROWS.toLocaleString('en')} rows`,
      ours: `${digits(middle)} rows/s`,
      anchor: `sealed at ${digits(ROWS / sealing)} rows/s`,
      value: middle,
      unit: 'rows/s',
      goal: { atLeast: 100_000 },
    },
  ]
}
