import { type RawBuilder, sql } from 'kysely'
import { postTransfers } from '../../features/ledger/public'
import { caseRefundNoOf } from '../../features/payment/public'
import { match } from '../../features/settlement/match.commands'
import { closeClean } from '../../features/settlement/run.commands'
import { findRuns, lockRun, openRuns } from '../../features/settlement/run.store'
import type { Tx } from '../../kernel/context'
import { dayAtHome, instantAtHome } from '../../kernel/platformDays'
import { DAY_MS } from '../calendar'
import { idOf, type Ids } from '../people/people'

/** Days with bills; the stand-in has that of yesterday when it is asked for it. */
const DAYS = 7
const KEPT_FEN = 1_000_000

/**
 * A week of channels' bills, matched by the code that matches them: most days close by themselves, some have what
 * really happens to a bill, and somebody has begun with it.
 */
export async function seedBooks(tx: Tx, { users, now }: { users: Ids; now: Date }): Promise<void> {
  const since = new Date(now.getTime() - DAYS * DAY_MS)
  await sql`insert into settlement_channel (provider_account_id, merchant_id, provider, account_id, funds_mode, since)
    select distinct on (p.id) p.id, p.merchant_id, p.provider, a.id, a.funds_mode,
      ${dayAtHome(since)}
    from provider_account p join payment_account a on a.provider_account_id = p.id and a.state = 'activated'
    order by p.id, a.machine_id is null desc, a.id`.execute(tx)
  await openRuns(tx, now)
  await writeBills(tx, now)
  await receive(tx, now)
  const runs = await findRuns(tx, sql<boolean>`r.day < ${dayAtHome(now)} - 1`)
  for (const { id } of runs) {
    const run = await lockRun(tx, id)
    if (!run) continue
    await match(tx, run, now)
    await closeClean(tx, id, now)
  }
  await beginWork(tx, { users, now })
}

/** UnionPay's day begins an hour before the others'. */
const billFrom = (day: RawBuilder<unknown>) =>
  instantAtHome(sql`${day} - case r.provider when 'unionpay' then interval '1 hour' else interval '0' end`)

/** What came in under numbers that are not ours, and what of it went back. */
const nobodys = sql`
  select provider_account_id, 'payment', attempt_no, '', channel_no, amount_fen, paid_at from unclaimed_payment
  union all
  select provider_account_id, 'refund', attempt_no, ${caseRefundNoOf('UP', sql`id`)}, channel_refund_no, amount_fen,
    ended_at
  from unclaimed_payment where state = 'refunded'`

/** Files of the past, from what was paid, with what differs put in by hand. */
async function writeBills(tx: Tx, now: Date): Promise<void> {
  await sql`create temp table demo_bill on commit drop as
    with ours as (
      select p.provider_account_id, 'payment' as kind, a.attempt_no, '' as refund_no, a.channel_no,
        a.paid_fen as amount_fen, a.paid_at as at
      from payment_account p join payment_attempt a on a.account_id = p.id and a.state = 'paid'
      union all
      select p.provider_account_id, 'refund', a.attempt_no, f.refund_no, coalesce(f.channel_refund_no, f.refund_no),
        f.amount_fen, f.ended_at
      from payment_account p join payment_attempt a on a.account_id = p.id
      join refund f on f.attempt_id = a.id and f.state = 'refunded'
      union all ${nobodys}),
    moved as (
      select r.id as run_id, r.provider, r.day, c.merchant_id, o.kind, o.attempt_no, o.refund_no, o.channel_no,
        o.amount_fen, o.at
      from settlement_run r join settlement_channel c on c.id = r.channel_id
      join ours o on o.provider_account_id = c.provider_account_id
        and o.at >= ${billFrom(sql`r.day`)} and o.at < ${billFrom(sql`r.day + 1`)}
      where r.day < ${dayAtHome(now)} - 1)
    select *, (amount_fen * 6 + 500) / 1000 * case kind when 'payment' then 1 else -1 end as fee_fen,
      row_number() over (partition by run_id, kind order by at, attempt_no) as nth from moved`.execute(tx)
  await putIn(tx, now)
  await sql`insert into statement_file (run_id, kind, source, name, hash, content, line_count, imported_at)
    select run_id, 'bill', 'fetched', provider || '-' || day || '.csv', sha256(text), text, count, fetched
    from (select run_id, provider, day, count(*)::int as count,
        ${instantAtHome(sql`day + 1`)} + interval '10 hours 10 minutes' as fetched,
        convert_to(string_agg(concat_ws(',', kind, attempt_no, refund_no, channel_no, amount_fen, fee_fen, at), e'\n'
          order by at, attempt_no), 'UTF8') as text
      from demo_bill group by 1, 2, 3) f`.execute(tx)
  await sql`insert into statement_line (file_id, run_id, line_no, kind, attempt_no, refund_no, channel_no, amount_fen,
      fee_fen, at)
    select f.id, b.run_id, row_number() over (partition by f.id order by b.at, b.attempt_no, b.kind) - 1, b.kind,
      b.attempt_no, b.refund_no, b.channel_no, b.amount_fen, b.fee_fen, b.at
    from demo_bill b join statement_file f on f.run_id = b.run_id`.execute(tx)
  await writeFunds(tx)
  await sql`update settlement_run r set tries = 1, fetched_at = f.imported_at
    from statement_file f where f.run_id = r.id`.execute(tx)
}

