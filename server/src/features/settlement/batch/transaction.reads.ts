import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { settledMethods } from '@aisle/contract/settlement/books'
import type { getTransaction, listTransactions, Transaction } from '@aisle/contract/settlement/transaction'
import type { Order } from '@aisle/contract/trade/order'
import { sql } from 'kysely'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { QueryContext, Reader } from '../../../kernel/context'
import type { ListingOf } from '../../../kernel/route'
import { mapRows } from '../../../kernel/list'
import { existing } from '../../../kernel/refuse'
import { sightOf } from '../../../kernel/scope'
import { findEntriesByOrder } from '../../ledger/public'
import { listOrdersIn } from '../../trade/public'

/** So far back what is not settled is looked for, where no day is named. */
const WAITS_DAYS = 30

type Filter = InputOf<typeof listTransactions>

/** Orders as trade finds them, each with what it was settled at. */
export async function listTransactionsIn(
  { db, actor, now }: QueryContext,
  { settled, ...filter }: Filter,
): Promise<ListingOf<typeof listTransactions>> {
  // Of what waits the newest come first; nobody looks through years of settled orders for the last of them.
  const from =
    settled === 'waiting' && !filter.from
      ? addDays(businessTime(now(), PLATFORM_TIME_ZONE).day, -WAITS_DAYS)
      : filter.from
  const {
    cursor: _,
    pageSize: __,
    sort: ___,
    ...conditions
  } = { ...filter, ...(from && { from }), ...(settled && { settled }) }
  return mapRows(await listOrdersIn(db, sightOf(actor), conditions), (orders, reader) => withFees(reader, orders))
}

type Fees = {
  orderId: number
  settlementId: number
  settledAt: string
  channelFen: number | null
  functionFen: number | null
  taxFen: number | null
  splitFen: number
}

async function withFees(db: Reader, orders: readonly Order[]): Promise<Transaction[]> {
  const found = await sql<Fees>`select i.reference as "orderId", i.settlement_id as "settlementId",
      to_json(s.posted_at) #>> '{}' as "settledAt", i.channel_fee_fen as "channelFen",
      i.function_fee_fen as "functionFen", i.tax_fen as "taxFen", i.split_fen as "splitFen"
    from settled_item i join settlement s on s.id = i.settlement_id
    where i.kind = 'order' and i.reference = any(${orders.map(({ id }) => id)}::bigint[])`.execute(db)
  const fees = new Map(found.rows.map((row) => [row.orderId, row]))
  return orders.map((order) => settledAs(order, fees.get(order.id)))
}

const isOwed = ({ method, paymentState }: Order) =>
  (settledMethods as readonly string[]).includes(method) && !['unpaid', 'closed'].includes(paymentState)

function settledAs(order: Order, fees: Fees | undefined): Transaction {
  const { id, orderNo, occurredAt, businessDay, merchantName, method } = order
  const { totalFen, discountFen, paidFen, refundedFen } = order
  const [channelFeeFen, functionFeeFen] = [fees?.channelFen ?? null, fees?.functionFen ?? null]
  const [taxFen, splitFen] = [fees?.taxFen ?? null, fees?.splitFen ?? null]
  const isKnown = channelFeeFen !== null && functionFeeFen !== null && taxFen !== null
  return {
    id,
    orderNo,
    occurredAt,
    businessDay,
    merchantName,
    method,
    totalFen,
    discountFen,
    paidFen,
    refundedFen,
    settled: fees ? 'settled' : isOwed(order) ? 'waiting' : 'none',
    channelFeeFen,
    functionFeeFen,
    taxFen,
    splitFen,
    netFen: isKnown ? paidFen - refundedFen - channelFeeFen - functionFeeFen - taxFen - (splitFen ?? 0) : null,
    settledAt: fees?.settledAt ?? null,
    settlementId: fees?.settlementId ?? null,
  }
}

type Detail = OutputOf<typeof getTransaction>

export async function findTransaction(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const { db, actor } = ctx
  const numbers = await sql<{ orderNo: string }>`select order_no as "orderNo" from order_number
    where order_id = ${id}`.execute(db)
  const { orderNo } = existing(numbers.rows[0])
  const listing = await listOrdersIn(db, sightOf(actor), { orderNo })
  const { items } = await listing.page(db, { pageSize: 10 })
  const [transaction] = await withFees(
    db,
    items.filter((order) => order.id === id),
  )
  const entries = await findEntriesByOrder(db, id)
  return {
    ...existing(transaction),
    batches: await batchesOf(db, id),
    entries: entries.map(({ transferId, kind, account, amountFen, postedAt }) => ({
      transferId,
      kind,
      account,
      amountFen,
      postedAt: postedAt.toISOString(),
    })),
  }
}

async function batchesOf(db: Reader, orderId: number): Promise<Detail['batches']> {
  const found = await sql<Detail['batches'][number]>`
    select i.id, i.settlement_id as "settlementId", to_char(s.business_day, 'YYYY-MM-DD') as "businessDay",
      f.refund_no as "refundNo", coalesce(-f.amount_fen, i.amount_fen) as "amountFen", s.run_id as "runId",
      to_json(s.posted_at) #>> '{}' as "settledAt"
    from (select 'order' as kind, ${orderId}::bigint as reference
      union all select 'refund', id from refund where order_id = ${orderId}) asked
    join settled_item i on i.kind = asked.kind and i.reference = asked.reference
    join settlement s on s.id = i.settlement_id
    left join refund f on i.kind = 'refund' and f.id = i.reference
    order by s.posted_at, i.id`.execute(db)
  return found.rows
}
