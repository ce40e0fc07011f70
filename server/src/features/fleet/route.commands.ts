import { type addRoute, type editRoute, type setStops, type Weekday, weekdays } from '@aisle/contract/fleet/route'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { announce } from '../../kernel/announce'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { refuseInUse, refuseStale } from '../../kernel/edit'
import { refusal, refuse } from '../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { findForUpdate, type RouteRow } from './route.reads'

type Changed = { id: number }
type Wanted = Omit<InputOf<typeof addRoute>, 'merchantId'>

export async function add(ctx: CommandContext, input: InputOf<typeof addRoute>): Promise<Changed> {
  const { merchantId, ...wanted } = input
  await refuseUnknownUser(ctx, wanted.userId)
  const made = await unlessTaken(
    wanted.name,
    sql<Changed>`insert into route (merchant_id, name, user_id, weekdays, remark, created_at)
      select c.id, ${wanted.name}, ${wanted.userId}::bigint, ${numbered(wanted.weekdays)}::int[], ${wanted.remark},
        ${ctx.now()}
      from merchant c where c.id = ${merchantId} and ${merchantInSight(sightOf(ctx.actor), sql`c.id`)}
      returning id`.execute(ctx.tx),
  )
  const id = made.rows[0]?.id ?? refuse('request.notFound')
  await audit(ctx, { id, merchantId }, null, wanted)
  return { id }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editRoute>): Promise<Changed> {
  const { id, version, ...wanted } = input
  const route = await load(ctx, id)
  const before = editableOf(route)
  refuseStale(ctx, { version }, route, before, { ...wanted, weekdays: inOrder(wanted.weekdays) })
  if (wanted.userId !== route.userId) await refuseUnknownUser(ctx, wanted.userId)
  await unlessTaken(
    wanted.name,
    sql`update route set name = ${wanted.name}, user_id = ${wanted.userId},
      weekdays = ${numbered(wanted.weekdays)}::int[],
      remark = ${wanted.remark}, version = version + 1 where id = ${id}`.execute(ctx.tx),
  )
  await audit(ctx, route, before, wanted)
  return { id }
}

/** Machines that the caller does not see stay on the route, behind those that were put in order. */
export async function setOrder(ctx: CommandContext, input: InputOf<typeof setStops>): Promise<Changed> {
  const { id, version } = input
  const route = await load(ctx, id)
  const ids = [...new Set(input.ids)]
  const wanted = await findStops(ctx, ids)
  if (wanted.length !== ids.length) refuse('request.notFound')
  const before = await codesOn(ctx, id)
  const codeOf = new Map(wanted.map((each) => [each.id, each.code]))
  const after = ids.map((each) => codeOf.get(each) ?? '')
  refuseStale(ctx, { version }, route, { stops: before.map(({ code }) => code) }, { stops: after })
  const retired = wanted.filter(({ isRetired }) => isRetired)
  if (retired.length > 0) refuse('route.retired', { codes: named(retired) })
  const foreign = wanted.filter(({ path }) => !path.includes(route.merchantId))
  if (foreign.length > 0) refuse('route.otherMerchant', { codes: named(foreign) })
  await keepOrder(ctx, id, ids)
  await sql`update route set version = version + 1 where id = ${id}`.execute(ctx.tx)
  await announce(ctx.tx, { topic: 'machines', machineIds: [...new Set([...ids, ...before.map((each) => each.id)])] })
  await audit(ctx, route, { stops: before.map(({ code }) => code) }, { stops: after })
  return { id }
}

