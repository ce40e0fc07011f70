import type { previewSplitRule } from '@aisle/contract/settlement/splitRule'
import { splitCap } from '@aisle/contract/system/settings'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { addDays } from '../../../kernel/businessDay'
import type { QueryContext, Reader } from '../../../kernel/context'
import { sightOf } from '../../../kernel/scope'
import { settledInSight } from '../batch/batch.store'
import { settingOf } from '../../../kernel/settings'
import { isPaidTwice, nearestSplitRule } from '../../payment/public'
import { todayOf } from '../fee/feeRule.reads'
import { isOverCap, type Named, receiversOf, refuseScope } from './rule.commands'
import { type Share, shareOut } from './split.rules'

const DAYS = 30
/** Orders that are counted anew at once: about a second's work. */
const MOST_ORDERS = 200_000

type Preview = OutputOf<typeof previewSplitRule>
type Asked = InputOf<typeof previewSplitRule>
/** Alike orders, and how many there were. */
type Counted = { channel: string; paidFen: number; baseFen: number; count: number }

/** `12:b1000,13:f50`: receivers with hundredths of a per cent or fen. */
const sharesOf = (lines: string): Share[] =>
  lines.split(',').map((one) => {
    const [id = '', terms = ''] = one.split(':')
    const amount = Number(terms.slice(1))
    const isRate = terms.startsWith('b')
    return { receiverId: Number(id), rateBps: isRate ? amount : null, fixedFen: isRate ? null : amount }
  })

/**
 * The proposed rule on what was settled in a month, by the function that shares: orders that an account of one of the
 * receivers' channels collected, at machines that have no nearer rule today.
 */
export async function preview(ctx: QueryContext, input: Asked): Promise<Preview> {
  await refuseScope(ctx, input)
  const of = await receiversOf(ctx, sharesOf(input.lines))
  const capPercent = await settingOf(ctx.db, splitCap, input.merchantId)
  const today = todayOf(ctx)
  const to = addDays(today, -1)
  const first = addDays(today, -DAYS)
  const scope = scopeOf(ctx, input, today)
  const from = await firstDay(ctx.db, scope, { from: first, to })
  const channels = [...new Set(of.map(({ channel }) => channel))]
  const orders = await settledOrders(ctx.db, scope, { from, to }, channels)
  const refunds = await refundsAfter(ctx.db, scope, { from, to }, channels)
  const sum = (what: (one: Counted) => number) => orders.reduce((total, one) => total + what(one) * one.count, 0)
  return {
    from,
    to,
    orders: sum(() => 1),
    paidFen: sum(({ paidFen }) => paidFen),
    baseFen: sum(({ baseFen }) => baseFen),
    ...replay(of, orders, capPercent),
    ...refunds,
    capPercent,
    overCap: isOverCap(of, capPercent),
    isPart: from > first,
  }
}

type Replayed = Pick<Preview, 'sharedFen' | 'cut' | 'cutFen' | 'receivers'>

function replay(of: readonly Named[], orders: readonly Counted[], capPercent: number): Replayed {
  const got = new Map(of.map(({ receiverId }) => [receiverId, { orders: 0, amountFen: 0 }]))
  let [cut, cutFen] = [0, 0]
  for (const { channel, paidFen, baseFen, count } of orders) {
    const shares = of.filter((share) => share.channel === channel)
    const out = shareOut({ paidFen, baseFen, capPercent }, shares)
    if (out.cutFen > 0) cut += count
    cutFen += out.cutFen * count
    for (const { receiverId, fen } of out.parts) {
      const so = got.get(receiverId)
      if (fen > 0 && so) got.set(receiverId, { orders: so.orders + count, amountFen: so.amountFen + fen * count })
    }
  }
  const receivers = of.map(({ receiverId, name, provider }) => ({
    receiverId,
    name,
    provider,
    ...(got.get(receiverId) ?? { orders: 0, amountFen: 0 }),
  }))
  return { sharedFen: receivers.reduce((total, { amountFen }) => total + amountFen, 0), cut, cutFen, receivers }
}

