import type { getPoint, listPoints, Point } from '@aisle/contract/fleet/point'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Reader, Tx } from '../../kernel/context'
import { allOf, holds, listRows, type Order, type Page } from '../../kernel/list'
import { machineInSight, merchantInSight, type Sight } from '../../kernel/scope'
import { daysOf } from './route.reads'

type Filter = InputOf<typeof listPoints>

/** Machines that are counted are those in sight: who sees the point need not see all that stand there. */
const seen = (sight: Sight): RawBuilder<unknown> => sql`
  select p.id, p.merchant_id as "merchantId", c.name as "merchantName", p.name, p.kind, p.province, p.city,
    a.name as "areaName", d.name as "districtName", p.address, h.name as "hospitalName", p.building, p.floor,
    p.contact, p.phone, p.rent_fen as "rentFen", p.state, p.district_id, d.area_id, p.hospital_id,
    coalesce(m.count, 0)::int as "machineCount"
  from point p join merchant c on c.id = p.merchant_id
  left join district d on d.id = p.district_id left join area a on a.id = d.area_id
  left join hospital h on h.id = p.hospital_id and ${merchantInSight(sight, sql`h.merchant_id`)}
  left join (select point_id, count(*) as count from machine m
    where m.retired_at is null and ${machineInSight(sight, sql`m.id`)} group by point_id) m on m.point_id = p.id
  where ${merchantInSight(sight, sql`p.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  name: { by: sql`name`, type: 'text' },
  machines: { by: sql`-"machineCount"`, type: 'bigint' },
  rent: { by: sql`-"rentFen"`, type: 'bigint' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

export async function page(db: Reader, sight: Sight, filter: Filter): Promise<Page<Point>> {
  const typed = filter.point ?? filter.q
  const where = allOf([
    typed &&
      sql`(${holds(sql`name`, typed)} or ${holds(sql`city`, typed)} or ${holds(sql`address`, typed)}
        or ${holds(sql`contact`, typed)})`,
    filter.kind && sql`kind = ${filter.kind}`,
    filter.city && holds(sql`city`, filter.city),
    filter.areaId && sql`area_id = ${filter.areaId}`,
    filter.districtId && sql`district_id = ${filter.districtId}`,
    filter.hospitalId && sql`hospital_id = ${filter.hospitalId}`,
    filter.merchantId &&
      sql`"merchantId" in (select id from merchant where path @> array[${filter.merchantId}]::bigint[])`,
    filter.state && sql`state = ${filter.state}`,
  ])
  return listRows<Point>(db, { rows: seen(sight), where, order: orders[filter.sort] }, filter)
}

type Detail = OutputOf<typeof getPoint>
type Found = Omit<Detail, 'position' | 'today' | 'routes'> & { longitude: number; latitude: number }

export async function findDetail(db: Reader, sight: Sight, id: number, now: Date): Promise<Detail | undefined> {
  const found = await sql<Found>`
    select seen.*, p.version, p.district_id as "districtId", p.hospital_id as "hospitalId", p.longitude, p.latitude,
      p.remark
    from (${seen(sight)}) seen join point p on p.id = seen.id where seen.id = ${id}`.execute(db)
  const [row] = found.rows
  if (!row) return undefined
  const { longitude, latitude, ...point } = row
  return {
    ...point,
    position: { longitude, latitude },
    today: await soldToday(db, sight, id, now),
    routes: await routesTo(db, sight, id),
  }
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

export type PointRow = {
  id: number
  merchantId: number
  name: string
  kind: string
  province: string
  city: string
  districtId: number | null
  address: string
  longitude: number
  latitude: number
  hospitalId: number | null
  building: string
  floor: string
  contact: string
  phone: string
  rentFen: number
  remark: string
  state: 'active' | 'stopped'
  version: number
}

/** Held until the end of the transaction; nothing for one that is out of sight. */
export async function findForUpdate(tx: Tx, sight: Sight, id: number): Promise<PointRow | undefined> {
  const found = await sql<PointRow>`select p.id, p.merchant_id as "merchantId", p.name, p.kind, p.province, p.city,
      p.district_id as "districtId", p.address, p.longitude, p.latitude, p.hospital_id as "hospitalId", p.building,
      p.floor, p.contact, p.phone, p.rent_fen as "rentFen", p.remark, p.state, p.version
    from point p where p.id = ${id} and ${merchantInSight(sight, sql`p.merchant_id`)} for update`.execute(tx)
  return found.rows[0]
}

/** Machines that still stand there, retired ones too, whoever may see them. */
export async function usesOf(tx: Tx, id: number): Promise<string[]> {
  const found = await sql<{ name: string }>`select code || ' ' || name as name from machine where point_id = ${id}
    order by code limit 30`.execute(tx)
  return found.rows.map(({ name }) => name)
}
