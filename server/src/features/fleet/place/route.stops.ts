import type { setStops } from '@aisle/contract/fleet/route'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { announce } from '../../../kernel/announce'
import type { CommandContext } from '../../../kernel/context'
import { refuseStale } from '../../../kernel/edit'
import { refuse } from '../../../kernel/refuse'
import { machineInSight, sightOf } from '../../../kernel/scope'

type Loaded = { id: number; merchantId: number; version: number }
type Stops = Record<string, unknown>
type Kept = {
  load: (ctx: CommandContext, id: number) => Promise<Loaded>
  audit: (ctx: CommandContext, row: Loaded, before: Stops, after: Stops) => Promise<void>
}

/** Machines that the caller does not see stay on the route, behind those that were put in order. */
export async function setOrder(ctx: CommandContext, input: InputOf<typeof setStops>, kept: Kept) {
  const { id, version } = input
  const route = await kept.load(ctx, id)
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
  await kept.audit(ctx, route, { stops: before.map(({ code }) => code) }, { stops: after })
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

const named = (machines: readonly { code: string }[]): string => {
  const rest = machines.length > 5 ? ' …' : ''
  return (
    machines
      .slice(0, 5)
      .map(({ code }) => code)
      .join(', ') + rest
  )
}
