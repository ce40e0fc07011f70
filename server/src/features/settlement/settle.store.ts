import { refundState } from '@aisle/contract/refund/states'
import type { FundsMode } from '@aisle/contract/payment/states'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { only } from '../../kernel/must'
import { instantAtHome } from '../../kernel/platformDays'
import { isPaidTwice } from '../payment/public'
import { statesIn } from '../../kernel/states'

/** An order whose money may go to its merchant, with the refunds that have left it since. */
export type DueOrder = {
  orderId: number
  merchantId: number
  method: string
  businessType: string
  /** The channel's day, or the machine's where no channel's bill is waited for. */
  day: string
  paidFen: number
  refundedFen: number
  refundIds: number[]
  /** Of the channel's day; null where no channel's bill is waited for. */
  fundsMode: FundsMode | null
}

const dueColumns = sql`o.id as "orderId", o.merchant_id as "merchantId", o.business_type as "businessType",
  o.paid_fen as "paidFen", coalesce(f.fen, 0)::bigint as "refundedFen", coalesce(f.ids, '{}') as "refundIds"`

/** In the ledger, not settled yet, and with no refund under way. */
const isDue = sql`
  exists (select 1 from ledger_transfer t where t.kind = 'sale' and t.reference = o.id::text)
  and not exists (select 1 from settled_item s where s.kind = 'order' and s.reference = o.id)
  and not exists (select 1 from refund f where f.order_id = o.id
    and f.state in ${statesIn(refundState, 'waiting')})`

const refunds = sql`left join lateral (
    select sum(f.amount_fen) as fen, array_agg(f.id order by f.id) as ids from refund f
    join ledger_transfer t on t.kind = 'refund' and t.reference = f.id::text
    where f.order_id = o.id and f.state in ${statesIn(refundState, 'back')}) f on true`

/** Orders that were found in bills of closed days, or whose difference was decided there. */
export async function findDueOfRuns(tx: Tx, runs: RawBuilder<boolean>): Promise<(DueOrder & { runId: number })[]> {
  const found = await sql<DueOrder & { runId: number }>`
    select ${dueColumns}, r.id as "runId", r.funds_mode as "fundsMode", r.provider as method,
      to_char(r.day, 'YYYY-MM-DD') as day
    from settlement_run r
    join lateral (
      select order_id from statement_match where run_id = r.id and kind = 'payment'
      union select order_id from settlement_difference
        where run_id = r.id and kind = 'only_ours' and state = 'decided' and order_id is not null) m on true
    join order_number n on n.order_id = m.order_id
    join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
    ${refunds} where r.state = 'closed' and ${runs} and ${isDue} order by o.id`.execute(tx)
  return found.rows
}

/** Orders wait for their refunds, however long those take: of what ended since then, old orders are looked at, too. */
const endedLately = (now: Date) => sql`f.ended_at > ${now}::timestamptz - interval '60 days'`

/** Closed lately, or with an order whose refund has ended lately. */
export const runsToSettle = (now: Date) => sql<boolean>`(
  r.closed_at > ${now}::timestamptz - interval '60 days' or r.id in (
    select m.run_id from refund f join statement_match m on m.kind = 'payment' and m.order_id = f.order_id
      where ${endedLately(now)}
    union select d.run_id from refund f join settlement_difference d on d.order_id = f.order_id
      and d.kind = 'only_ours' and d.state = 'decided' where ${endedLately(now)}))`

/** What no bill is waited for: cards, and money that machines' own readers took. Cash is the merchant's already. */
export async function findDueWithoutRun(tx: Tx, now: Date): Promise<DueOrder[]> {
  const since = sql`${now}::timestamptz - interval '100 days'`
  const waited = sql`o.occurred_at < ${since} and (o.merchant_id, o.occurred_at, o.id) in (
    select f.merchant_id, f.occurred_at, f.order_id from refund f where ${endedLately(now)})`
  // Two questions, so that the first reads no older months.
  const recent = await dueWithoutRun(tx, now, sql`o.occurred_at >= ${since}`)
  return [...recent, ...(await dueWithoutRun(tx, now, waited))]
}

