import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { type AccountKind, type Posting, postTransfers } from '../ledger/public'
import { channelKey, deltaOf, type Matched, statementPostings, type StatementSums } from './posting.rules'
import { bookedDay, type Run } from './run.store'

const channelOf = (run: Run) => ({ id: run.channelId, merchantId: run.merchantId, provider: run.provider })

/**
 * Brings the ledger to what the run's lines say now: posts what is missing after earlier postings of the same run. In
 * `direct` mode the money never touches the platform, so nothing is posted.
 */
export async function postStatement(tx: Tx, run: Run, now: Date): Promise<void> {
  if (run.fundsMode === 'direct') return
  const wanted = statementPostings(await sumsOf(tx, run), channelOf(run))
  const postings = deltaOf(wanted, await postedOf(tx, run))
  await postTransfers(tx, [
    {
      kind: 'statement',
      reference: `run/${run.id}/${run.version}`,
      merchantId: run.merchantId,
      postedAt: now,
      businessDay: bookedDay(run.day, now),
      postings,
    },
  ])
}

/** Only orders and refunds that the ledger knows; a merchant that collects itself has its money elsewhere. */
async function sumsOf(tx: Tx, run: Run): Promise<StatementSums> {
  const matched = await sql<Omit<Matched, 'merchantId'> & { kind: 'payment' | 'refund'; merchantId: number | null }>`
    select l.kind, l.order_merchant_id as "merchantId", sum(l.amount_fen)::bigint as "theirFen",
      sum(t.amount)::bigint as "ourFen", sum(l.fee_fen)::bigint as "feeFen"
    from statement_line l
    join lateral (
      select sum(e.amount_fen) filter (where a.kind = 'clearing') * case l.kind when 'payment' then 1 else -1 end
        as amount
      from ledger_transfer t
      join ledger_entry e on e.merchant_id = t.merchant_id and e.posted_at = t.posted_at and e.transfer_id = t.id
      join ledger_account a on a.id = e.account_id
      where t.kind = case l.kind when 'payment' then 'sale' else 'refund' end
        and t.reference = case l.kind when 'payment' then l.order_id else l.matched_id end::text) t on t.amount <> 0
    where l.run_id = ${run.id} and l.kind in ('payment', 'refund') and l.matched_id is not null
    group by l.kind, l.order_merchant_id`.execute(tx)
  const rest = await sql<Omit<StatementSums, 'payments' | 'refunds'>>`
    select coalesce(sum(amount_fen) filter (where kind = 'payment' and matched_id is null), 0)::bigint
        as "strayPaymentFen",
      coalesce(sum(amount_fen) filter (where kind = 'refund' and matched_id is null), 0)::bigint as "strayRefundFen",
      coalesce(sum(fee_fen) filter (where kind in ('payment', 'refund') and matched_id is null), 0)::bigint
        as "strayFeeFen",
      coalesce(-sum(amount_fen) filter (where kind = 'fund_payout'), 0)::bigint as "payoutFen",
      coalesce(sum(amount_fen) filter (where kind = 'fund_split'), 0)::bigint as "splitFen",
      coalesce(sum(amount_fen) filter (where kind = 'fund_other'), 0)::bigint as "otherFen"
    from statement_line where run_id = ${run.id}`.execute(tx)
  const [stray] = rest.rows
  if (!stray) throw new Error('sums without a row')
  const ofMerchants = matched.rows.map(({ merchantId, ...row }) => {
    if (merchantId === null) throw new Error('a line of an order without its merchant')
    return { ...row, merchantId }
  })
  const { strayPaymentFen, strayRefundFen, strayFeeFen, payoutFen, splitFen, otherFen } = stray
  return {
    payments: ofMerchants.filter(({ kind }) => kind === 'payment'),
    refunds: ofMerchants.filter(({ kind }) => kind === 'refund'),
    strayPaymentFen,
    strayRefundFen,
    strayFeeFen,
    payoutFen,
    splitFen,
    otherFen,
  }
}

async function postedOf(tx: Tx, run: Run): Promise<Posting[]> {
  const found = await sql<{ kind: AccountKind; merchantId: number; key: string; amountFen: number }>`
    select a.kind, a.merchant_id as "merchantId", a.key, sum(e.amount_fen)::bigint as "amountFen"
    from generate_series(0, ${run.version}::int) n
    join ledger_transfer t on t.kind = 'statement' and t.reference = 'run/' || ${run.id}::text || '/' || n
    join ledger_entry e on e.merchant_id = t.merchant_id and e.posted_at = t.posted_at and e.transfer_id = t.id
    join ledger_account a on a.id = e.account_id group by 1, 2, 3`.execute(tx)
  return found.rows.map(({ kind, merchantId, key, amountFen }) => ({ account: { kind, merchantId, key }, amountFen }))
}

/**
 * The balance at the end of the day as the channel's fund bill has it, and as it would be by our postings: what the
 * channel held before, and what the run moved.
 */
export async function markBalances(tx: Tx, run: Run): Promise<void> {
  await sql`with funds as (
      select (array_agg(balance_fen - amount_fen order by at, line_no))[1] as opening,
        (array_agg(balance_fen order by at desc, line_no desc))[1] as closing
      from statement_line where run_id = ${run.id} and kind like 'fund%' and balance_fen is not null),
    moved as (
      select coalesce(sum(e.amount_fen), 0) as fen
      from generate_series(0, ${run.version}::int) n
      join ledger_transfer t on t.kind = 'statement' and t.reference = 'run/' || ${run.id}::text || '/' || n
      join ledger_entry e on e.merchant_id = t.merchant_id and e.posted_at = t.posted_at and e.transfer_id = t.id
      join ledger_account a on a.id = e.account_id and a.kind = 'channel_balance'
        and a.key = ${channelKey({ id: run.channelId })})
    update settlement_run r set their_balance_fen = funds.closing,
      our_balance_fen = case when funds.closing is not null then moved.fen + coalesce((
        select b.their_balance_fen from settlement_run b where b.channel_id = r.channel_id and b.day = r.day - 1),
        funds.opening) end
    from funds, moved where r.id = ${run.id}`.execute(tx)
}
