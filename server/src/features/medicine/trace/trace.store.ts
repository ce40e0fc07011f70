import type { ReadTrace } from '@aisle/contract/medicine/traceCode'
import { type TraceState, traceState, type TraceVerb } from '@aisle/contract/medicine/trace.states'
import { sql } from 'kysely'
import { rows, valuesOf } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import { statesFrom, stateTo } from '../../../kernel/states'

export type TraceRow = {
  id: number
  code: string
  merchantId: number
  level: number
  parentId: number | null
  productId: number | null
  batch: string | null
  placeId: number | null
  state: TraceState
}

export type Seen = ReadTrace & { merchantId: number; productId: number | null; at: Date; level?: number }

/**
 * The rows of these codes, made where nobody had heard of them, with all that they hold, locked. In the order of the
 * codes for every writer, so that two batches never wait for each other in a ring.
 */
export async function lockTraces(tx: Tx, seen: readonly Seen[]): Promise<Map<string, TraceRow>> {
  if (seen.length === 0) return new Map()
  const fresh = [...new Map(seen.map(({ level = 1, ...each }) => [each.code, { ...each, level }])).values()]
  await sql`insert into trace_code (code, scheme, level, merchant_id, product_id, batch, added_at, changed_at)
    select code, scheme, level, merchant_id, product_id, batch, at, at from ${rows('n', fresh, {
      code: 'text',
      scheme: 'text',
      level: 'smallint',
      merchantId: 'bigint',
      productId: 'bigint',
      batch: 'text',
      at: 'timestamptz',
    })} order by code on conflict (code) do nothing`.execute(tx)
  return lockKnown(
    tx,
    fresh.map(({ code }) => code),
  )
}

/** Those of the codes that somebody has heard of, with all that they hold, locked in the order of their codes. */
export async function lockKnown(tx: Tx, codes: readonly string[]): Promise<Map<string, TraceRow>> {
  const found = await sql<TraceRow>`select c.id, c.code, c.merchant_id as "merchantId", c.level,
      c.parent_id as "parentId", c.product_id as "productId", c.batch, c.place_id as "placeId", c.state
    from trace_code c where c.id in (
      with recursive held as (
        select t.id from trace_code t join ${valuesOf('w', 'code', 'text', codes)} using (code)
        union select below.id from held join trace_code below on below.parent_id = held.id)
      select id from held) order by c.code for update of c`.execute(tx)
  return new Map(found.rows.map((row) => [row.code, row]))
}

/** What a code stands for: itself, and all that it holds. */
export function withContents(all: ReadonlyMap<string, TraceRow>, code: string): TraceRow[] {
  const top = all.get(code)
  if (!top) return []
  const found = [top]
  for (const each of found) {
    if (each.level > 1) found.push(...[...all.values()].filter(({ parentId }) => parentId === each.id))
  }
  return found
}

export type Sale = {
  traceCodeId: number
  merchantId: number
  machineId: number
  orderId: number
  orderNo: string
  orderAt: Date
  index: number
  isSecond: boolean
  soldAt: Date
}

/**
 * Sold once in the whole network, by the database's own word; what was sold already is kept beside it and does not
 * count. @returns the keys of those that count
 */
export async function keepSales(tx: Tx, sales: readonly Sale[]): Promise<Set<string>> {
  if (sales.length === 0) return new Set()
  const columns = {
    traceCodeId: 'bigint',
    merchantId: 'bigint',
    machineId: 'bigint',
    orderId: 'bigint',
    orderNo: 'text',
    orderAt: 'timestamptz',
    index: 'smallint',
    isSecond: 'boolean',
    soldAt: 'timestamptz',
  } as const
  const into = sql`insert into trace_sale (trace_code_id, merchant_id, machine_id, order_id, order_no, order_at, index,
    is_second, sold_at, counts)`
  const counted = await sql<{ key: string }>`${into} select s.*, true from ${rows('s', sales, columns)}
    on conflict do nothing returning trace_code_id || '/' || order_id || '/' || index || '/' || is_second as key
  `.execute(tx)
  const keys = new Set(counted.rows.map(({ key }) => key))
  const again = sales.filter((sale) => !keys.has(saleKey(sale)))
  if (again.length > 0) {
    await sql`${into} select s.*, false from ${rows('s', again, columns)} on conflict do nothing`.execute(tx)
  }
  return keys
}

export const saleKey = ({ traceCodeId, orderId, index, isSecond }: Sale) =>
  `${traceCodeId}/${orderId}/${index}/${isSecond}`

/** Under which order each of these was sold so that it counts. */
export async function countedSales(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const found = await sql<{ id: number; orderNo: string }>`select s.trace_code_id as id, s.order_no as "orderNo"
    from trace_sale s where s.trace_code_id = any(${[...ids]}::bigint[]) and s.counts and s.ended_at is null`.execute(
    tx,
  )
  return new Map(found.rows.map(({ id, orderNo }) => [id, orderNo]))
}

