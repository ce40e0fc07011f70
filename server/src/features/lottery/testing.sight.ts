import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    plays: 'machine',
    'prize-claims': 'machine',
    'prize-redemptions': 'machine',
  },
  fields: {
    // Of a merchant's stock, asked for with the claim's own merchant (lottery/claim.test.ts).
    placeId: null,
    productId: null,
  },
  rows: {
    plays: addPlay,
    'prize-claims': addClaimRow,
    'prize-redemptions': addRedemption,
  },
}

/** Of the order that stands there already: won, and the prize is owed. */
async function addPlay(db: Reader, { merchantId, machines, at, idOf }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`with series as (
        insert into lottery_series (merchant_id, machine_id, business_day, seed_hash, sealed_seed, committed_at)
        values (${merchantId}, ${machines[0]?.id}, ${at}::timestamptz::date, repeat('0a', 32), '\\x00', ${at})
        returning id)
      insert into lottery_play (id, order_no, merchant_id, machine_id, product_id, slot_code, series_id, business_day,
        odds_permille, stake_fen, prize_fen, cost_fen, state, number, prize_state, opened_at, drawn_at)
      select o.id, o.order_no, o.merchant_id, o.machine_id, ${machines[0]?.slots[0]?.productId}, 'A1', series.id,
        o.business_day, 200, 100, 500, 200, 'won', 7, 'owed', ${at}, ${at}
      from series, orders o where o.id = ${await idOf('orders')}`,
  )
}

async function addClaimRow(db: Reader, { merchantId, mark, at, idOf }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`insert into lottery_claim (merchant_id, play_id, claimant, note, pictures, created_by, created_at)
      values (${merchantId}, ${await idOf('plays')}, ${`${mark} winner`}, ${`${mark} note`}, '{/pictures/x.png}',
        ${await idOf('users')},
        ${at})`,
  )
}

async function addRedemption(db: Reader, { merchantId, at, idOf }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`insert into lottery_redemption (merchant_id, play_id, redeemed_by, redeemed_at)
      values (${merchantId}, ${await idOf('plays')}, ${await idOf('users')}, ${at})`,
  )
}
