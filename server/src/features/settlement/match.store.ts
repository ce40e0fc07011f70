import { unclaimedState } from '@aisle/contract/refund/unclaimed'
import { differenceState } from '@aisle/contract/settlement/states'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { caseOfRefundNo, isPaidTwice } from '../payment/public'
import { accountsOf, dayEnd, dayStart, type Run } from './run.store'
import { statesFrom, statesIn, stateTo } from '../../kernel/states'

/** A payment this near the end of the channel's day may stand in its next bill. */
const CUT_MINUTES = 60

/** Lines of the run take the payments and refunds that they speak of: by our number first, then by the channel's. */
export async function link(tx: Tx, run: Run): Promise<void> {
  const payments = sql`select a.id, a.attempt_no as our_no, coalesce(a.channel_no, '') as channel_no, a.order_id,
      a.merchant_id
    from payment_attempt a where ${isOurs(run)}`
  const refunds = sql`select f.id, f.refund_no as our_no, coalesce(f.channel_refund_no, '') as channel_no, f.order_id,
      f.merchant_id
    from refund f join payment_attempt a on a.id = f.attempt_id
    where f.state = 'refunded' and a.account_id in (${accountsOf(run)})`
  await linkBy(tx, run, { kind: 'payment', ours: payments, by: sql`o.our_no = l.attempt_no` })
  await linkBy(tx, run, {
    kind: 'payment',
    ours: payments,
    by: sql`l.channel_no <> '' and o.channel_no = l.channel_no`,
  })
  await linkBy(tx, run, { kind: 'refund', ours: refunds, by: sql`o.our_no = l.refund_no` })
  await linkBy(tx, run, { kind: 'refund', ours: refunds, by: sql`l.channel_no <> '' and o.channel_no = l.channel_no` })
}

/** Attempts `a` that paid their orders: what came twice is nobody's in the bill, too, until it went back. */
const isOurs = (run: Run) => sql`a.state = 'paid' and a.account_id in (${accountsOf(run)}) and not ${isPaidTwice}`

type Link = { kind: 'payment' | 'refund'; ours: RawBuilder<unknown>; by: RawBuilder<unknown> }

/** What was decided as lost or given back is not found any more. */
async function linkBy(tx: Tx, run: Run, { kind, ours, by }: Link): Promise<void> {
  await sql`with free as (
      select l.id, l.attempt_no, l.refund_no, l.channel_no from statement_line l
      where l.run_id = ${run.id} and l.kind = ${kind} and l.matched_id is null and not exists (
        select 1 from settlement_difference d
        where d.line_id = l.id and d.state = 'decided' and d.decision in ('write_off', 'refund'))),
    found as (
      select distinct on (o.id) o.id, l.id as line_id, o.order_id
      from free l join (${ours}) o on ${by}
      where not exists (select 1 from statement_match m where m.kind = ${kind} and m.matched_id = o.id)
        and not exists (select 1 from settlement_difference d
          where d.channel_id = ${run.channelId} and d.state = 'decided' and d.decision = 'write_off'
            and d.matched_id = o.id and d.kind = ${kind === 'payment' ? 'only_ours' : 'refund_only_ours'})
      order by o.id, l.channel_no <> o.channel_no, l.id),
    made as (
      insert into statement_match (kind, matched_id, run_id, line_id, order_id)
      select ${kind}, id, ${run.id}, line_id, order_id from found on conflict do nothing
      returning matched_id, line_id, order_id)
    update statement_line l set matched_id = made.matched_id, order_id = made.order_id,
      order_merchant_id = n.merchant_id
    from made join order_number n on n.order_id = made.order_id where l.id = made.line_id`.execute(tx)
}

type Found = RawBuilder<unknown>

/** Opens a case for everything that one side has alone or otherwise; one that is known stays as it is. */
export async function openDifferences(tx: Tx, run: Run, now: Date): Promise<void> {
  const all: Found[] = [
    onlyOurs(run),
    onlyTheirs(run, 'payment'),
    amountDiffers(run),
    refundOnlyOurs(run),
    onlyTheirs(run, 'refund'),
    refundDiffers(run),
    ...dayDiffers(run),
    payoutMissing(run),
  ]
  const found = sql.join(all, sql` union all `)
  await sql`with made as (
      insert into settlement_difference (run_id, channel_id, merchant_id, kind, about, our_fen, their_fen, matched_id,
        line_id, order_id, order_no, order_merchant_id, state, created_at)
      select ${run.id}, ${run.channelId}, ${run.merchantId}, f.kind, f.about, f.our_fen, f.their_fen, f.matched_id,
        f.line_id, f.order_id, n.order_no, n.merchant_id, f.state, ${now}
      from (${found}) f(kind, about, our_fen, their_fen, matched_id, line_id, order_id, state)
      left join order_number n on n.order_id = f.order_id
      on conflict (channel_id, kind, about) do nothing returning id)
    insert into settlement_difference_event (difference_id, at, verb) select id, ${now}, 'found' from made`.execute(tx)
}

