import {
  type Batch,
  dueDays,
  type getBatch,
  type listBatches,
  type summariseBatches,
} from '@aisle/contract/medicine/batch'
import { sellable } from '@aisle/contract/medicine/batchState'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { medicineMarginDays } from '@aisle/contract/system/settings'
import { type RawBuilder, sql } from 'kysely'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { QueryContext, Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, type Order } from '../../../kernel/list'
import { only } from '../../../kernel/must'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../../kernel/scope'
import { settingOf } from '../../../kernel/settings'
import { ofLine, sellableRow } from './batch.store'

type Filter = InputOf<typeof listBatches>
type Quantities = Pick<Batch, 'inWarehouses' | 'withReplenishers' | 'inSlots' | 'machineCount'>
type Row = Omit<Batch, keyof Quantities>

const today = (ctx: QueryContext): string => businessTime(ctx.now(), PLATFORM_TIME_ZONE).day

const rowsInSight = (ctx: QueryContext, day: string): RawBuilder<Row> => sql`
  select b.id, b.product_id as "productId", p.code as "productCode", p.name as "productName", p.specification,
    p.manufacturer, p.merchant_id as "merchantId", c.name as "merchantName", b.number,
    to_char(b.produced_on, 'YYYY-MM-DD') as "producedOn", to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn",
    b.expires_on - ${day}::date as "daysLeft", b.state, b.reason, to_json(b.changed_at) #>> '{}' as "changedAt",
    case when b.state = 'available' and b.expires_on < ${day}::date then 'expired' else b.state end as shown,
    ${merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)} as "isOwn"
  from medicine_batch b join product p on p.id = b.product_id join merchant c on c.id = p.merchant_id
  where ${ofLine(ctx, sql`p.merchant_id`)}`

const isLeft = sql`exists (select from batch_level l
  where l.product_id = seen."productId" and l.batch = seen.number and l.quantity > 0)`

