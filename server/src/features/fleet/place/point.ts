import * as contract from '@aisle/contract/fleet/point'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { CommandContext, QueryContext, Reader } from '../../../kernel/context'
import { kept } from '../../../kernel/kept'
import { refuse } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../../kernel/scope'
import { daysOf } from './route'

type Detail = OutputOf<typeof contract.getPoint>
type Wanted = Omit<InputOf<typeof contract.addPoint>, 'merchantId'>

const points = kept(contract.point, {
  table: 'point',
  /** Machines that are counted are those in sight: who sees the point need not see all that stand there. */
  joins: (sight) => sql`
    left join district d on d.id = point.district_id left join area a on a.id = d.area_id
    left join hospital h on h.id = point.hospital_id and ${merchantInSight(sight, sql`h.merchant_id`)}
    left join (select point_id, count(*) as count from machine m
      where m.retired_at is null and ${machineInSight(sight, sql`m.id`)} group by point_id) m on m.point_id = point.id`,
  facts: () => ({
    areaName: sql`a.name`,
    districtName: sql`d.name`,
    hospitalName: sql`h.name`,
    machineCount: sql`coalesce(m.count, 0)::int`,
  }),
  shown: { position: sql`json_build_object('longitude', point.longitude, 'latitude', point.latitude)` },
  columns: async (ctx, wanted, { merchantId }) => {
    await refuseForeign(ctx, merchantId, wanted)
    return wanted.position
  },
  search: ['name', 'city', 'address', 'contact'],
  where: {
    areaId: (id) => sql`id in (
      select p.id from point p join district d on d.id = p.district_id where d.area_id = ${id})`,
    districtId: (id) => sql`id in (select p.id from point p where p.district_id = ${id})`,
    forMerchantId: (id) => sql`id in (
      select p.id from point p join merchant c on p.merchant_id = any(c.path) where c.id = ${id})`,
    hospitalId: (id) => sql`id in (select p.id from point p where p.hospital_id = ${id})`,
  },
  orders: { machines: { by: sql`-"machineCount"`, type: 'bigint' }, rent: { by: sql`-"rentFen"`, type: 'bigint' } },
  /** Retired machines stand there too. */
  uses: (id) => sql`select code || ' ' || name as name from machine where point_id = ${id} order by code`,
})

export const routes: Route[] = [
  ...listOf(contract.listPoints, points.list),
  query(contract.getPoint, findDetail),
  command(contract.addPoint, points.add),
  command(contract.editPoint, edit),
  command(contract.stopPoint, points.move('stop')),
  command(contract.resumePoint, points.move('resume')),
  command(contract.removePoint, points.remove),
]

/** From today on it costs what it says now; what it cost before stays so in the statistics. */
async function edit(ctx: CommandContext, input: Parameters<typeof points.edit>[1]): Promise<{ id: number }> {
  const edited = await points.edit(ctx, input)
  await sql`insert into point_rent (point_id, from_day, rent_fen)
    values (${input.id}, ${businessTime(ctx.now(), PLATFORM_TIME_ZONE).day}::date, ${input.rentFen})
    on conflict (point_id, from_day) do update set rent_fen = excluded.rent_fen`.execute(ctx.tx)
  return edited
}

async function findDetail(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const sight = sightOf(ctx.actor)
  const found = await points.get(ctx, { id })
  return { ...found, today: await soldToday(ctx.db, sight, id, ctx.now()), routes: await routesTo(ctx.db, sight, id) }
}

async function soldToday(db: Reader, sight: Sight, id: number, now: Date): Promise<Detail['today']> {
  const found = await sql<Detail['today']>`
    select coalesce(sum(r.orders), 0)::int as count, coalesce(sum(r.paid_fen), 0)::bigint as "paidFen"
    from machine m join rollup_day_machine r on r.machine_id = m.id
      and r.business_day = ${businessTime(now, PLATFORM_TIME_ZONE).day}::date
    where m.point_id = ${id} and ${machineInSight(sight, sql`m.id`)}`.execute(db)
  return found.rows[0] ?? { count: 0, paidFen: 0 }
}

async function routesTo(db: Reader, sight: Sight, id: number): Promise<Detail['routes']> {
  const found = await sql<Detail['routes'][number]>`
    select r.id, r.name, u.display_name as "userName", ${daysOf(sql`r.weekdays`)} as weekdays,
      count(*)::int as "machineCount"
    from machine m join route r on r.id = m.route_id left join app_user u on u.id = r.user_id
    where m.point_id = ${id} and ${machineInSight(sight, sql`m.id`)}
      and ${merchantInSight(sight, sql`r.merchant_id`)}
    group by r.id, u.id order by r.name limit 50`.execute(db)
  return found.rows
}

/** The district is of the merchant's own map; the hospital is one that the merchant or one above it serves. */
async function refuseForeign(ctx: CommandContext, merchantId: number, wanted: Wanted): Promise<void> {
  const { districtId, hospitalId, kind } = wanted
  const found = await sql<{ district: number | null; hospital: number | null }>`
    select (select d.merchant_id from district d
        where d.id = ${districtId} and ${merchantInSight(sightOf(ctx.actor), sql`d.merchant_id`)}) as district,
      (select h.merchant_id from hospital h
        where h.id = ${hospitalId} and ${merchantInSight(sightOf(ctx.actor), sql`h.merchant_id`)}) as hospital`.execute(
    ctx.tx,
  )
  const [owner] = found.rows
  if ((districtId !== null && !owner?.district) || (hospitalId !== null && !owner?.hospital)) refuse('request.notFound')
  if (districtId !== null && owner?.district !== merchantId) refuse('point.otherMerchant')
  if (hospitalId !== null && kind !== 'hospital') refuse('point.hospital')
}
