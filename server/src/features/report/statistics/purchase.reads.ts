import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { goodsReceiptState } from '@aisle/contract/purchase/receipt'
import { supplierReturnState } from '@aisle/contract/purchase/supplierReturn'
import type { listPurchaseStatistics, PurchaseRow } from '@aisle/contract/report/statistics/purchase'
import { type RawBuilder, sql } from 'kysely'
import { allOf, type Listing, mapRows } from '../../../kernel/list'
import { dayAtHome, withinDays } from '../../../kernel/platformDays'
import { merchantInSight, type Sight, subtreeOf } from '../../../kernel/scope'
import { statesIn } from '../../../kernel/states'
import {
  byChange,
  difference,
  type Group,
  groupedFrom,
  inOrder,
  largest,
  merchantGroup,
  monthGroup,
  productGroup,
  type Report,
  total,
} from '../grouped.reads'
import { type Days, daysBehind, type Period } from '../period.rules'

type Filter = InputOf<typeof listPurchaseStatistics>

const groups: Record<Filter['by'], Group> = {
  supplier: { key: sql`supplier_id`, name: sql`x.name`, join: sql`left join supplier x on x.id = g.id` },
  product: productGroup,
  merchant: merchantGroup,
  month: monthGroup,
}

const now = sql`not is_before`
/** Of a line, in fen a piece. */
const each = sql`round(fen::numeric / nullif(pieces, 0))::bigint`
const average = (which: RawBuilder<unknown>) => sql`round(sum(fen) filter (where ${which})::numeric
  / nullif(sum(pieces) filter (where ${which}), 0))::bigint`

const report: Report = {
  sumsBefore: true,
  measures: {
    receipts: (which) => sql`(count(distinct receipt_id) filter (where ${which}))::int`,
    pieces: total('pieces'),
    amountFen: total('fen'),
    returnedPieces: total('returned_pieces'),
    returnedFen: total('returned_fen'),
    boughtFen: difference('fen', 'returned_fen'),
  },
  row: {
    pieceFen: average(now),
    lowestFen: sql`min(${each}) filter (where ${now})`,
    highestFen: sql`max(${each}) filter (where ${now})`,
    pieceBeforeFen: average(sql`is_before`),
  },
  compared: 'boughtFen',
  orders: {
    bought: largest('boughtFen'),
    pieces: largest('pieces'),
    returned: largest('returnedFen'),
    change: byChange,
    group: inOrder(true),
  },
}

/** Of merchants in sight, on the days on which goods were put away and sent back. */
export function listPurchasesIn(sight: Sight, filter: Filter, period: Period): Listing<PurchaseRow> {
  const lines = (days: Days) => linesIn(sight, filter, days)
  const list = groupedFrom<Omit<PurchaseRow, 'receiptSearch' | 'drill'>>(lines, report, groups[filter.by], {
    period,
    sort: filter.sort,
  })
  return mapRows(list, (found) =>
    found.map((row) => ({
      ...row,
      receiptSearch: receiptsOf(filter, period, row),
      drill:
        filter.by === 'supplier' ? { ...drillOf(filter, period), supplierId: String(row.id), by: 'product' } : null,
    })),
  )
}

function linesIn(sight: Sight, filter: Filter, days: Days): RawBuilder<unknown> {
  const { merchantId, supplierId, productCode } = filter
  const which = allOf([
    merchantInSight(sight, sql`d.merchant_id`),
    merchantId && sql`d.merchant_id in (${subtreeOf(merchantId)})`,
    supplierId && sql`d.supplier_id = ${supplierId}`,
    productCode && sql`l.product_id in (select id from product where code = ${productCode})`,
  ])
  return sql`
    select ${dayAtHome(sql`d.decided_at`)} as business_day, d.merchant_id, d.supplier_id, l.product_id,
      d.id as receipt_id, l.counted as pieces, l.cost_fen as fen, 0 as returned_pieces, 0::bigint as returned_fen
    from goods_receipt d join goods_receipt_line l on l.receipt_id = d.id
    where d.state in ${statesIn(goodsReceiptState, 'bought')} and ${allOf(withinDays(sql`d.decided_at`, days))}
      and ${which}
    union all
    select ${dayAtHome(sql`d.sent_at`)}, d.merchant_id, d.supplier_id, l.product_id, null, 0, 0, l.quantity, l.cost_fen
    from supplier_return d join supplier_return_line l on l.return_id = d.id
    where d.state in ${statesIn(supplierReturnState, 'gone')} and ${allOf(withinDays(sql`d.sent_at`, days))}
      and ${which}`
}

const given = (filter: Filter, names: readonly ('merchantId' | 'supplierId' | 'productCode' | 'against')[]) =>
  Object.fromEntries(names.flatMap((name) => (filter[name] === undefined ? [] : [[name, String(filter[name])]])))

/** The receipts behind a row. */
function receiptsOf(filter: Filter, period: Period, row: { id: number; name: string; code: string | null }) {
  const { by } = filter
  const { from, to } = by === 'month' ? daysBehind(by, row.name, period) : period
  const search: Record<string, string> = given(filter, ['merchantId', 'supplierId', 'productCode'])
  if (by === 'product') search.productCode = row.code ?? ''
  if (by === 'supplier' || by === 'merchant') search[`${by}Id`] = String(row.id)
  return { ...search, doneFrom: from, doneTo: to }
}

const drillOf = (filter: Filter, { from, to }: Period): Record<string, string> => ({
  from,
  to,
  ...given(filter, ['merchantId', 'productCode', 'against']),
})
