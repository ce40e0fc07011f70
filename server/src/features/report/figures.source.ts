import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { machineInSight, machinesInSight, merchantInSight, type Sight } from '../../kernel/scope'
import { type Days, type Piece, piecesOf, type Times } from './period.rules'

/** What a report is narrowed to, beside the sight; a machine or point asks for figures by machine. */
export type Scope = {
  sight: Sight
  merchantId?: number | undefined
  machineCode?: string | undefined
  /** In the columns of the rollup. */
  where?: readonly RawBuilder<unknown>[]
  /** Whether the report tells machines or points apart. */
  isByMachine?: boolean
  /** Whether it tells merchants apart. */
  isByMerchant?: boolean
  /** The times that it tells apart; else all days are one. */
  times?: Times | undefined
}

/** `isMoved`: of `hasMoved`; where figures are asked by machine there is nothing to correct for. */
export type Reach = Scope & { isMoved: boolean }

const families = {
  figures: {
    ofMerchant: '',
    ofMachine: '_machine',
    above: '_above',
    begins: 'year',
    keys: ['method', 'business_type'],
    machineKeys: ['machine_id', 'point_id'],
    sums: ['orders', 'paid_fen', 'discount_fen', 'online_orders', 'refunds', 'refunded_fen'],
    machineSums: ['cost_fen', 'refunded_cost_fen'],
  },
  pieces: {
    ofMerchant: '_product',
    ofMachine: '_machine_product',
    above: '_above_product',
    begins: 'year',
    keys: ['product_id'],
    machineKeys: ['machine_id'],
    sums: ['quantity', 'paid_fen', 'cost_fen', 'refunded_quantity', 'refunded_fen', 'refunded_cost_fen'],
    machineSums: [],
  },
  batches: {
    ofMerchant: null,
    ofMachine: '_batch',
    above: null,
    begins: 'month',
    keys: ['product_id', 'batch'],
    machineKeys: ['machine_id', 'point_id'],
    sums: ['quantity', 'paid_fen', 'cost_fen'],
    machineSums: [],
  },
} as const
export type Family = keyof typeof families

/**
 * Rows of rollups in sight whose sums are what the facts sum to (docs/decisions/0021, 0027). Whoever sees a subtree
 * sees machines, and a machine may have sold for another merchant before: the merchants' figures are corrected by those
 * of such machines, which are few. Rows may cancel out: who groups them leaves out what sums to nothing.
 */
export function figuresOf(family: Family, days: Days, scope: Reach): RawBuilder<unknown> {
  const { ofMerchant, ofMachine } = families[family]
  const { sight, machineCode, merchantId } = scope
  const below = merchantId === undefined ? [] : [isBelow(merchantId)]
  if (scope.isByMachine || machineCode !== undefined || ofMerchant === null || sight.kind === 'granted') {
    const which = [machineInSight(sight, sql.ref('machine_id')), ...machineIs(machineCode), ...below]
    return rowsOf({ family, table: ofMachine, days, scope, which, isByMachine: true })
  }
  if (sight.kind === 'all') return merchantRows(family, days, scope, merchantId ?? 'root')
  const whole = merchantId === undefined ? merchantRows(family, days, scope, sight.merchantId) : null
  const { ours, lent: areLent, gone: areGone } = movedIn(sight)
  const sold = whole ?? rowsOf({ family, table: ofMerchant, days, scope, which: [ours, ...below] })
  if (!scope.isMoved) return sold
  const moved = (which: RawBuilder<unknown>) =>
    sql`machine_id in (select machine_id from rollup_machine_merchant where ${which})`
  const lent = [moved(areLent), sql`not ${ours}`, ...below]
  const gone = [moved(areGone), ours, ...below]
  return sql`${sold}
    union all ${rowsOf({ family, table: ofMachine, days, scope, which: lent })}
    union all ${rowsOf({ family, table: ofMachine, days, scope, which: gone, isLess: true })}`
}

/** Machines in sight that sold for others, and machines out of sight that sold for those in it. */
function movedIn(sight: Exclude<Sight, { kind: 'all' }>) {
  const ours = merchantInSight(sight, sql.ref('merchant_id'))
  const seen = machinesInSight(sight)
  return {
    ours,
    lent: sql`not ${ours} and machine_id in (${seen})`,
    gone: sql`${ours} and machine_id not in (${seen})`,
  }
}

/** Whether any machine is to be corrected for; mostly none is, and a report need not be planned with them. */
export async function hasMoved(db: Reader, sight: Sight): Promise<boolean> {
  if (sight.kind !== 'subtree') return false
  const { lent, gone } = movedIn(sight)
  const found = await sql<{ isMoved: boolean }>`
    select exists (select from rollup_machine_merchant where (${lent}) or (${gone})) as "isMoved"`.execute(db)
  return found.rows[0]?.isMoved ?? true
}

