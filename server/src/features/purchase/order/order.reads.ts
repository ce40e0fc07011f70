import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  type getPurchaseOrder,
  type listPurchaseOrders,
  type PurchaseLine,
  type PurchaseOrder,
  purchaseOrderState,
  type summarisePurchaseOrders,
} from '@aisle/contract/purchase/order'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, type Order, summed } from '../../../kernel/list'
import { must, only } from '../../../kernel/must'
import { dayAt } from '../../../kernel/platformDays'
import { existing } from '../../../kernel/refuse'
import { merchantInSight, type Sight, sightOf, subtreeOf } from '../../../kernel/scope'
import { statesIn, stateTo } from '../../../kernel/states'
import { faultOfSupplier } from '../supplier.rules'
import { standingFor } from '../supplier.store'
import { marksOf, taxIn } from './order.rules'
import { wroteIt } from './order.store'

type Terms = Parameters<typeof marksOf>[0]
type Row = Omit<PurchaseOrder, 'marks'> & { terms: Terms[] }

const rowsInSight = (sight: Sight, now: Date): RawBuilder<Row> => sql`
  select o.id, o.no, o.merchant_id as "merchantId", m.name as "merchantName", o.supplier_id as "supplierId",
    s.name as "supplierName", w.name as "warehouseName", o.state, l.terms, l.lines as "lineCount", l.pieces,
    l.received, l.total as "totalFen", to_char(o.due_on, 'YYYY-MM-DD') as "dueOn",
    case when o.state in ${statesIn(purchaseOrderState, 'awaited')}
      then o.due_on - ${dayAt(now, sql`m.time_zone`)} end as "daysLeft",
    o.maker, to_json(o.made_at) #>> '{}' as "madeAt", o.approver, to_json(o.approved_at) #>> '{}' as "approvedAt",
    o.sent_how as "sentHow", to_json(o.sent_at) #>> '{}' as "sentAt"
  from purchase_order o join merchant m on m.id = o.merchant_id join supplier s on s.id = o.supplier_id
  join warehouse w on w.id = o.warehouse_id
  cross join lateral (
    select count(*)::int as lines, coalesce(sum(l.pieces), 0)::int as pieces,
      coalesce(sum(l.received), 0)::int as received, coalesce(sum(l.packs * l.price_fen), 0)::bigint as total,
      coalesce(json_agg(json_build_object('packs', l.packs, 'minimumPacks', p.minimum_packs, 'priceFen', l.price_fen,
        'listFen', l.list_fen)), '[]') as terms
    from purchase_order_line l join supplier_product p on p.id = l.supplier_product_id where l.order_id = o.id) l
  where ${merchantInSight(sight, sql`o.merchant_id`)}`

/** What is over is as it is. */
function marksIn({ state, daysLeft, terms }: Pick<Row, 'state' | 'daysLeft' | 'terms'>): PurchaseOrder['marks'] {
  const isOverdue = daysLeft !== null && daysLeft < 0
  const ofLines = purchaseOrderState.is(state, 'ended') ? [] : terms.flatMap(marksOf)
  return [...(isOverdue ? (['overdue'] as const) : []), ...new Set(ofLines)]
}

const orders: Record<'newest' | 'due', Order> = {
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  // What is awaited first; its days are before all that is over.
  due: { by: sql`(case when "daysLeft" is null then '9' else '0' end || "dueOn")`, type: 'text' },
}

type Asked = InputOf<typeof listPurchaseOrders>

