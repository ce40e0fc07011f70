import { sql } from 'kysely'
import type { Services } from '../kernel/context'

/** Empties tables, and what refers to them, though they hold facts: as only a test may that begins anew. */
export async function empty({ db }: Services, ...tables: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))} cascade`.execute(tx)
  })
}
