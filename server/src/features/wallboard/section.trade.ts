import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import {
  dailyTrend,
  dawn,
  day,
  dayOf,
  figure,
  formerBegin,
  monthBegin,
  monthlyTrend,
  monthsAgo,
  one,
  type Parts,
  ranking,
  type Shown,
  subtree,
  unnamed,
} from './section.parts'
import { readOnce } from './section.shared'

/** Who sells: growth over the thirty days before, and who is new. */
export async function merchant(db: Reader, shown: Shown): Promise<Parts> {
  const { merchantId, today } = shown
  const ours = sql`r.merchant_id in (${subtree(merchantId)})`
  const recent = sql`r.business_day > ${day(today)} - 30 and r.business_day <= ${day(today)}`
  const former = sql`r.business_day > ${day(today)} - 60 and r.business_day <= ${day(today)} - 30`
  const count = await one(
    db,
    sql<Record<'all' | 'fresh' | 'freshBefore', number>>`select count(*) filter (where c.state = 'active') as all,
        count(*) filter (where c.created_at >= ${monthBegin(today)}) as fresh,
        count(*) filter (where c.created_at >= ${formerBegin(today)}
          and c.created_at < ${monthBegin(today)}) as "freshBefore"
      from merchant c where c.parent_id is not null and c.id in (${subtree(merchantId)})`,
  )
  const sold = await one(
    db,
    sql<Record<'fen' | 'fenBefore' | 'selling' | 'sellingBefore', number>>`
      select coalesce(sum(r.paid_fen) filter (where ${recent}), 0)::bigint as fen,
        coalesce(sum(r.paid_fen) filter (where ${former}), 0)::bigint as "fenBefore",
        count(distinct r.merchant_id) filter (where ${recent}) as selling,
        count(distinct r.merchant_id) filter (where ${former}) as "sellingBefore"
      from rollup_day r where r.business_day > ${day(today)} - 60 and ${ours}`,
  )
  const byMerchant = sql`select c.name as label,
      coalesce(sum(r.paid_fen) filter (where ${recent}), 0)::bigint as value,
      coalesce(sum(r.paid_fen) filter (where ${former}), 0)::bigint as before
    from rollup_day r join merchant c on c.id = r.merchant_id
    where r.business_day > ${day(today)} - 60 and ${ours} group by c.id`
  return {
    figures: [
      figure('merchants', 'count', count.all),
      figure('newMerchants', 'count', count.fresh, count.freshBefore),
      figure('selling', 'count', sold.selling, sold.sellingBefore),
      figure('soldMonth', 'fen', sold.fen, sold.fenBefore),
    ],
    trend: await dailyTrend(db, shown, {
      name: 'soldByDay',
      unit: 'fen',
      query: sql`select r.business_day as day, sum(r.paid_fen) as value from rollup_day r
        where r.business_day > ${day(today)} - 30 and ${ours} group by 1`,
    }),
    rankings: [
      unnamed(await ranking(db, 'bySales', 'fen', sql`${byMerchant} order by 2 desc, 1 limit 8`), shown),
      unnamed(
        await ranking(
          db,
          'byGrowth',
          'share',
          sql`select label, (value - before)::float8 / before as value, null::float8 as before
          from (${byMerchant}) sold where before > 0 order by 2 desc, 1 limit 8`,
        ),
        shown,
      ),
    ],
  }
}

/** What sells, what is sold out, and what that costs. */
export async function product(db: Reader, shown: Shown): Promise<Parts> {
  const { merchantId, today } = shown
  const ours = sql`r.merchant_id in (${subtree(merchantId)})`
  const week = sql`r.business_day > ${day(today)} - 7`
  const sold = await one(
    db,
    sql<Record<'products' | 'pieces' | 'piecesBefore', number>>`
      select count(distinct r.product_id) filter (where ${week}) as products,
        coalesce(sum(r.quantity) filter (where ${week}), 0)::bigint as pieces,
        coalesce(sum(r.quantity) filter (where not (${week})), 0)::bigint as "piecesBefore"
      from rollup_day_product r where r.business_day > ${day(today)} - 14 and ${ours}`,
  )
  const out = await one(
    db,
    sql<Record<'slots' | 'lost', number>>`select count(*) as slots, coalesce(sum(u.fen_hour), 0)::bigint as lost
      from stock_out o join slot s on s.place_id = o.place_id and s.product_id = o.product_id
      join machine m on m.id = s.machine_id left join usual_slot u on u.slot_id = s.id
      where o.ended_at is null and m.retired_at is null and m.merchant_id in (${subtree(merchantId)})`,
  )
  const best = (value: string) => sql<{ label: string; value: number; before: number }>`select p.name as label,
      coalesce(sum(${sql.ref(`r.${value}`)}) filter (where ${week}), 0)::bigint as value,
      coalesce(sum(${sql.ref(`r.${value}`)}) filter (where not (${week})), 0)::bigint as before
    from rollup_day_product r join product p on p.id = r.product_id
    where r.business_day > ${day(today)} - 14 and ${ours} group by p.id order by 2 desc, 1 limit 6`
  return {
    figures: [
      figure('soldProducts', 'count', sold.products),
      figure('pieces', 'count', sold.pieces, sold.piecesBefore),
      figure('emptySlots', 'count', out.slots),
      figure('lostHour', 'fen', out.lost),
    ],
    trend: await dailyTrend(db, shown, {
      name: 'piecesByDay',
      unit: 'count',
      query: sql`select r.business_day as day, sum(r.quantity) as value from rollup_day_product r
        where r.business_day > ${day(today)} - 30 and ${ours} group by 1`,
    }),
    rankings: [
      await readOnce(
        db,
        `byCity ${merchantId} ${today}`,
        () => ranking(db, 'byCity', 'count', bestByCity(shown)),
        CITIES_HELD_MS,
      ),
      await ranking(db, 'byPieces', 'count', best('quantity')),
      await ranking(db, 'byAmount', 'fen', best('paid_fen')),
      await ranking(
        db,
        'stockOutHours',
        'hours',
        sql`select p.name as label, round((sum(extract(epoch from coalesce(o.ended_at, ${shown.now})
              - greatest(o.began_at, ${dawn(sql`${day(today)} - 6`)}))) / 3600)::numeric, 1)::float8 as value
          from stock_out o join slot s on s.place_id = o.place_id join machine m on m.id = s.machine_id
          join product p on p.id = o.product_id
          where (o.ended_at is null or o.ended_at > ${dawn(sql`${day(today)} - 6`)})
            and m.merchant_id in (${subtree(merchantId)})
          group by p.id order by 2 desc, 1 limit 6`,
      ),
    ],
  }
}

