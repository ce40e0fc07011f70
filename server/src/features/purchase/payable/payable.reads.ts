import type { InputOf } from '@aisle/contract/kernel/endpoint'
import {
  type listPayables,
  type listSupplierBalances,
  type Payable,
  type SupplierBalance,
  supplierInvoiceState,
} from '@aisle/contract/purchase/payable'
import { sql } from 'kysely'
import type { QueryContext } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, type Order, summed } from '../../../kernel/list'
import { dayAt } from '../../../kernel/platformDays'
import { merchantInSight, sightOf, subtreeOf } from '../../../kernel/scope'

type Filter = { q?: string | undefined; supplierId?: number | undefined; merchantId?: number | undefined }

export const ofSupplier = ({ supplierId, merchantId }: Filter) => [
  supplierId && sql`"supplierId" = ${supplierId}`,
  merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
]

/** The balance is the ledger's; what is overdue and due next are its open items. */
export function listBalancesIn(
  ctx: QueryContext,
  filter: InputOf<typeof listSupplierBalances>,
): Listing<SupplierBalance, { owedFen: number; overdueFen: number }> {
  const rows = sql<SupplierBalance>`
    select s.id, s.merchant_id as "merchantId", m.name as "merchantName", s.id as "supplierId",
      s.name as "supplierName", -a.balance_fen as "owedFen", o.overdue as "overdueFen", o.open as "openCount",
      to_char(o.next, 'YYYY-MM-DD') as "nextDue"
    from ledger_account a join supplier s on s.merchant_id = a.merchant_id and a.key = s.id::text
    join merchant m on m.id = s.merchant_id
    cross join lateral (
      select coalesce(sum(p.open_fen) filter (where p.due_on < ${dayAt(ctx.now(), sql`m.time_zone`)}), 0)::bigint
        as overdue, count(*)::int as open, min(p.due_on) as next
      from payable p where p.supplier_id = s.id and p.open_fen <> 0) o
    where a.kind = 'supplier_due' and ${merchantInSight(sightOf(ctx.actor), sql`s.merchant_id`)}`
  const where = allOf([filter.q && holds(sql`"supplierName"`, filter.q), ...ofSupplier(filter)])
  const order = { by: sql`"owedFen"`, type: 'bigint' as const, newestFirst: true }
  return listRows({ rows, where, order, sums: summed('owedFen', 'overdueFen') })
}

type Row = Omit<Payable, 'marks'> & { invoiceWaits: boolean; daysLeft: number }

const orders: Record<'payBy' | 'newest', Order> = {
  // What is paid comes behind all that is open.
  payBy: { by: sql`(case when "openFen" = 0 then '9' else '0' end || "payBy")`, type: 'text' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

export function listPayablesIn(
  ctx: QueryContext,
  filter: InputOf<typeof listPayables>,
): Listing<Payable, { amountFen: number; openFen: number }> {
  const { q, state, toPay, left, sort } = filter
  const rows = sql<Row>`
    select p.id, p.merchant_id as "merchantId", m.name as "merchantName", p.supplier_id as "supplierId",
      s.name as "supplierName", p.kind, r.no as "receiptNo", t.no as "returnNo", i.number as "invoiceNumber",
      case when p.reversed_at is not null then 'reversed' when p.paid_fen = p.amount_fen then 'paid'
        when p.paid_fen <> 0 then 'partly' else 'open' end as state,
      p.amount_fen as "amountFen", p.paid_fen as "paidFen", p.claimed_fen - p.paid_fen as "waitingFen",
      p.open_fen as "openFen", to_char(p.due_on, 'YYYY-MM-DD') as "payBy", to_json(p.booked_at) #>> '{}' as "bookedAt",
      coalesce(i.state = ${sql.lit(supplierInvoiceState.initial)}, false) as "invoiceWaits",
      p.due_on - ${dayAt(ctx.now(), sql`m.time_zone`)} as "daysLeft"
    from payable p join merchant m on m.id = p.merchant_id join supplier s on s.id = p.supplier_id
    left join goods_receipt r on r.id = p.receipt_id left join supplier_return t on t.id = p.return_id
    left join supplier_invoice i on i.id = p.invoice_id
    where ${merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)}`
  const where = allOf([
    q && sql`(${holds(sql`"supplierName"`, q)} or "receiptNo" = ${q} or "returnNo" = ${q} or "invoiceNumber" = ${q})`,
    isAnyOf(sql`state`, state),
    toPay === 'overdue' && sql`"openFen" <> 0 and "daysLeft" < 0`,
    toPay === 'week' && sql`"openFen" <> 0 and "daysLeft" < 7`,
    left === 'pay' && sql`"openFen" <> "waitingFen" and not "invoiceWaits"`,
    left === 'invoice' && sql`"invoiceNumber" is null and state <> 'reversed'`,
    ...ofSupplier(filter),
  ])
  const listed = listRows<Row, { amountFen: number; openFen: number }>({
    rows,
    where,
    order: orders[sort],
    sums: summed('amountFen', 'openFen'),
  })
  return mapRows(listed, (found) => found.map(marked))
}

const marked = ({ invoiceWaits, daysLeft, ...row }: Row): Payable => {
  const isOverdue = row.openFen > 0 && daysLeft < 0
  return {
    ...row,
    marks: [...(isOverdue ? (['overdue'] as const) : []), ...(invoiceWaits ? (['invoiceWaits'] as const) : [])],
  }
}