const cutState = (run: Run, at: RawBuilder<unknown>) =>
  sql`case when ${at} >= ${dayEnd(run)} - ${CUT_MINUTES} * interval '1 minute' then 'next_day' else 'open' end`

const onlyOurs = (run: Run): Found => sql`
  select 'only_ours', 'attempt/' || a.id, a.paid_fen, null::bigint, a.id, null::bigint, a.order_id,
    ${cutState(run, sql`a.paid_at`)}
  from payment_attempt a where ${isOurs(run)}
    and a.paid_at >= ${dayStart(run)} and a.paid_at < ${dayEnd(run)}
    and not exists (select 1 from statement_match m where m.kind = 'payment' and m.matched_id = a.id)`

/** A refund that a decision about such a line asked for is known by its number. */
const onlyTheirs = (run: Run, kind: 'payment' | 'refund'): Found => sql`
  select ${kind === 'payment' ? 'only_theirs' : 'refund_only_theirs'}, 'line/' || l.id, null, l.amount_fen, null, l.id,
    (select a.order_id from payment_attempt a where a.attempt_no = l.attempt_no), 'open'
  from statement_line l where l.run_id = ${run.id} and l.kind = ${kind} and l.matched_id is null
    and not exists (select 1 from settlement_difference d
      where d.id = ${caseOfRefundNo('SD', sql`l.refund_no`)} and d.channel_id = ${run.channelId}
        and d.decision = 'refund')
    and not ${isGivenBack(run)}`

/** Of a line `l`: nobody's money that went back as a case of its own, or that refund; both stand in suspense. */
const isGivenBack = (run: Run) => sql`exists (
  select 1 from unclaimed_payment u join statement_line p on p.channel_no = u.channel_no and p.kind = 'payment'
    and p.matched_id is null
  where u.provider_account_id = ${run.providerAccountId} and u.state in ${statesIn(unclaimedState, 'sentBack')}
    and ((l.kind = 'payment' and l.id = p.id)
      or (l.kind = 'refund' and u.id = ${caseOfRefundNo('UP', sql`l.refund_no`)})))`

const amountDiffers = (run: Run): Found => sql`
  select 'amount_differs', 'attempt/' || a.id, a.paid_fen, l.amount_fen, a.id, l.id, a.order_id, 'open'
  from statement_line l join payment_attempt a on a.id = l.matched_id
  where l.run_id = ${run.id} and l.kind = 'payment' and l.amount_fen <> a.paid_fen`

const refundOnlyOurs = (run: Run): Found => sql`
  select 'refund_only_ours', 'refund/' || f.id, f.amount_fen, null, f.id, null, f.order_id,
    ${cutState(run, sql`f.ended_at`)}
  from refund f join payment_attempt a on a.id = f.attempt_id
  where f.state = 'refunded' and a.account_id in (${accountsOf(run)})
    and f.ended_at >= ${dayStart(run)} and f.ended_at < ${dayEnd(run)}
    and not exists (select 1 from statement_match m where m.kind = 'refund' and m.matched_id = f.id)`

const refundDiffers = (run: Run): Found => sql`
  select 'refund_differs', 'refund/' || f.id, f.amount_fen, l.amount_fen, f.id, l.id, f.order_id, 'open'
  from statement_line l join refund f on f.id = l.matched_id
  where l.run_id = ${run.id} and l.kind = 'refund' and l.amount_fen <> f.amount_fen`

/** Fees and the balance at the end are the day's, where the channel's fund bill says them. */
const dayDiffers = (run: Run): Found[] => [
  sql`select 'fee_differs', 'day/' || ${run.day}::text, trade.fee, fund.fee, null, null, null, 'open'
    from (select sum(fee_fen)::bigint as fee from statement_line
        where run_id = ${run.id} and kind in ('payment', 'refund')) trade,
      (select -sum(amount_fen)::bigint as fee from statement_line
        where run_id = ${run.id} and kind = 'fund_fee') fund
    where trade.fee <> fund.fee`,
  sql`select 'balance_differs', 'day/' || ${run.day}::text, r.our_balance_fen, r.their_balance_fen, null, null, null,
      'open'
    from settlement_run r where r.id = ${run.id} and r.our_balance_fen <> r.their_balance_fen`,
]

