import { isGranted } from '@aisle/contract/identity/permissions'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  type getRecall,
  type listRecallOrders,
  type listRecalls,
  type listRecallTargets,
  type Recall,
  recallState,
} from '@aisle/contract/medicine/recall'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows } from '../../../kernel/list'
import { only } from '../../../kernel/must'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../../kernel/scope'
import { placeInSight, recallNo } from '../batch/batch.reads'
import { ofLine } from '../batch/batch.store'

type Counts = Pick<
  Recall,
  'targets' | 'pending' | 'notified' | 'acknowledged' | 'pulled' | 'unreachable' | 'bookPieces' | 'pulledPieces'
>
type Row = Omit<Recall, keyof Counts | 'isOverdue'>

const rowsInSight = (ctx: QueryContext): RawBuilder<Row> => sql`
  select r.id, r.no, r.batch_id as "batchId", b.number, p.code as "productCode", p.name as "productName",
    r.merchant_id as "merchantId", c.name as "merchantName", r.class, r.is_drill as "isDrill", r.state, r.reason,
    to_json(r.due_at) #>> '{}' as "dueAt", to_json(r.created_at) #>> '{}' as "createdAt",
    to_json(r.started_at) #>> '{}' as "startedAt", to_json(r.closed_at) #>> '{}' as "closedAt",
    ${merchantInSight(sightOf(ctx.actor), sql`r.merchant_id`)} as "isOwn"
  from (select *, ${recallNo} as no from recall) r join medicine_batch b on b.id = r.batch_id
  join product p on p.id = b.product_id join merchant c on c.id = r.merchant_id
  where ${ofLine(ctx, sql`r.merchant_id`)}`

