import type { Grantee } from '@aisle/contract/sight/authorisation'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { merchantInSight, type Sight } from '../../kernel/scope'

export type FoundGrantee = {
  kind: Grantee
  id: number
  /** Of the user or unit; a merchant is its own. */
  merchantId: number
  /** What the audit log calls it. */
  label: string
  isActive: boolean
  /** True where the grantee sees machines without being granted any. */
  isAdministrator: boolean
}

const grantees: Record<Grantee, RawBuilder<unknown>> = {
  merchant: sql`select id, id as merchant_id, code as label, state = 'active' as is_active,
    type = 'platform' as is_administrator from merchant`,
  organisation: sql`select o.id, o.merchant_id, o.id::text as label, false as is_administrator, not exists (
      select 1 from organisation above where above.id = any(o.path) and above.state = 'stopped') as is_active
    from organisation o`,
  user: sql`select id, merchant_id, account as label, state = 'active' as is_active,
    kind in ('platform_admin', 'merchant_admin') as is_administrator from app_user where kind <> 'program'`,
}

export async function findGrantee(
  db: Reader,
  sight: Sight,
  kind: Grantee,
  id: number,
): Promise<FoundGrantee | undefined> {
  const found = await sql<Omit<FoundGrantee, 'kind'>>`
    select id, merchant_id as "merchantId", label, is_active as "isActive", is_administrator as "isAdministrator"
    from (${grantees[kind]}) grantee
    where id = ${id} and ${merchantInSight(sight, sql`merchant_id`)}`.execute(db)
  return found.rows[0] && { kind, ...found.rows[0] }
}
