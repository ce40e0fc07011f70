import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { must } from '../../../kernel/must'
import { inserted } from '../../../testing/inserted'
import type { BranchBase, MakeRow } from '../../../testing/sightCells'

/** Rows of a branch for who shares in its orders. */
export const splitRows: Readonly<Record<string, MakeRow>> = {
  'split-receivers': addReceivers,
  'split-rules': addRules,
  splits: addSplits,
  'split-lines': addLines,
  'split-returns': addReturns,
}

const userOf = (db: Reader, { merchantId, mark }: BranchBase, name: string): Promise<number> =>
  inserted(
    db,
    sql`insert into app_user (account, display_name, kind, merchant_id)
      values (${`${name}${merchantId}`}, ${mark}, 'ordinary', ${merchantId})`,
  )

async function addReceivers(db: Reader, branch: BranchBase): Promise<number> {
  const { merchantId, mark, at, idOf } = branch
  return inserted(
    db,
    sql`insert into split_receiver (merchant_id, account_id, provider, kind, name, account_type, account, state,
        bound_at, created_at, created_by)
      select ${merchantId}, ${await idOf('payment-accounts')}, 'wechat', 'outside', ${mark}, 'openid', ${mark} || n,
        'bound', ${at}, ${at}, ${await userOf(db, branch, 'sharer')} from generate_series(1, 2) n`,
  )
}

/** Two that are to come: the walk takes the first one back. */
async function addRules(db: Reader, branch: BranchBase): Promise<number> {
  const { merchantId, mark, at } = branch
  return inserted(
    db,
    sql`insert into split_rule (merchant_id, valid_from, reason, created_at, created_by)
      select ${merchantId}, ${at}::timestamptz::date + 40 + n, ${mark}, ${at}, ${await userOf(db, branch, 'ruler')}
      from generate_series(1, 2) n`,
  )
}

async function addSplits(db: Reader, branch: BranchBase): Promise<number> {
  const { merchantId, machines, mark, at, idOf } = branch
  const machine = must(machines[0], 'a machine')
  const account = await idOf('payment-accounts')
  // One that holds: what was shared by it can't be taken back.
  const rule = await inserted(
    db,
    sql`insert into split_rule (merchant_id, valid_from, reason, created_at, created_by)
      values (${merchantId}, ${at}::timestamptz::date - 9, ${mark}, ${at}, ${await userOf(db, branch, 'agreer')})`,
  )
  const attemptId = await inserted(
    db,
    sql`insert into payment_attempt (attempt_no, order_id, order_no, occurred_at, merchant_id, machine_id, account_id,
        method, product, amount_fen, paid_fen, state, msg_id, business_day, created_at, expires_at, paid_at)
      values (${`SHAREDIN${merchantId}`}, ${merchantId * 1000}, ${mark}, ${at}, ${merchantId},
        ${machine.id}, ${account},
        'wechat', 'native', 500, 500, 'paid', ${mark}, ${at}::timestamptz::date, ${at}, ${at}, ${at})`,
  )
  return inserted(
    db,
    sql`insert into split (order_id, order_no, occurred_at, merchant_id, machine_id, attempt_id, rule_id,
        settlement_id, provider, business_day, paid_fen, base_fen, kept_fen, refunded_fen, frozen_since, state,
        made_at)
      select ${merchantId * 1000} + n, ${mark}, ${at}, ${merchantId}, ${machine.id}, ${attemptId}, ${rule},
        ${await idOf('settlements')}, 'wechat', ${at}::timestamptz::date, 500, 490, 500, 0, ${at}, 'failed', ${at}
      from generate_series(1, 2) n`,
  )
}

async function addLines(db: Reader, { merchantId, at, idOf }: BranchBase): Promise<number> {
  const key = String(await idOf('split-receivers'))
  await sql`insert into ledger_account (kind, merchant_id, key, bound)
    values ('split_payable', ${merchantId}, ${key}, 0) on conflict do nothing`.execute(db)
  return inserted(
    db,
    sql`insert into split_line (split_id, line_no, receiver_id, amount_fen, state, code, failed_at)
      values (${await idOf('splits')}, 1, ${await idOf('split-receivers')}, 50, 'failed', 'ACCOUNT', ${at})`,
  )
}

/** What a receiver owes back of a share that it has. */
async function addReturns(db: Reader, { mark, at, idOf }: BranchBase): Promise<number> {
  const lineId = await inserted(
    db,
    sql`insert into split_line (split_id, line_no, receiver_id, amount_fen, state, try, done_at)
      values (${await idOf('splits')} + 1, 1, ${await idOf('split-receivers')}, 50, 'done', 1, ${at})`,
  )
  return inserted(
    db,
    sql`insert into split_return (line_id, refunded_fen, amount_fen, state, reason, created_at)
      select ${lineId}, n, 20, 'claimed', ${mark}, ${at} from generate_series(1, 2) n`,
  )
}
