import type { bindMachines, BindOutcome, Copyable, copySettings } from '@aisle/contract/fleet/machineBatch'
import type { MachineFacts } from '@aisle/contract/fleet/machineForm'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import type { CommandContext } from '../../../kernel/context'
import { addJob } from '../../../kernel/jobs'
import { existing, refuse } from '../../../kernel/refuse'
import { machineInSight, refuseUnseenMerchant, sightOf } from '../../../kernel/scope'
import { handOverPlaces } from '../slot/place.store'
import { bindOutcome, type Bound, type Wanted } from './bind.rules'
import { factsOf, settingOf } from './machine.columns'
import { refuseStoppedPoint, TELL_SETTINGS } from './machine.edit.commands'
import { leaveBehind } from './machine.leave.store'
import { findForUpdate, findOwner, pathOf } from './machine.store'

/** How many machines an audit row names. */
const MOST_IN_AUDIT = 200

type BoundRow = Bound & { id: number; code: string }

export async function bind(
  ctx: CommandContext,
  input: InputOf<typeof bindMachines>,
): Promise<OutputOf<typeof bindMachines>> {
  const wanted = await findWanted(ctx, input)
  const machines = await lock(ctx, input.ids)
  if (machines.length === 0) refuse('request.notFound')
  const outcomes = new Map<number, BindOutcome>(machines.map((each) => [each.id, bindOutcome(each, wanted)]))
  const done = machines.filter(({ id }) => outcomes.get(id) === 'done')
  await save(ctx, done, wanted)
  return { outcomes: input.ids.map((id) => ({ id, outcome: outcomes.get(id) ?? 'gone' })) }
}

async function findWanted(ctx: CommandContext, input: InputOf<typeof bindMachines>): Promise<Wanted> {
  const sight = sightOf(ctx.actor)
  const thing = async (table: Parameters<typeof findOwner>[2], id: number) => {
    const owner = await findOwner(ctx.tx, sight, table, id)
    return owner === undefined ? refuse('request.notFound') : { id, owner }
  }
  const point = input.pointId && (await thing('point', input.pointId))
  if (point) await refuseStoppedPoint(ctx, point.id)
  return {
    ...(point && { point }),
    ...(input.routeId && { route: await thing('route', input.routeId) }),
    ...(input.operatorId && { operator: await thing('organisation', input.operatorId) }),
    ...(input.merchantId && { merchant: await findMerchant(ctx, input.merchantId) }),
  }
}

async function findMerchant(ctx: CommandContext, id: number): Promise<{ id: number; path: number[] }> {
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), id)
  return { id, path: await pathOf(ctx.tx, id) }
}

/** In the order of their ids, as every writer of several takes them. */
async function lock(ctx: CommandContext, ids: readonly number[]): Promise<BoundRow[]> {
  await sql`select 1 from machine where id = any(${[...ids]}::bigint[]) order by id for update`.execute(ctx.tx)
  const found = await sql<BoundRow>`
    select m.id, m.code, m.merchant_id as "merchantId", c.path, m.retired_at is not null as "isRetired",
      m.point_id as "pointId", p.merchant_id as "pointOwner", m.route_id as "routeId", m.operator_id as "operatorId",
      waiting.machine_id is not null as "hasOpenOrders", coalesce(goods.owners, '{}') as "goodsOwners"
    from machine m join merchant c on c.id = m.merchant_id join point p on p.id = m.point_id
    left join (select distinct machine_id from orders where order_state = 'open'
      and machine_id = any(${[...ids]}::bigint[])) waiting on waiting.machine_id = m.id
    left join (select s.machine_id, array_agg(distinct g.merchant_id) as owners
      from slot s join product g on g.id = s.product_id
      where s.machine_id = any(${[...ids]}::bigint[]) group by s.machine_id) goods on goods.machine_id = m.id
    where m.id = any(${[...ids]}::bigint[]) and ${machineInSight(sightOf(ctx.actor), sql`m.id`)}`.execute(ctx.tx)
  return found.rows
}

