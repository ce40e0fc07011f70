import { moneyText } from '@aisle/contract/kernel/text'
import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { word } from '../../kernel/words'

/** The job of `notice` that tells people what needs them. */
export const TELL_REFUNDS = 'notice.tellRefunds'

/** What people of a merchant are told in one message: refunds that no channel can pay. */
export type RefundNews = {
  merchantId: number
  /** The newest of them: each is told once. */
  id: number
  varsIn: (language: Language) => { count: string; amount: string; refunds: string }
}

const NAMED = 3

/** Refunds that have come to need a person since the last time, by merchant. Each is taken once. */
export async function takeToldRefunds(tx: Tx, now: Date): Promise<RefundNews[]> {
  const found = await sql<{ id: number; merchantId: number; refundNo: string; amountFen: number }>`
    with told as (update refund set told_at = ${now} where state = 'needs_handling' and told_at is null
      returning id, merchant_id, refund_no, amount_fen)
    select id, merchant_id as "merchantId", refund_no as "refundNo", amount_fen as "amountFen"
    from told order by id`.execute(tx)
  const merchantIds = [...new Set(found.rows.map(({ merchantId }) => merchantId))]
  return merchantIds.map((merchantId) => {
    const refunds = found.rows.filter((row) => row.merchantId === merchantId)
    const names = refunds.slice(0, NAMED).map(({ refundNo }) => refundNo)
    const more = refunds.length - names.length
    const sumFen = refunds.reduce((sum, { amountFen }) => sum + amountFen, 0)
    return {
      merchantId,
      id: Math.max(...refunds.map(({ id }) => id)),
      varsIn: (language) => ({
        count: String(refunds.length),
        amount: moneyText(sumFen, language),
        refunds: names.join(' / ') + (more > 0 ? ` ${word(language, 'refund', 'told.more', { count: more })}` : ''),
      }),
    }
  })
}
