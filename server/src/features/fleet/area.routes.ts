import * as contract from '@aisle/contract/fleet/area'
import { sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { refuseInUse, refuseStale } from '../../kernel/edit'
import { refusal, refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { contentsOf, listAll, listTree, lock, type Place } from './area.store'

type Changed = { id: number }
type Kind = 'area' | 'district'

export const routes: Route[] = [
  query(contract.listAreas, async (ctx) => ({ items: await listTree(ctx.db, sightOf(ctx.actor)) })),
  query(contract.listDistricts, (ctx, input) => listAll(ctx.db, sightOf(ctx.actor), input)),
  command(contract.addArea, (ctx, { merchantId, name }) => addArea(ctx, merchantId, name)),
  command(contract.addDistrict, (ctx, { id, name }) => addDistrict(ctx, id, name)),
  command(contract.renameArea, (ctx, input) => rename(ctx, 'area', input)),
  command(contract.renameDistrict, (ctx, input) => rename(ctx, 'district', input)),
  command(contract.removeArea, (ctx, { id }) => remove(ctx, 'area', id)),
  command(contract.removeDistrict, (ctx, { id }) => remove(ctx, 'district', id)),
]

async function addArea(ctx: CommandContext, merchantId: number, name: string): Promise<Changed> {
  const made = await unlessTaken(
    'area',
    name,
    sql<Changed>`insert into area (merchant_id, name, created_at) select c.id, ${name}, ${ctx.now()} from merchant c
      where c.id = ${merchantId} and ${merchantInSight(sightOf(ctx.actor), sql`c.id`)} returning id`.execute(ctx.tx),
  )
  const id = made.rows[0]?.id ?? refuse('request.notFound')
  await audit(ctx, 'area', { id, merchantId }, null, { name })
  return { id }
}

async function addDistrict(ctx: CommandContext, areaId: number, name: string): Promise<Changed> {
  const { merchantId, name: area } = await load(ctx, 'area', areaId)
  const made = await unlessTaken(
    'district',
    name,
    sql<Changed>`insert into district (merchant_id, area_id, name, created_at)
      values (${merchantId}, ${areaId}, ${name}, ${ctx.now()}) returning id`.execute(ctx.tx),
  )
  const id = made.rows[0]?.id ?? 0
  await audit(ctx, 'district', { id, merchantId }, null, { area, name })
  return { id }
}

type Renamed = { id: number; version: number; name: string }

async function rename(ctx: CommandContext, kind: Kind, { id, version, name }: Renamed): Promise<Changed> {
  const place = await load(ctx, kind, id)
  refuseStale(ctx, { version }, place, { name: place.name }, { name })
  await unlessTaken(
    kind,
    name,
    sql`update ${sql.table(kind)} set name = ${name}, version = version + 1 where id = ${id}`.execute(ctx.tx),
  )
  await audit(ctx, kind, place, { name: place.name }, { name })
  return { id }
}

async function remove(ctx: CommandContext, kind: Kind, id: number): Promise<Changed> {
  const place = await load(ctx, kind, id)
  refuseInUse(await contentsOf(ctx.tx, kind, id))
  await sql`delete from ${sql.table(kind)} where id = ${id}`.execute(ctx.tx)
  await audit(ctx, kind, place, { name: place.name }, null)
  return { id }
}

const unique = { area: 'area_merchant_id_name_key', district: 'district_area_id_name_key' } as const

const unlessTaken = <T>(kind: Kind, name: string, write: Promise<T>): Promise<T> =>
  refusedBy(unique[kind], write, () => refusal(`${kind}.nameTaken`, { name }))

const load = async (ctx: CommandContext, kind: Kind, id: number): Promise<Place> =>
  (await lock(ctx.tx, sightOf(ctx.actor), kind, id)) ?? refuse('request.notFound')

const audit = (
  ctx: CommandContext,
  kind: Kind,
  { id, merchantId }: { id: number; merchantId: number },
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
) => ctx.audit({ merchantId, objectKind: kind, objectId: id, before, after })
