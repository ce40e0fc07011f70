import type { previewFeeRule } from '@aisle/contract/settlement/fee'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { addDays } from '../../../kernel/businessDay'
import type { QueryContext, Reader } from '../../../kernel/context'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { type FeeRule, feeOfCounted } from './fee.rules'
import { keptAs, ofPlatform, refuseUnseen } from './feeRule.commands'
import { todayOf } from './feeRule.reads'
import { findRule, isCharged } from './feeRule.store'

const DAYS = 30
/** Orders that are counted anew at once: about a second's work. */
const MOST_ORDERS = 300_000

type Preview = OutputOf<typeof previewFeeRule>
type Charged = { merchantId: number; merchantName: string; day: string; amounts: { fen: number; count: number }[] }

/**
 * The proposed rule on what was settled, by the function that settles: by order and day, for those merchants that it
 * would be the nearest rule of. What was charged is counted the same way by the rules that held.
 */
export async function preview(ctx: QueryContext, input: InputOf<typeof previewFeeRule>): Promise<Preview> {
  await ofPlatform(ctx)
  await refuseUnseen(ctx, input.merchantId)
  const today = todayOf(ctx)
  const to = addDays(today, -1)
  const first = addDays(today, -DAYS)
  const scope = scopeOf(ctx, input, today)
  const from = await firstDay(ctx.db, scope, { from: first, to })
  const proposed: FeeRule = {
    ratePpm: Math.round(input.ratePercent * 10_000),
    basis: input.basis,
    minFen: input.minFen,
    belowMin: input.belowMin,
  }
  const merchants = new Map<number, Preview['merchants'][number]>()
  for (const { merchantId, merchantName, day, amounts } of await settledAmounts(ctx.db, scope, { from, to })) {
    const held = await findRule(ctx.db, merchantId, keptAs(input.subject), day)
    const of = merchants.get(merchantId) ?? { merchantId, merchantName, ...nothing }
    merchants.set(merchantId, {
      ...of,
      orders: of.orders + amounts.reduce((sum, { count }) => sum + count, 0),
      keptFen: of.keptFen + amounts.reduce((sum, { fen, count }) => sum + fen * count, 0),
      chargedFen: of.chargedFen + feeOfCounted(amounts, held).feeFen,
      wouldFen: of.wouldFen + feeOfCounted(amounts, proposed).feeFen,
    })
  }
  const all = [...merchants.values()].sort((a, b) => b.keptFen - a.keptFen)
  const sum = (what: keyof typeof nothing) => all.reduce((total, each) => total + each[what], 0)
  return {
    from,
    to,
    orders: sum('orders'),
    keptFen: sum('keptFen'),
    chargedFen: sum('chargedFen'),
    wouldFen: sum('wouldFen'),
    merchants: all.slice(0, 20),
    isPart: from > first,
  }
}

const nothing = { orders: 0, keptFen: 0, chargedFen: 0, wouldFen: 0 }

/** Settlements of merchants that have no nearer rule: in the columns of `s` and of its merchant `m`. */
function scopeOf(ctx: QueryContext, { merchantId, subject }: InputOf<typeof previewFeeRule>, today: string) {
  const [, type = null] = /^function_(\w+)$/.exec(subject) ?? []
  const own = type === null && subject !== 'tax' ? sql`s.method = ${sql.lit(subject)}` : sql`true`
  const below = merchantId ? sql`m.path @> array[${merchantId}]::bigint[]` : sql`true`
  const depth = merchantId ? sql`array_position(m.path, ${merchantId}::bigint)` : sql`0`
  return {
    type,
    where: sql`${own} and ${below} and ${isCharged(sql`${keptAs(subject)}`)}
      and ${merchantInSight(sightOf(ctx.actor), sql`s.merchant_id`)}
      and not exists (select 1 from fee_rule f where f.subject = ${keptAs(subject)}
        and f.valid_from <= ${today}::date and (f.valid_to is null or f.valid_to >= ${today}::date)
        and array_position(m.path, f.merchant_id) > ${depth})`,
  }
}
type Scope = ReturnType<typeof scopeOf>
type Days = { from: string; to: string }

/** As many days back as their orders can be counted anew; at least the last one. */
async function firstDay(db: Reader, { where }: Scope, { from, to }: Days): Promise<string> {
  const found = await sql<{ day: string; before: number }>`
    select to_char(business_day, 'YYYY-MM-DD') as day,
      sum(sum(s.orders)) over (order by business_day desc rows unbounded preceding)::int as before
    from settlement s join merchant m on m.id = s.merchant_id
    where s.business_day between ${from}::date and ${to}::date and ${where}
    group by business_day order by business_day desc`.execute(db)
  const beyond = found.rows.findIndex(({ before }) => before > MOST_ORDERS)
  if (beyond < 0) return from
  return found.rows[Math.max(0, beyond - 1)]?.day ?? from
}

/** What was kept of each order after the refunds known at its settlement, how often, by merchant and day. */
async function settledAmounts(db: Reader, { where, type }: Scope, { from, to }: Days): Promise<Charged[]> {
  const found = await sql<Charged>`
    with kept as (
      select s.merchant_id, m.name, s.business_day, o.paid_fen - coalesce((
          select sum(f.amount_fen) from refund f join settled_item g on g.kind = 'refund' and g.reference = f.id
          where f.order_id = o.id and g.settlement_id = s.id and g.amount_fen = 0), 0)::bigint as fen
      from settlement s join merchant m on m.id = s.merchant_id
      join settled_item i on i.settlement_id = s.id and i.kind = 'order'
      join order_number n on n.order_id = i.reference
      join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
      where s.business_day between ${from}::date and ${to}::date and ${where}
        and ${type === null ? sql`true` : sql`o.business_type = ${sql.lit(type)}`}),
    counted as (select merchant_id, name, business_day, fen, count(*)::int as count from kept group by 1, 2, 3, 4)
    select merchant_id as "merchantId", name as "merchantName", to_char(business_day, 'YYYY-MM-DD') as day,
      json_agg(json_build_object('fen', fen, 'count', count)) as amounts
    from counted group by 1, 2, 3`.execute(db)
  return found.rows
}
