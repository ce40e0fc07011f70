import { sql } from 'kysely'
import { businessTime } from '../../kernel/businessDay'
import type { Tx } from '../../kernel/context'
import { rows } from '../../db/rows'
import type { PaidSale } from './trade.types'

/** Any number: the one lock under which rollup rows are written. */
const ROLLUP_LOCK = 7_601

/**
 * Adds paid sales to the figures, in their own transaction. One writer at a time (the lock is taken last and held until
 * the commit), so hot rows need no lock order; see docs/decisions/0003.
 */
export async function addToRollups(tx: Tx, sales: readonly PaidSale[]): Promise<void> {
  if (sales.length === 0) return
  const facts = sales.map((sale) => ({
    day: sale.businessDay,
    hour: businessTime(sale.occurredAt, sale.machine.timeZone).hour,
    merchantId: sale.machine.merchantId,
    machineId: sale.machine.id,
    method: sale.method,
    paidFen: sale.paidFen,
    discountFen: sale.discountFen,
    online: sale.isOffline ? 0 : 1,
  }))
  const products = sales.flatMap((sale) =>
    sale.items.map((item) => ({
      day: sale.businessDay,
      merchantId: sale.machine.merchantId,
      productId: item.productId,
      priceFen: item.priceFen,
    })),
  )
  await sql`select pg_advisory_xact_lock(${ROLLUP_LOCK})`.execute(tx)
  const fact = rows('f', facts, {
    day: 'date',
    hour: 'smallint',
    merchantId: 'bigint',
    machineId: 'bigint',
    method: 'text',
    paidFen: 'bigint',
    discountFen: 'bigint',
    online: 'int',
  })
  await sql`
    with f as materialized (select * from ${fact}),
    total as (
      insert into rollup_total as r (merchant_id, orders, paid_fen)
      select merchant_id, count(*), sum(paid_fen) from f group by 1
      on conflict (merchant_id) do update
        set orders = r.orders + excluded.orders, paid_fen = r.paid_fen + excluded.paid_fen),
    by_hour as (
      insert into rollup_hour as r (business_day, hour, merchant_id, orders, paid_fen)
      select day, hour, merchant_id, count(*), sum(paid_fen) from f group by 1, 2, 3
      on conflict (business_day, merchant_id, hour) do update
        set orders = r.orders + excluded.orders, paid_fen = r.paid_fen + excluded.paid_fen),
    by_machine as (
      insert into rollup_day_machine as r (business_day, machine_id, merchant_id, orders, paid_fen)
      select day, machine_id, min(merchant_id), count(*), sum(paid_fen) from f group by 1, 2
      on conflict (business_day, machine_id) do update
        set orders = r.orders + excluded.orders, paid_fen = r.paid_fen + excluded.paid_fen)
    insert into rollup_day as r (business_day, merchant_id, method, orders, paid_fen, discount_fen, online_orders,
      online_fen)
    select day, merchant_id, method, count(*), sum(paid_fen), sum(discount_fen), sum(online), sum(online * paid_fen)
    from f group by 1, 2, 3
    on conflict (business_day, merchant_id, method) do update
      set orders = r.orders + excluded.orders, paid_fen = r.paid_fen + excluded.paid_fen,
        discount_fen = r.discount_fen + excluded.discount_fen,
        online_orders = r.online_orders + excluded.online_orders,
        online_fen = r.online_fen + excluded.online_fen`.execute(tx)
  await sql`
    insert into rollup_day_product as r (business_day, product_id, merchant_id, quantity, paid_fen)
    select day, product_id, merchant_id, count(*), sum(price_fen)
    from ${rows('f', products, { day: 'date', merchantId: 'bigint', productId: 'bigint', priceFen: 'bigint' })}
    group by 1, 2, 3
    on conflict (business_day, merchant_id, product_id) do update
      set quantity = r.quantity + excluded.quantity, paid_fen = r.paid_fen + excluded.paid_fen`.execute(tx)
}
