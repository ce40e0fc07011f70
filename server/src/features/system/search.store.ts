import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { machineInSight, merchantInSight, type Sight } from '../../kernel/scope'

export type Found = { id: number; code: string; title: string }

const MOST_FOUND = 8
/** A shorter beginning of an order number fits thousands of orders and helps nobody. */
const SHORTEST_ORDER_NO = 6
const MOST_LOOKED_AT = 200

/** By the beginning of the code or any part of the name; an exact code comes first. */
export async function findMachines(db: Reader, sight: Sight, text: string): Promise<Found[]> {
  const literal = text.replace(/[\\%_]/g, '\\$&')
  const found = await sql<Found>`
    select id, code, name as title from machine
    where (code ilike ${`${literal}%`} or name ilike ${`%${literal}%`}) and ${machineInSight(sight, sql`machine.id`)}
    order by lower(code) = lower(${text}) desc, code limit ${sql.lit(MOST_FOUND)}`.execute(db)
  return found.rows
}

/**
 * By the whole number or its beginning. The range reads the primary key whatever collation the database has (numbers
 * are letters, digits and hyphens), and only so many rows of it, since sight is asked after.
 */
export async function findOrders(db: Reader, sight: Sight, text: string): Promise<Found[]> {
  if (text.length < SHORTEST_ORDER_NO) return []
  const last = text + 'z'.repeat(40)
  const found = await sql<Found>`
    select near.order_id as id, near.order_no as code, machine.name as title
    from (
      select order_id, order_no, machine_id from order_number
      where order_no between ${text} and ${last} order by order_no limit ${sql.lit(MOST_LOOKED_AT)}
    ) near
    join machine on machine.id = near.machine_id
    where starts_with(near.order_no, ${text}) and ${machineInSight(sight, sql`machine.id`)}
    order by near.order_no limit ${sql.lit(MOST_FOUND)}`.execute(db)
  return found.rows
}

/** By the beginning of the code, any part of the name or of how it sounds (whole or initials), or a whole barcode. */
export async function findProducts(db: Reader, sight: Sight, text: string): Promise<Found[]> {
  const literal = text.replace(/[\\%_]/g, '\\$&')
  const found = await sql<Found>`
    select id, code, name as title from product
    where (code ilike ${`${literal}%`} or name ilike ${`%${literal}%`} or sound like ${`%${literal.toLowerCase()}%`}
        or id in (select product_id from product_barcode where code = ${text}))
      and not is_unknown and ${merchantInSight(sight, sql`product.merchant_id`)}
    order by lower(code) = lower(${text}) desc, name, id limit ${sql.lit(MOST_FOUND)}`.execute(db)
  return found.rows
}
