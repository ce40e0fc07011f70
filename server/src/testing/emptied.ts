import { sql } from 'kysely'
import type { Services } from '../kernel/context'

/**
 * Empties tables, and what refers to them, though they hold facts: as only a test may that begins anew. Row by row:
 * truncating makes the files of each table and index anew, which takes longer than deleting their few rows.
 */
export async function empty({ db }: Services, ...tables: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const found = await sql<{ name: string }>`
      with recursive meant(oid) as (
        select named::regclass::oid from unnest(${[...tables]}::text[]) named
        union select c.conrelid from pg_constraint c join meant on c.confrelid = meant.oid where c.contype = 'f')
      select oid::regclass::text as name from meant join pg_class using (oid) where not relispartition`.execute(tx)
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql.raw(found.rows.map(({ name }) => `delete from ${name}`).join(';')).execute(tx)
  })
}
