import { MOST_STANDING, type Standing } from '@aisle/contract/catalog/product'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { machineInSight, type Sight } from '../../kernel/scope'

/** Slots in sight that hold a product by plan, the fullest first. */
export async function standingOf(db: Reader, sight: Sight, id: number): Promise<Standing[]> {
  const found = await sql<Standing>`
    select s.id as "slotId", m.id as "machineId", m.code as "machineCode", m.name as "machineName",
      s.code as "slotCode",
      coalesce(l.quantity, 0)::int as stock, s.capacity, s.price_fen as "priceFen"
    from slot s join machine m on m.id = s.machine_id
    left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    where s.product_id = ${id} and ${machineInSight(sight, sql`s.machine_id`)}
    order by stock desc, m.code, s.code limit ${sql.lit(MOST_STANDING)}`.execute(db)
  return found.rows
}
