import { MOST_STANDING, type Standing } from '@aisle/contract/catalog/product'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { machineInSight, type Sight } from '../../kernel/scope'

/** Slots in sight that hold a product by plan, the fullest first, and those that get it at their next service. */
export async function standingOf(db: Reader, sight: Sight, id: number): Promise<Standing[]> {
  const found = await sql<Standing>`
    select s.id as "slotId", m.id as "machineId", m.code as "machineCode", m.name as "machineName",
      s.code as "slotCode", coalesce(l.quantity, 0)::int as stock, s.capacity, s.price_fen as "priceFen",
      s.is_next as "isNext"
    from (
      select id, machine_id, code, place_id, capacity, price_fen, false as is_next from slot where product_id = ${id}
      union all select id, machine_id, code, place_id, next_capacity, coalesce(next_price_fen, price_fen), true
        from slot where next_product_id = ${id} and next_product_id is distinct from product_id
    ) s join machine m on m.id = s.machine_id
    left join stock_level l on l.place_id = s.place_id and l.product_id = ${id} and not s.is_next
    where ${machineInSight(sight, sql`s.machine_id`)}
    order by s.is_next, stock desc, m.code, s.code limit ${sql.lit(MOST_STANDING)}`.execute(db)
  return found.rows
}
