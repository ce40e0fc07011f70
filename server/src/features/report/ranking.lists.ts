import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type {
  RankedGoods,
  RankedMachine,
  RankedProduct,
  RankedRunner,
  rankGoods,
  rankMachines,
  rankProducts,
  rankRunners,
} from '@aisle/contract/report/ranking'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, type Listing, mapRows } from '../../kernel/list'
import { stockOutHours } from './stockOut.reads'
import { machineInSight, machineRowInSight, type Sight } from '../../kernel/scope'
import { hasMoved, type Reach } from './figures.source'
import { ordersOf, productIs, productIsIn } from './goods.reads'
import { itsPoint } from './grouped.reads'
import type { Period } from './period.rules'
import { type Ranking, ranked } from './ranking.reads'
import { salesScope } from './sales.reads'

type ProductFilter = InputOf<typeof rankProducts>
type GoodsFilter = InputOf<typeof rankGoods>
type MachineFilter = InputOf<typeof rankMachines>
type RunnerFilter = InputOf<typeof rankRunners>

export const productRanking = (
  db: Reader,
  sight: Sight,
  filter: ProductFilter,
  period: Period,
): Promise<Listing<RankedProduct>> =>
  rankedProducts(db, sight, filter, { period, where: productIs(filter.productCode) })

/** Those of a branch of the tree or of a kind, each with what is left of it. */
export async function goodsRanking(
  db: Reader,
  sight: Sight,
  filter: GoodsFilter,
  period: Period,
): Promise<Listing<RankedGoods>> {
  const { productCode, categoryId, kind } = filter
  const where = [
    ...productIs(productCode),
    ...productIsIn(categoryId),
    ...(kind ? [sql`product_id in (select id from product where kind = ${sql.lit(kind)})`] : []),
  ]
  return mapRows(await rankedProducts(db, sight, filter, { period, where }), async (rows, reader) => {
    const about = await aboutGoods(
      reader,
      sight,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => {
      const { categoryId: ofCategory = null, categoryName = null, stock = 0 } = about.get(row.id) ?? {}
      const categorySearch: Record<string, string> = ofCategory === null ? {} : { categoryId: String(ofCategory) }
      return {
        ...row,
        categoryName,
        stock,
        productSearch: { code: row.code ?? '', open: String(row.id) },
        categorySearch,
      }
    })
  })
}

type Products = { period: Period; where: RawBuilder<unknown>[] }

async function rankedProducts(
  db: Reader,
  sight: Sight,
  filter: ProductFilter,
  { period, where }: Products,
): Promise<Listing<RankedProduct>> {
  const { merchantId, machineCode } = filter
  const scope: Reach = { sight, merchantId, machineCode, where, isMoved: await hasMoved(db, sight) }
  const ranking: Ranking = {
    family: 'pieces',
    key: sql`product_id`,
    count: { column: 'quantity', now: 'quantity', before: 'quantityBefore' },
    offered: sql`select distinct s.product_id as id from slot s join machine m on m.id = s.machine_id
      where s.product_id is not null and ${inService(sight, filter)} and ${allOf(where)}`,
    table: 'product',
    hasCode: true,
  }
  return mapRows(ranked<RankedProduct>(ranking, { period, scope, sort: filter.sort }), (rows) =>
    rows.map((row) => {
      const search = { ...searchOf(filter, period), productCode: row.code ?? '' }
      return { ...row, orderSearch: ordersOf(search), drill: { ...search, by: 'machine' } }
    }),
  )
}

type AboutGoods = { id: number; categoryId: number | null; categoryName: string | null; stock: number }

