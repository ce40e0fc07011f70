import type { CareTask, getCareSheet, getCareTask, listCareTasks, summariseCare } from '@aisle/contract/medicine/care'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { rows as given } from '../../db/rows'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { QueryContext, Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, type Order } from '../../kernel/list'
import { only } from '../../kernel/must'
import { existing } from '../../kernel/refuse'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { measuredAt } from './care.measured'
import { addMonths } from './expiry.rules'

type Filter = InputOf<typeof listCareTasks>
type Row = CareTask & { machineId: number | null; placeId: number | null; since: string; timeZone: string }

const tenths = (column: string) => sql`${sql.ref(column)} / 10.0::float8`

/** In sight by its machine, or by whose warehouse or bag it lies in. */
export const careInSight = (sight: Sight): RawBuilder<boolean> => sql<boolean>`case when t.machine_id is null
  then ${merchantInSight(sight, sql`l.merchant_id`)} else ${machineInSight(sight, sql`t.machine_id`)} end`

const rowsInSight = (sight: Sight, now: Date): RawBuilder<Row> => sql`
  select t.id, p.id as "productId", p.code as "productCode", p.name as "productName", p.specification,
    b.id as "batchId", b.number as batch, to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn",
    t.machine_id as "machineId", t.place_id as "placeId", coalesce(k.name, nullif(l.name, ''), m.name) as "placeName",
    k.code as "machineCode", m.id as "merchantId", m.name as "merchantName", d.storage, t.kind,
    t.key_reasons as "keyReasons", t.state, t.rank, t.due_on, to_char(t.due_on, 'YYYY-MM-DD') as "dueOn",
    to_char(t.since, 'YYYY-MM-DD') as since, coalesce(k.time_zone, m.time_zone) as "timeZone",
    case when t.state = 'open'
      then t.due_on - (${now}::timestamptz at time zone coalesce(k.time_zone, m.time_zone))::date end as "daysLeft",
    coalesce(r.quantity, 0) as quantity, r.result, coalesce(r.measures, '') as measures,
    ${tenths('r.lowest_tenths')} as "lowestC", ${tenths('r.highest_tenths')} as "highestC",
    ${tenths('r.lowest_humidity_tenths')} as "lowestHumidity",
    ${tenths('r.highest_humidity_tenths')} as "highestHumidity",
    r.signer as "signedBy", to_json(r.signed_at) #>> '{}' as "signedAt", r.signed_at
  from care_task t join medicine_batch b on b.id = t.batch_id join product p on p.id = b.product_id
  left join medicine d on d.product_id = p.id
  left join machine k on k.id = t.machine_id left join place l on l.id = t.place_id
  join merchant m on m.id = coalesce(k.merchant_id, l.merchant_id)
  left join lateral (select * from care_record x where x.task_id = t.id order by x.id desc limit 1) r on true
  where ${careInSight(sight)}`

