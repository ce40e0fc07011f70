import { type addPoint, type editPoint, pointState } from '@aisle/contract/fleet/point'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { refuseInUse, refuseStale } from '../../kernel/edit'
import { refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { findForUpdate, type PointRow, usesOf } from './point.reads'

type Wanted = Omit<InputOf<typeof addPoint>, 'merchantId'>
type Changed = { id: number }

export async function add(ctx: CommandContext, input: InputOf<typeof addPoint>): Promise<Changed> {
  const { merchantId, ...wanted } = input
  await refuseForeign(ctx, merchantId, wanted)
  const made = await sql<{ id: number }>`
    insert into point (merchant_id, ${columns}, created_at)
    select c.id, ${valuesOf(wanted)}, ${ctx.now()} from merchant c
    where c.id = ${merchantId} and ${merchantInSight(sightOf(ctx.actor), sql`c.id`)} returning id`.execute(ctx.tx)
  const id = made.rows[0]?.id ?? refuse('request.notFound')
  await audit(ctx, { id, merchantId }, null, wanted)
  return { id }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editPoint>): Promise<Changed> {
  const { id, version, ...wanted } = input
  const point = await load(ctx, id)
  const before = editableOf(point)
  refuseStale(ctx, { version }, point, before, wanted)
  await refuseForeign(ctx, point.merchantId, wanted)
  await sql`update point set (${columns}) = row(${valuesOf(wanted)}), version = version + 1
    where id = ${id}`.execute(ctx.tx)
  await audit(ctx, point, before, wanted)
  return { id }
}

export async function move(ctx: CommandContext, id: number, verb: 'stop' | 'resume'): Promise<Changed> {
  const point = await load(ctx, id)
  if (!pointState.can(point.state, verb)) refuse('point.state', { name: point.name })
  const state = pointState.to(verb)
  await sql`update point set state = ${state}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await audit(ctx, point, { state: point.state }, { state })
  return { id }
}

export async function remove(ctx: CommandContext, id: number): Promise<Changed> {
  const point = await load(ctx, id)
  refuseInUse(await usesOf(ctx.tx, id))
  await sql`delete from point where id = ${id}`.execute(ctx.tx)
  await audit(ctx, point, editableOf(point), null)
  return { id }
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

const columns = sql`name, kind, province, city, district_id, address, longitude, latitude, hospital_id, building, floor,
  contact, phone, rent_fen, remark`

const valuesOf = ({ position, ...point }: Wanted) => sql`${point.name}, ${point.kind}, ${point.province},
  ${point.city}, ${point.districtId}::bigint, ${point.address}, ${position.longitude}::float8,
  ${position.latitude}::float8, ${point.hospitalId}::bigint, ${point.building}, ${point.floor}, ${point.contact},
  ${point.phone}, ${point.rentFen}::bigint, ${point.remark}`

const load = async (ctx: CommandContext, id: number): Promise<PointRow> =>
  (await findForUpdate(ctx.tx, sightOf(ctx.actor), id)) ?? refuse('request.notFound')

function editableOf(point: PointRow) {
  const { id: _i, merchantId: _m, state: _s, version: _v, longitude, latitude, ...rest } = point
  return { ...rest, position: { longitude, latitude } }
}

const audit = (
  ctx: CommandContext,
  { id, merchantId }: { id: number; merchantId: number },
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
) => ctx.audit({ merchantId, objectKind: 'point', objectId: id, before, after })
