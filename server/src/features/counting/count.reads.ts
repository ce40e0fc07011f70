import { type Count, type CountLine, countState, type getCount, type listCounts } from '@aisle/contract/counting/count'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, summed } from '../../kernel/list'
import { only } from '../../kernel/must'
import { machineInSight, type Sight, sightOf } from '../../kernel/scope'
import { findLines, judge } from './count.store'

type Sums = Pick<Count, 'lines' | 'counted' | 'differing' | 'deltaPieces' | 'countedBy'>
type Row = Omit<Count, keyof Sums>

const rowsInSight = (sight: Sight): RawBuilder<Row> => sql`
  select c.id, c.no, c.state, c.scope, m.code as "machineCode", m.name as "machineName",
    o.name as "pointName", r.name as "routeName", h.name as "hospitalName", e.name as "merchantName",
    m.merchant_id as "merchantId", m.route_id as "routeId", o.hospital_id as "hospitalId",
    (select sum(l.cost_fen)::bigint from stock_count_line l where l.count_id = c.id) as "costFen",
    u.display_name as "openedBy", to_json(c.opened_at) #>> '{}' as "openedAt",
    to_json(c.counted_at) #>> '{}' as "countedAt", v.display_name as "postedBy",
    to_json(c.posted_at) #>> '{}' as "postedAt"
  from stock_count c join machine m on m.id = c.machine_id join point o on o.id = m.point_id
  join merchant e on e.id = m.merchant_id left join route r on r.id = m.route_id
  left join hospital h on h.id = o.hospital_id left join app_user u on u.id = c.opened_by
  left join app_user v on v.id = c.posted_by
  where ${machineInSight(sight, sql`c.machine_id`)}`

