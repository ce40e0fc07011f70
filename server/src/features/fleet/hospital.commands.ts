import { type addHospital, type editHospital, hospitalState } from '@aisle/contract/fleet/hospital'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { refuseInUse, refuseStale } from '../../kernel/edit'
import { refusal, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { findDepartments, findForUpdate, type HospitalRow, usesOf } from './hospital.reads'

type Editable = Omit<InputOf<typeof addHospital>, 'merchantId'>

export async function add(ctx: CommandContext, input: InputOf<typeof addHospital>): Promise<{ id: number }> {
  const { merchantId, departments, ...facts } = input
  const made = await unlessTaken(
    facts.name,
    sql<{ id: number }>`
      insert into hospital (merchant_id, name, level, province, city, district, address, contact, phone, created_at)
      select c.id, ${facts.name}, ${facts.level}, ${facts.province}, ${facts.city}, ${facts.district},
        ${facts.address}, ${facts.contact}, ${facts.phone}, ${ctx.now()}
      from merchant c where c.id = ${merchantId} and ${merchantInSight(sightOf(ctx.actor), sql`c.id`)}
      returning id`.execute(ctx.tx),
  )
  const id = made.rows[0]?.id ?? refuse('request.notFound')
  await keepDepartments(ctx, id, departments)
  await audit(ctx, { id, merchantId }, null, { ...facts, departments })
  return { id }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editHospital>): Promise<{ id: number }> {
  const { id, version, ...wanted } = input
  const hospital = await load(ctx, id)
  const before = { ...editableOf(hospital), departments: await findDepartments(ctx.tx, id) }
  refuseStale(ctx, { version }, hospital, before, wanted)
  await unlessTaken(
    wanted.name,
    sql`update hospital set name = ${wanted.name}, level = ${wanted.level}, province = ${wanted.province},
      city = ${wanted.city}, district = ${wanted.district}, address = ${wanted.address}, contact = ${wanted.contact},
      phone = ${wanted.phone}, version = version + 1 where id = ${id}`.execute(ctx.tx),
  )
  await keepDepartments(ctx, id, wanted.departments)
  await audit(ctx, hospital, before, wanted)
  return { id }
}

const unlessTaken = <T>(name: string, write: Promise<T>): Promise<T> =>
  refusedBy('hospital_merchant_id_name_key', write, () => refusal('hospital.nameTaken', { name }))

export async function move(ctx: CommandContext, id: number, verb: 'stop' | 'resume'): Promise<{ id: number }> {
  const hospital = await load(ctx, id)
  if (!hospitalState.can(hospital.state, verb)) refuse('hospital.state', { name: hospital.name })
  const state = hospitalState.to(verb)
  await sql`update hospital set state = ${state}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await audit(ctx, hospital, { state: hospital.state }, { state })
  return { id }
}

export async function remove(ctx: CommandContext, id: number): Promise<{ id: number }> {
  const hospital = await load(ctx, id)
  refuseInUse(await usesOf(ctx.tx, id))
  await sql`delete from hospital where id = ${id}`.execute(ctx.tx)
  await audit(ctx, hospital, editableOf(hospital), null)
  return { id }
}

export async function assignPoint(ctx: CommandContext, id: number, pointId: number): Promise<{ id: number }> {
  const hospital = await load(ctx, id)
  const point = await loadPoint(ctx, pointId)
  const free = point.kind === 'hospital' && (point.hospitalId === null || point.hospitalId === id)
  if (!free) refuse('hospital.pointTaken', { point: point.name })
  await sql`update point set hospital_id = ${id}, version = version + 1 where id = ${pointId}`.execute(ctx.tx)
  await audit(ctx, hospital, null, { point: point.name })
  return { id }
}

export async function releasePoint(ctx: CommandContext, id: number, pointId: number): Promise<{ id: number }> {
  const hospital = await load(ctx, id)
  const point = await loadPoint(ctx, pointId)
  if (point.hospitalId !== id) refuse('hospital.pointTaken', { point: point.name })
  await sql`update point set hospital_id = null, version = version + 1 where id = ${pointId}`.execute(ctx.tx)
  await audit(ctx, hospital, { point: point.name }, null)
  return { id }
}

const load = async (ctx: CommandContext, id: number): Promise<HospitalRow> =>
  (await findForUpdate(ctx.tx, sightOf(ctx.actor), id)) ?? refuse('request.notFound')

async function loadPoint(ctx: CommandContext, id: number) {
  const found = await sql<{ name: string; kind: string; hospitalId: number | null }>`
    select name, kind, hospital_id as "hospitalId" from point
    where id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`merchant_id`)} for update`.execute(ctx.tx)
  return found.rows[0] ?? refuse('request.notFound')
}

async function keepDepartments(ctx: CommandContext, id: number, departments: Editable['departments']): Promise<void> {
  await sql`delete from hospital_department where hospital_id = ${id}`.execute(ctx.tx)
  const sorted = departments.map((department, sort) => ({ ...department, sort }))
  await sql`insert into hospital_department (hospital_id, building, name, sort)
    select ${id}, d.building, d.name, d.sort
    from ${rows('d', sorted, { building: 'text', name: 'text', sort: 'int' })}
    on conflict do nothing`.execute(ctx.tx)
}

const editableOf = ({ name, level, province, city, district, address, contact, phone }: HospitalRow) => ({
  name,
  level,
  province,
  city,
  district,
  address,
  contact,
  phone,
})

const audit = (
  ctx: CommandContext,
  { id, merchantId }: { id: number; merchantId: number },
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
) => ctx.audit({ merchantId, objectKind: 'hospital', objectId: id, before, after })
