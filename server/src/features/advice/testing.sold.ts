import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'

type Sold = {
  machineId: number
  productId: number
  /** A day; each cost two yuan. */
  pieces: number
  fen: number
  /** From so many days after `now` on, for so many days. */
  from: number
  days: number
}

/** As the rollups of days have it. */
export async function sold(db: Reader, now: Date, { machineId, productId, pieces, fen, from, days }: Sold) {
  await sql`with day as (select (${now}::timestamptz at time zone 'Asia/Shanghai')::date + ${from}::int + n as on
      from generate_series(0, ${days - 1}::int) n), whole as (
    insert into rollup_day_machine as r (business_day, machine_id, merchant_id, point_id, method, business_type,
        orders, paid_fen)
      select d.on, a.id, a.merchant_id, a.point_id, 'wechat', 'sale', ${pieces}, ${pieces * fen}
      from day d join machine a on a.id = ${machineId}
    on conflict (business_day, machine_id, merchant_id, point_id, method, business_type)
      do update set paid_fen = r.paid_fen + excluded.paid_fen)
    insert into rollup_day_machine_product (business_day, machine_id, merchant_id, product_id, quantity, paid_fen,
      cost_fen)
    select d.on, a.id, a.merchant_id, ${productId}, ${pieces}, ${pieces * fen}, ${pieces * 200}
    from day d join machine a on a.id = ${machineId}`.execute(db)
}