/** How they are sorted, and what of them lies in machines in sight now. */
async function aboutGoods(db: Reader, sight: Sight, ids: readonly number[]): Promise<Map<number, AboutGoods>> {
  const found = await sql<AboutGoods>`
    select p.id, c.id as "categoryId", c.name as "categoryName", (
      select coalesce(sum(l.quantity), 0)::int from slot s
      join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
      where s.product_id = p.id and ${machineInSight(sight, sql`s.machine_id`)}) as stock
    from product p left join category c on c.id = p.category_id where p.id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(found.rows.map((row) => [row.id, row]))
}

/** @param now up to which a slot that is empty now has been */
export function machineRanking(
  sight: Sight,
  filter: MachineFilter,
  { period, now }: { period: Period; now: Date },
): Listing<RankedMachine> {
  const ranking: Ranking = {
    ...soldBy,
    key: sql`machine_id`,
    offered: sql`select m.id from machine m join point p on p.id = m.point_id where ${inService(sight, filter)}`,
    table: 'machine',
    hasCode: true,
  }
  const list = ranked<RankedMachine>(ranking, { period, scope: soldAt(sight, filter), sort: filter.sort })
  return mapRows(list, async (rows, db) => {
    const ids = rows.map(({ id }) => id)
    const about = await aboutMachines(db, ids, period, now)
    return rows.map((row) => {
      const { pointName = '–', operatorName = null, stockOutHours = 0 } = about.get(row.id) ?? {}
      const search = { ...searchOf(filter, period), machineCode: row.code ?? '' }
      const machineSearch = { code: row.code ?? '', open: String(row.id) }
      return { ...row, pointName, operatorName, stockOutHours, orderSearch: ordersOf(search), machineSearch }
    })
  })
}

/** @param nobody what is sold by no operator, or at no hospital, is called in the caller's language */
export function runnerRanking(
  sight: Sight,
  filter: RunnerFilter,
  { period, nobody }: { period: Period; nobody: string },
): Listing<RankedRunner> {
  const isHospital = filter.by === 'hospital'
  const [its, table] = isHospital ? [sql`p.hospital_id`, 'hospital'] : [sql`m.operator_id`, 'organisation']
  const machines = sql`machine m join point p on p.id = m.point_id where ${inService(sight, filter)}`
  const ranking: Ranking = {
    ...soldBy,
    key: isHospital ? sql`coalesce(at.hospital_id, 0)` : sql`coalesce(by.operator_id, 0)`,
    with: isHospital ? itsPoint : itsMachine,
    offered: sql`select distinct ${its} as id from ${machines} and ${its} is not null`,
    table,
    hasCode: false,
  }
  const list = ranked<RankedRunner>(ranking, { period, scope: soldAt(sight, filter), sort: filter.sort })
  return mapRows(list, async (rows, db) => {
    const counts = await sql<{ id: number; machines: number }>`
      select coalesce(${its}, 0) as id, count(*)::int as machines from ${machines} group by 1`.execute(db)
    const machinesOf = new Map(counts.rows.map(({ id, machines: count }) => [id, count]))
    return rows.map((row) => {
      const own: Record<string, string> = row.id === 0 ? {} : { [`${filter.by}Id`]: String(row.id) }
      const search = { ...searchOf(filter, period), ...own }
      return {
        ...row,
        name: row.id === 0 ? nobody : row.name,
        machineCount: machinesOf.get(row.id) ?? 0,
        orderSearch: row.id > 0 ? ordersOf(search) : {},
        machineSearch: own,
        drill: row.id === 0 ? {} : search,
      }
    })
  })
}

const soldBy = {
  family: 'figures',
  isByMachine: true,
  count: { column: 'orders', now: 'orders', before: 'ordersBefore' },
} as const

/** Under names that no rollup has. */
const itsMachine = sql`join (select id as of_machine, operator_id from machine) by on by.of_machine = f.machine_id`

type SoldFilter = Omit<MachineFilter, 'cursor' | 'pageSize' | 'sort'>

/** An operator's are the machines that it runs now, a hospital's what was sold on its points. */
function soldAt(sight: Sight, { operatorId, ...filter }: SoldFilter): Reach {
  const scope = salesScope(sight, filter)
  const where = [
    ...(scope.where ?? []),
    ...(operatorId ? [sql`machine_id in (select id from machine where operator_id = ${operatorId})`] : []),
  ]
  return { ...scope, where, isByMachine: true, isMoved: false }
}

type Place = Pick<SoldFilter, 'merchantId' | 'machineCode' | 'operatorId' | 'hospitalId'>

/** Machines, as `m`, that could sell now and are asked for. */
const inService = (sight: Sight, filter: Place): RawBuilder<boolean> => {
  const { merchantId, machineCode, operatorId, hospitalId } = filter
  return allOf([
    sql`m.retired_at is null`,
    machineRowInSight(sight, 'm'),
    machineCode && sql`m.code = ${machineCode}`,
    merchantId && sql`m.merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    operatorId && sql`m.operator_id = ${operatorId}`,
    hospitalId && sql`m.point_id in (select id from point where hospital_id = ${hospitalId})`,
  ])
}

type About = { id: number; pointName: string; operatorName: string | null; stockOutHours: number }

/** Where machines stand now and how long their slots stood empty in the time. */
async function aboutMachines(
  db: Reader,
  ids: readonly number[],
  period: Period,
  now: Date,
): Promise<Map<number, About>> {
  const found = await sql<About>`
    select m.id, p.name as "pointName", u.name as "operatorName",
      ${stockOutHours(sql`s.machine_id = m.id`, period, now)} as "stockOutHours"
    from machine m join point p on p.id = m.point_id left join organisation u on u.id = m.operator_id
    where m.id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(found.rows.map((row) => [row.id, row]))
}

/** What the orders behind a row are narrowed to, beside the row itself. */
function searchOf(filter: SoldFilter, { from, to }: Period): Record<string, string> {
  const { merchantId, machineCode, operatorId, hospitalId, method, businessType } = filter
  const given = { merchantId, machineCode, operatorId, hospitalId, method, businessType }
  const set = Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))
  return { from, to, ...Object.fromEntries(set) }
}
