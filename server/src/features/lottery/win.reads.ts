import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { listWins, summariseWins, WinRow } from '@aisle/contract/lottery/statistics'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, type Asked as Place, holds, type Listing, type Page } from '../../kernel/list'
import { machineInSight, type Sight } from '../../kernel/scope'
import { bandOf, verdictOf } from './band.rules'

type Filter = InputOf<typeof listWins>
type Counted = Omit<WinRow, 'ratePermille' | 'leastWins' | 'mostWins' | 'verdict' | 'marginFen'>

/** What a row stands for; a day's id is the number of days since 2000. */
type Group = NonNullable<Filter['by']>

const groups: Record<Group, { id: RawBuilder<unknown>; code: RawBuilder<unknown>; name: RawBuilder<unknown> }> = {
  machine: { id: sql`r.machine_id`, code: sql`m.code`, name: sql`m.name` },
  product: { id: sql`r.product_id`, code: sql`product.code`, name: sql`product.name` },
  day: {
    id: sql`r.business_day - date '2000-01-01'`,
    code: sql`to_char(r.business_day, 'YYYY-MM-DD')`,
    name: sql`''::text`,
  },
}

/** A group is a machine, a product or a day of the period: few enough to be weighed whole, which a verdict needs. */
const MOST_ROWS = 5000

type Asked = Partial<Pick<Filter, 'q' | 'merchantId' | 'machineId' | 'row'>> & { by: Group }
type Period = { from: string; to: string }

async function weigh(db: Reader, sight: Sight, asked: Asked, period: Period): Promise<WinRow[]> {
  const { id, code, name } = groups[asked.by]
  const where = allOf([
    asked.merchantId &&
      sql`r.merchant_id in (select id from merchant where path @> array[${asked.merchantId}]::bigint[])`,
    asked.machineId && sql`r.machine_id = ${asked.machineId}`,
    asked.q && sql`(${holds(code, asked.q)} or ${holds(name, asked.q)})`,
    asked.row && sql`${id} = ${asked.row}`,
  ])
  const found = await sql<Counted>`
    select ${id} as id, ${code} as code, ${name} as name, sum(r.plays)::int as plays, sum(r.wins)::int as wins,
      (sum(r.plays * r.odds_permille) / sum(r.plays))::float8 as "oddsPermille",
      sum(r.stake_fen)::bigint as "stakeFen", sum(r.cost_fen)::bigint as "costFen",
      sum(r.prize_fen)::bigint as "prizeFen"
    from rollup_day_lottery r join machine m on m.id = r.machine_id join product on product.id = r.product_id
    where r.business_day between ${period.from}::date and ${period.to}::date
      and ${machineInSight(sight, sql`r.machine_id`)} and ${where}
    group by 1, 2, 3 limit ${sql.lit(MOST_ROWS)}`.execute(db)
  return found.rows.map(weighed)
}

/**
 * Plays and wins from the rollup, held against what the odds allow. The verdict is worked out from each row, so the
 * rows are all read and then cut into pages.
 */
export async function listWinsIn(
  db: Reader,
  sight: Sight,
  filter: Filter,
  period: Period,
): Promise<Listing<WinRow, Sums>> {
  const { by = 'machine', sort, verdict } = filter
  const rows = (await weigh(db, sight, { ...filter, by }, period)).filter((row) => !verdict || row.verdict === verdict)
  const byName = (a: WinRow, b: WinRow) => (by === 'day' ? b.id - a.id : a.code.localeCompare(b.code))
  rows.sort((a, b) => (sort === 'name' || by === 'day' ? 0 : b.plays - a.plays) || byName(a, b))
  return {
    page: async (_, asked) => pageOf(rows, asked),
    count: async () => ({ total: rows.length, sums: sumsOf(rows) }),
  }
}

type Summary = OutputOf<typeof summariseWins>

export async function summary(
  db: Reader,
  sight: Sight,
  asked: InputOf<typeof summariseWins>,
  period: Period,
): Promise<Summary> {
  const rows = await weigh(db, sight, { ...asked, by: 'machine' }, period)
  const total = (of: (row: WinRow) => number) => rows.reduce((sum, row) => sum + of(row), 0)
  const plays = total((row) => row.plays)
  const count = (verdict: WinRow['verdict']) => rows.filter((row) => row.verdict === verdict).length
  const whole = weighed({
    id: 0,
    code: '',
    name: '',
    plays,
    wins: total((row) => row.wins),
    oddsPermille: plays === 0 ? 0 : total((row) => row.plays * row.oddsPermille) / plays,
    stakeFen: total((row) => row.stakeFen),
    costFen: total((row) => row.costFen),
    prizeFen: total((row) => row.prizeFen),
  })
  return { ...whole, machines: rows.length, tooMany: count('tooMany'), tooFew: count('tooFew') }
}

const tenths = (value: number) => Math.round(value * 10) / 10

function weighed(row: Counted): WinRow {
  const band = bandOf(row.plays, row.oddsPermille / 1000)
  return {
    ...row,
    oddsPermille: tenths(row.oddsPermille),
    ratePermille: row.plays === 0 ? 0 : tenths((row.wins * 1000) / row.plays),
    leastWins: band.least,
    mostWins: band.most,
    verdict: verdictOf(row.wins, band),
    marginFen: row.stakeFen - row.costFen,
  }
}

/** The cursor is the place in the whole, which stays as it is while nothing is played. */
function pageOf(rows: readonly WinRow[], { cursor, pageSize }: Place): Page<WinRow> {
  const at = /^\d{1,6}$/.test(cursor ?? '') ? Number(cursor) : 0
  const end = at + pageSize
  return {
    items: rows.slice(at, end),
    nextCursor: end < rows.length ? String(end) : null,
  }
}

type Sums = { stakeFen: number; costFen: number; marginFen: number }

const sumsOf = (rows: readonly WinRow[]): Sums => ({
  stakeFen: rows.reduce((sum, row) => sum + row.stakeFen, 0),
  costFen: rows.reduce((sum, row) => sum + row.costFen, 0),
  marginFen: rows.reduce((sum, row) => sum + row.marginFen, 0),
})
