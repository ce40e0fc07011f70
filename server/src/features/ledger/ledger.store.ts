import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import { must } from '../../kernel/must'
import { instantAtHome } from '../../kernel/platformDays'
import { type AccountName, type Posting, boundOf } from './ledger.rules'

type TransferKind =
  | 'sale'
  | 'refund'
  | 'fee'
  | 'settlement'
  | 'withdrawal'
  | 'card_top_up'
  | 'card_gift'
  | 'card_move'
  /** An issuer brings in what it owes for its cards. */
  | 'card_settlement'
  | 'loss'
  | 'statement'
  | 'channel_fee'
  | 'payout'
  | 'bank_receipt'
  | 'decision'
  | 'write_off'
  | 'adjustment'
  | 'cash'
  | 'reversal'
  /** What came off a card that ended. */
  | 'card_payout'
  | 'goods_receipt'
  | 'supplier_invoice'
  | 'supplier_payment'
  | 'supplier_return'
  /** What became of a share of an order, after it was taken off at the settlement. */
  | 'split'

export type Transfer = {
  kind: TransferKind
  /** Unique with the kind: posting twice posts once. */
  reference: string
  merchantId: number
  postedAt: Date
  businessDay: string
  postings: readonly Posting[]
}

/** Where the first day begins that still takes entries; null while none is closed. */
const openSince = instantAtHome(sql`(select max(day) + 1 from ledger_day)`)

/**
 * Posts those transfers that are not posted yet; the database keeps the balances and refuses a sum other than zero.
 * What belongs to a day that is closed says so. What was heard in one, as of a machine whose message lay while the
 * database was gone, is posted in the first day that is open.
 */
export async function postTransfers(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  const real = transfers.filter((transfer) => transfer.postings.length > 0)
  if (real.length === 0) return
  const accounts = await accountIds(
    tx,
    real.flatMap((transfer) => transfer.postings.map((each) => each.account)),
  )
  const posted = await sql<{ id: number; kind: string; reference: string; posted_at: Date }>`
    insert into ledger_transfer (kind, reference, merchant_id, posted_at, business_day, adjusts)
    select kind, reference, merchant_id, greatest(posted_at, ${openSince}), business_day,
      (select day from ledger_day where day = t.business_day)
    from ${rows('t', real, {
      kind: 'text',
      reference: 'text',
      merchantId: 'bigint',
      postedAt: 'timestamptz',
      businessDay: 'date',
    })}
    on conflict (kind, reference) do nothing returning id, kind, reference, posted_at`.execute(tx)
  const made = new Map(posted.rows.map((row) => [`${row.kind}/${row.reference}`, row]))
  const entries = real.flatMap((transfer) => {
    const row = made.get(`${transfer.kind}/${transfer.reference}`)
    if (!row) return []
    return transfer.postings.map((posting) => ({
      merchantId: transfer.merchantId,
      postedAt: row.posted_at,
      transferId: row.id,
      accountId: must(accounts.get(nameOf(posting.account)), nameOf(posting.account)),
      amountFen: posting.amountFen,
    }))
  })
  if (entries.length === 0) return
  await sql`insert into ledger_entry (merchant_id, posted_at, transfer_id, account_id, amount_fen)
    select * from ${rows('e', entries, {
      merchantId: 'bigint',
      postedAt: 'timestamptz',
      transferId: 'bigint',
      accountId: 'bigint',
      amountFen: 'bigint',
    })}`.execute(tx)
}

const nameOf = (account: AccountName) => `${account.kind}/${account.merchantId}/${account.key}`

/** Accounts come into being with their first posting. */
async function accountIds(tx: Tx, wanted: readonly AccountName[]): Promise<Map<string, number>> {
  const distinct = [...new Map(wanted.map((account) => [nameOf(account), account])).values()]
  const found = await findAccounts(tx, distinct)
  const missing = distinct.filter((account) => !found.has(nameOf(account)))
  if (missing.length === 0) return found
  const fresh = missing.map((account) => ({ ...account, bound: boundOf(account.kind) }))
  await sql`insert into ledger_account (kind, merchant_id, key, bound)
    select * from ${rows('a', fresh, { kind: 'text', merchantId: 'bigint', key: 'text', bound: 'smallint' })}
    on conflict do nothing`.execute(tx)
  return findAccounts(tx, distinct)
}

async function findAccounts(tx: Tx, accounts: readonly AccountName[]): Promise<Map<string, number>> {
  const found = await sql<{ id: number; kind: AccountName['kind']; merchant_id: number; key: string }>`
    select a.id, a.kind, a.merchant_id, a.key
    from ${rows('w', accounts, { kind: 'text', merchantId: 'bigint', key: 'text' })}
    join ledger_account a on a.kind = w.kind and a.merchant_id = w.merchant_id and a.key = w.key`.execute(tx)
  return new Map(
    found.rows.map((row) => [nameOf({ kind: row.kind, merchantId: row.merchant_id, key: row.key }), row.id]),
  )
}

/** Of account `a`: its kind, with its key where it has one. */
export const accountText = sql`a.kind || case when a.key = '' then '' else ':' || a.key end`

/** Transfers `t` with their entries `e` and accounts `a`. */
export const entriesOfTransfers = sql`ledger_transfer t
  join ledger_entry e on e.merchant_id = t.merchant_id and e.posted_at = t.posted_at and e.transfer_id = t.id
  join ledger_account a on a.id = e.account_id`

export type EntryRow = {
  transferId: number
  account: string
  amountFen: number
  postedAt: Date
  kind: string
  /** Of the transfer: the order's id for a sale, the refund's for a refund. */
  reference: string
}

/** The entries that an order caused, oldest first. */
export async function findByOrder(db: Reader, orderId: number): Promise<EntryRow[]> {
  const found = await sql<EntryRow>`
    select t.id as "transferId", ${accountText} as account, e.amount_fen as "amountFen", e.posted_at as "postedAt",
      t.kind, t.reference
    from ${entriesOfTransfers}
    where (t.kind, t.reference) in (
      select 'sale', ${String(orderId)}
      union all select 'refund', id::text from refund where order_id = ${orderId}
      union all select 'loss', order_id || '/' || item_index from refund_item where order_id = ${orderId})
    order by e.posted_at, e.transfer_id, e.amount_fen desc`.execute(db)
  return found.rows
}

export type ToldEntry = Omit<EntryRow, 'postedAt' | 'reference'> & { postedAt: string }

/** What was posted under these references, oldest first, as it is told. */
export async function findByReference(
  db: Reader,
  kind: Transfer['kind'],
  references: readonly string[],
): Promise<ToldEntry[]> {
  const found = await sql<ToldEntry>`
    select t.id as "transferId", t.kind, ${accountText} as account, e.amount_fen as "amountFen",
      to_json(e.posted_at) #>> '{}' as "postedAt"
    from ${entriesOfTransfers} where t.kind = ${sql.lit(kind)} and t.reference = any(${[...references]}::text[])
    order by e.posted_at, e.transfer_id, e.amount_fen desc`.execute(db)
  return found.rows
}
