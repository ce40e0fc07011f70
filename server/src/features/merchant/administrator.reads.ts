import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'

type Administrator = { userId: number; merchantId: number; language: Language }

/** The administrators of the merchant itself, or of the nearest above that has any. */
export async function administratorsOf(db: Reader, merchantId: number): Promise<Administrator[]> {
  const found = await sql<Administrator & { depth: number }>`
    select u.id as "userId", u.merchant_id as "merchantId", u.language, array_position(m.path, u.merchant_id) as depth
    from merchant m join app_user u on u.merchant_id = any(m.path)
    where m.id = ${merchantId} and u.state = 'active' and u.kind in ('merchant_admin', 'platform_admin')
    order by depth desc, u.id`.execute(db)
  return found.rows.filter(({ depth }) => depth === found.rows[0]?.depth)
}