/** Two days after the channel paid out, the bank should have it. */
const payoutMissing = (run: Run): Found => sql`
  select 'payout_missing', 'line/' || l.id, -l.amount_fen, null, null, l.id, null, 'open'
  from statement_line l join settlement_run r on r.id = l.run_id
  where r.channel_id = ${run.channelId} and l.kind = 'fund_payout' and r.day <= ${run.day}::date - 2
    and r.day > ${run.day}::date - 30 and not exists (select 1 from bank_receipt b where b.line_id = l.id)`

/** What has come since settles its case; what the next day's bill has not brought is a difference. */
export async function settleFound(tx: Tx, run: Run, now: Date): Promise<void> {
  await sql`with resolved as (
      update settlement_difference d set state = ${stateTo(differenceState, 'resolve')}, decided_at = ${now},
        resolved_run_id = ${run.id},
        version = d.version + 1
      where d.channel_id = ${run.channelId} and d.state in ${statesFrom(differenceState, 'resolve')} and (
        (d.kind = 'only_ours' and exists (select 1 from statement_match m
          where m.kind = 'payment' and m.matched_id = d.matched_id))
        or (d.kind = 'refund_only_ours' and exists (select 1 from statement_match m
          where m.kind = 'refund' and m.matched_id = d.matched_id))
        or (d.kind in ('only_theirs', 'refund_only_theirs') and exists (select 1 from statement_line l
          where l.id = d.line_id and l.matched_id is not null))
        or (d.kind in ('only_theirs', 'refund_only_theirs') and exists (select 1 from statement_line l
          where l.id = d.line_id and ${isGivenBack(run)}))
        or (d.kind = 'payout_missing' and exists (select 1 from bank_receipt b where b.line_id = d.line_id))
        or (d.kind = 'balance_differs' and exists (select 1 from settlement_run r
          where r.id = d.run_id and r.our_balance_fen = r.their_balance_fen)))
      returning d.id)
    insert into settlement_difference_event (difference_id, at, verb) select id, ${now}, 'resolved' from resolved
  `.execute(tx)
  await sql`with aged as (
      update settlement_difference d set state = ${stateTo(differenceState, 'age')}, version = d.version + 1
      from settlement_run r where r.id = d.run_id and d.channel_id = ${run.channelId}
        and d.state in ${statesFrom(differenceState, 'age')}
        and r.day < ${run.day}::date returning d.id)
    insert into settlement_difference_event (difference_id, at, verb) select id, ${now}, 'aged' from aged`.execute(tx)
}

/** What both sides say of the day. */
export async function countSides(tx: Tx, run: Run): Promise<void> {
  await sql`update settlement_run r set our_count = p.count, our_fen = p.fen, our_refund_count = f.count,
      our_refund_fen = f.fen, their_count = t.count, their_fen = t.fen, their_refund_count = t.refunds,
      their_refund_fen = t.refund_fen, fee_fen = t.fee, payout_fen = t.payout
    from (select count(*)::int as count, coalesce(sum(a.paid_fen), 0)::bigint as fen from payment_attempt a
        where ${isOurs(run)}
          and a.paid_at >= ${dayStart(run)} and a.paid_at < ${dayEnd(run)}) p,
      (select count(*)::int as count, coalesce(sum(f.amount_fen), 0)::bigint as fen
        from refund f join payment_attempt a on a.id = f.attempt_id
        where f.state = 'refunded' and a.account_id in (${accountsOf(run)})
          and f.ended_at >= ${dayStart(run)} and f.ended_at < ${dayEnd(run)}) f,
      (select count(*) filter (where kind = 'payment')::int as count,
        coalesce(sum(amount_fen) filter (where kind = 'payment'), 0)::bigint as fen,
        count(*) filter (where kind = 'refund')::int as refunds,
        coalesce(sum(amount_fen) filter (where kind = 'refund'), 0)::bigint as refund_fen,
        coalesce(sum(fee_fen), 0)::bigint as fee,
        coalesce(-sum(amount_fen) filter (where kind = 'fund_payout'), 0)::bigint as payout
        from statement_line where run_id = ${run.id}) t
    where r.id = ${run.id}`.execute(tx)
}
