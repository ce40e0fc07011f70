import { createHash } from 'node:crypto'
import { addBankReceipt, listPayouts } from '@aisle/contract/settlement/bank'
import { decideDifference } from '@aisle/contract/settlement/difference'
import { type RawBuilder, sql } from 'kysely'
import { type Bill, type BillLine, caseRefundNoOf, type FundLine } from '../../features/payment/public'
import { takeBill } from '../../features/settlement/fetch.commands'
import { closeClean } from '../../features/settlement/run.commands'
import { dayEnd, dayStart, findRuns, openRuns, type Run } from '../../features/settlement/run.store'
import type { Tx } from '../../kernel/context'
import { addDays } from '../../kernel/businessDay'
import { type DemoDay, DAY_MS, HOUR_MS } from '../calendar'
import { BILLED_DAYS, leftOut, saidOtherwise, unknownLines } from '../data/channels'
import type { Past } from '../life/within'
import { withdrawSome } from './withdrawals'

/** Once the days since are settled there is money to withdraw. */
const WITHDRAWN_DAY = 5
const KEPT_FEN = 1_000_000

/** UnionPay's day begins an hour before the others', and so in a day that has to be told as well. */
const late = (provider: RawBuilder<unknown>) => sql`case ${provider} when 'unionpay' then 1 else 0 end`

/**
 * The channels' bills that are complete once this day is told: taken in, matched, closed and worked on by the product.
 * Of yesterday the stand-in has them when it is asked.
 */
export async function billDay(past: Past, day: DemoDay): Promise<void> {
  if (day.daysAgo < 1 || day.daysAgo > BILLED_DAYS) return
  const { tx } = past
  await openDay(tx, day, new Date(past.latestMs))
  if (day.daysAgo < 2) return
  const now = new Date(Math.min(past.latestMs, day.startMs + DAY_MS + 10 * HOUR_MS))
  past.at(now.getTime())
  const isComplete = sql<boolean>`r.day = ${day.day}::date + ${late(sql`r.provider`)}`
  for (const run of await findRuns(tx, isComplete)) {
    await takeBill(tx, run.id, await billOf(tx, run, day), now)
    await closeClean(tx, run.id, now)
  }
  past.at(past.latestMs)
  await work(past, day)
  if (day.daysAgo === WITHDRAWN_DAY) await withdrawSome(past)
}

/** Channels whose runs begin with the first day that is told. */
async function openDay(tx: Tx, { day }: DemoDay, now: Date): Promise<void> {
  await sql`insert into settlement_channel (provider_account_id, merchant_id, provider, account_id, funds_mode, since)
    select distinct on (p.id) p.id, p.merchant_id, p.provider, a.id, a.funds_mode,
      ${day}::date + ${late(sql`p.provider`)}
    from provider_account p join payment_account a on a.provider_account_id = p.id and a.state = 'activated'
    order by p.id, a.machine_id is null desc, a.id
    on conflict (provider_account_id, sub_merchant_no) do update
      set since = least(settlement_channel.since, excluded.since)`.execute(tx)
  await openRuns(tx, now)
}

/** What came in under our numbers and under others, and what of it went back, as a channel's file has it. */
async function billOf(tx: Tx, run: Run, { daysAgo }: DemoDay): Promise<Bill> {
  const found = await sql<Omit<BillLine, 'feeFen'>>`select kind, "attemptNo", "refundNo", "channelNo", "amountFen", at
    from (select 'payment' as kind, a.attempt_no as "attemptNo", null as "refundNo", a.channel_no as "channelNo",
        a.paid_fen as "amountFen", a.paid_at as at, p.provider_account_id as account
      from payment_account p join payment_attempt a on a.account_id = p.id and a.state = 'paid'
      union all
      select 'refund', a.attempt_no, f.refund_no, coalesce(f.channel_refund_no, f.refund_no), f.amount_fen, f.ended_at,
        p.provider_account_id
      from payment_account p join payment_attempt a on a.account_id = p.id
      join refund f on f.attempt_id = a.id and f.state = 'refunded'
      union all
      select 'payment', attempt_no, null, channel_no, amount_fen, paid_at, provider_account_id from unclaimed_payment
      union all
      select 'refund', attempt_no, ${caseRefundNoOf('UP', sql`id`)}, channel_refund_no, amount_fen, ended_at,
        provider_account_id
      from unclaimed_payment where state = 'refunded') moved
    where account = ${run.providerAccountId} and at >= ${dayStart(run)} and at < ${dayEnd(run)}
    order by at, "attemptNo"`.execute(tx)
  const own = await sql`select 1 from merchant where id = ${run.merchantId} and parent_id is null`.execute(tx)
  const honest = found.rows.map((line) => ({ ...line, feeFen: feeOf(line) }))
  const lines = own.rows.length > 0 ? withFaults(honest, run, daysAgo) : honest
  if (lines.length === 0) return { outcome: 'notReady', code: null }
  const content = Buffer.from(lines.map((line) => Object.values(line).join(',')).join('\n'))
  const hash = createHash('sha256').update(content).digest('hex')
  const file = { kind: 'bill' as const, name: `${run.provider}-${run.day}.csv`, content, hash }
  return { outcome: 'ready', files: [file], lines, funds: fundsOf(run, lines) }
}