async function keepOrder(ctx: CommandContext, routeId: number, ids: readonly number[]): Promise<void> {
  const inSight = machineInSight(sightOf(ctx.actor), sql`m.id`)
  await sql`update machine m set route_id = null, route_order = 0, version = version + 1, updated_at = ${ctx.now()}
    where m.route_id = ${routeId} and m.id <> all(${ids}::bigint[]) and ${inSight}`.execute(ctx.tx)
  const placed = ids.map((machineId, at) => ({ machineId, at }))
  await sql`update machine m set route_id = ${routeId}, route_order = s.at, updated_at = ${ctx.now()},
      version = m.version + case when m.route_id is distinct from ${routeId}::bigint then 1 else 0 end
    from ${rows('s', placed, { machineId: 'bigint', at: 'int' })} where m.id = s.machine_id`.execute(ctx.tx)
  await sql`update machine m set route_order = least(9999, ${ids.length} + o.at) from (
      select id, row_number() over (order by route_order, code) - 1 as at from machine
      where route_id = ${routeId} and id <> all(${ids}::bigint[])) o
    where m.id = o.id`.execute(ctx.tx)
}

export async function remove(ctx: CommandContext, id: number): Promise<Changed> {
  const route = await load(ctx, id)
  const found = await sql<{ name: string }>`select code || ' ' || name as name from machine where route_id = ${id}
    order by route_order, code limit 30`.execute(ctx.tx)
  refuseInUse(found.rows.map(({ name }) => name))
  await sql`delete from route where id = ${id}`.execute(ctx.tx)
  await audit(ctx, route, editableOf(route), null)
  return { id }
}

type FoundStop = { id: number; code: string; isRetired: boolean; path: number[] }

/** Locked in one order, so that two who draw routes at once do not wait for each other in a ring. */
async function findStops(ctx: CommandContext, ids: readonly number[]): Promise<FoundStop[]> {
  const found = await sql<Omit<FoundStop, 'path'> & { path: (number | string)[] }>`
    select m.id, m.code, m.retired_at is not null as "isRetired", c.path
    from machine m join merchant c on c.id = m.merchant_id
    where m.id = any(${ids}::bigint[]) and ${machineInSight(sightOf(ctx.actor), sql`m.id`)}
    order by m.id for update of m`.execute(ctx.tx)
  return found.rows.map((row) => ({ ...row, path: row.path.map(Number) }))
}

async function codesOn(ctx: CommandContext, id: number): Promise<{ id: number; code: string }[]> {
  const found = await sql<{ id: number; code: string }>`select m.id, m.code from machine m
    where m.route_id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`m.id`)}
    order by m.route_order, m.code`.execute(ctx.tx)
  return found.rows
}

async function refuseUnknownUser(ctx: CommandContext, userId: number | null): Promise<void> {
  if (userId === null) return
  const found = await sql`select 1 from app_user u where u.id = ${userId} and u.state = 'active'
    and ${merchantInSight(sightOf(ctx.actor), sql`u.merchant_id`)}`.execute(ctx.tx)
  if (found.rows.length === 0) refuse('request.notFound')
}

const named = (machines: readonly { code: string }[]): string => {
  const rest = machines.length > 5 ? ' …' : ''
  return (
    machines
      .slice(0, 5)
      .map(({ code }) => code)
      .join(', ') + rest
  )
}
/** As they follow each other in a week, each once. */
const inOrder = (days: readonly Weekday[]): Weekday[] => weekdays.filter((day) => days.includes(day))
const numbered = (days: readonly Weekday[]): number[] => inOrder(days).map((day) => weekdays.indexOf(day) + 1)

const unlessTaken = <T>(name: string, write: Promise<T>): Promise<T> =>
  refusedBy('route_merchant_id_name_key', write, () => refusal('route.nameTaken', { name }))

const load = async (ctx: CommandContext, id: number): Promise<RouteRow> =>
  (await findForUpdate(ctx.tx, sightOf(ctx.actor), id)) ?? refuse('request.notFound')

const editableOf = ({ name, userId, weekdays, remark }: RouteRow): Wanted => ({ name, userId, weekdays, remark })

const audit = (
  ctx: CommandContext,
  { id, merchantId }: { id: number; merchantId: number },
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
) => ctx.audit({ merchantId, objectKind: 'route', objectId: id, before, after })
