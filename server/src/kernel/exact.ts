import { sql } from 'kysely'
import type { Reader } from './context'
import { refuse } from './refuse'

/** Longer than a person waits for a figure; some 50 million rows in that time. */
const MOST_MS = 20_000
/** Of all processes together, so that people who count never hold the connections that sales need. */
const AT_ONCE = 2
const KEY = 7_301

/**
 * A figure over as many rows as there are, for who asks for it by name.
 * @throws Refusal `request.slowDown` while others do, `list.tooMuch` when it takes too long; nothing goes on then
 */
export async function exactly<T>(db: Reader, read: (tx: Reader) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(MOST_MS)}, true)`.execute(tx)
      for (let place = 1; !(await takes(tx, place)); place += 1) if (place === AT_ONCE) refuse('request.slowDown')
      return read(tx)
    })
  } catch (cause) {
    if ((cause as { code?: unknown }).code === '57014') refuse('list.tooMuch')
    throw cause
  }
}

async function takes(tx: Reader, place: number): Promise<boolean> {
  const found = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${KEY}::int, ${place}::int) as taken`.execute(tx)
  return found.rows[0]?.taken === true
}
