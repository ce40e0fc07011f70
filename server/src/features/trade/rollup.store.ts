import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import { businessTime } from '../../kernel/businessDay'
import type { Tx } from '../../kernel/context'
import type { HandedOut, PaidSale, RefundedSale } from './trade.types'

/** Any number: the one lock under which rollup rows are written; the functions of the schema take it too. */
const ROLLUP_LOCK = 7_601

const FIGURES = ['orders', 'paid_fen', 'discount_fen', 'online_orders', 'online_fen', 'refunds', 'refunded_fen']
/** What goods cost is a machine's figure too, by the point at which they were sold. */
const MACHINE = [...FIGURES, 'cost_fen', 'refunded_cost_fen']
const PIECES = ['quantity', 'paid_fen', 'cost_fen', 'refunded_quantity', 'refunded_fen', 'refunded_cost_fen']

/** What is kept by day and as running totals of days that are folded: what a row is of, and what it sums. */
const kept = {
  '': { keys: ['merchant_id', 'method', 'business_type'], sums: FIGURES, begins: 'year', above: '_above' },
  _machine: {
    keys: ['machine_id', 'merchant_id', 'point_id', 'method', 'business_type'],
    sums: MACHINE,
    begins: 'year',
    above: null,
  },
  _product: { keys: ['merchant_id', 'product_id'], sums: PIECES, begins: 'year', above: '_above_product' },
  _machine_product: {
    keys: ['machine_id', 'merchant_id', 'product_id'],
    sums: PIECES,
    begins: 'year',
    above: null,
  },
  _batch: {
    keys: ['machine_id', 'merchant_id', 'point_id', 'product_id', 'batch'],
    sums: ['quantity', 'paid_fen', 'cost_fen'],
    begins: 'month',
    above: null,
  },
} as const
type Kept = keyof typeof kept

/**
 * Adds paid sales, and medicines that were handed out, to the figures, in their own transaction. One writer at a time
 * (the lock is taken last and held until the commit), so hot rows need no lock order; see docs/decisions/0003 and 0021.
 */
export async function addToRollups(tx: Tx, sales: readonly PaidSale[], handedOut: readonly HandedOut[]): Promise<void> {
  if (sales.length === 0 && handedOut.length === 0) return
  await sql`select pg_advisory_xact_lock(${ROLLUP_LOCK})`.execute(tx)
  await addSales(tx, sales)
  await add(
    tx,
    sql`select f.*, 1 as quantity from ${rows('f', sales.flatMap(piecesOf), {
      business_day: 'date',
      machine_id: 'bigint',
      merchant_id: 'bigint',
      product_id: 'bigint',
      paid_fen: 'bigint',
      cost_fen: 'bigint',
    })}`,
    { kinds: ['_product', '_machine_product'], given: ['quantity', 'paid_fen', 'cost_fen'], count: sales.length },
  )
  // Goods have no batches worth a figure; which of them are medicines is the product's to say.
  await add(
    tx,
    sql`select f.*, 1 as quantity from ${rows('f', handedOut.map(medicineOf), {
      business_day: 'date',
      machine_id: 'bigint',
      merchant_id: 'bigint',
      point_id: 'bigint',
      product_id: 'bigint',
      batch: 'text',
      paid_fen: 'bigint',
      cost_fen: 'bigint',
    })} join product p on p.id = f.product_id and p.medicine_class is not null`,
    { kinds: ['_batch'], given: ['quantity', 'paid_fen', 'cost_fen'], count: handedOut.length },
  )
}

