import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: { recommendations: 'machine', 'price-advices': 'merchant', 'price-trials': 'merchant' },
  given: { 'advice.startPriceTrial': { toFen: 900 } },
  rows: {
    'price-advices': (db, { merchantId, machines, at }) =>
      inserted(
        db,
        sql`insert into price_advice (merchant_id, product_id, verdict, now_fen, advised_fen, cost_fen, gain_fen,
            machines, prices, pieces, demand, computed_at)
          values (${merchantId}, ${machines[0]?.slots[0]?.productId}, 'raise', 500, 550, 200, 900, 2, 2, 9, '[]',
            ${at})`,
      ),
    /** Of a change of prices that is over: what the walk undoes has nothing to give back. */
    'price-trials': async (db, branch) =>
      inserted(
        db,
        sql`insert into price_trial (merchant_id, product_id, from_fen, to_fen, stop_percent, starts_on, ends_on,
            before_days, change_id, created_at)
          values (${branch.merchantId}, ${branch.machines[0]?.slots[0]?.productId}, 500, 550, 15, ${branch.at}::date,
            ${branch.at}::date, 28, ${await branch.idOf('price-changes')}, ${branch.at})`,
      ),
    /** The first slot of the first machine, without anything better. */
    recommendations: (db, { merchantId, machines, mark, at }) =>
      inserted(
        db,
        sql`insert into recommendation (merchant_id, machine_id, slot_id, kind, state, outgoing_id, place_kind, level,
            machines, machines_with, incoming_fen, incoming_pieces, outgoing_fen, outgoing_pieces, loss_fen, gain_fen,
            low_fen, high_fen, computed_at, decided_at, reason)
          select ${merchantId}, ${machines[0]?.id}, ${machines[0]?.slots[0]?.id}, 'replace', state,
            ${machines[0]?.slots[0]?.productId}, 'hospital', 0, 0, 0, 0, 0, 0, 0, 900, 900, 900, 900, ${at},
            case when state = 'ignored' then ${at}::timestamptz end,
            case when state = 'ignored' then ${mark} else '' end
          from unnest(array['open', 'ignored']) as state`,
      ),
  },
}
