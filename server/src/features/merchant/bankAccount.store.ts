import { bankAccountState } from '@aisle/contract/merchant/bankAccount'
import { sql } from 'kysely'
import type { AuthKeys, Reader } from '../../kernel/context'
import { merchantInSight, type Sight } from '../../kernel/scope'
import { statesIn } from '../../kernel/states'
import { unsealNumbers } from './bankAccount.numbers'

type OpenAccount = { id: number; holder: string; bank: string; bankFullName: string; accountNumber: string }

/** Where money goes that was asked for while this wording was in force. Never to be kept or shown: it is the number. */
export async function openAccount(db: Reader, keys: AuthKeys, id: number): Promise<OpenAccount | null> {
  const found = await sql<Omit<OpenAccount, 'accountNumber'> & { sealed: Buffer }>`
    select id, holder, bank, bank_full_name as "bankFullName", sealed from bank_account
    where id = ${id} and state in ${statesIn(bankAccountState, 'used')} and sealed is not null`.execute(db)
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
