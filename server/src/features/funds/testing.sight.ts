import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    withdrawals: 'merchant',
    'payout-accounts': 'merchant',
    'merchant-balances': 'merchant',
    'bank-lines': 'merchant',
  },
  platformsAlone: { 'funds.putPayoutAccount': 'request.notPermitted' },
  rows: {
    withdrawals: addWithdrawals,
    'payout-accounts': addPayoutAccount,
    'bank-lines': addBankLines,
    // Every merchant has one from its first day on.
    'merchant-balances': (_, { merchantId }) => Promise.resolve(merchantId),
  },
}

async function addPayoutAccount(db: Reader, { merchantId, mark, at }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`insert into payout_account (merchant_id, funds_mode, holder, bank, customer_no, address, secret, is_on,
        changed_at)
      values (${merchantId}, 'custody', ${mark}, ${mark}, ${mark}, 'https://bank.example.com', '', true, ${at})`,
  )
}

async function addWithdrawals(db: Reader, { merchantId, at, idOf }: BranchBase): Promise<number> {
  const [account, payer] = [await idOf('bank-accounts'), await idOf('payout-accounts')]
  const asker = sql`insert into app_user (account, display_name, kind, merchant_id)
    values (${`asker${merchantId}`}, 'Asker', 'ordinary', ${merchantId})`
  const userId = await inserted(db, asker)
  // What they hold stands on its account.
  await sql`insert into ledger_account (kind, merchant_id, bound)
    values ('withdrawing', ${merchantId}, -1), ('bank', ${merchantId}, 0)`.execute(db)
  await sql`with posted as (
      insert into ledger_transfer (kind, reference, merchant_id, posted_at, business_day)
      values ('withdrawal', ${`sight/${merchantId}`}, ${merchantId}, ${at}, ${at}::timestamptz::date) returning id)
    insert into ledger_entry (merchant_id, posted_at, transfer_id, account_id, amount_fen)
    select ${merchantId}, ${at}, posted.id, a.id, case a.kind when 'bank' then 1500 else -1500 end
    from posted, ledger_account a
    where a.merchant_id = ${merchantId} and a.kind in ('withdrawing', 'bank') and a.key = ''`.execute(db)
  return inserted(
    db,
    sql`insert into withdrawal (no, merchant_id, bank_account_id, payout_account_id, funds_mode, amount_fen, fee_fen,
        limit_fen, requested_by, requested_at, due_on)
      select 'W' || lpad((${merchantId} * 10 + n)::text, 17, '0'), ${merchantId}, ${account}, ${payer}, 'custody', 500,
        0, 1000, ${userId}, ${at}, ${at}::timestamptz::date from generate_series(1, 3) n`,
  )
}

/** Lines that nobody gave an order for, so that they may be explained. */
async function addBankLines(db: Reader, { at, mark, idOf }: BranchBase): Promise<number> {
  const payer = await idOf('payout-accounts')
  await sql`insert into bank_statement (payout_account_id, day, read_at)
    values (${payer}, ${at}::timestamptz::date, ${at})`.execute(db)
  const line = await inserted(
    db,
    sql`insert into bank_statement_line (payout_account_id, day, kind, reference, bank_no, amount_fen)
      select ${payer}, ${at}::timestamptz::date, 'paid', ${mark} || n, ${mark} || n, 500 from generate_series(1, 3) n`,
  )
  // As the list counts them.
  return line * 2
}
