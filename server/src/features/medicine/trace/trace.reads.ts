import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { listTraces, listUncoded, summariseTraces, Trace, TraceStory } from '@aisle/contract/medicine/trace'
import { readTrace } from '@aisle/contract/medicine/traceCode'
import { traceState } from '@aisle/contract/medicine/trace.states'
import { type RawBuilder, sql } from 'kysely'
import { iso } from '../../../db/instant'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, MOST_COUNTED } from '../../../kernel/list'
import { machineInSight, merchantInSight, type Sight, sightOf, subtreeOf } from '../../../kernel/scope'

type Seen = Trace & { merchantId: number; productId: number | null }

/** Level 1 is a pack, as the contract names them. */
const level = sql`case t.level when 1 then 'pack' when 2 then 'middle' else 'case' end`

const rowsInSight = (sight: Sight, which: RawBuilder<unknown>): RawBuilder<Seen> => sql<Seen>`
  select t.id, t.code as trace, t.scheme, ${level} as level, t.state, t.merchant_id as "merchantId",
    c.name as "merchantName",
    t.product_id as "productId", p.code as "productCode", p.name as "productName", t.batch,
    m.code as "machineCode", s.code as "slotCode",
    (select order_no from trace_sale where trace_code_id = t.id and counts and ended_at is null
      and ${merchantInSight(sight, sql`trace_sale.merchant_id`)}) as "orderNo",
    (select code from trace_code where id = t.parent_id) as holder,
    (select count(*)::int from trace_sale where trace_code_id = t.id and not counts) as "soldAgain",
    ${iso('t.added_at')} as "addedAt", ${iso('t.changed_at')} as "changedAt"
  from trace_code t join merchant c on c.id = t.merchant_id left join product p on p.id = t.product_id
  left join slot s on s.place_id = t.place_id left join machine m on m.id = s.machine_id
  where ${which}`

const ownTraces = (sight: Sight) => merchantInSight(sight, sql`t.merchant_id`)

/** Also what somebody in sight once had, or sold: where it went is part of its story. */
const heardOf = (sight: Sight): RawBuilder<unknown> => sql`(${ownTraces(sight)} or exists (
  select from trace_event e where e.trace_code_id = t.id and ${merchantInSight(sight, sql`e.merchant_id`)}))`

export function listTracesIn(ctx: QueryContext, filter: InputOf<typeof listTraces>): Listing<Trace> {
  const { trace, state, scheme, productCode, batch, machineCode, merchantId, twice } = filter
  const where = allOf([
    trace && sql`trace = ${readTrace(trace)?.code ?? trace}`,
    isAnyOf(sql`state`, state),
    isAnyOf(sql`scheme`, scheme),
    productCode && sql`"productId" in (select id from product where code = ${productCode})`,
    batch && sql`batch = ${batch}`,
    machineCode && sql`"machineCode" = ${machineCode}`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
    twice && sql`id in (select trace_code_id from trace_sale where not counts)`,
  ])
  const sight = sightOf(ctx.actor)
  const order = { by: sql`id`, type: 'bigint', newestFirst: true } as const
  return listRows<Trace>({ rows: rowsInSight(sight, ownTraces(sight)), where, order })
}

type Summary = OutputOf<typeof summariseTraces>

/** Codes are kept for years: beyond what a list counts, nobody counts on. */
export async function summary(ctx: QueryContext, productId: number | undefined): Promise<Summary> {
  const own = sql`${ownTraces(sightOf(ctx.actor))} and ${productId ? sql`t.product_id = ${productId}` : sql`true`}`
  const found = await sql<{ state: keyof Summary; count: number }>`
    select w.state, (select count(*)::int from (select 1 from trace_code t where t.state = w.state and ${own}
      limit ${sql.lit(MOST_COUNTED)}) counted) as count
    from unnest(${[...traceState.states]}::text[]) w(state)
    union all select 'twice', (select count(*)::int from (select 1 from trace_sale s
      join trace_code t on t.id = s.trace_code_id where not s.counts and ${own}
      limit ${sql.lit(MOST_COUNTED)}) counted)`.execute(ctx.db)
  return Object.fromEntries(found.rows.map(({ state, count }) => [state, count])) as Summary
}

export const storyById = (ctx: QueryContext, id: number): Promise<TraceStory | undefined> =>
  story(ctx, sql`t.id = ${id}`)

