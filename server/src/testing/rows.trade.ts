import { sql } from 'kysely'
import type { Reader } from '../kernel/context'
import { addOrder } from './builders'
import { inserted } from './inserted'
import type { BranchBase } from './rows'

/** Of the order that is made for it: the walk turns it down, and asks for others of the branch's own order. */
export async function addRefundRow(db: Reader, { machines, at, mark, merchantId }: BranchBase): Promise<number> {
  const [machine] = machines
  if (!machine) return 0
  const { id, orderNo } = await addOrder(db, machine, at)
  return inserted(
    db,
    sql`insert into refund (refund_no, order_id, merchant_id, occurred_at, machine_id, order_no, method, amount_fen,
        cause, reason, state, requested_at)
      values (${`R20261120${String(id).padStart(9, '0')}01`}, ${id}, ${merchantId}, ${at}, ${machine.id}, ${orderNo},
        'alipay', 200, 'other', ${mark}, 'pending_review', ${at})`,
  )
}

export async function addProblem(db: Reader, { machines, at, mark, merchantId }: BranchBase): Promise<number> {
  const [machine] = machines
  if (!machine) return 0
  const { id } = await addOrder(db, machine, at)
  return inserted(
    db,
    sql`insert into problem_case (order_id, merchant_id, occurred_at, machine_id, kind, opened_at, reason)
      values (${id}, ${merchantId}, ${at}, ${machine.id}, 'late_result', ${at}, ${mark})`,
  )
}

/** Small enough that one person decides. */
export async function addUnclaimed(db: Reader, { at, mark, merchantId, ids }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`insert into unclaimed_payment (provider_account_id, provider, channel_no, attempt_no, amount_fen, paid_at,
        noted_at, cause)
      values (${ids['provider-accounts']}, 'wechat', ${`${mark}-${merchantId}`}, ${mark}, 300, ${at}, ${at},
        'unknown_number')`,
  )
}

/** Of the order that stands there already: won, and the prize is owed. */
export async function addPlay(db: Reader, { merchantId, machines, at, ids }: BranchBase): Promise<number> {
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
      from series, orders o where o.id = ${ids.orders}`,
  )
}

export async function addPartnerRequest(
  db: Reader,
  { merchantId, machines, mark, at, ids }: BranchBase,
): Promise<number> {
  return inserted(
    db,
    sql`insert into partner_request (config_id, merchant_id, machine_id, request_no, body_hash, body, answer, order_id,
        order_no, created_at)
      select ${ids.integrations}, ${merchantId}, ${machines[0]?.id}, ${`${mark}-1`}, '\\x00', ${`${mark} body`}, '{}',
        id, order_no, ${at} from orders where id = ${ids.orders}`,
  )
}

export async function addClaimRow(db: Reader, { merchantId, mark, at, ids }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`insert into lottery_claim (merchant_id, play_id, claimant, note, pictures, created_by, created_at)
      values (${merchantId}, ${ids.plays}, ${`${mark} winner`}, ${`${mark} note`}, '{/pictures/x.png}', ${ids.users},
        ${at})`,
  )
}
