import * as cash from '@aisle/contract/field/cashCollection'
import { sql } from 'kysely'
import { HOUR_MS } from '../calendar'
import { cashBoxes } from '../data/work'
import type { Past } from './within'

/** The fullest machines that the demo's operator sees: taken, counted by finance, and decided by the merchant. */
export async function takeCash(past: Past): Promise<void> {
  const { as, at, latestMs, tx } = past
  const found = await sql<{ code: string }>`select m.code from app_user u join machine_grant_user g on g.user_id = u.id
    join machine m on m.id = g.machine_id
    join ledger_account a on a.kind = 'cash_in_machine' and a.merchant_id = m.merchant_id and a.key = m.code
    where u.account = 'operator' order by a.balance_fen desc, m.id limit ${sql.lit(cashBoxes.length)}`.execute(tx)
  for (const [n, { hoursAgo, isCounted, offFen, accepted }] of cashBoxes.entries()) {
    const machineCode = found.rows[n]?.code
    if (machineCode === undefined) return
    at(latestMs - hoursAgo * HOUR_MS)
    const { id } = await as('operator', cash.takeCashBox, { machineCode, boxNo: `XJ-${101 + n}` })
    if (!isCounted) continue
    const { expectedFen } = await as('finance', cash.getCashCollection, { id })
    at(latestMs - (hoursAgo - 2) * HOUR_MS)
    const { state } = await as('finance', cash.countCashBox, { id, countedFen: Math.max(0, expectedFen + offFen) })
    // Where little was in it, too little is missing for a decision.
    if (accepted && cash.cashCollectionState.can(state, 'recount'))
      await as('merchant', cash.acceptCashDifference, { id, reason: accepted })
  }
}
