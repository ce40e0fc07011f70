import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Tx } from '../../kernel/context'
import { postTransfers, type Transfer } from '../ledger/public'
import { issuerPays } from './issuer.rules'

/**
 * Issuers bring in what they owe for their cards, each as far as what it could withdraw covers it; the rest stays due
 * and is asked for again with the next settlement. What was brought in for a gift that came back is returned.
 * Runs after each settlement, under its lock, so that no gift can be withdrawn as if somebody had paid it.
 */
export async function collectFromIssuers(tx: Tx, now: Date): Promise<void> {
  const found = await sql<{ merchantId: number; dueFen: number; availableFen: number }>`
    select d.merchant_id as "merchantId", d.balance_fen as "dueFen", -coalesce(a.balance_fen, 0) as "availableFen"
    from ledger_account d left join ledger_account a on a.kind = 'available' and a.merchant_id = d.merchant_id
      and a.key = ''
    where d.kind = 'card_due' and d.key = '' and d.balance_fen <> 0 order by d.merchant_id`.execute(tx)
  const { day } = businessTime(now, PLATFORM_TIME_ZONE)
  const transfers = found.rows.flatMap(({ merchantId, ...account }): Transfer[] => {
    const amountFen = issuerPays(account)
    if (amountFen === 0) return []
    const postings = [
      { account: { kind: 'available' as const, merchantId, key: '' }, amountFen },
      { account: { kind: 'card_due' as const, merchantId, key: '' }, amountFen: -amountFen },
    ]
    const reference = `${merchantId}/${randomUUID()}`
    return [{ kind: 'card_settlement', reference, merchantId, postedAt: now, businessDay: day, postings }]
  })
  await postTransfers(tx, transfers)
}
