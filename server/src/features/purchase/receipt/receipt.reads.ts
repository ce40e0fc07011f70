import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  type getGoodsReceipt,
  type GoodsReceipt,
  goodsReceiptState,
  type listGoodsReceipts,
  receiptMarks,
  type ReceiptLine,
} from '@aisle/contract/purchase/receipt'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, summed } from '../../../kernel/list'
import { dayAt, withinDays } from '../../../kernel/platformDays'
import { existing } from '../../../kernel/refuse'
import { merchantInSight, type Sight, sightOf, subtreeOf } from '../../../kernel/scope'
import { statesIn } from '../../../kernel/states'

type Row = Omit<GoodsReceipt, 'marks'> & { short: number; codeless: number }

/** Without a code are medicines alone: other goods bear none. */
const rowsInSight = (sight: Sight): RawBuilder<Row> => sql`
  select r.id, r.no, r.merchant_id as "merchantId", m.name as "merchantName", r.supplier_id as "supplierId",
    s.name as "supplierName", o.no as "orderNo", w.name as "warehouseName", r.state,
    r.delivery_note as "deliveryNote", l.pieces, l.refused, l.short, l.codeless, l.value as "valueFen", r.receiver,
    to_json(r.received_at) #>> '{}' as "receivedAt", r.decider, to_json(r.decided_at) #>> '{}' as "decidedAt"
  from goods_receipt r join merchant m on m.id = r.merchant_id join supplier s on s.id = r.supplier_id
  join warehouse w on w.id = r.warehouse_id left join purchase_order o on o.id = r.order_id
  cross join lateral (
    select coalesce(sum(l.counted), 0)::int as pieces, coalesce(sum(l.damaged + l.refused), 0)::int as refused,
      coalesce(sum(greatest(l.announced - l.counted - l.damaged - l.refused, 0)), 0)::int as short,
      coalesce(sum(l.cost_fen), 0)::bigint as value,
      (count(*) filter (where p.kind = 'medicine' and cardinality(l.codes) < l.counted))::int as codeless
    from goods_receipt_line l join product p on p.id = l.product_id where l.receipt_id = r.id) l
  where ${merchantInSight(sight, sql`r.merchant_id`)}`

const shown = ({ short, codeless, ...row }: Row): GoodsReceipt => {
  const holdsOf = { short: short > 0, refused: row.refused > 0, codeless: codeless > 0 }
  return { ...row, marks: receiptMarks.filter((mark) => holdsOf[mark]) }
}

type Asked = InputOf<typeof listGoodsReceipts>

const wasPutAway = (days: Parameters<typeof withinDays>[1]) => sql`id in (select r.id from goods_receipt r
  where r.state in ${statesIn(goodsReceiptState, 'bought')} and ${allOf(withinDays(sql`r.decided_at`, days))})`

export function listGoodsReceiptsIn(ctx: QueryContext, asked: Asked): Listing<GoodsReceipt, { valueFen: number }> {
  const { q, state, supplierId, orderNo, productCode, doneFrom, doneTo, merchantId } = asked
  const where = allOf([
    q && sql`(${holds(sql`no`, q)} or ${holds(sql`"supplierName"`, q)} or ${holds(sql`"deliveryNote"`, q)})`,
    isAnyOf(sql`state`, state),
    supplierId && sql`"supplierId" = ${supplierId}`,
    orderNo && sql`"orderNo" = ${orderNo}`,
    productCode &&
      sql`id in (select l.receipt_id from goods_receipt_line l join product p on p.id = l.product_id
        where p.code = ${productCode})`,
    (doneFrom || doneTo) && wasPutAway({ from: doneFrom, to: doneTo }),
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
  const rows = rowsInSight(sightOf(ctx.actor))
  const listed = listRows<Row, { valueFen: number }>({ rows, where, order, sums: summed('valueFen') })
  return mapRows(listed, (found) => found.map(shown))
}

type Detail = OutputOf<typeof getGoodsReceipt>
type More = Pick<Detail, 'orderId' | 'note' | 'endReason' | 'second'> & {
  receivedBy: number | null
  decidedBy: number | null
}

export async function findGoodsReceipt(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await sql<Row & More>`
    select seen.*, r.order_id as "orderId", r.note, r.end_reason as "endReason", r.second,
      r.received_by as "receivedBy", r.decided_by as "decidedBy"
    from (${rowsInSight(sightOf(ctx.actor))}) seen join goods_receipt r on r.id = seen.id
    where seen.id = ${id}`.execute(ctx.db)
  const { orderId, note, endReason, second, receivedBy, decidedBy, ...row } = existing(found.rows[0])
  const { userId } = ctx.actor
  return {
    ...shown(row),
    orderId,
    note,
    endReason,
    second,
    mayAccept: receivedBy !== userId,
    mayReverse: decidedBy !== userId,
    lines: await findLines(ctx.db, id),
  }
}

async function findLines(db: Reader, id: number): Promise<ReceiptLine[]> {
  const found = await sql<ReceiptLine>`
    select l.line, l.product_id as "productId", p.code as "productCode", p.name as "productName", p.specification,
      p.kind = 'medicine' as "isMedicine", l.batch, to_char(l.produced_on, 'YYYY-MM-DD') as "producedOn",
      to_char(l.expires_on, 'YYYY-MM-DD') as "expiresOn",
      l.expires_on - ${dayAt(sql`r.received_at`, sql`m.time_zone`)} as "daysLeft", l.announced, l.counted, l.damaged,
      l.refused, l.reason, (l.temperature_tenths / 10.0)::float8 as "temperatureC", l.codes,
      l.price_fen as "priceFen", l.pack_units as "packUnits", l.cost_fen as "costFen"
    from goods_receipt_line l join product p on p.id = l.product_id join goods_receipt r on r.id = l.receipt_id
    join merchant m on m.id = r.merchant_id
    where l.receipt_id = ${id} order by l.line`.execute(db)
  return found.rows
}
