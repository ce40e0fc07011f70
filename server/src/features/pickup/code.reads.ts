import { pickupCodeState } from '@aisle/contract/pickup/states'
import type {
  getPickupCode,
  listPickupCodes,
  PickupCode,
  summarisePickupCodes,
} from '@aisle/contract/pickup/pickupCode'
import { TAIL_LENGTH } from '@aisle/contract/pickup/code'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { iso } from '../../db/instant'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../kernel/list'
import { endOf, midnight } from '../../kernel/platformDays'
import { merchantInSight, type Sight, subtreeOf } from '../../kernel/scope'
import { batchesWith, contentText, goodsText, reached } from './batch.reads'
import { findEvents } from './event.reads'
import { statesIn } from '../../kernel/states'

type Filter = InputOf<typeof listPickupCodes>

/**
 * Codes in sight; what is asked by, in its own type, stands beside what is shown. The merchants or batches are looked
 * up first, so that a page is read in its order and not sorted out of all codes.
 */
const rowsInSight = (sight: Sight): RawBuilder<PickupCode> => sql`
  select c.id, c.tail, c.batch_id as "batchId", c.serial, b.description, c.state, m.name as "merchantName",
    c.merchant_id as "merchantId", ${contentText} as content, ${goodsText} as goods,
    case when c.state = 'invalid' then (select string_agg(distinct p.name, ', ') from pickup_content k
      join product p on p.id = k.product_id
      where k.batch_id = c.batch_id and p.state = 'offline') end as "offlineGoods",
    c.pieces, c.shipped,
    c.expires_at as "endsAt", ${iso('c.expires_at')} as "expiresAt", ${iso('c.created_at')} as "createdAt",
    (select display_name from app_user where id = b.created_by) as "createdByName", ${iso('c.ended_at')} as "endedAt"
  from pickup_code c join pickup_batch b on b.id = c.batch_id join merchant m on m.id = c.merchant_id
  where ${codeInSight(sight)}`

function codeInSight(sight: Sight): RawBuilder<unknown> {
  if (sight.kind === 'all') return sql`true`
  if (sight.kind === 'granted') return sql`c.batch_id = any(array(${reached(sight)}))`
  return sql`c.merchant_id = any(array(select own.id from merchant own where ${merchantInSight(sight, sql`own.id`)}))`
}

const orders: Record<Filter['sort'], Order> = {
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
  expiry: { by: sql`"endsAt"`, type: 'timestamptz' },
}

const filterOf = (filter: Filter) =>
  allOf([
    filter.tail && sql`tail like ${`${filter.tail.slice(-TAIL_LENGTH)}%`}`,
    isAnyOf(sql`state`, filter.state),
    filter.batchId && sql`"batchId" = ${filter.batchId}`,
    filter.description &&
      sql`"batchId" in (select id from pickup_batch where ${holds(sql`description`, filter.description)})`,
    filter.merchantId && sql`"merchantId" in (${subtreeOf(filter.merchantId)})`,
    filter.machineCode &&
      sql`id in (select u.code_id from pickup_use u join machine at on at.id = u.machine_id
        where at.code = ${filter.machineCode})`,
    filter.product && sql`"batchId" in (${batchesWith(filter.product)})`,
    // Codes end with their last day, which is when the next one begins.
    filter.from && sql`"endsAt" > ${midnight(filter.from)}`,
    filter.to && sql`"endsAt" <= ${endOf(filter.to)}`,
  ])

export function listPickupCodesIn(sight: Sight, filter: Filter): Listing<PickupCode, Sums> {
  const [rows, where] = [rowsInSight(sight), filterOf(filter)]
  const list = listRows({ rows, where, order: orders[filter.sort] })
  return {
    ...list,
    count: async (db, most) => {
      const { total } = await list.count(db, most)
      return total === null ? { total } : { total, sums: await sumsOf(db, rows, where) }
    },
  }
}

type Sums = { valueFen: number; leftFen: number }

/** At today's list prices: a code's pick-ups times its content, and of that what is neither out nor over. */
async function sumsOf(db: Reader, rows: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<Sums> {
  const found = await sql<Sums>`
    with found as materialized (select id, "batchId" from (${rows}) seen where ${where}),
    worth as (select k.batch_id, sum(p.price_fen) as fen, count(*) as pieces
      from pickup_content k join product p on p.id = k.product_id
      where k.batch_id in (select "batchId" from found) group by 1),
    each as (select w.fen * (c.pieces / w.pieces) as value,
        case when c.state not in ${statesIn(pickupCodeState, 'living')} then 0
          else w.fen * (c.pieces - c.shipped + cardinality(c.taken)) / w.pieces
            - case when c.taken = '{}' then 0 else (select sum(p.price_fen) from pickup_content k
              join product p on p.id = k.product_id where k.batch_id = c.batch_id and k.position = any(c.taken)) end
          end as due
      from found join pickup_code c on c.id = found.id join worth w on w.batch_id = c.batch_id)
    select coalesce(sum(value), 0)::bigint as "valueFen", coalesce(sum(due), 0)::bigint as "leftFen" from each`.execute(
    db,
  )
  return found.rows[0] ?? { valueFen: 0, leftFen: 0 }
}

type Detail = OutputOf<typeof getPickupCode>

export async function findPickupCodeDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Omit<Detail, 'events'>>`
    select seen.*, b.scope, b.pickups_allowed as "pickupsAllowed", b.count as "batchCount", c.reason,
      ended.display_name as "endedByName",
      (select json_agg(json_build_object('id', p.id, 'code', p.code, 'name', p.name,
        'isOffline', p.state = 'offline', 'isOut', k.position = any(c.taken))
        order by k.position) from pickup_content k join product p on p.id = k.product_id where k.batch_id = b.id)
        as products
    from (${rowsInSight(sight)}) seen join pickup_code c on c.id = seen.id join pickup_batch b on b.id = c.batch_id
    left join app_user ended on ended.id = c.ended_by where seen.id = ${id}`.execute(db)
  const [code] = found.rows
  return code && { ...code, events: await findEvents(db, sight, id) }
}

const SOON_DAYS = 7

/** Of what still gives something; nothing here grows with what is over. */
export async function summary(db: Reader, sight: Sight, now: Date): Promise<OutputOf<typeof summarisePickupCodes>> {
  const today = businessTime(now, PLATFORM_TIME_ZONE).day
  const expiringTo = addDays(today, SOON_DAYS)
  const mine = codeInSight(sight)
  const found = await sql<Omit<OutputOf<typeof summarisePickupCodes>, 'today' | 'expiringTo'>>`
    select (count(*) filter (where c.state = 'unused'))::int as unused,
      (count(*) filter (where c.state = 'in_use'))::int as "inUse",
      (count(*) filter (where c.state = 'partly_shipped'))::int as "partlyShipped",
      (select count(*) from pickup_code c where c.state = 'invalid' and ${mine})::int as invalid,
      (count(*) filter (where c.expires_at <= ${endOf(expiringTo)}))::int as expiring
    from pickup_code c where c.state in ${statesIn(pickupCodeState, 'good')} and ${mine}`.execute(db)
  const [row] = found.rows
  if (!row) throw new Error('nothing was counted')
  return { ...row, today, expiringTo }
}