export const storyByCode = (ctx: QueryContext, typed: string): Promise<TraceStory | undefined> =>
  story(ctx, sql`t.code in (${typed.trim()}, ${readTrace(typed)?.code ?? typed.trim()})`)

type Facts = Omit<TraceStory, 'events' | 'holds'>
const MOST_HELD = 100

async function story(ctx: QueryContext, which: RawBuilder<unknown>): Promise<TraceStory | undefined> {
  const sight = sightOf(ctx.actor)
  const found = await sql<Facts>`
    select seen.id, seen.trace, seen.scheme, seen.level, seen.state, seen."merchantName", seen."productCode",
      seen."productName", seen.batch, seen."machineCode", seen."slotCode", seen."orderNo", seen.holder,
      seen."soldAgain", seen."addedAt", seen."changedAt", to_char(b.produced_on, 'YYYY-MM-DD') as "producedOn",
      to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn", p.manufacturer, d.approval_number as "approvalNumber",
      (select count(*)::int from trace_code below where below.parent_id = seen.id) as "holdCount"
    from (${rowsInSight(sight, sql`${which} and ${heardOf(sight)}`)}) seen
    left join product p on p.id = seen."productId"
    left join medicine d on d.product_id = p.id
    left join medicine_batch b on b.product_id = p.id and b.number = seen.batch`.execute(ctx.db)
  const [facts] = found.rows
  if (!facts) return undefined
  return { ...facts, events: await eventsOf(ctx.db, sight, facts.id), holds: await contentsOf(ctx.db, facts.id) }
}

async function eventsOf(db: Reader, sight: Sight, id: number): Promise<TraceStory['events']> {
  const found = await sql<TraceStory['events'][number]>`
    select e.id, ${iso('e.at')} as at, e.verb, m.code as "machineCode", s.code as "slotCode", e.batch,
      nullif(case when e.reference like 'message/%' then '' else e.reference end, '') as reference, e.note,
      u.display_name as "byName", c.name as "merchantName"
    from trace_event e join merchant c on c.id = e.merchant_id left join app_user u on u.id = e.user_id
    left join slot s on s.place_id = e.place_id left join machine m on m.id = s.machine_id
    where e.trace_code_id = ${id} and ${merchantInSight(sight, sql`e.merchant_id`)}
    order by e.at, e.id limit 200`.execute(db)
  return found.rows
}

async function contentsOf(db: Reader, id: number): Promise<TraceStory['holds']> {
  const found = await sql<TraceStory['holds'][number]>`select id, code, state from trace_code
    where parent_id = ${id} order by code limit ${sql.lit(MOST_HELD)}`.execute(db)
  return found.rows
}

type Uncoded = OutputOf<typeof listUncoded>['items'][number]

/** What stands in slots now, so it doesn't grow with the years. */
export function listUncodedIn(ctx: QueryContext, filter: InputOf<typeof listUncoded>): Listing<Uncoded> {
  const { productCode, machineCode, merchantId } = filter
  const rows = sql<Uncoded & { merchantId: number }>`
    select l.place_id as id, m.merchant_id as "merchantId", c.name as "merchantName", p.code as "productCode",
      p.name as "productName", m.code as "machineCode", m.name as "machineName", s.code as "slotCode",
      l.quantity as pieces, known.codes, l.quantity - known.codes as missing
    from slot s join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id and l.quantity > 0
    join machine m on m.id = s.machine_id join merchant c on c.id = m.merchant_id join product p on p.id = l.product_id
    cross join lateral (select count(*)::int as codes from trace_code t
      where t.place_id = l.place_id and t.product_id = l.product_id and t.level = 1 and t.state = 'in_stock') known
    where exists (select from medicine_trace_prefix x where x.product_id = p.id) and l.quantity > known.codes
      and ${machineInSight(sightOf(ctx.actor), sql`m.id`)}`
  const where = allOf([
    productCode && sql`"productCode" = ${productCode}`,
    machineCode && sql`"machineCode" = ${machineCode}`,
    merchantId && sql`"merchantId" in (${subtreeOf(merchantId)})`,
  ])
  return listRows<Uncoded>({ rows, where, order: { by: sql`missing::bigint`, type: 'bigint', newestFirst: true } })
}
