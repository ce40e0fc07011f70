import { sql } from 'kysely'
import { PLATFORM_TIME_ZONE } from '../kernel/businessDay'
import type { Tx } from '../kernel/context'

/** The figures as a recount of the paid orders gives them; all machines of the demo share one time zone. */
export async function seedRollups(tx: Tx): Promise<void> {
  await sql`insert into rollup_total (merchant_id, orders, paid_fen)
    select merchant_id, count(*), sum(paid_fen) from orders where paid_at is not null group by 1`.execute(tx)
  await sql`insert into rollup_day
      (business_day, merchant_id, method, orders, paid_fen, discount_fen, online_orders, online_fen)
    select business_day, merchant_id, method, count(*), sum(paid_fen), sum(discount_fen),
      count(*) filter (where not is_offline), coalesce(sum(paid_fen) filter (where not is_offline), 0)
    from orders where paid_at is not null group by 1, 2, 3`.execute(tx)
  await sql`insert into rollup_hour (business_day, hour, merchant_id, orders, paid_fen)
    select business_day, extract(hour from occurred_at at time zone ${PLATFORM_TIME_ZONE}), merchant_id, count(*),
      sum(paid_fen)
    from orders where paid_at is not null group by 1, 2, 3`.execute(tx)
  await sql`insert into rollup_day_machine (business_day, machine_id, merchant_id, orders, paid_fen)
    select business_day, machine_id, merchant_id, count(*), sum(paid_fen)
    from orders where paid_at is not null group by 1, 2, 3`.execute(tx)
  await sql`insert into rollup_day_product (business_day, product_id, merchant_id, quantity, paid_fen)
    select o.business_day, i.product_id, o.merchant_id, count(*), sum(i.price_fen)
    from orders o join order_item i
      on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
    where o.paid_at is not null group by 1, 2, 3`.execute(tx)
}
