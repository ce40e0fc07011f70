import type {
  Section,
  SectionFigure,
  SectionRanking,
  SectionTab,
  SectionTrend,
} from '@aisle/contract/wallboard/section'
import type { Language } from '@aisle/contract/kernel/text'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { dayAtHome, instantAtHome } from '../../kernel/platformDays'

/** Whose figures, and of when: days are the platform's, as on the whole board. */
export type Shown = { merchantId: number; hidesNames: boolean; today: string; now: Date; language: Language }
export type Parts = Pick<Section, 'figures' | 'trend' | 'rankings'>
export type SectionReads = Record<SectionTab, (db: Reader, shown: Shown) => Promise<Parts>>

/** A name of which only the beginning stands on a board that strangers see. */
const masked = (name: string): string => `${[...name].slice(0, 1).join('')}**`

/** A ranking by names that a key may hide. */
export const unnamed = (found: SectionRanking, { hidesNames }: Shown): SectionRanking =>
  hidesNames ? { ...found, rows: found.rows.map((row) => ({ ...row, label: masked(row.label) })) } : found

/** A board shows one merchant's subtree; the platform's shows all. */
export const subtree = (merchantId: number): RawBuilder<unknown> =>
  sql`select id from merchant where path @> array[${merchantId}]::bigint[]`

export const day = (text: string): RawBuilder<unknown> => sql`${text}::date`
/** A day of the platform as the instant at which it begins. */
export const dawn = (text: RawBuilder<unknown>): RawBuilder<unknown> => instantAtHome(text)
export const dayOf = (column: RawBuilder<unknown>): RawBuilder<unknown> => dayAtHome(column)

const MONTH_DAYS = 30

/** When the thirty days up to today begin: the same days as a trend's columns. */
export const monthBegin = (today: string): RawBuilder<unknown> => dawn(sql`${day(today)} - ${MONTH_DAYS - 1}::int`)
/** When the thirty days before those begin. */
export const formerBegin = (today: string): RawBuilder<unknown> => dawn(sql`${day(today)} - ${2 * MONTH_DAYS - 1}::int`)

export const figure = (
  name: string,
  unit: SectionFigure['unit'],
  value: number | null,
  before: number | null = null,
): SectionFigure => ({ name, unit, value, before })

/** The first row of a statement that always has one. */
export async function one<T>(db: Reader, query: RawBuilder<T>): Promise<T> {
  const [row] = (await query.execute(db)).rows
  if (row === undefined) throw new Error('a sum without a row')
  return row
}

type Ranked = { label: string; value: number; before?: number | null }

export async function ranking(
  db: Reader,
  name: string,
  unit: SectionRanking['unit'],
  query: RawBuilder<Ranked>,
): Promise<SectionRanking> {
  const found = await query.execute(db)
  return { name, unit, rows: found.rows.map((row) => ({ ...row, before: row.before ?? null })) }
}

/** One value a day for thirty days up to today; days without a row are 0. @param query rows of `day` and `value` */
export async function dailyTrend(
  db: Reader,
  { today }: Shown,
  { name, unit, query }: { name: string; unit: SectionTrend['unit']; query: RawBuilder<unknown> },
): Promise<SectionTrend> {
  const found = await sql<{ from: string; values: number[] }>`
    with days as (select d::date as day from generate_series(${day(today)} - ${MONTH_DAYS - 1}::int, ${day(today)},
      interval '1 day') d), facts as materialized (${query})
    select to_char(min(days.day), 'YYYY-MM-DD') as from,
      json_agg(coalesce(facts.value, 0) order by days.day) as values
    from days left join facts on facts.day = days.day`.execute(db)
  const { from, values } = found.rows[0] ?? { from: today, values: [] }
  return { name, unit, from, step: 'day', values }
}

const TREND_MONTHS = 12

/** One value a month for twelve months up to this one. @param query rows of `day`, any of the month, and `value` */
export async function monthlyTrend(
  db: Reader,
  { today }: Shown,
  { name, unit, query }: { name: string; unit: SectionTrend['unit']; query: RawBuilder<unknown> },
): Promise<SectionTrend> {
  const found = await sql<{ from: string; values: number[] }>`
    with months as (select m::date as month from generate_series(
      date_trunc('month', ${day(today)}) - make_interval(months => ${TREND_MONTHS - 1}), ${day(today)},
      interval '1 month') m), facts as materialized (
      select date_trunc('month', day)::date as month, sum(value) as value from (${query}) counted group by 1)
    select to_char(min(months.month), 'YYYY-MM-DD') as from,
      json_agg(coalesce(facts.value, 0) order by months.month) as values
    from months left join facts on facts.month = months.month`.execute(db)
  const { from, values } = found.rows[0] ?? { from: today, values: [] }
  return { name, unit, from, step: 'month', values }
}

/** The first day that a monthly trend shows anything of. */
export const monthsAgo = (today: string): RawBuilder<unknown> =>
  sql`(date_trunc('month', ${day(today)}) - make_interval(months => ${TREND_MONTHS - 1}))::date`
