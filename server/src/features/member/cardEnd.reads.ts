import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import type { Lot } from './cardEnd.rules'

/**
 * What was paid in and given on top, oldest first, with the card's own before a replacement among them; less what was
 * reversed, so that what is left of a reversed one is what had been used of it.
 */
export async function findLots(db: Reader, cardId: number): Promise<Lot[]> {
  const found = await sql<Required<Lot>>`
    with recursive line as (
      select ${cardId}::bigint as id
      union all select c.id from line join member_card c on c.replaced_by = line.id)
    select t.id as "topUpId", (t.amount_fen - coalesce(r.paid_fen, 0))::bigint as "amountFen",
      (t.gift_fen - coalesce(r.balance_fen + r.gift_fen - r.paid_fen, 0))::bigint as "giftFen"
    from member_card_top_up t left join member_card_reversal r on r.top_up_id = t.id
    where t.card_id in (select id from line) order by t.topped_up_at, t.id`.execute(db)
  return found.rows
}
