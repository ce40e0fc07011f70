import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { only } from '../../kernel/must'
import { dayAt } from '../../kernel/platformDays'

/**
 * The next number of a kind of document: `CG20261120-0007`, counted for each merchant and day where it is. Whoever
 * comes second waits for the first to commit, so no number is given twice; what fails leaves no gap.
 */
export async function nextNo(tx: Tx, merchantId: number, prefix: string, now: Date): Promise<string> {
  const taken = await sql<{ day: string; last: number }>`
    insert into document_counter as c (merchant_id, prefix, day, last)
    select m.id, ${prefix}, ${dayAt(now, sql`m.time_zone`)}, 1 from merchant m
    where m.id = ${merchantId}
    on conflict (merchant_id, prefix, day) do update set last = c.last + 1
    returning to_char(day, 'YYYYMMDD') as day, last`.execute(tx)
  const { day, last } = only(taken)
  return `${prefix}${day}-${String(last).padStart(4, '0')}`
}