export function recallsIn(ctx: QueryContext, filter: InputOf<typeof listRecalls>): Listing<Recall> {
  const { q, state, class: asked, drill, batchId, merchantId } = filter
  const where = allOf([
    q && sql`(${holds(sql`no`, q)} or ${holds(sql`number`, q)} or ${holds(sql`"productName"`, q)})`,
    isAnyOf(sql`state`, state),
    isAnyOf(sql`class`, asked),
    drill && sql`"isDrill" = ${sql.lit(drill === 'yes')}`,
    batchId && sql`"batchId" = ${batchId}`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
  const rows = listRows({ rows: rowsInSight(ctx), where, order })
  return mapRows(rows, (found, db) => counted(db, found, ctx.now()))
}

/** Before it is started: where the batch lies now. */
async function counted<R extends Row>(db: Reader, found: readonly R[], now: Date) {
  const ids = found.map(({ id }) => id)
  const counts = await sql<Counts & { id: number }>`
    select r.id, count(t.id)::int as targets, count(*) filter (where t.state = 'pending')::int as pending,
      count(*) filter (where t.state = 'notified')::int as notified,
      count(*) filter (where t.state = 'acknowledged')::int as acknowledged,
      count(*) filter (where t.state = 'pulled')::int as pulled,
      count(*) filter (where t.state = 'unreachable')::int as unreachable,
      coalesce(sum(t.book), 0)::int as "bookPieces", coalesce(sum(t.pulled), 0)::int as "pulledPieces"
    from recall r left join recall_target t on t.recall_id = r.id where r.id = any(${ids}::bigint[])
    group by r.id`.execute(db)
  const known = new Map(counts.rows.map(({ id, ...count }) => [id, count]))
  return found.map((row) => {
    const count = known.get(row.id) ?? none
    const isLate = row.dueAt !== null && Date.parse(row.dueAt) < now.getTime()
    const isOverdue = recallState.is(row.state, 'active') && isLate && count.pending + count.notified > 0
    return { ...row, ...count, isOverdue }
  })
}

const none: Counts = {
  targets: 0,
  pending: 0,
  notified: 0,
  acknowledged: 0,
  pulled: 0,
  unreachable: 0,
  bookPieces: 0,
  pulledPieces: 0,
}

type Detail = OutputOf<typeof getRecall>
type People = Pick<
  Detail,
  'version' | 'createdBy' | 'startedBy' | 'closedBy' | 'summary' | 'hasProof' | 'returnedPieces'
>
type DetailRow = Row & People & { createdById: number | null; startedById: number | null; merchantId: number }

export async function findRecall(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const sight = sightOf(ctx.actor)
  const found = await sql<DetailRow>`
    select seen.*, r.version, r.summary, r.created_by as "createdById", r.started_by as "startedById",
      (select display_name from app_user where id = r.created_by) as "createdBy",
      (select display_name from app_user where id = r.started_by) as "startedBy",
      (select display_name from app_user where id = r.closed_by) as "closedBy",
      exists (select from recall_proof f where f.recall_id = r.id) as "hasProof",
      (select coalesce(sum(e.quantity), 0)::int from recall_event e where e.recall_id = r.id and e.verb = 'return')
        as "returnedPieces"
    from (${rowsInSight(ctx)}) seen join recall r on r.id = seen.id where seen.id = ${id}`.execute(ctx.db)
  const [row] = await counted(ctx.db, found.rows, ctx.now())
  if (!row) return undefined
  const { createdById, startedById, merchantId: _, ...recall } = row
  const { userId } = ctx.actor
  const sold = await sql<{ pieces: number }>`select coalesce(sum(pieces), 0)::int as pieces
    from (${soldOf(sight, id)}) sold`.execute(ctx.db)
  return {
    ...recall,
    mayStart: recall.isOwn && createdById !== userId,
    mayClose: recall.isOwn && createdById !== userId && startedById !== userId,
    soldPieces: only(sold).pieces,
    story: await findStory(ctx.db, id),
  }
}

async function findStory(db: Reader, id: number): Promise<Detail['story']> {
  const found = await sql<Detail['story'][number]>`
    select e.id, to_json(e.at) #>> '{}' as at, e.verb, u.display_name as who, e.note
    from recall_event e left join app_user u on u.id = e.user_id
    where e.recall_id = ${id} order by e.id desc limit 100`.execute(db)
  return found.rows
}

type Target = OutputOf<typeof listRecallTargets>['items'][number]

/** What is open stands first; pulled last. */
export function recallTargetsIn(ctx: QueryContext, filter: InputOf<typeof listRecallTargets>): Listing<Target> {
  const { recallId, state, q } = filter
  const rows = sql<Target>`
    select t.id, t.kind, case when t.kind = 'slot' then o.name else p.name end as "placeName", c.name as "merchantName",
      m.code as "machineCode", t.slot_code as "slotCode", t.book, t.pulled, t.state, t.note,
      to_json(t.notified_at) #>> '{}' as "notifiedAt", to_json(t.acknowledged_at) #>> '{}' as "acknowledgedAt",
      to_json(t.settled_at) #>> '{}' as "settledAt", u.display_name as "settledBy"
    from recall_target t join place p on p.id = t.place_id join merchant c on c.id = t.merchant_id
    left join slot s on s.place_id = p.id left join machine m on m.id = t.machine_id
    left join point o on o.id = m.point_id left join app_user u on u.id = t.settled_by
    where t.recall_id = ${recallId} and ${placeInSight(sightOf(ctx.actor))}`
  const where = allOf([
    isAnyOf(sql`state`, state),
    q && sql`(${holds(sql`coalesce("machineCode", '')`, q)} or ${holds(sql`coalesce("placeName", '')`, q)})`,
  ])
  const by = sql`(case state when 'pending' then 0 when 'notified' then 1 when 'acknowledged' then 2
    when 'unreachable' then 3 else 4 end)::bigint`
  return listRows({ rows, where, order: { by, type: 'bigint' } })
}

type SoldOrder = OutputOf<typeof listRecallOrders>['items'][number]

/**
 * Orders in sight that had the batch: where the machine named it, and where it named none and the books took it. Who
 * can be told is said by what the order is tied to; who may not read that is told no more than the way.
 */
const soldOf = (sight: Sight, recallId: number): RawBuilder<SoldOrder> => sql`
  select o.id, o.order_no as "orderNo", m.code as "machineCode", p.name as "pointName",
    to_json(o.occurred_at) #>> '{}' as "soldAt", given.pieces, given.is_inferred as "isInferred",
    case when o.prescription_code is not null then 'prescription' when o.method = 'member_card' then 'member'
      else 'notice' end as contact,
    coalesce(o.prescription_code, case when o.method = 'member_card' then o.tender_code end) as "contactCode"
  from recall r join medicine_batch b on b.id = r.batch_id
  cross join lateral (
    select merchant_id, occurred_at, order_id, sum(pieces)::int as pieces, bool_or(is_inferred) as is_inferred from (
      select i.merchant_id, i.occurred_at, i.order_id, 1 as pieces, false as is_inferred from order_item i
      where i.product_id = b.product_id and i.batch = b.number and i.state = 'dispensed'
      union all
      select n.merchant_id, n.occurred_at, n.order_id, t.quantity, true from layer_taken t
      join order_number n on n.order_id = split_part(t.reference, '/', 2)::bigint
      where t.product_id = b.product_id and t.taken = b.number and t.named is null and t.cause = 'vend'
        and t.reference like 'order/%'
    ) pieces group by 1, 2, 3) given
  join orders o on o.merchant_id = given.merchant_id and o.occurred_at = given.occurred_at and o.id = given.order_id
  join machine m on m.id = o.machine_id join point p on p.id = m.point_id
  where r.id = ${recallId} and ${machineInSight(sight, sql`o.machine_id`)}`

export function recallOrdersIn(ctx: QueryContext, { recallId }: InputOf<typeof listRecallOrders>): Listing<SoldOrder> {
  const rows = soldOf(sightOf(ctx.actor), recallId)
  const order = { by: sql`id`, type: 'bigint' as const, newestFirst: true }
  return mapRows(listRows({ rows, order }), (found) => found.map((sold) => readable(ctx, sold)))
}

function readable(ctx: QueryContext, sold: SoldOrder): SoldOrder {
  const right = sold.contact === 'prescription' ? 'prescription.read' : 'memberCard.read'
  return isGranted(ctx.actor.grants, right) ? sold : { ...sold, contactCode: null }
}