async function dueWithoutRun(tx: Tx, now: Date, which: RawBuilder<unknown>): Promise<DueOrder[]> {
  const found = await sql<DueOrder>`
    select ${dueColumns}, null as "fundsMode", o.method, to_char(o.business_day, 'YYYY-MM-DD') as day
    from orders o join machine m on m.id = o.machine_id ${refunds}
    where o.method in ('member_card', 'alipay', 'wechat', 'unionpay', 'other') and o.paid_at is not null
      and ${which} and o.business_day < (${now}::timestamptz at time zone m.time_zone)::date
      and not exists (select 1 from payment_attempt a join payment_account p on p.id = a.account_id
        left join settlement_channel c on c.provider_account_id = p.provider_account_id
        where a.order_id = o.id and a.state = 'paid' and not ${isPaidTwice}
          and (c.id is null or a.paid_at >= ${instantAtHome(sql`c.since`)}))
      and ${isDue} order by o.id`.execute(tx)
  return found.rows
}

export type LateRefund = { id: number; amountFen: number }

/** Refunds of orders that were settled before they came, oldest first. */
export async function findLateRefunds(tx: Tx, merchantId: number, method: string): Promise<LateRefund[]> {
  const found = await sql<LateRefund>`select f.id, f.amount_fen as "amountFen" from refund f
    join settled_item o on o.kind = 'order' and o.reference = f.order_id
    join ledger_transfer t on t.kind = 'refund' and t.reference = f.id::text
    where f.merchant_id = ${merchantId} and f.method = ${method} and f.state in ${statesIn(refundState, 'back')}
      and not exists (select 1 from settled_item s where s.kind = 'refund' and s.reference = f.id)
    order by f.ended_at, f.id`.execute(tx)
  return found.rows
}

/** What the merchant could withdraw now. */
export async function availableOf(tx: Tx, merchantId: number): Promise<number> {
  const found = await sql<{ fen: number }>`select -coalesce(sum(balance_fen), 0)::bigint as fen from ledger_account
    where kind = 'available' and merchant_id = ${merchantId}`.execute(tx)
  return found.rows[0]?.fen ?? 0
}

export type NewSettlement = {
  merchantId: number
  runId: number | null
  method: string
  fundsMode: FundsMode
  businessDay: string
  orders: number
  refunds: number
  grossFen: number
  refundFen: number
  channelFeeFen: number
  functionFeeFen: number
  taxFen: number
  /** To those who share in the orders. */
  splitFen: number
  netFen: number
  roundingUfen: number
  postedAt: Date
}

export async function insertSettlement(tx: Tx, made: NewSettlement): Promise<number> {
  const found = await sql<{ id: number }>`insert into settlement (merchant_id, run_id, method, funds_mode, business_day,
      orders, refunds, gross_fen, refund_fen, channel_fee_fen, function_fee_fen, tax_fen, split_fen, net_fen,
      rounding_ufen, posted_at)
    values (${made.merchantId}, ${made.runId}, ${made.method}, ${made.fundsMode}, ${made.businessDay}::date,
      ${made.orders}, ${made.refunds}, ${made.grossFen}, ${made.refundFen}, ${made.channelFeeFen},
      ${made.functionFeeFen}, ${made.taxFen}, ${made.splitFen}, ${made.netFen}, ${made.roundingUfen},
      ${made.postedAt})
    returning id`.execute(tx)
  return only(found).id
}

export type Settled = {
  kind: 'order' | 'refund'
  reference: number
  amountFen: number
  /** What it bears of the fees of its settlement. */
  channelFeeFen: number
  functionFeeFen: number
  taxFen: number
  splitFen: number
}

/** The key refuses an order or refund that was settled already. */
export async function insertSettled(tx: Tx, settlementId: number, items: readonly Settled[]): Promise<void> {
  await sql`insert into settled_item (kind, reference, settlement_id, amount_fen, channel_fee_fen, function_fee_fen,
      tax_fen, split_fen)
    select kind, reference, ${settlementId}, amount_fen, channel_fee_fen, function_fee_fen, tax_fen, split_fen
    from ${rows('i', items, {
      kind: 'text',
      reference: 'bigint',
      amountFen: 'bigint',
      channelFeeFen: 'bigint',
      functionFeeFen: 'bigint',
      taxFen: 'bigint',
      splitFen: 'bigint',
    })}`.execute(tx)
}