/** One of each kind, on days that are still open to be worked on. */
async function putIn(tx: Tx, now: Date): Promise<void> {
  const day = (back: number) => sql`${dayAtHome(now)} - ${back}::int`
  const own = sql`merchant_id = (select id from merchant where parent_id is null)`
  await sql`delete from demo_bill where ${own} and kind = 'payment' and ((provider = 'wechat' and day = ${day(4)}
    and nth in (31, 57)) or (provider = 'unionpay' and day = ${day(3)} and nth = 5))`.execute(tx)
  await sql`update demo_bill set amount_fen = amount_fen - 100 where ${own} and provider = 'alipay' and kind = 'payment'
    and day = ${day(5)} and nth = 12 and amount_fen > 100`.execute(tx)
  await sql`delete from demo_bill where ${own} and kind = 'refund' and provider = 'wechat' and day = ${day(3)}
    and nth = 1`.execute(tx)
  await sql`update demo_bill set amount_fen = amount_fen + 50 where ${own} and kind = 'refund' and provider = 'alipay'
    and day = ${day(4)} and nth = 1`.execute(tx)
  await sql`insert into demo_bill (run_id, provider, day, merchant_id, kind, attempt_no, refund_no, channel_no,
      amount_fen, at, fee_fen)
    select run_id, provider, day, merchant_id, kind, no, case kind when 'refund' then 'X' || no else '' end,
      'T' || no, amount_fen, ${instantAtHome(sql`day`)} + interval '14 hours 5 minutes', 0
    from (select distinct run_id, provider, day, merchant_id from demo_bill where ${own}) r
    join (values ('wechat', 4, 'payment', 'KIOSK20260001', 650), ('alipay', 2, 'payment', 'KIOSK20260002', 8800),
      ('alipay', 3, 'refund', 'KIOSK20260003', 300)) p(provider, back, kind, no, amount_fen) using (provider)
    where r.day = ${dayAtHome(now)} - p.back`.execute(tx)
}

/** What moved on the accounts, summed up; UnionPay keeps no balance, and settles what each day brought. */
async function writeFunds(tx: Tx): Promise<void> {
  await sql`insert into statement_line (file_id, run_id, line_no, kind, channel_no, amount_fen, balance_fen, at)
    select file_id, run_id, last + n, kind, no, amount,
      case when provider <> 'unionpay' then ${KEPT_FEN} + case n when 1 then paid when 2 then paid - fee
        when 3 then paid - fee - back else 0 end end, at
    from (select f.id as file_id, b.run_id, b.provider, b.day, count(*) as last,
        coalesce(sum(b.amount_fen) filter (where b.kind = 'payment'), 0) as paid, sum(b.fee_fen) as fee,
        coalesce(sum(b.amount_fen) filter (where b.kind = 'refund'), 0) as back,
        ${instantAtHome(sql`b.day + 1`)} - case b.provider when 'unionpay'
          then interval '1 hour 1 second' else interval '1 second' end as at
      from demo_bill b join statement_file f on f.run_id = b.run_id group by 1, 2, 3, 4) d
    cross join lateral (values (1, 'fund_payment', paid), (2, 'fund_fee', -fee), (3, 'fund_refund', -back),
      (4, 'fund_payout', back + fee - paid)) as line(n, kind, amount)
    cross join lateral (select 'TX' || to_char(day, 'YYYYMMDD') || n) as number(no)
    where amount <> 0 and (n < 4 or amount < 0)`.execute(tx)
}

type Receipt = { id: number; channelId: number; merchantId: number; fen: number; day: string }

/** The bank has what was paid out first; one payout has not come. */
async function receive(tx: Tx, now: Date): Promise<void> {
  const made = await sql<Receipt>`with paid_out as (
      select l.id, r.channel_id, r.merchant_id, r.day, -l.amount_fen as fen, r.provider
      from statement_line l join settlement_run r on r.id = l.run_id
      where l.kind = 'fund_payout' and r.day <= ${dayAtHome(now)} - 3
        and not (r.provider = 'wechat' and r.day = ${dayAtHome(now)} - 5
          and r.merchant_id = (select id from merchant where parent_id is null)))
    insert into bank_receipt (channel_id, merchant_id, bank_no, amount_fen, received_on, line_id, entered_at)
    select channel_id, merchant_id, 'JN' || to_char(day, 'YYMMDD') || lpad(channel_id::text, 4, '0'), fen, day + 1, id,
      ${now} from paid_out returning id, channel_id as "channelId", merchant_id as "merchantId", amount_fen as fen,
      to_char(received_on, 'YYYY-MM-DD') as day`.execute(tx)
  const direct = await sql<{ id: number }>`select id from settlement_channel where funds_mode = 'direct'`.execute(tx)
  const apart = new Set(direct.rows.map(({ id }) => id))
  await postTransfers(
    tx,
    made.rows
      .filter(({ channelId }) => !apart.has(channelId))
      .map(({ id, channelId, merchantId, fen, day }) => ({
        kind: 'bank_receipt' as const,
        reference: String(id),
        merchantId,
        postedAt: now,
        businessDay: day,
        postings: [
          { account: { kind: 'bank' as const, merchantId, key: '' }, amountFen: fen },
          {
            account: { kind: 'payout_in_transit' as const, merchantId, key: String(channelId) },
            amountFen: -fen,
          },
        ],
      })),
  )
}

/** Somebody has taken one, asked the channel about another, and proposed what needs a second person. */
async function beginWork(tx: Tx, { users, now }: { users: Ids; now: Date }): Promise<void> {
  const by = idOf(users, 'admin')
  await sql`with moved as (
      update settlement_difference d set state = 'asking', owner_id = ${by}, reason = '已致电微信支付客服，工单 20261121'
      where id = (select min(id) from settlement_difference where kind = 'only_ours' and state = 'open')
      returning id)
    insert into settlement_difference_event (difference_id, at, verb, user_id, note)
    select id, ${now}::timestamptz - interval '2 hours', 'ask_channel', ${by}, '已致电微信支付客服，工单 20261121'
    from moved`.execute(tx)
}
