import { pickupCodeState } from '@aisle/contract/pickup/states'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import type { CodeFacts, SettledCode, Settling, UseFacts } from './code.rules'
import { statesFrom, stateTo } from '../../kernel/states'

/**
 * Locks those that are free, in the order of their ids. What is in another's hand is left alone: its row is not waited
 * for, and it is not free once that one has let go, since it was not locked here.
 */
export async function lockFree(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const locked = await sql<{ id: number }>`select id from pickup_code
    where id = any(${[...new Set(ids)]}::bigint[]) and state in ${statesFrom(pickupCodeState, 'hold')}
    order by id for update`.execute(tx)
  return new Set(locked.rows.map(({ id }) => id))
}

export type CodeRow = CodeFacts & { id: number; merchantId: number; batchId: number; pieces: number }

/** Codes with what machines need to know of them. @returns by `code/machine` */
export async function findCodes(
  db: Reader,
  asked: readonly { codeId: number; machineId: number }[],
): Promise<Map<string, CodeRow>> {
  if (asked.length === 0) return new Map()
  const found = await sql<CodeRow & { machineId: number }>`
    select c.id, c.merchant_id as "merchantId", c.batch_id as "batchId", a.machine_id as "machineId", c.state,
      b.expires_at as "expiresAt", c.shipped, c.taken, c.pieces,
      b.is_valid and b.cancelled_at is null and l.is_online as "isValid", l.content,
      b.merchant_id = any(owner.path) and (b.scope = 'all' or exists (
        select 1 from pickup_place p where p.batch_id = b.id and (p.machine_id = m.id or p.point_id = m.point_id
          or p.group_id in (select group_id from machine_group_member where machine_id = m.id)))) as "isForHere"
    from ${rows('a', asked, { codeId: 'bigint', machineId: 'bigint' })}
    join pickup_code c on c.id = a.code_id
    join pickup_batch b on b.id = c.batch_id
    join machine m on m.id = a.machine_id join merchant owner on owner.id = m.merchant_id
    cross join lateral (
      select array_agg(k.product_id order by k.position) as content, bool_and(p.state = 'online') as is_online
      from pickup_content k join product p on p.id = k.product_id where k.batch_id = b.id) l`.execute(db)
  return new Map(found.rows.map(({ machineId, ...code }) => [`${code.id}/${machineId}`, code]))
}

export type NewUse = {
  orderId: number
  codeId: number
  merchantId: number
  machineId: number
  orderNo: string
  pickup: number
  asked: readonly number[]
  heldAt: Date
}

export async function insertUses(tx: Tx, uses: readonly NewUse[]): Promise<void> {
  if (uses.length === 0) return
  const written = uses.map((use) => ({ ...use, asked: arrayOf(use.asked) }))
  await sql`with used as (
      insert into pickup_use (order_id, code_id, merchant_id, machine_id, order_no, pickup, asked, held_at)
      select order_id, code_id, merchant_id, machine_id, order_no, pickup, asked::smallint[], held_at
      from ${rows('u', written, {
        orderId: 'bigint',
        codeId: 'bigint',
        merchantId: 'bigint',
        machineId: 'bigint',
        orderNo: 'text',
        pickup: 'smallint',
        asked: 'text',
        heldAt: 'timestamptz',
      })} returning order_id, code_id)
    update pickup_code c set state = ${stateTo(pickupCodeState, 'hold')}, held_by = used.order_id from used
      where c.id = used.code_id`.execute(tx)
}

const arrayOf = (places: readonly number[]) => `{${places.join()}}`

export type HeldUse = UseFacts & Settling & { orderId: number; codeId: number }

/** The uses of these orders with their codes, which are locked in the order of their ids. */
export async function lockUses(tx: Tx, orderIds: readonly number[]): Promise<HeldUse[]> {
  const ids = [...orderIds]
  await sql`select 1 from pickup_code where id in (
    select code_id from pickup_use where order_id = any(${ids}::bigint[])) order by id for update`.execute(tx)
  const found = await sql<HeldUse>`
    select u.order_id as "orderId", u.code_id as "codeId", u.pickup, u.asked, u.out,
      u.settled_at is not null as "isSettled", c.state, c.taken, c.shipped, c.pieces, l.content,
      coalesce(other.asked, '{}') as "heldElsewhere"
    from pickup_use u join pickup_code c on c.id = u.code_id
    left join pickup_use other on other.code_id = c.id and other.settled_at is null and other.order_id <> u.order_id
    cross join lateral (select array_agg(product_id order by position) as content from pickup_content
      where batch_id = c.batch_id) l
    where u.order_id = any(${ids}::bigint[]) order by u.code_id, u.held_at`.execute(tx)
  return found.rows
}

export type Settlement = SettledCode & { orderId: number; codeId: number; out: readonly number[]; at: Date }

export async function writeSettled(tx: Tx, settled: readonly Settlement[]): Promise<void> {
  if (settled.length === 0) return
  const uses = settled.map((each) => ({ ...each, out: arrayOf(each.out) }))
  await sql`update pickup_use u set out = s.out::smallint[], extra = u.extra + s.extra,
      settled_at = coalesce(u.settled_at, s.at),
      late_at = case when u.settled_at is not null and u.out <> s.out::smallint[] then s.at else u.late_at end
    from ${rows('s', uses, { orderId: 'bigint', out: 'text', extra: 'smallint', at: 'timestamptz' })}
    where u.order_id = s.order_id`.execute(tx)
  // Of several uses of a code the last says where it stands.
  const codes = [...new Map(settled.map((each) => [each.codeId, { ...each, taken: arrayOf(each.taken) }])).values()]
  await sql`update pickup_code c set state = s.state, taken = s.taken::smallint[], shipped = s.shipped,
      held_by = case when s.state = 'in_use' then c.held_by end,
      ended_at = case when s.state = 'fully_shipped' then coalesce(c.ended_at, s.at) else c.ended_at end
    from ${rows('s', codes, { codeId: 'bigint', state: 'text', taken: 'text', shipped: 'smallint', at: 'timestamptz' })}
    where c.id = s.code_id`.execute(tx)
}
