import { sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { anyHolds } from '../../kernel/list'
import { machineInSight, merchantInSight, type Sight } from '../../kernel/scope'
import { holdsAny } from '../../kernel/search'
import { foundAs } from '../catalog/public'
import { ofLine } from '../medicine/public'
import { memberFoundAs, memberInSight } from '../member/public'

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
 * By the whole number or its beginning, the newest first, or by any number that a channel or we gave its payment or
 * refund. The range reads the primary key whatever collation the database has (numbers are letters, digits and
 * hyphens), and only so many rows of it, since sight is asked after.
 */
export async function findOrders(db: Reader, sight: Sight, text: string): Promise<Found[]> {
  if (text.length < SHORTEST_ORDER_NO) return []
  const last = text + 'z'.repeat(40)
  const found = await sql<Found>`
    select near.order_id as id, near.order_no as code, machine.name as title
    from (
      (select order_id, order_no, machine_id from order_number
      where order_no between ${text} and ${last} and starts_with(order_no, ${text})
      order by order_no desc limit ${sql.lit(MOST_LOOKED_AT)})
      union select order_id, order_no, machine_id from payment_attempt
      where channel_no = ${text} or attempt_no = ${text}
      union select order_id, order_no, machine_id from refund
      where channel_refund_no = ${text} or refund_no = ${text}
    ) near
    join machine on machine.id = near.machine_id
    where ${machineInSight(sight, sql`machine.id`)}
    order by near.order_no desc limit ${sql.lit(MOST_FOUND)}`.execute(db)
  return found.rows
}

/** Goods or medicines by what their lists find them by. */
export async function findProducts(
  db: Reader,
  sight: Sight,
  text: string,
  kinds: readonly ('goods' | 'medicine')[],
): Promise<(Found & { kind: 'goods' | 'medicine' })[]> {
  if (kinds.length === 0) return []
  const found = await sql<Found & { kind: 'goods' | 'medicine' }>`
    select id, code, name as title, kind from product
    where id in (${foundAs(text)}) and kind = any(${[...kinds]}::text[])
      and not is_unknown and ${merchantInSight(sight, sql`product.merchant_id`)}
    order by lower(code) = lower(${text}) desc, name, id limit ${sql.lit(MOST_FOUND)}`.execute(db)
  return found.rows
}

/** By any part of the number; what is good longest comes first. */
export async function findBatches(ctx: QueryContext, text: string): Promise<Found[]> {
  const found = await sql<Found>`
    select b.id, b.number as code, p.name as title from medicine_batch b join product p on p.id = b.product_id
    where ${holdsAny([sql`b.number`], text)} and ${ofLine(ctx, sql`p.merchant_id`)}
    order by lower(b.number) = lower(${text}) desc, b.expires_on desc, b.id limit ${sql.lit(MOST_FOUND)}`.execute(
    ctx.db,
  )
  return found.rows
}

export async function findMembers(db: Reader, sight: Sight, text: string): Promise<Found[]> {
  const found = await sql<Found>`
    select m.id, m.number as code, m.name as title from member m
    where m.id in (${memberFoundAs(text)}) and ${memberInSight(sight)}
    order by lower(m.number) = lower(${text}) desc, m.name, m.id limit ${sql.lit(MOST_FOUND)}`.execute(db)
  return found.rows
}

/** By any part of the code or the name. */
export async function findMerchants(db: Reader, sight: Sight, text: string): Promise<Found[]> {
  const found = await sql<Found>`
    select id, code, name as title from merchant
    where ${anyHolds([sql`code`, sql`name`], text)} and ${merchantInSight(sight, sql`merchant.id`)}
    order by lower(code) = lower(${text}) desc, created_at desc, id desc limit ${sql.lit(MOST_FOUND)}`.execute(db)
  return found.rows
}
