import { playState } from '@aisle/contract/lottery/states'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { statesIn } from '../../kernel/states'

/**
 * Adds plays that were drawn in this transaction to the figures, of the orders that were paid in it, under the lock of
 * the other rollups (docs/decisions/0003).
 */
export async function addPlaysToRollup(tx: Tx, orderIds: readonly number[]): Promise<void> {
  if (orderIds.length === 0) return
  await sql`insert into rollup_day_lottery as r (business_day, machine_id, product_id, odds_permille, merchant_id,
      plays, wins, stake_fen, cost_fen, prize_fen)
    select business_day, machine_id, product_id, odds_permille, min(merchant_id), count(*),
      count(*) filter (where state = 'won'), sum(stake_fen), coalesce(sum(cost_fen) filter (where state = 'won'), 0),
      coalesce(sum(prize_fen) filter (where state = 'won'), 0)
    from lottery_play where id = any(${[...orderIds]}::bigint[]) and state in ${statesIn(playState, 'drawn')}
      group by 1, 2, 3, 4
    on conflict (business_day, machine_id, product_id, odds_permille) do update set plays = r.plays + excluded.plays,
      wins = r.wins + excluded.wins, stake_fen = r.stake_fen + excluded.stake_fen,
      cost_fen = r.cost_fen + excluded.cost_fen, prize_fen = r.prize_fen + excluded.prize_fen`.execute(tx)
}