const feeOf = ({ kind, amountFen }: Omit<BillLine, 'feeFen'>): number =>
  Math.floor((amountFen * 6 + 500) / 1000) * (kind === 'payment' ? 1 : -1)

function withFaults(lines: readonly BillLine[], { provider, day }: Run, daysAgo: number): BillLine[] {
  const isHere = (fault: { provider: string; daysAgo: number }) =>
    fault.provider === provider && fault.daysAgo === daysAgo
  const at = new Date(Date.parse(`${day}T14:05:00+08:00`))
  const met = { payment: 0, refund: 0 }
  const said = lines.flatMap((line): BillLine[] => {
    met[line.kind] += 1
    const isThis = (fault: { kind: string; nth: number }) => fault.kind === line.kind && fault.nth === met[line.kind]
    if (leftOut.filter(isHere).some(isThis)) return []
    const { byFen = 0 } = saidOtherwise.filter(isHere).find(isThis) ?? {}
    return [{ ...line, amountFen: Math.max(1, line.amountFen + byFen) }]
  })
  const unknown = unknownLines.filter(isHere).map(({ kind, no, amountFen }): BillLine => {
    const refundNo = kind === 'refund' ? `X${no}` : null
    return { kind, attemptNo: no, refundNo, channelNo: `T${no}`, amountFen, feeFen: 0, at }
  })
  return lines.length > 0 ? [...said, ...unknown] : []
}

/** What moved on the account, summed up; UnionPay keeps no balance, and settles what each day brought. */
function fundsOf({ provider, day }: Run, lines: readonly BillLine[]): FundLine[] {
  const sum = (of: readonly number[]) => of.reduce((total, each) => total + each, 0)
  const came = (kind: string) => sum(lines.filter((line) => line.kind === kind).map(({ amountFen }) => amountFen))
  const moves = [
    ['交易', came('payment')],
    ['手续费', -sum(lines.map(({ feeFen }) => feeFen))],
    ['退款', -came('refund')],
  ] as const
  const endsAt = new Date(Date.parse(`${day}T${provider === 'unionpay' ? '22' : '23'}:59:59+08:00`))
  const leftFen = sum(moves.map(([, amountFen]) => amountFen))
  let balanceFen = KEPT_FEN
  return [...moves, ['提现', -Math.max(0, leftFen)] as const].flatMap(([kind, amountFen], n) => {
    balanceFen += amountFen
    const reference = `TX${day.replaceAll('-', '')}${n + 1}`
    const kept = provider === 'unionpay' ? null : balanceFen
    return amountFen === 0 ? [] : [{ kind, reference, amountFen, balanceFen: kept, at: endsAt }]
  })
}

/** The bank has what was paid out first, but for one payout; and somebody has asked a channel about a difference. */
async function work({ as, tx }: Past, { day, daysAgo }: DemoDay): Promise<void> {
  const payouts = await as('deputy', listPayouts, { bankState: 'under_way', pageSize: 100 })
  // Of the bills that were written just now, in whichever order days are told.
  const come = payouts.items.filter(({ provider, day: of, owedFen }) => {
    const late = provider === 'unionpay' ? 1 : 0
    return of === addDays(day, late) && owedFen === 0 && daysAgo - late > 2
  })
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
