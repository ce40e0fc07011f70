import * as contract from '@aisle/contract/fleet/hospital'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { CommandContext, QueryContext, Reader, Tx } from '../../../kernel/context'
import { kept } from '../../../kernel/kept'
import { existing, refuse } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { machineInSight, merchantInSight, type Sight, sightOf } from '../../../kernel/scope'

type Detail = OutputOf<typeof contract.getHospital>

const doctorsOf = (sight: Sight, hospitalId: RawBuilder<unknown>) => sql`
  from doctor d join app_user u on u.id = d.user_id
  where d.hospital_id = ${hospitalId} and ${merchantInSight(sight, sql`u.merchant_id`)}`

const hospitals = kept(contract.hospital, {
  table: 'hospital',
  facts: (sight) => ({
    departmentCount: sql`(select count(*)::int from hospital_department d where d.hospital_id = hospital.id)`,
    pointCount: sql`(select count(*)::int from point p
      where p.hospital_id = hospital.id and ${merchantInSight(sight, sql`p.merchant_id`)})`,
    machineCount: sql`(select count(*)::int from machine m join point p on p.id = m.point_id
      where p.hospital_id = hospital.id and ${machineInSight(sight, sql`m.id`)})`,
    doctorCount: sql`(select count(*)::int ${doctorsOf(sight, sql`hospital.id`)})`,
  }),
  search: ['name', 'city', 'contact'],
  orders: { machines: { by: sql`-"machineCount"`, type: 'bigint' } },
  shown: {
    departments: sql`coalesce((
      select json_agg(json_build_object('building', d.building, 'name', d.name) order by d.sort, d.building, d.name)
      from hospital_department d where d.hospital_id = hospital.id), '[]')`,
  },
  uses: (id) => sql`
    select name from point where hospital_id = ${id}
    union all
    select u.display_name from doctor d join app_user u on u.id = d.user_id where d.hospital_id = ${id}
    order by 1`,
})

export const routes: Route[] = [
  ...listOf(contract.listHospitals, hospitals.list),
  query(contract.getHospital, findDetail),
  command(contract.addHospital, keeping(hospitals.add)),
  command(contract.editHospital, keeping(hospitals.edit)),
  command(contract.stopHospital, hospitals.move('stop')),
  command(contract.resumeHospital, hospitals.move('resume')),
  command(contract.removeHospital, hospitals.remove),
  command(contract.assignPoint, (ctx, input) => place(ctx, input, true)),
  command(contract.releasePoint, (ctx, input) => place(ctx, input, false)),
]

async function findDetail(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await hospitals.get(ctx, { id })
  const sight = sightOf(ctx.actor)
  const free = sql`p.hospital_id is null and p.kind = 'hospital'`
  return {
    ...found,
    points: await findPoints(ctx.db, sight, sql`p.hospital_id = ${id}`, sql`p.name`),
    machines: await findMachines(ctx.db, sight, id),
    doctors: await findDoctors(ctx.db, sight, id),
    freePoints: await findPoints(ctx.db, sight, free, sql`(p.city = ${found.city}) desc, p.name`),
  }
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

type PointOfHospital = { id: number; pointId: number }

async function place(ctx: CommandContext, { id, pointId }: PointOfHospital, isIn: boolean): Promise<{ id: number }> {
  const row = await hospitals.load(ctx, id)
  const { name, kind, hospitalId } = await loadPoint(ctx, pointId)
  const isFine = isIn ? kind === 'hospital' && (hospitalId ?? id) === id : hospitalId === id
  if (!isFine) refuse('hospital.pointTaken', { point: name })
  await ctx.tx
    .updateTable('point')
    .set((point) => ({ hospitalId: isIn ? id : null, version: point('version', '+', 1) }))
    .where('id', '=', pointId)
    .execute()
  await hospitals.audit(ctx, row, isIn ? null : { point: name }, isIn ? { point: name } : null)
  return { id }
}

async function loadPoint(ctx: CommandContext, id: number) {
  const found = await ctx.tx
    .selectFrom('point')
    .select(['name', 'kind', 'hospitalId'])
    .where('id', '=', id)
    .where(merchantInSight(sightOf(ctx.actor), sql.ref('point.merchant_id')))
    .forUpdate()
    .executeTakeFirst()
  return existing(found)
}

type Departments = Detail['departments']

/** Departments are rows of their own that are typed and saved with it. */
function keeping<I extends { departments: Departments }>(
  save: (ctx: CommandContext, input: I) => Promise<{ id: number }>,
) {
  return async (ctx: CommandContext, input: I) => {
    const { id } = await save(ctx, input)
    await keepDepartments(ctx.tx, id, input.departments)
    return { id }
  }
}

async function keepDepartments(tx: Tx, id: number, departments: Departments): Promise<void> {
  await tx.deleteFrom('hospitalDepartment').where('hospitalId', '=', id).execute()
  const sorted = departments.map((department, sort) => ({ ...department, sort }))
  await sql`insert into hospital_department (hospital_id, building, name, sort)
    select ${id}, d.building, d.name, d.sort
    from ${rows('d', sorted, { building: 'text', name: 'text', sort: 'int' })}
    on conflict do nothing`.execute(tx)
}
