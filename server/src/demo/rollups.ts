import { sql } from 'kysely'
import type { Tx } from '../kernel/context'

/** The figures as a recount of the facts gives them. */
export async function seedRollups(tx: Tx): Promise<void> {
  await sql`select rebuild_rollups()`.execute(tx)
}
