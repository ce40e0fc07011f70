import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { must, only } from '../../kernel/must'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'
import { splitRows } from './split/testing'

export const sight: SightCells = {
  hangsOn: {
    'settlement-runs': 'merchant',
    'settlement-differences': 'merchant',
    payouts: 'merchant',
    settlements: 'merchant',
    'fee-rules': 'merchantOrAbove',
    'merchant-fees': 'merchant',
    'ledger-accounts': 'merchant',
    'book-days': 'everybody',
    'settlement-disputes': 'merchant',
    transactions: 'machine',
    'split-receivers': 'merchant',
    'split-rules': 'merchant',
    splits: 'merchant',
    'split-lines': 'merchant',
    'split-returns': 'merchant',
  },
  fields: {
    'settlement.listDifferences.runId': 'settlement-runs',
    'settlement.listPayouts.id': 'payouts',
    settlementId: 'settlements',
    receiverId: 'split-receivers',
    accountId: 'payment-accounts',
    ofMerchantId: 'merchants',
    ofUserId: 'users',
  },
  platformsAlone: {
    'settlement.previewFeeRule': 'request.notPermitted',
    'settlement.addFeeRule': 'request.notPermitted',
    'settlement.endFeeRule': 'request.notFound',
    'settlement.takeBackFeeRule': 'request.notFound',
  },
  // It is the platform that answers, and the merchant that raises: neither is an answer about a row out of sight.
  given: {
    'settlement.disputeOrder': { orderNo: 'NO-SUCH-ORDER' },
    'settlement.previewSplitRule': { lines: '1:b100' },
  },
  showsAbove: [
    // What merchants above have agreed holds for those below them.
    'settlement.listFeeRules',
    'settlement.getFeeRule',
    'settlement.getMerchantFees',
    'settlement.listMerchantFees',
  ],
  rows: {
    'settlement-runs': addRun,
    'settlement-differences': addDifferences,
    payouts: addPayouts,
    'ledger-accounts': addLedgerAccounts,
    settlements: addSettlements,
    'settlement-disputes': addDisputes,
    ...splitRows,
    transactions: (_, { idOf }) => idOf('orders'),
    'fee-rules': addFeeRules,
    'merchant-fees': (_, { merchantId }) => Promise.resolve(merchantId),
  },
}

/** A day of a number that has its bill, with what differs in it. */
async function addRun(db: Reader, { merchantId, mark, at, idOf }: BranchBase): Promise<number> {
  const made = await sql<{ id: number }>`
    with account as (insert into payment_account (merchant_id, provider, provider_account_id, funds_mode,
        payment_title, state, activated_at, stopped_at)
      values (${merchantId}, 'wechat', ${await idOf('provider-accounts')}, 'custody', ${mark}, 'stopped', ${at}, ${at})
      returning id),
    channel as (insert into settlement_channel (provider_account_id, sub_merchant_no, merchant_id, provider,
        account_id, funds_mode, since)
      select ${await idOf('provider-accounts')}, ${mark}, ${merchantId}, 'wechat', id, 'custody',
        ${at}::timestamptz::date
      from account returning id)
    insert into settlement_run (channel_id, merchant_id, provider, day, state, open_count, created_at)
    select id, ${merchantId}, 'wechat', ${at}::timestamptz::date - n, 'matched', 2, ${at}
    from channel, generate_series(1, 2) n returning id`.execute(db)
  return only(made).id
}

async function addDifferences(db: Reader, { merchantId, mark, at, idOf }: BranchBase): Promise<number> {
  const made = await sql<{
    id: number
  }>`insert into settlement_difference (run_id, channel_id, merchant_id, kind, about,
      their_fen, order_no, state, created_at)
    select r.id, r.channel_id, ${merchantId}, 'only_theirs', ${mark} || n, 500, ${mark}, 'open', ${at}
    from settlement_run r, generate_series(1, 2) n where r.id = ${await idOf('settlement-runs')} returning id`.execute(
    db,
  )
  return only(made).id
}

async function addPayouts(db: Reader, { mark, at, idOf }: BranchBase): Promise<number> {
  const made = await sql<{ id: number }>`
    with file as (insert into statement_file (run_id, kind, source, name, hash, content, line_count, imported_at)
      values (${await idOf('settlement-runs')}, 'fund', 'fetched', ${mark}, sha256(${mark}::bytea), '', 2, ${at})
        returning id)
    insert into statement_line (file_id, run_id, line_no, kind, channel_no, amount_fen, at)
    select id, ${await idOf('settlement-runs')}, n, 'fund_payout', ${mark} || n, -500, ${at} from file,
      generate_series(1, 2) n
    returning id`.execute(db)
  return only(made).id
}

async function addLedgerAccounts(db: Reader, { merchantId, mark }: BranchBase): Promise<number> {
  const made = await sql<{ id: number }>`insert into ledger_account (kind, merchant_id, key)
    values ('suspense', ${merchantId}, ${mark}), ('clearing', ${merchantId}, ${mark}) returning id`.execute(db)
  return only(made).id
}

async function addSettlements(db: Reader, { merchantId, at }: BranchBase): Promise<number> {
  const made = await sql<{ id: number }>`insert into settlement (merchant_id, method, funds_mode, business_day, orders,
      refunds, gross_fen, refund_fen, channel_fee_fen, function_fee_fen, net_fen, rounding_ufen, posted_at)
    select ${merchantId}, 'wechat', 'custody', ${at}::timestamptz::date - n, 1, 0, 500, 0, 3, 5, 492, 0, ${at}
    from generate_series(1, 2) n returning id`.execute(db)
  return only(made).id
}

/** Two orders of its own settlement, each of which the merchant disputes. */
async function addDisputes(db: Reader, { merchantId, machines, mark, at, idOf }: BranchBase): Promise<number> {
  const settlementId = await idOf('settlements')
  const userId = await inserted(
    db,
    sql`insert into app_user (account, display_name, kind, merchant_id)
      values (${`disputer${merchantId}`}, ${mark}, 'ordinary', ${merchantId})`,
  )
  const orders = sql`select order_id, order_no from order_number where order_no like ${`${mark}-disputed-%`}`
  await sql`insert into order_number (order_no, merchant_id, machine_id, occurred_at)
    select ${mark} || '-disputed-' || n, ${merchantId}, ${must(machines[0], 'a machine').id}, ${at}
    from generate_series(1, 3) n`.execute(db)
  await sql`insert into settled_item (kind, reference, settlement_id, amount_fen)
    select 'order', order_id, ${settlementId}, 100 from (${orders}) o`.execute(db)
  return inserted(
    db,
    sql`insert into settlement_dispute (settlement_id, merchant_id, order_id, order_no, reason, raised_by, raised_at)
      select ${settlementId}, ${merchantId}, order_id, order_no, ${mark}, ${userId}, ${at} from (${orders}) o`,
  )
}

/** Two that are to come: the walk takes the first one back. */
async function addFeeRules(db: Reader, { merchantId, mark, at }: BranchBase): Promise<number> {
  const made = await sql<{ id: number }>`insert into fee_rule (merchant_id, subject, rate_ppm, basis, min_fen,
      valid_from, reason, created_at)
    select ${merchantId}, 'wechat', 5000, 'order', 0, ${at}::timestamptz::date + 40 + n, ${mark}, ${at}
    from generate_series(1, 2) n returning id`.execute(db)
  return only(made).id
}