export type Change = { id: number; merchantId: number; productId: number | null; batch: string | null; at: Date }

const changed = { id: 'bigint', merchantId: 'bigint', productId: 'bigint', batch: 'text', at: 'timestamptz' } as const

export async function markSold(tx: Tx, all: readonly Change[]): Promise<void> {
  if (all.length === 0) return
  await sql`update trace_code t set state = ${stateTo(traceState, 'sell')}, place_id = null, changed_at = c.at,
      merchant_id = c.merchant_id, product_id = coalesce(t.product_id, c.product_id), batch = coalesce(t.batch, c.batch)
    from ${rows('c', all, changed)}
    where t.id = c.id and t.state in ${statesFrom(traceState, 'sell')}`.execute(tx)
}

/** At a place now, or with its merchant where nobody says where. */
export async function markBound(tx: Tx, all: readonly (Change & { placeId: number | null })[]): Promise<void> {
  if (all.length === 0) return
  await sql`update trace_code t set state = ${stateTo(traceState, 'bind')}, merchant_id = c.merchant_id,
      product_id = c.product_id, batch = coalesce(c.batch, t.batch), place_id = c.place_id, changed_at = c.at
    from ${rows('c', all, { ...changed, placeId: 'bigint' })}
    where t.id = c.id and t.state in ${statesFrom(traceState, 'bind')}`.execute(tx)
}

/** In hand, at no place. */
export async function markWithdrawn(tx: Tx, all: readonly { id: number }[], at: Date): Promise<void> {
  if (all.length === 0) return
  await sql`update trace_code set state = ${stateTo(traceState, 'withdraw')}, place_id = null, changed_at = ${at}
    where id = any(${all.map(({ id }) => id)}::bigint[])`.execute(tx)
}

type Unnamed = { machineId: number; slot: string; productId: number; orderNo: string; soldAt: Date; heardAt: Date }

/**
 * Packs with codes in slots that by the books hold none any more, since what came out last was sold without its code:
 * they have gone, and which order took which nobody can tell. A sale that names one later still sells it.
 */
export async function loseSoldOut(tx: Tx, sold: readonly Unnamed[]): Promise<void> {
  if (sold.length === 0) return
  const columns = {
    machineId: 'bigint',
    slot: 'text',
    productId: 'bigint',
    orderNo: 'text',
    soldAt: 'timestamptz',
    heardAt: 'timestamptz',
  } as const
  await sql`with emptied as (
      select s.place_id, w.product_id, max(w.sold_at) as at, max(w.heard_at) as heard_at,
        (array_agg(w.order_no order by w.sold_at desc))[1] as reference
      from ${rows('w', sold, columns)} join slot s on s.machine_id = w.machine_id and s.code = w.slot group by 1, 2),
    gone as materialized (
      select c.id, c.merchant_id, c.product_id, c.batch, c.place_id, e.at, e.heard_at, e.reference
      from emptied e join trace_code c on c.place_id = e.place_id and c.product_id = e.product_id
        and c.state in ${statesFrom(traceState, 'lose')}
      where coalesce(pieces_of_batch(c.place_id, c.product_id, c.batch), 0) <= 0
      order by c.code for update of c),
    lost as (update trace_code c set state = ${stateTo(traceState, 'lose')}, place_id = null, changed_at = g.at
      from gone g where c.id = g.id)
    insert into trace_event (trace_code_id, merchant_id, verb, at, heard_at, place_id, product_id, batch, reference)
    select id, merchant_id, 'lose', at, heard_at, place_id, product_id, batch, reference from gone order by id`.execute(
    tx,
  )
}

export type Event = {
  traceCodeId: number
  merchantId: number
  verb: TraceVerb
  at: Date
  heardAt: Date
  placeId?: number | null
  productId?: number | null
  batch?: string | null
  reference?: string
  note?: string
  userId?: number | null
}

export async function appendTraceEvents(tx: Tx, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return
  const written = events.map(({ placeId = null, productId = null, batch = null, ...event }) => {
    const { reference = '', note = '', userId = null } = event
    return { ...event, placeId, productId, batch, reference, note, userId }
  })
  await sql`insert into trace_event (trace_code_id, merchant_id, verb, at, heard_at, place_id, product_id, batch,
      reference, note, user_id)
    select e.* from ${rows('e', written, {
      traceCodeId: 'bigint',
      merchantId: 'bigint',
      verb: 'text',
      at: 'timestamptz',
      heardAt: 'timestamptz',
      placeId: 'bigint',
      productId: 'bigint',
      batch: 'text',
      reference: 'text',
      note: 'text',
      userId: 'bigint',
    })}`.execute(tx)
}
