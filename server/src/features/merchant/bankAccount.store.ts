import { sql } from 'kysely'
import type { AuthKeys, Reader } from '../../kernel/context'
import { merchantInSight, type Sight } from '../../kernel/scope'
import { unsealNumbers } from './bankAccount.numbers'

export type AccountInForce = { id: number; holder: string; bank: string; bankFullName: string; accountNumber: string }

/** Where a merchant's money may go now; null while nothing is approved. Never to be kept or shown: it is the number. */
export async function accountInForce(db: Reader, keys: AuthKeys, merchantId: number): Promise<AccountInForce | null> {
  const found = await sql<Omit<AccountInForce, 'accountNumber'> & { sealed: Buffer }>`
    select id, holder, bank, bank_full_name as "bankFullName", sealed from bank_account
    where merchant_id = ${merchantId} and state = 'approved' and sealed is not null`.execute(db)
  const row = found.rows[0]
  if (!row) return null
  const { sealed, ...account } = row
  return { ...account, accountNumber: unsealNumbers(keys, { id: row.id, sealed }).accountNumber }
}

/** What waits for somebody to review it, among the merchants in sight. */
export async function countPendingReviews(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*) as count from bank_account b
    where b.state = 'pending' and ${merchantInSight(sight, sql`b.merchant_id`)}`.execute(db)
  return found.rows[0]?.count ?? 0
}