/** What of a machine is another merchant's after the move and was not chosen anew falls away. */
async function save(ctx: CommandContext, machines: readonly BoundRow[], wanted: Wanted): Promise<void> {
  const ids = machines.map(({ id }) => id)
  if (ids.length > 0) {
    const { merchant, point, route, operator } = wanted
    const path = merchant?.path ?? null
    const keeps = (column: 'route_id' | 'operator_id', table: 'route' | 'organisation') => sql`
      case when ${path}::bigint[] is null or (select t.merchant_id from ${sql.table(table)} t
        where t.id = m.${sql.ref(column)}) = any(${path}::bigint[]) then m.${sql.ref(column)} end`
    await sql`update machine m set merchant_id = coalesce(${merchant?.id ?? null}, m.merchant_id),
        point_id = coalesce(${point?.id ?? null}, m.point_id),
        route_id = coalesce(${route?.id ?? null}, ${keeps('route_id', 'route')}),
        operator_id = coalesce(${operator?.id ?? null}, ${keeps('operator_id', 'organisation')}),
        version = version + 1, updated_at = ${ctx.now()}
      where id = any(${ids}::bigint[])`.execute(ctx.tx)
    if (merchant) {
      await handOverPlaces(ctx.tx, ids, merchant.id)
      await leaveBehind(ctx, machines, merchant)
    }
    await announce(ctx.tx, merchant ? { topic: 'sight' } : { topic: 'machines', machineIds: ids })
  }
  const { point, route, operator, merchant } = wanted
  const after = { pointId: point?.id, routeId: route?.id, operatorId: operator?.id, merchantId: merchant?.id }
  await auditBatch(ctx, machines, after)
}

type Named = { code: string; merchantId: number }

/** A row a merchant, for whoever looks up what happened to its machines; a batch of nothing is noted all the same. */
async function auditBatch(ctx: CommandContext, machines: readonly Named[], after: Record<string, unknown>) {
  const byMerchant = new Map<number, string[]>()
  for (const { code, merchantId } of machines) byMerchant.set(merchantId, [...(byMerchant.get(merchantId) ?? []), code])
  if (byMerchant.size === 0) byMerchant.set(ctx.actor.merchantId, [])
  for (const [merchantId, codes] of byMerchant) {
    await ctx.audit({
      merchantId,
      objectKind: 'machine',
      objectId: codes.length === 1 ? (codes[0] ?? '') : 'batch',
      before: null,
      after: { ...after, machines: codes.length, codes: codes.slice(0, MOST_IN_AUDIT) },
    })
  }
}

const columnsOf: Record<Copyable, readonly (keyof MachineFacts)[]> = {
  flags: ['autoRefund', 'shipsAfterJam', 'locksStock', 'shipsDirectly'],
  climate: ['temperatureMinC', 'temperatureMaxC', 'humidityMin', 'humidityMax', 'thermostat'],
  sales: ['lotteryPermille', 'upliftPermille'],
  make: ['model', 'manufacturer', 'softwareVersion', 'hardwareVersion'],
  layout: ['cabinetType', 'cabinetCount', 'slotMode'],
  region: ['country', 'timeZone'],
  flow: ['flowAlarmMb'],
}

export async function copy(
  ctx: CommandContext,
  { ids, fromId, what }: InputOf<typeof copySettings>,
): Promise<OutputOf<typeof copySettings>> {
  const source = existing(await findForUpdate(ctx.tx, sightOf(ctx.actor), fromId))
  const facts = factsOf(source)
  const names = what.flatMap((group) => columnsOf[group])
  const copied = Object.fromEntries(names.map((name) => [name, facts[name]]))
  const machines = await lock(ctx, ids)
  if (machines.length === 0) refuse('request.notFound')
  const outcomes = new Map<number, BindOutcome>(machines.map((each) => [each.id, copyOutcome(each, fromId)]))
  const done = machines.filter(({ id }) => outcomes.get(id) === 'done')
  const changed = done.map(({ id }) => id)
  await sql`update machine set ${settingOf(copied)}, version = version + 1, updated_at = ${ctx.now()}
    where id = any(${changed}::bigint[])`.execute(ctx.tx)
  if (what.includes('climate') || what.includes('flags')) await addJob(ctx.tx, TELL_SETTINGS)
  await auditBatch(ctx, done, { copiedFrom: source.code, ...copied })
  await announce(ctx.tx, { topic: 'machines', machineIds: changed })
  return { outcomes: ids.map((id) => ({ id, outcome: outcomes.get(id) ?? 'gone' })) }
}

function copyOutcome({ id, isRetired }: BoundRow, fromId: number): BindOutcome {
  if (isRetired) return 'retired'
  return id === fromId ? 'same' : 'done'
}