/** Every machine's products of two weeks are added up for it, and it hardly changes meanwhile. */
const CITIES_HELD_MS = 300_000

/** What sells where: of each city that sells, where the machines stand now, the product that it buys most of. */
function bestByCity({ merchantId, today }: Shown) {
  return sql<{ label: string; value: number; before: number }>`
    with sold as (
      select t.city, r.product_id, sum(r.quantity) filter (where r.business_day > ${day(today)} - 7) as now,
        sum(r.quantity) filter (where r.business_day <= ${day(today)} - 7) as before
      from rollup_day_machine_product r join machine m on m.id = r.machine_id join point t on t.id = m.point_id
      where r.business_day > ${day(today)} - 14 and r.merchant_id in (${subtree(merchantId)}) group by 1, 2),
    best as (select distinct on (city) * from sold where now > 0 order by city, now desc, product_id)
    select best.city || ' · ' || p.name as label, best.now::bigint as value, coalesce(best.before, 0)::bigint as before
    from best join product p on p.id = best.product_id order by 2 desc, 1 limit 8`
}

/** Members and their cards. Who pays by phone is not known here, and not counted. */
export async function customer(db: Reader, shown: Shown): Promise<Parts> {
  const { merchantId, today } = shown
  const month = monthBegin(today)
  const former = formerBegin(today)
  const members = await one(
    db,
    sql<Record<'all' | 'fresh' | 'freshBefore', number>>`select count(*) filter (where m.state = 'active') as all,
        count(*) filter (where m.registered_at >= ${month}) as fresh,
        count(*) filter (where m.registered_at >= ${former} and m.registered_at < ${month}) as "freshBefore"
      from member m where m.merchant_id in (${subtree(merchantId)})`,
  )
  const cards = sql`select o.tender_code, count(*) as orders from orders o
    where o.method = 'member_card' and o.tender_code is not null and o.paid_at is not null
      and o.occurred_at >= ${month} and o.merchant_id in (${subtree(merchantId)}) group by 1`
  const payers = await one(
    db,
    sql<Record<'cards' | 'returning', number>>`select count(*) as cards,
      count(*) filter (where orders > 1) as returning from (${cards}) used`,
  )
  return {
    figures: [
      figure('members', 'count', members.all),
      figure('newMembers', 'count', members.fresh, members.freshBefore),
      figure('cardsUsed', 'count', payers.cards),
      figure('cardsReturning', 'share', payers.cards === 0 ? null : payers.returning / payers.cards),
    ],
    trend: await monthlyTrend(db, shown, {
      name: 'membersByMonth',
      unit: 'count',
      query: sql`select ${dayOf(sql`m.registered_at`)} as day, count(*) as value from member m
        where m.registered_at >= ${dawn(monthsAgo(today))} and m.merchant_id in (${subtree(merchantId)}) group by 1`,
    }),
    rankings: [
      await ranking(
        db,
        'regions',
        'count',
        sql`select m.region as label, count(*) as value from member m
          where m.region <> '' and m.state = 'active' and m.merchant_id in (${subtree(merchantId)})
          group by 1 order by 2 desc, 1 limit 8`,
      ),
      unnamed(
        await ranking(
          db,
          'busyPoints',
          'count',
          sql`select p.name as label, sum(r.orders)::bigint as value from rollup_day_machine r
          join machine m on m.id = r.machine_id join point p on p.id = m.point_id
          where r.business_day = ${day(today)} and r.merchant_id in (${subtree(merchantId)})
          group by p.id order by 2 desc, 1 limit 8`,
        ),
        shown,
      ),
    ],
  }
}
