import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { type Listing, listRows, type Order, summed } from '../../kernel/list'
import { type Family, figuresOf, hasMoved, type Scope } from './figures.source'
import type { Days, Period, Times } from './period.rules'

/** What rows are told apart by: a number that stays the same, and how it reads. */
export type Group = {
  key: RawBuilder<unknown>
  /** Of the key, once rows are summed: `g.id` is the number. */
  name: RawBuilder<unknown>
  code?: RawBuilder<unknown>
  join?: RawBuilder<unknown>
  isByMachine?: boolean
  isByMerchant?: boolean
  /** Rows are times themselves: there is no time before to compare each with. */
  times?: Times
}

const EPOCH = '2000-01-01'
/** A day as the number of days since then, and back. */
export const dayOfNumber = (id: RawBuilder<unknown>) => sql`(${EPOCH}::date + (${id})::int)`
const dayOf = (id: string) => dayOfNumber(sql.ref(id))
export const numbered = (day: RawBuilder<unknown>) => sql`(${day} - ${EPOCH}::date)`
/** Words that are few and known: their place in the list. */
const placeIn = (words: readonly string[], column: string) =>
  sql`array_position(${[...words]}::text[], ${sql.ref(column)})`

export const dayGroup: Group = {
  key: numbered(sql`business_day`),
  name: sql`to_char(${dayOf('g.id')}, 'YYYY-MM-DD')`,
  times: 'day',
}
export const weekGroup: Group = {
  key: numbered(sql`date_trunc('week', business_day)::date`),
  name: sql`to_char(${dayOf('g.id')}, 'YYYY-MM-DD') || ' – ' || to_char(${dayOf('g.id')} + 6, 'YYYY-MM-DD')`,
  times: 'day',
}
export const monthGroup: Group = {
  key: numbered(sql`date_trunc('month', business_day)::date`),
  name: sql`to_char(${dayOf('g.id')}, 'YYYY-MM')`,
  times: 'month',
}
export const merchantGroup: Group = {
  key: sql`merchant_id`,
  name: sql`x.name`,
  code: sql`x.code`,
  join: sql`left join merchant x on x.id = g.id`,
  isByMerchant: true,
}
export const machineGroup: Group = {
  key: sql`machine_id`,
  name: sql`x.name`,
  code: sql`x.code`,
  join: sql`left join machine x on x.id = g.id`,
  isByMachine: true,
}
export const pointGroup: Group = {
  key: sql`point_id`,
  name: sql`x.name`,
  join: sql`left join point x on x.id = g.id`,
  isByMachine: true,
}
export const hospitalGroup: Group = {
  key: sql`at.hospital_id`,
  name: sql`x.name`,
  join: sql`left join hospital x on x.id = g.id`,
  isByMachine: true,
}
export const productGroup: Group = {
  key: sql`product_id`,
  name: sql`x.name`,
  code: sql`x.code`,
  join: sql`left join product x on x.id = g.id`,
}
export const wordGroup = (words: readonly string[], column: string): Group => ({
  key: placeIn(words, column),
  name: sql`(${[...words]}::text[])[g.id]`,
})

/** Under names that no rollup has. */
export const itsPoint = sql`join (select id as of_point, hospital_id, building from point) at
  on at.of_point = f.point_id`

/** A number of its own for each text, the same in every question. */
export const numberOf = (text: RawBuilder<unknown>) => sql`(hashtextextended(${text}, 0) & 9007199254740991)`

/** Over the rows of one time. */
export type Measure = (which: RawBuilder<unknown>) => RawBuilder<unknown>

export type Report = {
  /** Columns of a row by name, over the rows of a group: `now` and `before` say of which time. */
  measures: Record<string, Measure>
  /** Which measure is compared with the time before. */
  compared: string
  orders: Record<string, Order>
  /** More columns of a row, over all its rows of the rollup. */
  row?: Record<string, RawBuilder<unknown>>
  /** More columns of the row, once it is summed. */
  also?: RawBuilder<unknown>
  /** Joined to each row of the rollup before it is grouped. */
  with?: RawBuilder<unknown>
  /** Whether the sums tell the time before as well. */
  sumsBefore?: boolean
}

