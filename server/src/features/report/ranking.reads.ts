import { type RawBuilder, sql } from 'kysely'
import { type Listing, listRows, summed } from '../../kernel/list'
import { type Family, figuresOf, type Reach } from './figures.source'
import type { Period } from './period.rules'

/** What is ranked, in the columns of a rollup. */
export type Ranking = {
  family: Family
  /** Of each row of the rollup; 0 for what belongs to none of them. */
  key: RawBuilder<unknown>
  isByMachine?: boolean
  /** Joined to each row of the rollup before it is grouped. */
  with?: RawBuilder<unknown>
  /** The column of the rollup that counts, and what it and the one of the time before are called. */
  count: { column: 'quantity' | 'orders'; now: string; before: string }
  /** A select of the ids that could sell now: without sales they are rows too. */
  offered: RawBuilder<unknown>
  /** The table with name and code of the ids, as `x`. */
  table: string
  hasCode: boolean
}

/** What belongs to nothing comes last, whatever the order. */
const LAST = Number.MAX_SAFE_INTEGER

/**
 * Rows by rank with what all of them come to. Ties share a rank and stand by number, so that pages never overlap.
 * @param ranking.count ranks where the order asks for it, else the amount does
 */
export function ranked<Row extends { id: number }>(
  ranking: Ranking,
  { period, scope, sort }: { period: Period; scope: Reach; sort: string },
): Listing<Row> {
  const { count, table, hasCode } = ranking
  const isByCount = sort.startsWith(count.now)
  const [now, before] = isByCount ? [count.now, count.before] : ['paidFen', 'beforeFen']
  const isThing = sql`g.id <> 0`
  return listRows({
    rows: sql<Row>`select g.*, coalesce(x.name, '–') as name, ${hasCode ? sql`x.code` : sql`null::text`} as code,
        "paidFen" - "beforeFen" as "changeFen", "paidFen" - "refundedFen" as "netFen",
        case when ${isThing} then rank() over (partition by ${isThing} order by ${sql.ref(now)} desc) end as rank,
        case when ${isThing} and ${sql.ref(before)} > 0
          then rank() over (partition by ${isThing} order by ${sql.ref(before)} desc) end as "rankBefore",
        case when ${isThing} then case when "isOffered" then 'current' else 'past' end end as standing,
        round(1000 * ${sql.ref(now)} / nullif(sum(${sql.ref(now)}) over (), 0))::int as "sharePermille"
      from (${rowsOf(ranking, period, scope)}) g left join ${sql.table(table)} x on x.id = g.id`,
    order: { by: orderOf(sort, now), type: 'bigint' },
    sums: sumsOf(count),
    isCountedWhole: true,
  })
}

function orderOf(sort: string, measure: string): RawBuilder<unknown> {
  const change = sql`-abs("changeFen")`
  const by = sort === 'change' ? change : sort.endsWith('Least') ? sql.ref(measure) : sql`-${sql.ref(measure)}`
  return sql`(case when id = 0 then ${LAST}::bigint else ${by} end)`
}

const sumsOf = ({ now, before }: Ranking['count']): RawBuilder<unknown> =>
  sql`${summed(now, before, 'paidFen', 'beforeFen', 'refundedFen', 'netFen')},
    (count(*) filter (where id <> 0))::int as things,
    (count(*) filter (where ${sql.ref(now)} > 0 and id <> 0))::int as selling`

/** Figures of the time may come and go in running totals: what sums to nothing and could not sell is no row. */
const isSomething = sql.join(
  ['count_now', 'paid_now', 'count_before', 'paid_before', 'refunded'].map((name) => sql`sum(${sql.ref(name)}) <> 0`),
  sql` or `,
)

/** One row a thing: what it sold in the time and in the one before, and whether it could sell now. */
function rowsOf(ranking: Ranking, period: Period, scope: Reach): RawBuilder<unknown> {
  const { family, key, count, offered, isByMachine = false } = ranking
  const reach = { ...scope, isByMachine: isByMachine || (scope.isByMachine ?? false) }
  const of = (days: { from: string; to: string }, isBefore: boolean) => {
    const sums = [count.column, 'paid_fen', 'refunded_fen'].map((column) => sql`sum(${sql.ref(column)})::bigint`)
    const none = sql`0, 0`
    const [counted, paid, refunded] = sums
    const columns = isBefore ? sql`${none}, ${counted}, ${paid}, 0` : sql`${counted}, ${paid}, ${none}, ${refunded}`
    return sql`select (${key})::bigint, ${columns}, false
      from (${figuresOf(family, days, reach)}) f ${ranking.with ?? sql``} where (${key}) is not null group by 1`
  }
  return sql`
    select id, sum(count_now)::bigint as ${sql.ref(count.now)}, sum(paid_now)::bigint as "paidFen",
      sum(count_before)::bigint as ${sql.ref(count.before)}, sum(paid_before)::bigint as "beforeFen",
      sum(refunded)::bigint as "refundedFen", bool_or(is_offered) as "isOffered"
    from (${of(period, false)} union all ${of(period.before, true)}
      union all select offered.id, 0, 0, 0, 0, 0, true from (${offered}) offered
    ) parts (id, count_now, paid_now, count_before, paid_before, refunded, is_offered) group by id
    having bool_or(is_offered) or ${isSomething}`
}
