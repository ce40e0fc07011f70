import { medicineClasses } from '@aisle/contract/catalog/product'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { listMedicineSales, listProductSales, MedicineRow, ProductRow } from '@aisle/contract/report/goods'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, isAnyOf, type Listing, mapRows } from '../../kernel/list'
import type { Sight } from '../../kernel/scope'
import type { Family } from './figures.source'
import { withBelow } from '../catalog/public'
import {
  byChange,
  dayGroup,
  difference,
  type Group,
  grouped,
  inOrder,
  itsPoint,
  largest,
  machineGroup,
  merchantGroup,
  monthGroup,
  numberOf,
  productGroup,
  type Report,
  total,
} from './grouped.reads'
import { daysBehind, type Period } from './period.rules'

type ProductFilter = InputOf<typeof listProductSales> & { categoryId?: number | undefined }
type MedicineFilter = InputOf<typeof listMedicineSales>

const productGroups = {
  product: productGroup,
  category: {
    key: sql`coalesce(p.category_id, 0)`,
    name: sql`coalesce(x.name, '–')`,
    join: sql`left join category x on x.id = g.id`,
  },
  machine: machineGroup,
  merchant: merchantGroup,
  day: dayGroup,
  month: monthGroup,
} satisfies Record<ProductFilter['by'], Group>