export function countsIn(ctx: QueryContext, filter: InputOf<typeof listCounts>): Listing<Count, { costFen: number }> {
  const { q, state, scope, machineCode, routeId, hospitalId, merchantId } = filter
  const where = allOf([
    q &&
      sql`(no = ${q} or ${holds(sql`"machineCode"`, q)} or ${holds(sql`"machineName"`, q)}
      or ${holds(sql`"pointName"`, q)})`,
    isAnyOf(sql`state`, state),
    isAnyOf(sql`scope`, scope),
    machineCode && sql`"machineCode" = ${machineCode}`,
    routeId && sql`"routeId" = ${routeId}`,
    hospitalId && sql`"hospitalId" = ${hospitalId}`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
  const rows = listRows<Row, { costFen: number }>({
    rows: rowsInSight(sightOf(ctx.actor)),
    where,
    order,
    sums: summed('costFen'),
  })
  return mapRows(rows, (found, db) => summedUp(db, found))
}

async function summedUp<R extends Row>(db: Reader, found: readonly R[]): Promise<(R & Sums)[]> {
  const ids = found.map(({ id }) => id)
  const sums = await sql<Sums & { id: number }>`
    select c.id, count(l.id)::int as lines, count(coalesce(l.second, l.counted))::int as counted,
      case when count(l.delta) > 0 then count(*) filter (where l.delta <> 0)::int end as differing,
      sum(l.delta)::int as "deltaPieces",
      coalesce((select string_agg(distinct u.display_name, ' · ') from stock_count_line n
        join app_user u on u.id in (n.counted_by, n.second_by) where n.count_id = c.id), '') as "countedBy"
    from stock_count c left join stock_count_line l on l.count_id = c.id
    where c.id = any(${ids}::bigint[]) group by c.id`.execute(db)
  const known = new Map(sums.rows.map(({ id, ...sum }) => [id, sum]))
  const none: Sums = { lines: 0, counted: 0, differing: null, deltaPieces: null, countedBy: '' }
  return found.map((row) => ({ ...row, ...(known.get(row.id) ?? none) }))
}

type Detail = OutputOf<typeof getCount>
type Known = Pick<Detail, 'version' | 'machineId' | 'cancelReason' | 'lastSeenAt' | 'isConnected'>

/** Whoever counts is told nothing of the books, whatever they may read elsewhere. */
export async function findCount(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const found = await sql<Row & Known>`
    select seen.*, c.version, c.machine_id as "machineId", c.reason as "cancelReason",
      to_json(t.last_seen_at) #>> '{}' as "lastSeenAt", coalesce(t.is_connected, false) as "isConnected"
    from (${rowsInSight(sightOf(ctx.actor))}) seen join stock_count c on c.id = seen.id
    left join machine_state t on t.machine_id = c.machine_id where seen.id = ${id}`.execute(ctx.db)
  const [row] = await summedUp(ctx.db, found.rows)
  if (!row) return undefined
  const isBlind = countState.is(row.state, 'blind')
  const items = await itemsOf(ctx, row)
  const { merchantId: _, routeId: __, hospitalId: ___, ...count } = row as typeof row & Hidden
  return { ...count, isBlind, items, story: await findStory(ctx.db, id, isBlind) }
}
type Hidden = { merchantId: number; routeId: number | null; hospitalId: number | null }

type Shown = Omit<CountLine, 'mayCount' | 'book' | 'difference' | 'costFen' | 'isSuperseded'> & {
  countedById: number | null
  secondById: number | null
  book: number | null
  delta: number | null
  postedFen: number | null
}

async function itemsOf(ctx: QueryContext, { id, state }: Pick<Row, 'id' | 'state'>): Promise<CountLine[]> {
  const lines = await findShown(ctx.db, id)
  const isLooked = countState.is(state, 'recounting') || countState.is(state, 'review')
  const judged = isLooked ? await judge(ctx.db, await findLines(ctx.db, id)) : []
  const byId = new Map(judged.map((line) => [line.id, line]))
  return lines.map(({ countedById, secondById, delta, postedFen, book, ...line }) => {
    const now = byId.get(line.id)
    return {
      ...line,
      mayCount: mayCount(ctx.actor.userId, state, { ...line, countedById, secondById }),
      book: now?.book ?? book,
      difference: now?.difference ?? delta,
      costFen: now?.costFen ?? postedFen,
      isSuperseded: countState.is(state, 'posted') && line.counted !== null && delta === null,
    }
  })
}

type Whose = Pick<Shown, 'needsSecond' | 'countedById' | 'secondById'>

function mayCount(userId: number, state: Row['state'], { needsSecond, countedById, secondById }: Whose): boolean {
  if (countState.is(state, 'blind')) return countedById === null || countedById === userId
  if (!countState.is(state, 'recounting') || !needsSecond || countedById === userId) return false
  return secondById === null || secondById === userId
}

/** In the order in which they were written down, what was added later beside its slot. */
async function findShown(db: Reader, id: number): Promise<Shown[]> {
  const found = await sql<Shown>`
    select l.id, l.slot_code as "slotCode", p.code as "productCode", p.name as "productName",
      p.kind = 'medicine' as "isMedicine", l.batch, to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn",
      coalesce(s.capacity, 0) as capacity, l.counted, u.display_name as "countedBy",
      to_json(l.counted_at) #>> '{}' as "countedAt", l.needs_second as "needsSecond", l.second,
      v.display_name as "secondBy", to_json(l.second_at) #>> '{}' as "secondAt", l.counted_by as "countedById",
      l.second_by as "secondById", l.book, l.delta, l.cost_fen as "postedFen", l.reason, l.note, l.pictures,
      case when l.delta is null then 0 else coalesce((
        select sum(case when w.to_place_id = l.place_id then w.quantity else -w.quantity end) from stock_move w
        where l.place_id in (w.to_place_id, w.from_place_id) and w.product_id = l.product_id and w.cause = 'count'
          and w.moved_at >= coalesce(l.second_at, l.counted_at)
          and w.reference = 'count/' || l.count_id || '/' || l.id || '/late'), 0)::int end as late
    from stock_count_line l join product p on p.id = l.product_id left join slot s on s.place_id = l.place_id
    left join medicine_batch b on b.product_id = l.product_id and b.number = l.batch
    left join app_user u on u.id = l.counted_by left join app_user v on v.id = l.second_by
    where l.count_id = ${id} order by min(l.id) over (partition by l.place_id), l.id`.execute(db)
  return found.rows
}

/** Who counts blind is not told what the machine says either. */
async function findStory(db: Reader, id: number, isBlind: boolean): Promise<Detail['story']> {
  const found = await sql<Detail['story'][number]>`
    select e.id, to_json(e.at) #>> '{}' as at, e.verb, u.display_name as who, e.note
    from stock_count_event e left join app_user u on u.id = e.user_id
    where e.count_id = ${id} and not (${isBlind}::boolean and e.verb = 'said') order by e.id desc limit 100`.execute(db)
  return found.rows
}

/** Counts that machines have asked for and nobody has finished. */
export async function countAskedCounts(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from stock_count c
    where c.scope = 'machine' and c.state = 'counting' and ${machineInSight(sight, sql`c.machine_id`)}`.execute(db)
  return only(found).count
}

/** Counts that somebody has to look at and post. */
export async function countWaitingCounts(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from stock_count c
    where c.state = 'review' and c.is_open and ${machineInSight(sight, sql`c.machine_id`)}`.execute(db)
  return found.rows[0]?.count ?? 0
}