const orders: Record<Filter['sort'], Order> = {
  due: { by: sql`rank`, type: 'bigint' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

/** Due in the month, or signed in it. */
const inMonth = (month: string): RawBuilder<boolean> => {
  const [from, to] = [`${month}-01`, addMonths(`${month}-01`, 1)]
  return sql<boolean>`(due_on >= ${from}::date and due_on < ${to}::date or signed_at >= ${from}::timestamp
    at time zone "timeZone" and signed_at < ${to}::timestamp at time zone "timeZone")`
}

const below = (merchantId: number) =>
  sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`

export function listCareTasksIn(ctx: QueryContext, filter: Filter): Listing<CareTask> {
  const { find, machineCode, batchId, state, kind, result, due, month, merchantId, sort } = filter
  const where = allOf([
    find &&
      sql`(${holds(sql`"productName"`, find)} or ${holds(sql`batch`, find)} or ${holds(sql`"placeName"`, find)}
        or "machineCode" = ${find})`,
    machineCode && sql`"machineCode" = ${machineCode}`,
    batchId && sql`"batchId" = ${batchId}`,
    isAnyOf(sql`state`, state),
    isAnyOf(sql`kind`, kind),
    isAnyOf(sql`result`, result),
    due && sql`"daysLeft" <= ${sql.lit({ overdue: -1, today: 0, week: 6 }[due])}`,
    month && inMonth(month),
    merchantId && below(merchantId),
  ])
  const rows = rowsInSight(sightOf(ctx.actor), ctx.now())
  return mapRows(listRows({ rows, where, order: orders[sort] }), withQuantities)
}

/** Of what is still open, the books say how many there are now. */
async function withQuantities<R extends Row>(found: R[], db: Reader): Promise<R[]> {
  const open = found.filter(({ signedAt }) => signedAt === null).map(({ id }) => ({ id }))
  if (open.length === 0) return found
  const counted = await sql<{ id: number; quantity: number }>`
    select t.id, sum(v.quantity)::int as quantity from ${given('w', open, { id: 'bigint' })}
    join care_task t on t.id = w.id join medicine_batch b on b.id = t.batch_id
    join batch_level v on v.product_id = b.product_id and v.batch = b.number and v.quantity > 0
    where v.place_id = t.place_id or v.place_id in (select s.place_id from slot s where s.machine_id = t.machine_id)
    group by t.id`.execute(db)
  const known = new Map(counted.rows.map(({ id, quantity }) => [id, quantity]))
  return found.map((row) => ({ ...row, quantity: known.get(row.id) ?? row.quantity }))
}

/** By the calendar of the network's home. */
const todayOf = (ctx: QueryContext) => businessTime(ctx.now(), PLATFORM_TIME_ZONE).day

type Summary = OutputOf<typeof summariseCare>

export async function summary(ctx: QueryContext): Promise<Summary> {
  const month = todayOf(ctx).slice(0, 7)
  const counted = await sql<Omit<Summary, 'month'>>`
    select count(*) filter (where "daysLeft" < 0)::int as overdue,
      count(*) filter (where "daysLeft" <= 0)::int as today,
      count(*) filter (where "daysLeft" <= 6)::int as week,
      count(*) filter (where state = 'done' and ${inMonth(month)})::int as "doneThisMonth",
      count(*) filter (where state = 'missed' and ${inMonth(month)})::int as "missedThisMonth"
    from (${rowsInSight(sightOf(ctx.actor), ctx.now())}) seen where state = 'open' or ${inMonth(month)}`.execute(ctx.db)
  return { month, ...only(counted) }
}

type Detail = OutputOf<typeof getCareTask>

export async function detail(ctx: QueryContext, id: number): Promise<Detail> {
  const found = await sql<Row & Pick<Detail, 'producedOn'>>`
    select seen.*, (select to_char(produced_on, 'YYYY-MM-DD') from medicine_batch b where b.id = seen."batchId")
      as "producedOn"
    from (${rowsInSight(sightOf(ctx.actor), ctx.now())}) seen where id = ${id}`.execute(ctx.db)
  const [row] = await withQuantities([existing(found.rows[0])], ctx.db)
  const task = existing(row)
  const records = await findRecords(ctx.db, id)
  const until = task.signedAt === null ? ctx.now() : new Date(task.signedAt)
  const measured = await measuredAt(ctx.db, { machineId: task.machineId, since: task.since, until })
  return {
    ...task,
    ...(task.signedAt === null ? shown(measured) : {}),
    readings: records[0]?.readings ?? measured.readings,
    slots: await findSlots(ctx.db, id),
    records,
  }
}

const part = (value: number | null) => (value === null ? null : value / 10)
const shown = (measured: Awaited<ReturnType<typeof measuredAt>>) => ({
  lowestC: part(measured.lowestTenths),
  highestC: part(measured.highestTenths),
  lowestHumidity: part(measured.lowestHumidityTenths),
  highestHumidity: part(measured.highestHumidityTenths),
})

async function findRecords(db: Reader, id: number): Promise<Detail['records']> {
  const found = await sql<Detail['records'][number]>`
    select r.id, r.result, r.measures, r.quantity, ${tenths('r.lowest_tenths')} as "lowestC",
      ${tenths('r.highest_tenths')} as "highestC", ${tenths('r.lowest_humidity_tenths')} as "lowestHumidity",
      ${tenths('r.highest_humidity_tenths')} as "highestHumidity", r.readings, r.signer as "signedBy",
      to_json(r.signed_at) #>> '{}' as "signedAt", r.reason,
      (select c.id from care_record c where c.corrects = r.id) as "correctedBy"
    from care_record r where r.task_id = ${id} order by r.id desc limit 100`.execute(db)
  return found.rows
}

async function findSlots(db: Reader, id: number): Promise<Detail['slots']> {
  const found = await sql<Detail['slots'][number]>`
    select s.code, v.quantity from care_task t join medicine_batch b on b.id = t.batch_id
    join slot s on s.machine_id = t.machine_id
    join batch_level v on v.place_id = s.place_id and v.product_id = b.product_id and v.batch = b.number
    where t.id = ${id} and v.quantity > 0 order by s.layer, s.position`.execute(db)
  return found.rows
}

export async function sheet(
  ctx: QueryContext,
  input: InputOf<typeof getCareSheet>,
): Promise<OutputOf<typeof getCareSheet>> {
  const merchantId = input.merchantId ?? ctx.actor.merchantId
  const sight = sightOf(ctx.actor)
  const merchant = await sql<{ name: string }>`select name from merchant
    where id = ${merchantId} and ${merchantInSight(sight, sql`merchant.id`)}`.execute(ctx.db)
  const { name } = existing(merchant.rows[0])
  const where = sql`${inMonth(input.month)} and ${below(merchantId)}`
  const found = await sql<Row>`select * from (${rowsInSight(sight, ctx.now())}) seen where ${where}
    order by due_on, "placeName", "productName", id limit 1000`.execute(ctx.db)
  const counted = await sql<{ total: number }>`select count(*)::int as total
    from (${rowsInSight(sight, ctx.now())}) seen where ${where}`.execute(ctx.db)
  return { merchantName: name, total: only(counted).total, items: await withQuantities(found.rows, ctx.db) }
}

/** To be signed today or before. */
export async function countCareDue(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from care_task t
    left join machine k on k.id = t.machine_id left join place l on l.id = t.place_id
    join merchant m on m.id = coalesce(k.merchant_id, l.merchant_id)
    where t.state = 'open' and t.due_on < now()::date + 2
      and t.due_on <= (now() at time zone coalesce(k.time_zone, m.time_zone))::date and ${careInSight(sight)}`.execute(
    db,
  )
  return only(found).count
}
