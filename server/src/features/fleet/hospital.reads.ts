import type { getHospital, Hospital, listHospitals } from '@aisle/contract/fleet/hospital'
import { hospitalLevels } from '@aisle/contract/fleet/hospital'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'
import { allOf, holds, listRows, type Order, type Page } from '../../kernel/list'
import { machineInSight, merchantInSight, type Sight } from '../../kernel/scope'

type Filter = InputOf<typeof listHospitals>

/** Machines that are counted are those in sight: who sees the hospital need not see all that stand in it. */
const seen = (sight: Sight): RawBuilder<unknown> => sql`
  select h.id, h.merchant_id as "merchantId", c.name as "merchantName", h.name, h.level, h.province, h.city, h.district,
    h.address, h.contact, h.phone, h.state, h.version,
    (select count(*)::int from hospital_department d where d.hospital_id = h.id) as "departmentCount",
    (select count(*)::int from point p where p.hospital_id = h.id and ${merchantInSight(sight, sql`p.merchant_id`)})
      as "pointCount",
    (select count(*)::int from machine m join point p on p.id = m.point_id
      where p.hospital_id = h.id and ${machineInSight(sight, sql`m.id`)}) as "machineCount",
    (select count(*)::int ${doctorsOf(sight, sql`h.id`)}) as "doctorCount"
  from hospital h join merchant c on c.id = h.merchant_id
  where ${merchantInSight(sight, sql`h.merchant_id`)}`

const doctorsOf = (sight: Sight, hospitalId: RawBuilder<unknown>) => sql`
  from doctor d join app_user u on u.id = d.user_id
  where d.hospital_id = ${hospitalId} and ${merchantInSight(sight, sql`u.merchant_id`)}`

const orders: Record<Filter['sort'], Order> = {
  level: { by: sql`array_position(${[...hospitalLevels]}::text[], level)`, type: 'bigint' },
  name: { by: sql`name`, type: 'text' },
  machines: { by: sql`-"machineCount"`, type: 'bigint' },
}

export function page(db: Reader, sight: Sight, filter: Filter): Promise<Page<Hospital>> {
  const typed = filter.hospital ?? filter.q
  const where = allOf([
    typed && sql`(${holds(sql`name`, typed)} or ${holds(sql`city`, typed)} or ${holds(sql`contact`, typed)})`,
    filter.level && sql`level = ${filter.level}`,
    filter.province && holds(sql`province`, filter.province),
    filter.merchantId && inSubtree(filter.merchantId),
    filter.state && sql`state = ${filter.state}`,
  ])
  return listRows<Hospital>(db, { rows: seen(sight), where, order: orders[filter.sort] }, filter)
}

const inSubtree = (merchantId: number) =>
  sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`

type Detail = OutputOf<typeof getHospital>

export async function findDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<Hospital & { version: number }>`
    select * from (${seen(sight)}) seen where id = ${id}`.execute(db)
  const hospital = found.rows[0]
  if (!hospital) return undefined
  return {
    ...hospital,
    departments: await findDepartments(db, id),
    points: await findPoints(db, sight, sql`p.hospital_id = ${id}`, sql`p.name`),
    machines: await findMachines(db, sight, id),
    doctors: await findDoctors(db, sight, id),
    freePoints: await findPoints(
      db,
      sight,
      sql`p.hospital_id is null and p.kind = 'hospital'`,
      sql`(p.city = ${hospital.city}) desc, p.name`,
    ),
  }
}

export async function findDepartments(db: Reader, id: number): Promise<Detail['departments']> {
  const found = await sql<Detail['departments'][number]>`select building, name from hospital_department
    where hospital_id = ${id} order by sort, building, name`.execute(db)
  return found.rows
}

async function findPoints(db: Reader, sight: Sight, where: RawBuilder<unknown>, order: RawBuilder<unknown>) {
  const found = await sql<Detail['points'][number]>`
    select p.id, p.name, c.name as "merchantName",
      (select count(*)::int from machine m where m.point_id = p.id and ${machineInSight(sight, sql`m.id`)})
        as "machineCount"
    from point p join merchant c on c.id = p.merchant_id
    where ${where} and ${merchantInSight(sight, sql`p.merchant_id`)} order by ${order} limit 100`.execute(db)
  return found.rows
}

async function findMachines(db: Reader, sight: Sight, id: number) {
  const found = await sql<Detail['machines'][number]>`
    select m.id, m.code, m.name, p.name as "pointName", operation_shown(m, c) as operation
    from machine m join merchant c on c.id = m.merchant_id join point p on p.id = m.point_id
    where p.hospital_id = ${id} and ${machineInSight(sight, sql`m.id`)} order by m.code limit 100`.execute(db)
  return found.rows
}

async function findDoctors(db: Reader, sight: Sight, id: number): Promise<Detail['doctors']> {
  const found = await sql<Detail['doctors'][number]>`select u.id, u.display_name as name, u.account, d.department
    ${doctorsOf(sight, sql`${id}`)} order by u.display_name, u.id limit 100`.execute(db)
  return found.rows
}

export type HospitalRow = {
  id: number
  merchantId: number
  name: string
  level: string
  province: string
  city: string
  district: string
  address: string
  contact: string
  phone: string
  state: 'active' | 'stopped'
  version: number
}

/** Held until the end of the transaction; nothing for one that is out of sight. */
export async function findForUpdate(tx: Tx, sight: Sight, id: number): Promise<HospitalRow | undefined> {
  const found = await sql<HospitalRow>`select h.id, h.merchant_id as "merchantId", h.name, h.level, h.province, h.city,
      h.district, h.address, h.contact, h.phone, h.state, h.version from hospital h
    where h.id = ${id} and ${merchantInSight(sight, sql`h.merchant_id`)} for update`.execute(tx)
  return found.rows[0]
}

/** Names of what still uses a hospital, whoever may see it. */
export async function usesOf(tx: Tx, id: number): Promise<string[]> {
  const found = await sql<{ name: string }>`
    select name from point where hospital_id = ${id}
    union all
    select u.display_name from doctor d join app_user u on u.id = d.user_id where d.hospital_id = ${id}
    order by 1 limit 30`.execute(tx)
  return found.rows.map(({ name }) => name)
}