/** Refunds that were confirmed, on the day of it; under the same lock. */
export async function addRefundsToRollups(tx: Tx, refunds: readonly RefundedSale[]): Promise<void> {
  if (refunds.length === 0) return
  const facts = refunds.map((refund) => ({
    business_day: refund.businessDay,
    order_id: refund.orderId,
    refunded_fen: refund.amountFen,
  }))
  const pieces = refunds.flatMap((refund) =>
    refund.items.map((item) => ({
      business_day: refund.businessDay,
      order_id: refund.orderId,
      product_id: item.productId,
      refunded_quantity: item.quantity,
      refunded_fen: item.amountFen,
    })),
  )
  await sql`select pg_advisory_xact_lock(${ROLLUP_LOCK})`.execute(tx)
  await add(
    tx,
    sql`select f.business_day, f.refunded_fen, 1 as refunds, o.machine_id, o.merchant_id, o.point_id, o.method,
        o.business_type
      from ${rows('f', facts, { business_day: 'date', order_id: 'bigint', refunded_fen: 'bigint' })} ${itsOrder}`,
    { kinds: ['', '_machine'], given: ['refunds', 'refunded_fen'], count: facts.length },
  )
  const repaid = sql`select f.business_day, f.product_id, f.refunded_quantity, f.refunded_fen, o.machine_id,
      o.merchant_id, o.point_id, o.method, o.business_type,
      f.refunded_quantity * (select min(i.cost_fen) from order_item i where i.merchant_id = o.merchant_id
        and i.occurred_at = o.occurred_at and i.order_id = o.id and i.product_id = f.product_id) as refunded_cost_fen
    from ${rows('f', pieces, {
      business_day: 'date',
      order_id: 'bigint',
      product_id: 'bigint',
      refunded_quantity: 'bigint',
      refunded_fen: 'bigint',
    })} ${itsOrder}`
  const count = pieces.length
  const given = ['refunded_quantity', 'refunded_fen', 'refunded_cost_fen']
  await add(tx, repaid, { kinds: ['_product', '_machine_product'], given, count })
  await add(tx, repaid, { kinds: ['_machine'], given: ['refunded_cost_fen'], count })
}

/** Merchant, machine, point and kind of business of a refund are those of its sale. */
const itsOrder = sql`join order_number n on n.order_id = f.order_id
  join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id`

async function addSales(tx: Tx, sales: readonly PaidSale[]): Promise<void> {
  const facts = rows('f', sales.map(saleOf), {
    business_day: 'date',
    hour: 'smallint',
    merchant_id: 'bigint',
    machine_id: 'bigint',
    point_id: 'bigint',
    method: 'text',
    business_type: 'text',
    paid_fen: 'bigint',
    discount_fen: 'bigint',
    online_orders: 'int',
    online_fen: 'bigint',
    cost_fen: 'bigint',
  })
  await add(tx, sql`select f.*, 1 as orders from ${facts}`, {
    kinds: ['', '_machine'],
    given: ['orders', 'paid_fen', 'discount_fen', 'online_orders', 'online_fen', 'cost_fen'],
    count: sales.length,
    with: sql`, total as (
        insert into rollup_total as r (merchant_id, orders, paid_fen)
        select merchant_id, count(*), sum(paid_fen) from f group by 1
        on conflict (merchant_id) do update
          set orders = r.orders + excluded.orders, paid_fen = r.paid_fen + excluded.paid_fen),
      by_hour as (
        insert into rollup_hour as r (business_day, hour, merchant_id, orders, paid_fen)
        select business_day, hour, merchant_id, count(*), sum(paid_fen) from f group by 1, 2, 3
        on conflict (business_day, merchant_id, hour) do update
          set orders = r.orders + excluded.orders, paid_fen = r.paid_fen + excluded.paid_fen),
      pairs as (
        insert into rollup_machine_merchant select distinct machine_id, merchant_id from f
        on conflict do nothing)`,
  })
}

const saleOf = (sale: PaidSale) => ({
  business_day: sale.businessDay,
  hour: businessTime(sale.occurredAt, sale.machine.timeZone).hour,
  merchant_id: sale.machine.merchantId,
  machine_id: sale.machine.id,
  point_id: sale.pointId,
  method: sale.method,
  business_type: sale.businessType,
  paid_fen: sale.paidFen,
  discount_fen: sale.discountFen,
  online_orders: sale.isOffline ? 0 : 1,
  online_fen: sale.isOffline ? 0 : sale.paidFen,
  cost_fen: sale.items.reduce((sum, item) => sum + item.costFen, 0),
})

