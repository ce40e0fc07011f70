import type { Movement } from '@aisle/contract/kernel/money'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader } from '../../kernel/context'
import type { Posting } from './ledger.rules'

/** What postings would move, for whoever has to agree to them before they are posted. */
export async function movementsOf(db: Reader, postings: readonly Posting[]): Promise<Movement[]> {
  if (postings.length === 0) return []
  const entries = postings.map(({ account, amountFen }) => ({ ...account, amountFen }))
  const found = await sql<Movement>`
    select e.kind || case when e.key = '' then '' else ':' || e.key end as account, m.name as "merchantName",
      e.amount_fen as "amountFen", (coalesce(a.balance_fen, 0) + e.amount_fen)::bigint as "afterFen"
    from ${rows('e', entries, { kind: 'text', merchantId: 'bigint', key: 'text', amountFen: 'bigint' })}
    join merchant m on m.id = e.merchant_id
    left join ledger_account a on a.kind = e.kind and a.merchant_id = e.merchant_id and a.key = e.key
    order by e.amount_fen desc`.execute(db)
  return found.rows
}
