import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { Reader } from '../../kernel/context'

/** Tells those who look on that codes changed: a machine took them in hand, or what came of that is known. */
export async function announceCodes(db: Reader, codeIds: readonly number[]): Promise<void> {
  if (codeIds.length === 0) return
  const found = await sql<{ own: number[]; above: number[] }>`
    select array_agg(distinct c.merchant_id) as own, array_agg(distinct one.above) as above
    from pickup_code c join merchant m on m.id = c.merchant_id, unnest(m.path) as one(above)
    where c.id = any(${[...codeIds]}::bigint[])`.execute(db)
  const { own, above } = found.rows[0] ?? { own: [], above: [] }
  await announce(db, { topic: 'changes', kinds: ['pickupCode'], merchantIds: own, above })
}
