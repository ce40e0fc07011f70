import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type Doctor, type getDoctor, type getDoctorChoices, type listDoctors } from '@aisle/contract/people/doctor'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, type Order } from '../../kernel/list'
import { isInForce, machineInSight, merchantInSight, type Sight } from '../../kernel/scope'

type Filter = InputOf<typeof listDoctors>
/** The business day, and from how many days on a licence that ends warns. */
export type Today = { day: string; warningDays: number }

/** Of several licences the one that lasts longest counts; a revoked one does not. */
const rowsInSight = (sight: Sight, { day, warningDays }: Today): RawBuilder<Doctor> => sql`
  select u.id, u.account, u.display_name as name, coalesce(d.profession, 'doctor') as profession, u.phone,
    u.merchant_id as "merchantId", m.name as "merchantName", d.hospital_id as "hospitalId", h.name as "hospitalName",
    coalesce(d.department, '') as department, l.number as "licenceNumber", l.valid_to::text as "licenceValidTo",
    l.valid_to - ${day}::date as "licenceDaysLeft",
    case when l.number is null then 'missing' when l.valid_to < ${day}::date then 'expired'
      when l.valid_to <= ${day}::date + ${warningDays}::int then 'expiring' else 'valid' end as practice,
    case when l.number is null then '' else coalesce(l.valid_to::text, '9') end as "endsFirst",
    (select count(*) from machine_grant_user g where g.user_id = u.id and ${isInForce(sql`g.ends_at`)}
      and ${machineInSight(sight, sql`g.machine_id`)})::int as "machineCount",
    u.state, coalesce(d.version, 1) as version, u.created_at as "createdAt"
  from app_user u join merchant m on m.id = u.merchant_id
    left join doctor d on d.user_id = u.id left join hospital h on h.id = d.hospital_id
    left join lateral (
      select number, valid_to from licence l
      where l.user_id = u.id and l.revoked_at is null and l.kind in ('doctor_practice', 'pharmacist_practice')
      order by valid_to desc nulls first, l.id desc limit 1) l on true
  where (u.kind = 'doctor' or d.user_id is not null) and ${merchantInSight(sight, sql`u.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  licence: { by: sql`"endsFirst"`, type: 'text' },
  name: { by: sql`name`, type: 'text' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

export function listDoctorsIn(sight: Sight, today: Today, filter: Filter): Listing<Doctor> {
  const where = allOf([
    filter.doctor &&
      sql`(${holds(sql`account`, filter.doctor)} or ${holds(sql`name`, filter.doctor)}
        or ${holds(sql`phone`, filter.doctor)} or ${holds(sql`"licenceNumber"`, filter.doctor)})`,
    filter.profession && sql`profession = ${filter.profession}`,
    isAnyOf(sql`practice`, filter.practice),
    filter.hospitalId && sql`"hospitalId" = ${filter.hospitalId}`,
    filter.merchantId &&
      sql`"merchantId" in (select id from merchant where path @> array[${filter.merchantId}]::bigint[])`,
    isAnyOf(sql`state`, filter.state),
  ])
  return listRows({ rows: rowsInSight(sight, today), where, order: orders[filter.sort] })
}

type Detail = OutputOf<typeof getDoctor>

export async function findDoctorDetail(
  db: Reader,
  sight: Sight,
  today: Today,
  id: number,
): Promise<Detail | undefined> {
  const found = await sql<Omit<Detail, 'licences' | 'machines' | 'createdAt'> & { createdAt: Date }>`
    select * from (${rowsInSight(sight, today)}) seen where id = ${id}`.execute(db)
  const [doctor] = found.rows
  if (!doctor) return undefined
  const licences = await sql<Detail['licences'][number]>`
    select id, number, issued_by as "issuedBy", valid_from::text as "validFrom", valid_to::text as "validTo",
      revoked_at is not null as "isRevoked"
    from licence where user_id = ${id} order by revoked_at is not null, valid_to desc nulls first limit 20`.execute(db)
  const machines = await sql<Detail['machines'][number]>`
    select m.id, m.code, m.name, p.name as "pointName"
    from machine_grant_user g join machine m on m.id = g.machine_id join point p on p.id = m.point_id
    where g.user_id = ${id} and ${isInForce(sql`g.ends_at`)} and ${machineInSight(sight, sql`m.id`)}
    order by m.code limit 200`.execute(db)
  return {
    ...doctor,
    createdAt: doctor.createdAt.toISOString(),
    licences: licences.rows,
    machines: machines.rows,
  }
}

/** A merchant's own hospitals, and those of the merchants above that it works in. */
export async function hospitalsFor(
  db: Reader,
  merchantId: number,
): Promise<OutputOf<typeof getDoctorChoices>['hospitals']> {
  const found = await sql<OutputOf<typeof getDoctorChoices>['hospitals'][number]>`
    select h.id, h.name, h.city,
      array(select distinct d.name from hospital_department d where d.hospital_id = h.id order by 1) as departments
    from hospital h join merchant m on m.id = ${merchantId}
    where h.merchant_id = any(m.path) and h.state = 'active' order by h.name limit 500`.execute(db)
  return found.rows
}