const machineIs = (code: string | undefined) =>
  code === undefined ? [] : [sql`machine_id in (select id from machine where code = ${code})`]

const isBelow = (merchantId: number) =>
  sql`merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`

/** All that was sold for a merchant and those below it; days have figures of those below together. */
function merchantRows(family: Family, days: Days, scope: Scope, top: number | 'root'): RawBuilder<unknown> {
  const { ofMerchant, above } = families[family]
  const which = top === 'root' ? [] : [isBelow(top)]
  if (ofMerchant === null) throw new Error(`${family} are told by machine alone`)
  if (scope.isByMerchant || scope.times === undefined || above === null) {
    return rowsOf({ family, table: ofMerchant, days, scope, which })
  }
  const id = top === 'root' ? sql`(select id from merchant where parent_id is null)` : sql`${top}::bigint`
  const { from, to } = days
  const folded = sql`business_day < (select through from rollup_fold)`
  const part = (table: string, conditions: readonly RawBuilder<unknown>[], merchant: RawBuilder<unknown>) =>
    sql`select business_day, ${columnsOf({ family, merchant })} from ${sql.table(`rollup_day${table}`)}
      where ${sql.join([betweenDays(from, to), ...conditions, ...(scope.where ?? [])], sql` and `)}`
  return sql`${part(above, [sql`above_id = ${id}`], sql`null::bigint`)}
    union all ${part(ofMerchant, [sql`merchant_id = ${id}`, folded], sql`merchant_id`)}
    union all ${part(ofMerchant, [...which, sql`not ${folded}`], sql`merchant_id`)}`
}

const betweenDays = (from: string, to: string) => sql`business_day between ${from}::date and ${to}::date`

type Columns = { family: Family; merchant?: RawBuilder<unknown>; isByMachine?: boolean; isLess?: boolean }

function columnsOf({ family, merchant = sql`merchant_id`, isByMachine, isLess }: Columns): RawBuilder<unknown> {
  const { keys, machineKeys, sums, machineSums } = families[family]
  return sql.join([
    sql`${merchant} as merchant_id`,
    ...[...keys, ...(isByMachine ? machineKeys : [])].map((key) => sql.ref(key)),
    ...[...sums, ...(isByMachine ? machineSums : [])].map((sum) =>
      isLess ? sql`-${sql.ref(sum)} as ${sql.ref(sum)}` : sql.ref(sum),
    ),
  ])
}

type Part = {
  family: Family
  table: string
  days: Days
  scope: Scope
  which: readonly RawBuilder<unknown>[]
  isByMachine?: boolean
  isLess?: boolean
}

/** Days one by one where those are told apart; else running totals as far as days are folded, and the days after. */
function rowsOf({ family, table, days, scope, which, isByMachine = false, isLess = false }: Part): RawBuilder<unknown> {
  const conditions = [...which, ...(scope.where ?? [])]
  const rows = (span: 'day' | 'run', month: RawBuilder<unknown>, within: RawBuilder<unknown>, takesOff = false) =>
    sql`select ${month} as business_day, ${columnsOf({ family, isByMachine, isLess: isLess !== takesOff })}
      from ${sql.table(`rollup_${span}${table}`)} where ${sql.join([within, ...conditions], sql` and `)}`
  const { from, to } = days
  if (scope.times === 'day') return rows('day', sql`business_day`, betweenDays(from, to))
  const { begins } = families[family]
  const pieces = piecesOf(days, scope.times ?? begins)
  const starts = begins === 'year' ? '-01-01' : '-01'
  const parts = [
    rows(
      'run',
      sql`business_day`,
      isOneOf(pieces, (_, last) => sql`least(${last}::date, through - 1)`),
    ),
  ]
  // Nothing to take off where running totals begin.
  const begun = pieces.filter(({ first }) => !first.endsWith(starts))
  if (begun.length > 0) {
    parts.push(
      rows(
        'run',
        sql`business_day + 1`,
        isOneOf(begun, (first) => sql`${first}::date - 1`),
        true,
      ),
    )
  }
  const rest = sql`${betweenDays(from, to)} and business_day >= (select through from rollup_fold)`
  return sql.join([...parts, rows('day', sql`business_day`, rest)], sql` union all `)
}

/** A day of each piece that has begun where days are folded; a question each, so that PostgreSQL knows they are few. */
function isOneOf(
  pieces: readonly Piece[],
  dayOf: (first: string, last: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (pieces.length === 0) return sql`false`
  const days = pieces.map(
    ({ first, last }) => sql`(select ${dayOf(first, last)} from rollup_fold where through > ${first}::date)`,
  )
  return sql`business_day in (${sql.join(days)})`
}