const piecesOf = (sale: PaidSale) =>
  sale.items.map((item) => ({
    business_day: sale.businessDay,
    machine_id: sale.machine.id,
    merchant_id: sale.machine.merchantId,
    product_id: item.productId,
    paid_fen: item.priceFen,
    cost_fen: item.costFen,
  }))

const medicineOf = (piece: HandedOut) => ({
  business_day: piece.businessDay,
  machine_id: piece.machineId,
  merchant_id: piece.merchantId,
  point_id: piece.pointId,
  product_id: piece.productId,
  batch: piece.batch ?? '',
  paid_fen: piece.priceFen,
  cost_fen: piece.costFen,
})

type Addition = { kinds: readonly Kept[]; given: readonly string[]; count: number; with?: RawBuilder<unknown> }

/** Adds to the days, and what belongs to a day that is folded to what was made of it. One statement, mostly. */
async function add(tx: Tx, facts: RawBuilder<unknown>, { kinds, given, count, ...more }: Addition): Promise<void> {
  if (count === 0) return
  const found = await sql<{ isLate: boolean }>`
    with f as materialized (${facts}), ${sql.join(kinds.map((kind) => intoDays(kind, given)))} ${more.with ?? sql``}
    select exists (select from f, rollup_fold where business_day < through) as "isLate"`.execute(tx)
  if (!found.rows[0]?.isLate) return
  const folded = kinds.flatMap((kind) => [
    intoRun(kind, given),
    ...(kept[kind].above === null ? [] : [intoAbove(kept[kind].above, kind, given)]),
  ])
  await sql`
    with all_facts as (${facts}), f as materialized (
      select all_facts.*, through from all_facts, rollup_fold where business_day < through), ${sql.join(folded)}
    select 1`.execute(tx)
}

type Target = { table: string; keys: readonly string[]; given: readonly string[]; day?: RawBuilder<unknown> }

const intoDays = (kind: Kept, given: readonly string[]) =>
  upsert({ table: `rollup_day${kind}`, keys: kept[kind].keys, given: summedOf(kind, given) }, sql``)

/** Into the running total of its day and of each day after it, as far as they are folded. */
function intoRun(kind: Kept, given: readonly string[]): RawBuilder<unknown> {
  const { keys, begins } = kept[kind]
  const last = sql`date_trunc(${begins}, business_day::timestamp) + ${`1 ${begins}`}::interval - interval '1 day'`
  const days = sql`cross join lateral generate_series(business_day, least(${last}, through - 1), '1 day') as run_day`
  const target = { table: `rollup_run${kind}`, keys, given: summedOf(kind, given), day: sql`run_day::date` }
  return upsert(target, days)
}

function intoAbove(table: string, kind: Kept, given: readonly string[]): RawBuilder<unknown> {
  const keys = ['above_id', ...kept[kind].keys.filter((key) => key !== 'merchant_id')]
  const above = sql`join merchant on merchant.id = f.merchant_id
    cross join lateral unnest(merchant.path[:cardinality(merchant.path) - 1]) as above_id`
  return upsert({ table: `rollup_day${table}`, keys, given: summedOf(kind, given) }, above)
}

const summedOf = (kind: Kept, given: readonly string[]) => kept[kind].sums.filter((sum) => given.includes(sum))

/** @param times joined to each fact: the rows that it counts in */
function upsert({ table, keys, given, day }: Target, times: RawBuilder<unknown>): RawBuilder<unknown> {
  const keyed = sql.join(keys.map((key) => sql.ref(key)))
  const at = day ?? sql`business_day`
  return sql`${sql.ref(`into_${table}`)} as (
    insert into ${sql.table(table)} as r (business_day, ${keyed}, ${sql.join(given.map((sum) => sql.ref(sum)))})
    select ${at}, ${keyed}, ${sql.join(given.map((sum) => sql`sum(${sql.ref(`f.${sum}`)})`))}
    from f ${times} group by ${at}, ${keyed}
    on conflict (business_day, ${keyed}) do update set ${sql.join(
      given.map((sum) => sql`${sql.ref(sum)} = r.${sql.ref(sum)} + excluded.${sql.ref(sum)}`),
    )})`
}
