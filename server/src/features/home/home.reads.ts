import { historyFill } from '@aisle/contract/home/dashboard'
import { sql } from 'kysely'
import { PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Reader } from '../../kernel/context'

/** Of the day that a merchant has, where most of its machines stand. */
export async function findZone(db: Reader, merchantId: number): Promise<string> {
  const found = await sql<{ zone: string }>`select time_zone as zone from merchant
    where id = ${merchantId}`.execute(db)
  return found.rows[0]?.zone ?? PLATFORM_TIME_ZONE
}

/** How far a history is that is still being filled; null when none is. */
export async function findFilling(db: Reader): Promise<{ filled: number; of: number } | null> {
  const found = await sql<{ filled: number; of: number }>`select (value->>'filled')::int as filled,
      (value->>'of')::int as of
    from setting where key = ${historyFill} and merchant_id is null and value->>'filled' <> value->>'of'`.execute(db)
  return found.rows[0] ?? null
}