const orders: Record<Filter['sort'], Order> = {
  // What is all gone interests nobody any more: it stands behind.
  expiry: { by: sql`("daysLeft" + case when ${isLeft} then 0 else 1000000 end)::bigint`, type: 'bigint' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

export function batchesIn(ctx: QueryContext, filter: Filter): Listing<Batch> {
  const { q, productCode, productId, machineId, state, due, stock, merchantId, sort } = filter
  const where = allOf([
    q && sql`(${holds(sql`number`, q)} or ${holds(sql`"productName"`, q)} or ${holds(sql`"productCode"`, q)})`,
    productCode && sql`"productCode" = ${productCode}`,
    productId && sql`"productId" = ${productId}`,
    isAnyOf(sql`shown`, state),
    due && sql`"daysLeft" <= ${sql.lit(dueDays[due])}`,
    stock === 'some' && isLeft,
    stock === 'none' && sql`not ${isLeft}`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
    machineId &&
      sql`exists (select from batch_level l join slot s on s.place_id = l.place_id
        where l.product_id = seen."productId" and l.batch = seen.number and l.quantity > 0
          and s.machine_id = ${machineId} and ${machineInSight(sightOf(ctx.actor), sql`s.machine_id`)})`,
  ])
  const sight = sightOf(ctx.actor)
  const listing = listRows({ rows: rowsInSight(ctx, today(ctx)), where, order: orders[sort] })
  return mapRows(listing, (found, db) => withQuantities(db, sight, found))
}

const none: Quantities = { inWarehouses: 0, withReplenishers: 0, inSlots: 0, machineCount: 0 }

async function withQuantities<R extends Row>(
  db: Reader,
  sight: Sight,
  found: readonly R[],
): Promise<(R & Quantities)[]> {
  const ids = found.map(({ id }) => id)
  const lying = await sql<Quantities & { id: number }>`
    select b.id, coalesce(sum(l.quantity) filter (where p.kind = 'warehouse'), 0)::int as "inWarehouses",
      coalesce(sum(l.quantity) filter (where p.kind = 'replenisher'), 0)::int as "withReplenishers",
      coalesce(sum(l.quantity) filter (where p.kind = 'slot'), 0)::int as "inSlots",
      count(distinct s.machine_id)::int as "machineCount"
    from medicine_batch b
    join batch_level l on l.product_id = b.product_id and l.batch = b.number and l.quantity > 0
    join place p on p.id = l.place_id left join slot s on s.place_id = p.id
    where b.id = any(${ids}::bigint[]) and ${placeInSight(sight)} group by b.id`.execute(db)
  const known = new Map(lying.rows.map(({ id, ...quantities }) => [id, quantities]))
  return found.map((row) => ({ ...row, ...(known.get(row.id) ?? none) }))
}

/** Of `place p` with the slot `s` that it may be. */
export const placeInSight = (sight: Sight): RawBuilder<boolean> => sql<boolean>`
  case when p.kind = 'slot' then ${machineInSight(sight, sql`s.machine_id`)}
    else ${merchantInSight(sight, sql`p.merchant_id`)} end`

export async function summary(ctx: QueryContext): Promise<OutputOf<typeof summariseBatches>> {
  const found = await sql<OutputOf<typeof summariseBatches>>`
    select count(*) filter (where shown = 'expired')::int as expired,
      count(*) filter (where shown = 'available' and "daysLeft" <= ${sql.lit(dueDays.month)})::int as month,
      count(*) filter (where state = 'locked')::int as locked,
      count(*) filter (where state = 'recalled')::int as recalled
    from (${rowsInSight(ctx, today(ctx))}) seen where ${isLeft}`.execute(ctx.db)
  return only(found)
}

type Detail = OutputOf<typeof getBatch>
type DetailRow = Row & Pick<Detail, 'version' | 'changedBy' | 'createdBy'> & { merchantId: number }

export async function findBatch(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const sight = sightOf(ctx.actor)
  const day = today(ctx)
  const found = await sql<DetailRow>`select seen.*, b.version,
      (select display_name from app_user where id = b.changed_by) as "changedBy",
      (select display_name from app_user where id = b.created_by) as "createdBy"
    from (${rowsInSight(ctx, day)}) seen join medicine_batch b on b.id = seen.id where seen.id = ${id}`.execute(ctx.db)
  const [row] = await withQuantities(ctx.db, sight, found.rows)
  if (!row) return undefined
  const { merchantId, ...shown } = row
  const marginDays = await settingOf(ctx.db, medicineMarginDays, merchantId)
  const isBlocking = !sellable(row, day, marginDays)
  return {
    ...shown,
    marginDays,
    trapped: isBlocking
      ? await findTrapped(ctx.db, sight, row, addDays(day, marginDays))
      : { slots: 0, pieces: 0, amountFen: 0 },
    recalls: await findRecalls(ctx.db, id),
    story: await findStory(ctx.db, id),
  }
}

/** Good pieces in slots in sight that stand behind one of this batch. */
async function findTrapped(db: Reader, sight: Sight, { productId, number }: Row, firstDay: string) {
  const found = await sql<Detail['trapped']>`
    select count(*)::int as slots, coalesce(sum(pieces), 0)::int as pieces,
      coalesce(sum(pieces * price_fen), 0)::bigint as "amountFen"
    from (
      select own.place_id, coalesce(s.price_fen, 0) as price_fen, sum(l.quantity) as pieces
      from (select place_id, min(sequence) as sequence from slot_layer
        where product_id = ${productId} and batch = ${number} group by 1) own
      join slot s on s.place_id = own.place_id
      join slot_layer l on l.place_id = own.place_id and l.product_id = ${productId} and l.sequence > own.sequence
      left join medicine_batch b on b.product_id = l.product_id and b.number = l.batch
      where ${sellableRow('b', firstDay)} and ${machineInSight(sight, sql`s.machine_id`)}
      group by 1, 2) behind`.execute(db)
  return only(found)
}

async function findRecalls(db: Reader, batchId: number): Promise<Detail['recalls']> {
  const found = await sql<Detail['recalls'][number]>`select id, ${recallNo} as no, state, is_drill as "isDrill"
    from recall where batch_id = ${batchId} order by id desc limit 20`.execute(db)
  return found.rows
}

/** What people call a recall by. */
export const recallNo = sql<string>`'ZH' || to_char(created_at at time zone 'Asia/Shanghai', 'YYYYMMDD') || '-' || id`

async function findStory(db: Reader, id: number): Promise<Detail['story']> {
  const found = await sql<Detail['story'][number]>`
    select e.id, to_json(e.at) #>> '{}' as at, e.verb, u.display_name as who, e.note
    from medicine_batch_event e left join app_user u on u.id = e.user_id
    where e.batch_id = ${id} order by e.id desc limit 100`.execute(db)
  return found.rows
}
