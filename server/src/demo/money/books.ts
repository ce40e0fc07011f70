import { addBankReceipt, listPayouts } from '@aisle/contract/settlement/bank'
import { decideDifference } from '@aisle/contract/settlement/difference'
import { type RawBuilder, sql } from 'kysely'
import { caseRefundNoOf } from '../../features/payment/public'
import { match } from '../../features/settlement/match.commands'
import { closeClean } from '../../features/settlement/run.commands'
import { findRuns, lockRun, openRuns } from '../../features/settlement/run.store'
import type { Tx } from '../../kernel/context'
import { instantAtHome } from '../../kernel/platformDays'
import { type DemoDay, DAY_MS, HOUR_MS } from '../calendar'
import type { Past } from '../life/within'

/** So many days have their bills; the stand-in has that of yesterday when it is asked for it. */
const BILLED_DAYS = 7
const KEPT_FEN = 1_000_000

/** UnionPay's day begins an hour before the others', and so in a day that has to be told as well. */
const lateBy = (provider: RawBuilder<unknown>) => sql`case ${provider} when 'unionpay' then 1 else 0 end`

/** Of the days that are told at once. */
export async function billDays(past: Past, days: readonly DemoDay[]): Promise<void> {
  const billed = days.filter(({ daysAgo }) => daysAgo > 0 && daysAgo <= BILLED_DAYS)
  const [first] = billed
  if (first) await openBooks(past.tx, first, new Date(past.latestMs))
  for (const day of billed) await billDay(past, day)
}

/** Channels whose runs begin with the first day that is told. */
async function openBooks(tx: Tx, { day }: DemoDay, now: Date): Promise<void> {
  await sql`insert into settlement_channel (provider_account_id, merchant_id, provider, account_id, funds_mode, since)
    select distinct on (p.id) p.id, p.merchant_id, p.provider, a.id, a.funds_mode,
      ${day}::date + ${lateBy(sql`p.provider`)}
    from provider_account p join payment_account a on a.provider_account_id = p.id and a.state = 'activated'
    order by p.id, a.machine_id is null desc, a.id`.execute(tx)
  await openRuns(tx, now)
}

/**
 * The channels' bills that are complete once this day is told, as their files would have been: matched, closed and
 * worked on by the product. Some have what really happens to a bill.
 */
export async function billDay(past: Past, day: DemoDay): Promise<void> {
  if (day.daysAgo < 2 || day.daysAgo > BILLED_DAYS) return
  const { tx } = past
  const now = new Date(Math.min(past.latestMs, day.startMs + DAY_MS + 10 * HOUR_MS))
  past.at(now.getTime())
  await sql`update settlement_channel set since = least(since, ${day.day}::date + ${lateBy(sql`provider`)})`.execute(tx)
  await openRuns(tx, new Date(past.latestMs))
  const told = sql<boolean>`r.day = ${day.day}::date + ${lateBy(sql`r.provider`)}`
  await writeBills(tx, told, { day, now })
  for (const { id } of await findRuns(tx, told)) {
    const run = await lockRun(tx, id)
    if (!run) continue
    await match(tx, run, now)
    await closeClean(tx, id, now)
  }
  past.at(past.latestMs)
  await work(past, day)
}

const billFrom = (day: RawBuilder<unknown>) =>
  instantAtHome(sql`${day} - ${lateBy(sql`r.provider`)} * interval '1 hour'`)

/** What came in under our numbers and under others, and what of it went back. */
const moved = sql`
  select p.provider_account_id, 'payment' as kind, a.attempt_no, '' as refund_no, a.channel_no,
    a.paid_fen as amount_fen, a.paid_at as at
  from payment_account p join payment_attempt a on a.account_id = p.id and a.state = 'paid'
  union all
  select p.provider_account_id, 'refund', a.attempt_no, f.refund_no, coalesce(f.channel_refund_no, f.refund_no),
    f.amount_fen, f.ended_at
  from payment_account p join payment_attempt a on a.account_id = p.id
  join refund f on f.attempt_id = a.id and f.state = 'refunded'
  union all
  select provider_account_id, 'payment', attempt_no, '', channel_no, amount_fen, paid_at from unclaimed_payment
  union all
  select provider_account_id, 'refund', attempt_no, ${caseRefundNoOf('UP', sql`id`)}, channel_refund_no, amount_fen,
    ended_at
  from unclaimed_payment where state = 'refunded'`

