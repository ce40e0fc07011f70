import type * as contract from '@aisle/contract/field/replenishmentOrder'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { outboundState } from '@aisle/contract/stock/outbound'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { only } from '../../kernel/must'
import { refusal, refuse } from '../../kernel/refuse'
import { bagOf, beginService, cancelOutbound, draftOutbound, endService, holdWarehouse, nextNo } from '../stock/public'
import { needsOf } from './need.reads'
import { lackingOf } from './need.rules'
import * as store from './order.store'

const audit = auditAs('replenishmentOrder')
type Id = { id: number }
type Held = store.HeldOrder

export async function add(ctx: CommandContext, input: InputOf<typeof contract.addReplenishmentOrder>) {
  const { warehouseId, replenisherId, routeId, machineIds, coverDays, note } = input
  const { merchantId } = await holdWarehouse(ctx, warehouseId, false)
  const named =
    routeId === null ? await store.machinesNamed(ctx, machineIds) : await store.machinesOfRoute(ctx, routeId)
  if (named.length === 0) refuse('replenishmentOrder.where')
  // A route may visit several merchants: each has its own goods, and its own order.
  const machines = named.filter((machine) => machine.merchantId === merchantId)
  if (machines.length === 0 || (routeId === null && machines.length < named.length)) {
    refuse('replenishmentOrder.merchants')
  }
  await bagOf(ctx, merchantId, replenisherId)
  const now = ctx.now()
  const ids = machines.map(({ id }) => id)
  const { day } = businessTime(now, PLATFORM_TIME_ZONE)
  const lines = await needsOf(ctx.tx, ids, { now, day, coverDays })
  if (lines.length === 0) refuse('replenishmentOrder.noNeed')
  const no = await nextNo(ctx.tx, merchantId, 'BH', now)
  const made = await sql<Id>`insert into replenishment_order (merchant_id, no, route_id, warehouse_id, user_id,
      replenisher, cover_days, note, maker, made_at)
    select ${merchantId}, ${no}, ${routeId}, ${warehouseId}, u.id, u.display_name, ${coverDays}, ${note},
      ${ctx.actor.displayName}, ${now} from app_user u where u.id = ${replenisherId} returning id`.execute(ctx.tx)
  const { id } = only(made)
  const visited = ids.filter((machineId) => lines.some((line) => line.machineId === machineId))
  await store.putStops(ctx.tx, id, visited, lines)
  const pieces = lines.reduce((sum, { bring }) => sum + bring, 0)
  const facts = { no, routeId, replenisherId, coverDays, machines: visited.length, slots: lines.length, pieces, note }
  await audit(ctx, { id, merchantId }, null, facts)
  return { id, no }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof contract.editReplenishmentOrder>) {
  const { id, version, lines } = input
  const held = await store.holdOrder(ctx, id, null)
  const before = { lines: await store.bringsOf(ctx.tx, id) }
  refuseStale(ctx, { version }, held, before, { lines })
  store.orders.must(held, 'release')
  if (new Set(lines.map(({ slotId }) => slotId)).size < lines.length) refuse('replenishmentOrder.lines')
  if ((await store.setBrings(ctx.tx, id, lines)) < lines.length) refuse('replenishmentOrder.lines')
  await sql`update replenishment_order set version = version + 1 where id = ${id}`.execute(ctx.tx)
  await audit(ctx, held, before, { lines })
  return { id, state: held.state }
}

export async function release(ctx: CommandContext, { id }: Id) {
  const held = await store.holdOrder(ctx, id, 'release')
  if ((await store.productsOf(ctx.tx, id)).length === 0) refuse('replenishmentOrder.noNeed')
  return move(ctx, held, 'release', {})
}

export async function revise(ctx: CommandContext, { id }: Id) {
  const held = await store.holdOrder(ctx, id, 'revise')
  await cancelGoods(ctx, held, held.no)
  return move(ctx, held, 'revise', { outboundId: null })
}

