import * as contract from '@aisle/contract/member/benefit'
import type { CardType } from '@aisle/contract/member/card'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { kept } from '../../kernel/kept'
import { refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import type { GiftRule } from './benefit.rules'

const gifts = kept(contract.topUpGift, {
  table: 'topUpGift',
  facts: () => ({}),
  search: ['name'],
  orders: { fromFen: { by: sql`"fromFen"`, type: 'bigint' } },
  // As the desk may not give more than was paid, a rule may not.
  columns: async (_, { fromFen, giftFen, fromDay, toDay }) => {
    if (giftFen > fromFen) refuse('gift.amounts')
    if (toDay !== null && toDay < fromDay) refuse('gift.days')
    return {}
  },
})

const defaults = kept(contract.cardDefault, {
  table: 'cardDefault',
  facts: () => ({}),
  search: [],
})

export const routes: Route[] = [
  ...listOf(contract.listTopUpGifts, gifts.list),
  query(contract.getTopUpGift, gifts.get),
  command(contract.addTopUpGift, gifts.add),
  command(contract.editTopUpGift, gifts.edit),
  command(contract.stopTopUpGift, gifts.move('stop')),
  command(contract.resumeTopUpGift, gifts.move('resume')),
  command(contract.removeTopUpGift, gifts.remove),
  ...listOf(contract.listCardDefaults, defaults.list),
  query(contract.getCardDefault, defaults.get),
  command(contract.addCardDefault, defaults.add),
  command(contract.editCardDefault, defaults.edit),
  command(contract.removeCardDefault, defaults.remove),
]

/** In force or not yet; those of the issuer itself, as the card is. */
export async function giftRulesOf(db: Reader, merchantId: number): Promise<GiftRule[]> {
  const found = await sql<GiftRule>`select card_type as "cardType", from_fen as "fromFen", gift_fen as "giftFen",
      to_char(from_day, 'YYYY-MM-DD') as "fromDay", to_char(to_day, 'YYYY-MM-DD') as "toDay"
    from top_up_gift where merchant_id = ${merchantId} and state = 'active'`.execute(db)
  return found.rows
}

export type Beginning = { level: number; dailyCountLimit: number; singleMaxFen: number; dailyAmountFen: number }
const plain: Beginning = { level: 1, dailyCountLimit: 0, singleMaxFen: 0, dailyAmountFen: 0 }

/** What cards of a kind begin with. */
export async function beginningOf(db: Reader, merchantId: number, type: CardType): Promise<Beginning> {
  const found = await sql<Beginning>`select level, daily_count_limit as "dailyCountLimit",
      single_max_fen as "singleMaxFen", daily_amount_fen as "dailyAmountFen"
    from card_default where merchant_id = ${merchantId} and type = ${type}`.execute(db)
  return found.rows[0] ?? plain
}