/** Rows of a report on sales, and what they sum to over all pages. */
export async function grouped<Row extends { id: number }>(
  db: Reader,
  { family, ...report }: Report & { family: Family },
  group: Group,
  { period, scope, sort }: { period: Period; scope: Scope; sort: string },
): Promise<Listing<Row>> {
  const { isByMachine = false, isByMerchant = false, times } = group
  const isMoved = await hasMoved(db, scope.sight)
  const whole = { ...scope, isByMachine, isByMerchant, times, isMoved }
  return groupedFrom((days) => figuresOf(family, days, whole), report, group, { period, sort })
}

/** @param source facts of a time, with the columns that group and measures read */
export const groupedFrom = <Row extends { id: number }>(
  source: (days: Days) => RawBuilder<unknown>,
  report: Report,
  group: Group,
  { period, sort }: { period: Period; sort: string },
): Listing<Row> =>
  listRows({
    rows: rowsOf(source, report, group, period),
    order: report.orders[sort] ?? { by: sql`id`, type: 'bigint' },
    sums: summed(...Object.keys(report.measures), ...(report.sumsBefore ? ['beforeFen'] : [])),
    isCountedWhole: true,
  })

function rowsOf<Row>(
  source: (days: Days) => RawBuilder<unknown>,
  report: Report,
  group: Group,
  period: Period,
): RawBuilder<Row> {
  const { measures, compared, row = {} } = report
  const now = sql`not is_before`
  const columns = [
    ...Object.entries(measures).map(([name, measure]) => sql`${measure(now)} as ${sql.ref(name)}`),
    ...Object.entries(row).map(([name, value]) => sql`${value} as ${sql.ref(name)}`),
  ]
  const of = (days: Days, isBefore: boolean) =>
    sql`select f.*, ${isBefore ? sql`true` : sql`false`} as is_before from (${source(days)}) f`
  const all = group.times ? of(period, false) : sql`${of(period, false)} union all ${of(period.before, true)}`
  const before = group.times ? sql`null::bigint` : measures[compared]?.(sql`is_before`)
  return sql`
    select g.*, coalesce(${group.name}, '–') as name, ${group.code ?? sql`null::text`} as code,
      g.${sql.ref(compared)} - g."beforeFen" as "changeFen" ${report.also ?? sql``}
    from (select (${group.key})::bigint as id, ${sql.join(columns)}, ${before} as "beforeFen"
      from (${all}) f ${report.with ?? sql``} where (${group.key}) is not null group by 1) g
    ${group.join ?? sql``} where ${isSomething([...Object.keys(measures), 'beforeFen'].map((name) => `g.${name}`))}`
}

/** What came and went in running totals sums to nothing, and is no row of its own. */
export const isSomething = (columns: readonly string[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    columns.map((name) => sql`${sql.ref(name)} <> 0`),
    sql` or `,
  )})`

/** A sum over the rows of one time, never null. */
export const total = (column: string) => (which: RawBuilder<unknown>) =>
  sql`coalesce(sum(${sql.ref(column)}) filter (where ${which}), 0)::bigint`

export const difference = (column: string, less: string) => (which: RawBuilder<unknown>) =>
  sql`coalesce(sum(${sql.ref(column)} - ${sql.ref(less)}) filter (where ${which}), 0)::bigint`

/** Largest first; what is equal, by its number. */
export const largest = (column: string): Order => ({ by: sql`-coalesce(${sql.ref(column)}, 0)`, type: 'bigint' })
/** What changed most, whichever way. */
export const byChange: Order = { by: sql`-abs(coalesce("changeFen", 0))`, type: 'bigint' }
/** In the order of the things themselves: times newest first, all else by number. */
export const inOrder = (isTime: boolean): Order => ({ by: isTime ? sql`-id` : sql`id`, type: 'bigint' })