export function listPurchaseOrdersIn(ctx: QueryContext, asked: Asked): Listing<PurchaseOrder, { totalFen: number }> {
  const { q, state, due, orderNo, awaited, supplierId, merchantId, sort } = asked
  const where = allOf([
    q && sql`(${holds(sql`no`, q)} or ${holds(sql`"supplierName"`, q)})`,
    isAnyOf(sql`state`, state),
    due === 'overdue' && sql`"daysLeft" < 0`,
    due === 'week' && sql`"daysLeft" < 7`,
    orderNo && sql`no = ${orderNo}`,
    awaited && sql`state in ${statesIn(purchaseOrderState, 'awaited')}`,
    supplierId && sql`"supplierId" = ${supplierId}`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  const rows = listRows<Row, { totalFen: number }>({
    rows: rowsInSight(sightOf(ctx.actor), ctx.now()),
    where,
    order: orders[sort],
    sums: summed('totalFen'),
  })
  return mapRows(rows, (found) => found.map(({ terms, ...row }) => ({ ...row, marks: marksIn({ ...row, terms }) })))
}

const named = (verb: 'submit' | 'approve' | 'comePartly') => stateTo(purchaseOrderState, verb)
const [submitted, approved, partly] = [named('submit'), named('approve'), named('comePartly')]

export async function summary(ctx: QueryContext): Promise<OutputOf<typeof summarisePurchaseOrders>> {
  const found = await sql<OutputOf<typeof summarisePurchaseOrders>>`
    select count(*) filter (where o.state = ${submitted})::int as submitted,
      count(*) filter (where o.state = ${approved})::int as approved,
      count(*) filter (where o.state in ${statesIn(purchaseOrderState, 'awaited')}
        and o.due_on < ${dayAt(ctx.now(), sql`m.time_zone`)})::int as overdue,
      count(*) filter (where o.state = ${partly})::int as partly
    from purchase_order o join merchant m on m.id = o.merchant_id
    where o.state in ${statesIn(purchaseOrderState, 'open')}
      and ${merchantInSight(sightOf(ctx.actor), sql`o.merchant_id`)}`.execute(ctx.db)
  return only(found)
}

type Detail = OutputOf<typeof getPurchaseOrder>
type More = Pick<
  Detail,
  | 'version'
  | 'warehouseId'
  | 'warehouseAddress'
  | 'supplierState'
  | 'supplierContact'
  | 'supplierPhone'
  | 'supplierAddress'
  | 'termsDays'
  | 'note'
  | 'endReason'
>

export async function findPurchaseOrder(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await sql<Row & More & { isOwn: boolean }>`
    select seen.*, o.version, o.warehouse_id as "warehouseId", w.address as "warehouseAddress",
      s.state as "supplierState", s.contact as "supplierContact", s.phone as "supplierPhone",
      s.address as "supplierAddress", s.terms_days as "termsDays", o.note, o.end_reason as "endReason",
      ${wroteIt(id, ctx.actor.userId)} as "isOwn"
    from (${rowsInSight(sightOf(ctx.actor), ctx.now())}) seen join purchase_order o on o.id = seen.id
    join supplier s on s.id = o.supplier_id join warehouse w on w.id = o.warehouse_id
    where seen.id = ${id}`.execute(ctx.db)
  const { isOwn, terms, ...row } = existing(found.rows[0])
  const lines = await findLines(ctx.db, id)
  const classes = lines.flatMap(({ medicineClass }) => medicineClass ?? [])
  const [supplier] = await standingFor(ctx.db, ctx.now(), sql`s.id = ${row.supplierId}`)
  return {
    ...row,
    marks: marksIn({ ...row, terms }),
    taxFen: lines.reduce((sum, { amountFen, taxPermille }) => sum + taxIn(amountFen, taxPermille), 0),
    fault: faultOfSupplier(must(supplier, 'the supplier of an order'), classes),
    mayApprove: !isOwn,
    lines: lines.map(({ medicineClass, ...line }) => ({
      ...line,
      isMedicine: medicineClass !== null,
      marks: marksOf(line),
    })),
    plan: await findPlanOf(ctx.db, id),
    receipts: await findReceipts(ctx.db, id),
    story: await findStory(ctx.db, id),
  }
}

type LineRow = Omit<PurchaseLine, 'marks' | 'isMedicine'> & {
  medicineClass: Parameters<typeof faultOfSupplier>[1][number] | null
}

async function findLines(db: Reader, id: number): Promise<LineRow[]> {
  const found = await sql<LineRow>`
    select l.line, l.product_id as "productId", p.code as "productCode", p.name as "productName", p.specification,
      p.medicine_class as "medicineClass", l.supplier_product_id as "supplierProductId",
      s.supplier_code as "supplierCode", l.packs, l.pack_units as "packUnits", l.pieces, l.price_fen as "priceFen",
      l.list_fen as "listFen", l.tax_permille as "taxPermille", l.packs * l.price_fen as "amountFen",
      s.minimum_packs as "minimumPacks", l.received, l.claimed - l.received as waiting
    from purchase_order_line l join product p on p.id = l.product_id
    join supplier_product s on s.id = l.supplier_product_id
    where l.order_id = ${id} order by l.line`.execute(db)
  return found.rows
}

async function findPlanOf(db: Reader, id: number): Promise<Detail['plan']> {
  const found = await sql<NonNullable<Detail['plan']>>`select p.id, p.no from purchase_plan p
    where p.id = (select plan_id from purchase_plan_line where order_id = ${id} limit 1)`.execute(db)
  return found.rows[0] ?? null
}

async function findReceipts(db: Reader, id: number): Promise<Detail['receipts']> {
  const found = await sql<Detail['receipts'][number]>`
    select r.id, r.no, r.state, to_json(r.received_at) #>> '{}' as at, r.receiver as by,
      (select coalesce(sum(l.counted), 0)::int from goods_receipt_line l where l.receipt_id = r.id) as pieces
    from goods_receipt r where r.order_id = ${id} order by r.id desc limit 100`.execute(db)
  return found.rows
}

async function findStory(db: Reader, id: number): Promise<Detail['story']> {
  const found = await sql<Detail['story'][number]>`
    select e.id, to_json(e.at) #>> '{}' as at, e.verb, u.display_name as who, e.note
    from purchase_event e left join app_user u on u.id = e.user_id
    where e.order_id = ${id} order by e.id desc limit 100`.execute(db)
  return found.rows
}