async function writeBills(tx: Tx, told: RawBuilder<boolean>, { day, now }: { day: DemoDay; now: Date }): Promise<void> {
  await sql`create temp table demo_bill on commit drop as
    select *, (amount_fen * 6 + 500) / 1000 * case kind when 'payment' then 1 else -1 end as fee_fen,
      row_number() over (partition by run_id, kind order by at, attempt_no) as nth
    from (select r.id as run_id, r.provider, r.day, r.merchant_id, o.kind, o.attempt_no, o.refund_no, o.channel_no,
        o.amount_fen, o.at
      from settlement_run r join settlement_channel c on c.id = r.channel_id
      join (${moved}) o on o.provider_account_id = c.provider_account_id
        and o.at >= ${billFrom(sql`r.day`)} and o.at < ${billFrom(sql`r.day + 1`)}
      where ${told}) lines`.execute(tx)
  await putIn(tx, day.daysAgo)
  await sql`insert into statement_file (run_id, kind, source, name, hash, content, line_count, imported_at)
    select run_id, 'bill', 'fetched', provider || '-' || day || '.csv', sha256(text), text, count, ${now}
    from (select run_id, provider, day, count(*)::int as count,
        convert_to(string_agg(concat_ws(',', kind, attempt_no, refund_no, channel_no, amount_fen, fee_fen, at), e'\n'
          order by at, attempt_no), 'UTF8') as text
      from demo_bill group by 1, 2, 3) f`.execute(tx)
  await sql`insert into statement_line (file_id, run_id, line_no, kind, attempt_no, refund_no, channel_no, amount_fen,
      fee_fen, at)
    select f.id, b.run_id, row_number() over (partition by f.id order by b.at, b.attempt_no, b.kind) - 1, b.kind,
      b.attempt_no, b.refund_no, b.channel_no, b.amount_fen, b.fee_fen, b.at
    from demo_bill b join statement_file f on f.run_id = b.run_id`.execute(tx)
  await writeFunds(tx)
  await sql`update settlement_run r set tries = 1, fetched_at = ${now} where ${told}`.execute(tx)
  await sql`drop table demo_bill`.execute(tx)
}

/** One of each kind, in the platform's bills of days that are still worked on. */
async function putIn(tx: Tx, daysAgo: number): Promise<void> {
  const of = (provider: string, back: number, kind: string) =>
    sql`provider = ${provider} and kind = ${kind} and ${back}::int = ${daysAgo}::int
      and merchant_id = (select id from merchant where parent_id is null)`
  await sql`delete from demo_bill where (${of('wechat', 4, 'payment')} and nth in (31, 57))
    or (${of('unionpay', 3, 'payment')} and nth = 5) or (${of('wechat', 3, 'refund')} and nth = 1)`.execute(tx)
  await sql`update demo_bill set amount_fen = amount_fen + case kind when 'refund' then 50 else -100 end
    where (${of('alipay', 5, 'payment')} and nth = 12 and amount_fen > 100)
      or (${of('alipay', 4, 'refund')} and nth = 1)`.execute(tx)
  await sql`insert into demo_bill (run_id, provider, day, merchant_id, kind, attempt_no, refund_no, channel_no,
      amount_fen, at, fee_fen)
    select run_id, provider, day, merchant_id, kind, no, case kind when 'refund' then 'X' || no else '' end,
      'T' || no, amount_fen, ${instantAtHome(sql`day`)} + interval '14 hours 5 minutes', 0
    from (select distinct run_id, provider, day, merchant_id from demo_bill
      where merchant_id = (select id from merchant where parent_id is null)) r
    join (values ('wechat', 4, 'payment', 'KIOSK20260001', 650), ('alipay', 2, 'payment', 'KIOSK20260002', 8800),
      ('alipay', 3, 'refund', 'KIOSK20260003', 300)) p(provider, back, kind, no, amount_fen) using (provider)
    where back = ${daysAgo}`.execute(tx)
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
        ${instantAtHome(sql`b.day + 1`)} - ${lateBy(sql`b.provider`)} * interval '1 hour' - interval '1 second' as at
      from demo_bill b join statement_file f on f.run_id = b.run_id group by 1, 2, 3, 4) d
    cross join lateral (values (1, 'fund_payment', paid), (2, 'fund_fee', -fee), (3, 'fund_refund', -back),
      (4, 'fund_payout', back + fee - paid)) as line(n, kind, amount)
    cross join lateral (select 'TX' || to_char(day, 'YYYYMMDD') || n) as number(no)
    where amount <> 0 and (n < 4 or amount < 0)`.execute(tx)
}

/** The bank has what was paid out first, but for one payout; and somebody has asked a channel about a difference. */
async function work({ as, tx }: Past, { day, daysAgo }: DemoDay): Promise<void> {
  const payouts = await as('deputy', listPayouts, { bankState: 'under_way', pageSize: 100 })
  const come = payouts.items.filter((each) => each.day === day && each.owedFen === 0 && daysAgo > 2)
  for (const { id, provider, payoutFen: amountFen, reference } of come) {
    if (provider === 'wechat' && daysAgo === 5) continue
    await as('deputy', addBankReceipt, { id, bankNo: `JN${reference}${id}`, amountFen, receivedOn: day })
  }
  if (daysAgo !== 4) return
  const found = await sql<{ id: number }>`select min(d.id) as id from settlement_difference d
    join settlement_run r on r.id = d.run_id
    where d.kind = 'only_ours' and d.state = 'open' and r.day = ${day}::date having count(*) > 0`.execute(tx)
  const reason = '已致电微信支付客服，工单 20261121'
  for (const { id } of found.rows) await as('treasurer', decideDifference, { id, decision: 'ask_channel', reason })
}
