import type { TradeRow } from '@aisle/contract/report/statistics/trade'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { type Listing, mapRows } from '../../../kernel/list'
import { machineRowInSight, type Sight } from '../../../kernel/scope'
import type { Period } from '../period.rules'
import { listSalesIn, type SalesFilter } from '../sales.reads'
import { stockOutHours } from '../stockOut.reads'

type When = { period: Period; now: Date }

/** Sales by place or time, with how long slots stood empty there and the way one step deeper. */
export async function listTradeIn(
  db: Reader,
  sight: Sight,
  filter: SalesFilter,
  { period, now }: When,
): Promise<Listing<TradeRow>> {
  // None of its groups is of words.
  const list = await listSalesIn(db, sight, filter, period, (_, key) => key)
  return mapRows(list, async (rows, reader) => {
    const ids = rows.map(({ id }) => id)
    const hours = await emptyHours(reader, sight, { by: filter.by, ids, period, now })
    return rows.map((row) => ({ ...row, stockOutHours: hours.get(row.id) ?? null, drill: drillOf(filter, row) }))
  })
}

/** Which machines, as `m` at point `p`, belong to a row. */
const itsMachines: { [by in SalesFilter['by']]?: RawBuilder<unknown> } = {
  machine: sql`m.id`,
  point: sql`m.point_id`,
  merchant: sql`m.merchant_id`,
  hospital: sql`p.hospital_id`,
}

type Asked = When & { by: SalesFilter['by']; ids: readonly number[] }

/** Of machines as they stand now. */
async function emptyHours(db: Reader, sight: Sight, { by, ids, period, now }: Asked) {
  const key = itsMachines[by]
  if (!key) return new Map<number | null, number>()
  const found = await sql<{ id: number | null; hours: number }>`
    select ${key} as id, sum(${stockOutHours(sql`s.machine_id = m.id`, period, now)})::int as hours
    from machine m join point p on p.id = m.point_id
    where ${key} = any(${[...ids]}::bigint[]) and ${machineRowInSight(sight, 'm')} group by 1`.execute(db)
  return new Map(found.rows.map(({ id, hours }) => [id, hours]))
}

const deeper: { [by in SalesFilter['by']]?: SalesFilter['by'] } = {
  machine: 'day',
  merchant: 'machine',
  hospital: 'machine',
}

/** The same report of one row by what lies below it, beside the same time. */
function drillOf(filter: SalesFilter, row: { id: number; orderSearch: Record<string, string> }) {
  const by = deeper[filter.by]
  if (!by) return null
  const { paid: _, sellerId, ...search } = row.orderSearch
  return {
    ...search,
    ...(sellerId === undefined ? {} : { merchantId: sellerId }),
    ...(filter.against ? { against: filter.against } : {}),
    by,
    sort: by === 'day' ? 'group' : 'net',
  }
}