/** Of orders `o` at machine `k` of merchant `m`. */
function scopeOf(ctx: QueryContext, { merchantId, groupId, machineId }: Asked, today: string): RawBuilder<boolean> {
  const here = machineId
    ? sql`k.id = ${machineId}`
    : groupId
      ? sql`k.id in (select machine_id from machine_group_member where group_id = ${groupId})`
      : sql`true`
  const [rank, depth] = [machineId ? 2 : groupId ? 1 : 0, sql`array_position(m.path, ${merchantId}::bigint)`]
  const nearer = sql`case when n.machine_id is not null then 2 when n.group_id is not null then 1 else 0 end`
  return sql`${here} and m.path @> array[${merchantId}]::bigint[] and ${settledInSight(sightOf(ctx.actor), sql`m.id`)}
    and not exists (select 1 from (${nearestSplitRule(sql`k.id`, sql`${today}::date`)}) n
      where (${nearer}, array_position(m.path, n.merchant_id)) > (${sql.lit(rank)}, ${depth}))`
}
type Days = { from: string; to: string }

const settledIn = (scope: RawBuilder<boolean>, { from, to }: Days) => sql`settlement s
  join settled_item i on i.settlement_id = s.id and i.kind = 'order' join order_number n on n.order_id = i.reference
  join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
  join machine k on k.id = o.machine_id join merchant m on m.id = s.merchant_id
  where s.business_day between ${from}::date and ${to}::date and s.method in ('wechat', 'alipay') and (${scope})`

/** As many days back as their orders can be counted anew; at least the last one. */
async function firstDay(db: Reader, scope: RawBuilder<boolean>, { from, to }: Days): Promise<string> {
  const found = await sql<{ day: string; before: number }>`
    select to_char(business_day, 'YYYY-MM-DD') as day,
      sum(sum(s.orders)) over (order by business_day desc rows unbounded preceding)::int as before
    from settlement s where s.business_day between ${from}::date and ${to}::date
      and s.method in ('wechat', 'alipay') and s.merchant_id in (
        select m.id from machine k join merchant m on m.id = k.merchant_id where ${scope})
    group by business_day order by business_day desc`.execute(db)
  const beyond = found.rows.findIndex(({ before }) => before > MOST_ORDERS)
  return beyond < 0 ? from : (found.rows[Math.max(0, beyond - 1)]?.day ?? from)
}

const channelOfOrder = sql`(select c.provider_account_id || '/' || c.sub_merchant_no from payment_attempt a
  join payment_account c on c.id = a.account_id
  where a.order_id = o.id and a.state = 'paid' and not ${isPaidTwice} order by a.id limit 1)`

/** What each order left after the refunds known at its settlement, its fees and tax. */
async function settledOrders(
  db: Reader,
  scope: RawBuilder<boolean>,
  days: Days,
  channels: readonly string[],
): Promise<Counted[]> {
  const found = await sql<Counted>`
    with kept as (
      select ${channelOfOrder} as channel, i.amount_fen as paid, i.amount_fen - coalesce((
          select sum(f.amount_fen) from refund f join settled_item g on g.kind = 'refund' and g.reference = f.id
          where f.order_id = o.id and g.settlement_id = s.id and g.amount_fen = 0), 0)
        - coalesce(i.channel_fee_fen, 0) - coalesce(i.function_fee_fen, 0) - coalesce(i.tax_fen, 0) as base
      from ${settledIn(scope, days)})
    select channel, paid as "paidFen", greatest(base, 0)::bigint as "baseFen", count(*)::int as count
    from kept where channel = any(${[...channels]}::text[]) group by 1, 2, 3`.execute(db)
  return found.rows
}

async function refundsAfter(
  db: Reader,
  scope: RawBuilder<boolean>,
  days: Days,
  channels: readonly string[],
): Promise<Pick<Preview, 'refundsAfter' | 'refundedAfterFen'>> {
  const found = await sql<Pick<Preview, 'refundsAfter' | 'refundedAfterFen'>>`
    with late as (select f.amount_fen as fen, ${channelOfOrder} as channel
      from refund f join settled_item g on g.kind = 'refund' and g.reference = f.id and g.amount_fen > 0
      join (select o.*, s.id as settlement_id from ${settledIn(scope, days)}) o on o.id = f.order_id)
    select count(*)::int as "refundsAfter", coalesce(sum(fen), 0)::bigint as "refundedAfterFen"
    from late where channel = any(${[...channels]}::text[])`.execute(db)
  return found.rows[0] ?? { refundsAfter: 0, refundedAfterFen: 0 }
}
