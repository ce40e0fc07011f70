import { fillItemState } from '@aisle/contract/pharmacy/states'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type {
  getPrescriptionSales,
  listPrescriptionSales,
  PrescriptionSale,
  SalesBy,
} from '@aisle/contract/pharmacy/sales'
import { type RawBuilder, sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { QueryContext } from '../../kernel/context'
import { allOf, type Listing, listRows } from '../../kernel/list'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { isSeen } from './prescription.store'
import { statesIn } from '../../kernel/states'

const DAY_MS = 86_400_000
const MOST_DAYS = 366

type Span = { from: string; to: string }

/** Both days included; the last thirty where none are said, at most a year. */
export function spanOf(asked: { from?: string | undefined; to?: string | undefined }, now: Date): Span {
  const to = asked.to ?? businessTime(now, PLATFORM_TIME_ZONE).day
  const day = (back: number) => new Date(Date.parse(to) - back * DAY_MS).toISOString().slice(0, 10)
  const from = asked.from ?? day(29)
  return { from: from < day(MOST_DAYS - 1) ? day(MOST_DAYS - 1) : from, to }
}

type Filter = InputOf<typeof listPrescriptionSales>
type Narrow = Pick<Filter, 'merchantId'> & Partial<Pick<Filter, 'doctorId' | 'hospitalId' | 'productId'>>

/** Figures of merchants in sight, of one's own prescriptions for who only writes. @param r the figures' alias */
function inSight(ctx: QueryContext, { from, to }: Span, narrow: Narrow, hasProduct: boolean): RawBuilder<unknown> {
  const { actor } = ctx
  const isWriter = actor.kind === 'doctor' && !actor.grants.some((each) => each === '*' || each.endsWith('.review'))
  return allOf([
    merchantInSight(sightOf(actor), sql`r.merchant_id`),
    sql`r.business_day between ${from}::date and ${to}::date`,
    isWriter && sql`r.doctor_id = ${actor.userId}`,
    narrow.merchantId &&
      sql`r.merchant_id in (select id from merchant where path @> array[${narrow.merchantId}]::bigint[])`,
    narrow.doctorId && sql`r.doctor_id = ${narrow.doctorId}`,
    narrow.hospitalId && sql`r.hospital_id = ${narrow.hospitalId}`,
    hasProduct && narrow.productId && sql`r.product_id = ${narrow.productId}`,
  ])
}

/** What a row is of: its key, its name, and what stands beside it. */
const dimensions: Record<SalesBy, { key: RawBuilder<unknown>; name: RawBuilder<unknown>; join: RawBuilder<unknown> }> =
  {
    doctor: {
      key: sql`r.doctor_id`,
      name: sql`u.display_name as name, concat_ws(' · ', nullif(d.department, ''), h.name) as note, null::text as day`,
      join: sql`join app_user u on u.id = k.key left join doctor d on d.user_id = u.id
      left join hospital h on h.id = d.hospital_id`,
    },
    hospital: {
      key: sql`r.hospital_id`,
      name: sql`coalesce(h.name, '–') as name, coalesce(h.city, '') as note, null::text as day`,
      join: sql`left join hospital h on h.id = k.key`,
    },
    medicine: {
      key: sql`r.product_id`,
      name: sql`p.name, concat_ws(' · ', p.code, nullif(p.specification, '')) as note, null::text as day`,
      join: sql`join product p on p.id = k.key`,
    },
    day: {
      key: sql`(r.business_day - '2000-01-01'::date)`,
      name: sql`('2000-01-01'::date + k.key::int)::text as name, '' as note,
      ('2000-01-01'::date + k.key::int)::text as day`,
      join: sql``,
    },
  }

export function listPrescriptionSalesIn(ctx: QueryContext, filter: Filter): Listing<PrescriptionSale> {
  const span = spanOf(filter, ctx.now())
  const { by = 'doctor' } = filter
  const { key, name, join } = dimensions[by]
  // By medicine, and of one medicine, an order with two of them would count twice.
  const hasOrders = by !== 'medicine' && filter.productId === undefined
  const orders = hasOrders
    ? sql`(select sum(r.orders) from rollup_day_prescription_order r
        where ${inSight(ctx, span, filter, false)} and ${key} = k.key)::int`
    : sql`null::int`
  const rows = sql`
    select k.key::bigint as id, ${by} as by, ${name}, ${orders} as orders, k.packs, k.fen as "soldFen",
      round(100.0 * k.fen / nullif(sum(k.fen) over (), 0), 1)::float8 as "sharePercent"
    from (select ${key} as key, sum(r.packs)::int as packs, sum(r.sold_fen)::bigint as fen
      from rollup_day_prescription r where ${inSight(ctx, span, filter, true)} group by 1 having sum(r.packs) <> 0) k
    ${join}`
  const shown = sql<PrescriptionSale>`select id, by, name, note, day, orders, packs, "soldFen",
    coalesce("sharePercent", 0) as "sharePercent" from (${rows}) shown`
  return listRows({
    rows: shown,
    order: { by: by === 'day' ? sql`id` : sql`"soldFen"`, type: 'bigint', newestFirst: true },
    sums: sql`(select coalesce(sum(r.sold_fen), 0)::bigint from rollup_day_prescription r
      where ${inSight(ctx, span, filter, true)}) as "soldFen"`,
    isCountedWhole: true,
  })
}

type Summary = OutputOf<typeof getPrescriptionSales>

export async function summary(ctx: QueryContext, asked: InputOf<typeof getPrescriptionSales>): Promise<Summary> {
  const span = spanOf(asked, ctx.now())
  const sold = inSight(ctx, span, asked, true)
  const days = await sql<Summary['days'][number]>`
    select r.business_day::text as day, sum(r.sold_fen)::bigint as "soldFen", sum(r.packs)::int as packs
    from rollup_day_prescription r where ${sold} group by 1 order by 1`.execute(ctx.db)
  const found = await sql<Omit<Summary, 'from' | 'to' | 'days' | keyof Open>>`
    select coalesce(sum(r.packs), 0)::int as packs, coalesce(sum(r.sold_fen), 0)::bigint as "soldFen",
      count(distinct r.doctor_id)::int as doctors,
      (select coalesce(sum(r.orders), 0) from rollup_day_prescription_order r
        where ${inSight(ctx, span, asked, false)})::int as orders,
      (select count(distinct r.prescription_id) from prescription_fill r join prescription p on p.id = r.prescription_id
        where r.is_dispensed and ${inSight(ctx, span, asked, false)} 
          and ${isSeen(ctx.actor, 'p')})::int as prescriptions
    from rollup_day_prescription r where ${sold}`.execute(ctx.db)
  const whole = found.rows[0] ?? { packs: 0, soldFen: 0, doctors: 0, orders: 0, prescriptions: 0 }
  return { ...span, ...whole, ...(await openOf(ctx, span)), days: days.rows }
}

type Open = Pick<Summary, 'unbound' | 'unlawful' | 'doubtful'>

/**
 * What the figures do not hold: sales on no prescription of ours, those that a machine should not have made, and orders
 * of which one has yet to speak.
 */
async function openOf(ctx: QueryContext, { from, to }: Span): Promise<Open> {
  const sight = sightOf(ctx.actor)
  const unbound = await sql<{ count: number }>`
    select count(*)::int as count from orders o
    where o.business_type = 'prescription' and o.business_day between ${from}::date and ${to}::date
      and o.occurred_at >= ${from}::date - interval '2 days' and o.occurred_at < ${to}::date + interval '2 days'
      and o.ship_state = 'completed' and ${machineInSight(sight, sql`o.machine_id`)}
      and not exists (select from prescription_fill f where f.order_id = o.id)`.execute(ctx.db)
  const doubtful = await sql<{ count: number }>`
    select count(distinct f.order_id)::int as count from prescription_fill f
    join prescription_fill_item i on i.order_id = f.order_id and i.state in ${statesIn(fillItemState, 'heldStill')}
    where f.business_day between ${from}::date and ${to}::date
      and ${merchantInSight(sight, sql`f.merchant_id`)}`.execute(ctx.db)
  const unlawful = await sql<{ count: number }>`
    select count(distinct k.order_id)::int as count from problem_case k
    join orders o on o.merchant_id = k.merchant_id and o.occurred_at = k.occurred_at and o.id = k.order_id
    where k.kind = 'unlawful_sale' and o.business_day between ${from}::date and ${to}::date
      and k.occurred_at >= ${from}::date - interval '2 days' and k.occurred_at < ${to}::date + interval '2 days'
      and ${machineInSight(sight, sql`k.machine_id`)}`.execute(ctx.db)
  const countOf = ({ rows: [row] }: { rows: { count: number }[] }) => row?.count ?? 0
  return { unbound: countOf(unbound), unlawful: countOf(unlawful), doubtful: countOf(doubtful) }
}
