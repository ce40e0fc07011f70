import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables'

/** One process makes them, the others wait and find them made. */
const PARTITION_LOCK = 4_217_003

/** Months of the big tables from 13 back, for what machines send late and reports compare, to 2 ahead. */
export async function ensurePartitions(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`.execute(tx)
    await sql`select ensure_partitions(
      (${now}::timestamptz - interval '13 months')::date, (${now}::timestamptz + interval '2 months')::date)`.execute(
      tx,
    )
  })
}