const isTime = (by: ProductFilter['by']) => by === 'day' || by === 'month'
/** Nothing where the rows are times themselves. */
const before = (by: ProductFilter['by'], measure: (which: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  isTime(by) ? sql`null::bigint` : measure(sql`is_before`)
const margin = (which: RawBuilder<unknown>) =>
  sql`coalesce(sum(paid_fen - refunded_fen - cost_fen + refunded_cost_fen) filter (where ${which}), 0)::bigint`

const productReport = ({ by }: ProductFilter): Report & { family: Family } => ({
  family: 'pieces',
  sumsBefore: true,
  with: by === 'category' ? itsProduct : sql``,
  measures: {
    quantity: total('quantity'),
    paidFen: total('paid_fen'),
    refundedQuantity: total('refunded_quantity'),
    refundedFen: total('refunded_fen'),
    netFen: difference('paid_fen', 'refunded_fen'),
    costFen: difference('cost_fen', 'refunded_cost_fen'),
    marginFen: margin,
  },
  row: { quantityBefore: before(by, total('quantity')), marginBeforeFen: before(by, margin) },
  compared: 'netFen',
  also: sql`, round(1000 * g."marginFen"::numeric / nullif(g."netFen", 0))::int as "marginPermille"`,
  orders: {
    group: inOrder(isTime(by)),
    net: largest('netFen'),
    quantity: largest('quantity'),
    margin: largest('marginFen'),
    refunded: largest('refundedFen'),
    change: byChange,
  },
})

/** Of a branch of the tree. */
export const productIsIn = (categoryId: number | undefined) =>
  categoryId ? [sql`product_id in (select id from product where category_id in (${withBelow(categoryId)}))`] : []

export const productIs = (code: string | undefined) =>
  code === undefined ? [] : [sql`product_id in (select id from product where code = ${code})`]

export async function listProductsIn(
  db: Reader,
  sight: Sight,
  filter: ProductFilter,
  period: Period,
): Promise<Listing<ProductRow>> {
  const { merchantId, machineCode, productCode, categoryId, by } = filter
  const scope = { sight, merchantId, machineCode, where: [...productIs(productCode), ...productIsIn(categoryId)] }
  const how = { period, scope, sort: filter.sort }
  const list = await grouped<ProductRow>(db, productReport(filter), productGroups[by], how)
  return mapRows(list, (rows) =>
    rows.map((row) => {
      const search = searchOf(filter, period, row)
      const drill =
        by === 'product' ? { ...search, by: 'machine' } : by === 'machine' ? { ...search, by: 'product' } : null
      return { ...row, orderSearch: by === 'category' ? {} : ordersOf(search), drill }
    }),
  )
}

const medicineGroups = {
  medicine: productGroup,
  batch: {
    key: numberOf(sql`product_id || '/' || batch`),
    name: sql`coalesce(nullif(g.batch, ''), '–')`,
    code: sql`g."batchOf"`,
  },
  class: {
    key: sql`array_position(${[...medicineClasses]}::text[], p.medicine_class)`,
    name: sql`(${[...medicineClasses]}::text[])[g.id]`,
  },
  hospital: {
    key: sql`coalesce(at.hospital_id, 0)`,
    name: sql`x.name`,
    join: sql`left join hospital x on x.id = g.id`,
  },
  machine: machineGroup,
  day: dayGroup,
  month: monthGroup,
} satisfies Record<MedicineFilter['by'], Group>

/** Under names that no rollup has. */
const itsProduct = sql`join (select id as of_product, category_id, medicine_class, name as product_name,
  code as product_code from product) p on p.of_product = f.product_id`

const medicineReport = ({ by, hospitalId, medicineClass }: MedicineFilter): Report & { family: Family } => ({
  family: 'batches',
  with: sql`${itsProduct} and ${allOf([isAnyOf(sql`p.medicine_class`, medicineClass)])}
    ${by === 'hospital' || hospitalId ? itsPoint : sql``}
    ${hospitalId ? sql`and at.hospital_id = ${hospitalId}` : sql``}`,
  measures: {
    quantity: total('quantity'),
    paidFen: total('paid_fen'),
    costFen: total('cost_fen'),
    marginFen: difference('paid_fen', 'cost_fen'),
  },
  row: {
    medicineClass: by === 'medicine' || by === 'batch' || by === 'class' ? sql`min(p.medicine_class)` : sql`null::text`,
    batch: by === 'batch' ? sql`min(batch)` : sql`null::text`,
    batchOf: by === 'batch' ? sql`min(p.product_name)` : sql`null::text`,
    productCode: by === 'batch' ? sql`min(p.product_code)` : sql`null::text`,
  },
  compared: 'paidFen',
  orders: {
    group: inOrder(by === 'day' || by === 'month'),
    quantity: largest('quantity'),
    paid: largest('paidFen'),
    margin: largest('marginFen'),
    change: byChange,
  },
})

type FoundMedicine = MedicineRow & { batch: string | null; batchOf: string | null; productCode: string | null }

/** @param classOf a medicine class in the caller's language */
export async function listMedicinesIn(
  db: Reader,
  sight: Sight,
  filter: MedicineFilter,
  period: Period,
  classOf: (key: string) => string,
): Promise<Listing<MedicineRow>> {
  const { merchantId, machineCode, productCode, batch, by } = filter
  const where = [...productIs(productCode), ...(batch === undefined ? [] : [sql`batch = ${batch}`])]
  const how = { period, scope: { sight, merchantId, machineCode, where }, sort: filter.sort }
  const list = await grouped<FoundMedicine>(db, medicineReport(filter), medicineGroups[by], how)
  return mapRows(list, (rows) =>
    rows.map(({ batch: ofBatch, batchOf: _, productCode: code, ...row }) => {
      const search = searchOf(filter, period, { ...row, batch: ofBatch, productCode: code })
      return {
        ...row,
        name: by === 'class' ? classOf(row.name) : row.name,
        orderSearch: by === 'class' || filter.medicineClass ? {} : { ...ordersOf(search) },
        drill: by === 'medicine' ? { ...search, by: 'batch' } : by === 'batch' ? { ...search, by: 'machine' } : null,
      }
    }),
  )
}

type Row = { id: number; name: string; code: string | null; batch?: string | null; productCode?: string | null }
type Filter = Partial<Record<'merchantId' | 'hospitalId', number>> &
  Partial<Record<'machineCode' | 'productCode' | 'batch', string>> & { by: string }

/** The filter that leaves one row: what the report is narrowed to, and the row itself. */
export function searchOf(filter: Filter, period: Period, row: Row): Record<string, string> {
  const { merchantId, hospitalId, machineCode, productCode, batch, by } = filter
  const given = { merchantId, hospitalId, machineCode, productCode, batch }
  const set = Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))
  const base: Record<string, string> = { from: period.from, to: period.to, ...Object.fromEntries(set) }
  if (by === 'day' || by === 'month') return { ...base, ...daysBehind(by, row.name, period) }
  if (by === 'machine') return { ...base, machineCode: row.code ?? '' }
  if (by === 'product' || by === 'medicine') return { ...base, productCode: row.code ?? '' }
  if (by === 'batch') return { ...base, productCode: row.productCode ?? '', batch: row.batch ?? '' }
  if (by === 'merchant') return { ...base, sellerId: String(row.id) }
  return by === 'hospital' ? { ...base, hospitalId: String(row.id) } : base
}

/** What was not named can't be looked for. */
export const ordersOf = (search: Record<string, string>): Record<string, string> =>
  Object.values(search).includes('') || search.hospitalId === '0' ? {} : { ...search, paid: 'yes' }
