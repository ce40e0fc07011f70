import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import type { LimitedPiece } from './limit.rules'

/**
 * A `select` of the packs and days that hold for a group at a merchant: the stricter of the platform's rule and its
 * own. No row where nobody has set one.
 */
export const limitFor = (merchantId: RawBuilder<unknown>, group: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select min(l.packs) as packs, max(l.days) as days from real_name_limit l
  where l.limit_group = ${group} and (l.merchant_id = ${merchantId} or l.merchant_id is null) having count(*) > 0`

/** Of medicines that are counted by person or ask for an age: which. */
export async function limitedOf(db: Reader, productIds: readonly number[]): Promise<Map<number, LimitedPiece>> {
  const found = await sql<{ productId: number; limitGroup: string | null; minAge: number | null }>`
    select product_id as "productId", limit_group as "limitGroup", min_age as "minAge" from medicine
    where product_id = any(${[...new Set(productIds)]}::bigint[])
      and (limit_group is not null or min_age is not null)`.execute(db)
  return new Map(
    found.rows.map(({ productId, limitGroup, minAge }) => [productId, { isLimited: limitGroup !== null, minAge }]),
  )
}