/** One outbound order of all products, summed over the machines, but for what is carried already. */
export async function load(ctx: CommandContext, { id }: Id) {
  const held = await store.holdOrder(ctx, id, 'load')
  const { warehouseId, no } = held
  const { replenisherId, bagId } = await bagOfTour(ctx, held)
  const day = businessTime(ctx.now(), PLATFORM_TIME_ZONE).day
  const spare = await store.spareOf(ctx.tx, bagId, { id, day })
  const lines = lackingOf(await store.productsOf(ctx.tx, id), spare)
  if (lines.length === 0) return move(ctx, held, 'load', { outboundId: null }, { carried: true })
  const outbound = await draftOutbound(ctx, { warehouseId, replenisherId, lines, note: no })
  return move(ctx, held, 'load', { outboundId: outbound.id }, { outbound: outbound.no })
}

async function bagOfTour(ctx: CommandContext, { merchantId, userId }: Held) {
  const replenisherId = userId ?? refuse('outbound.replenisher')
  return { replenisherId, bagId: await bagOf(ctx, merchantId, replenisherId) }
}

type Outbound = { state: (typeof outboundState.states)[number]; bagId: number }

async function outboundOf(ctx: CommandContext, outboundId: number): Promise<Outbound> {
  const found = await sql<Outbound>`select state, bag_id as "bagId" from outbound_order
    where id = ${outboundId} for share`.execute(ctx.tx)
  return only(found)
}

/** The bag that the tour is driven with. @throws Refusal while its goods have not left */
async function loadedBag(ctx: CommandContext, held: Held): Promise<number> {
  if (held.outboundId === null) return (await bagOfTour(ctx, held)).bagId
  const { state, bagId } = await outboundOf(ctx, held.outboundId)
  if (!outboundState.is(state, 'out')) refuse('replenishmentOrder.notLoaded', { no: held.no })
  return bagId
}

/** @throws Refusal once they have left */
async function cancelGoods(ctx: CommandContext, { outboundId, no }: Held, reason: string): Promise<void> {
  if (outboundId === null) return
  const { state } = await outboundOf(ctx, outboundId)
  if (outboundState.is(state, 'out')) refuse('replenishmentOrder.loaded', { no })
  if (outboundState.can(state, 'cancel')) await cancelOutbound(ctx, { id: outboundId, reason })
}

export async function depart(ctx: CommandContext, { id }: Id) {
  const held = await store.holdOrder(ctx, id, 'depart')
  const bagId = await loadedBag(ctx, held)
  const machineIds = await store.stopsOf(ctx.tx, id)
  await refusedBy('bag_service_open', beginService(ctx.tx, { bagId, machineIds, at: ctx.now() }), () =>
    refusal('replenishmentOrder.taken', { no: held.no }),
  )
  return move(ctx, held, 'depart', { startedAt: ctx.now() })
}

export async function finish(ctx: CommandContext, { id }: Id) {
  const held = await store.holdOrder(ctx, id, 'finish')
  const machineIds = await store.stopsOf(ctx.tx, id)
  await endService(ctx.tx, { machineIds, at: ctx.now() })
  return move(ctx, held, 'finish', { ender: ctx.actor.displayName, endedAt: ctx.now() })
}

export async function cancel(ctx: CommandContext, input: InputOf<typeof contract.cancelReplenishmentOrder>) {
  const { id, reason } = input
  const held = await store.holdOrder(ctx, id, 'cancel')
  await cancelGoods(ctx, held, reason)
  const ended = { ender: ctx.actor.displayName, endedAt: ctx.now(), endReason: reason }
  return move(ctx, held, 'cancel', ended, { reason })
}

async function move(
  ctx: CommandContext,
  held: Held,
  verb: Parameters<typeof store.orders.must>[1],
  change: Parameters<typeof store.orders.move>[3],
  facts: Record<string, unknown> = {},
) {
  const state = await store.orders.move(ctx.tx, held, verb, change)
  await audit(ctx, held, { state: held.state }, { state, ...facts })
  return { id: held.id, state }
}
