import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type * as contract from '@aisle/contract/stock/outbound'
import type { outboundState } from '@aisle/contract/stock/outbound'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext } from '../../../kernel/context'
import { refuseStale } from '../../../kernel/edit'
import { only } from '../../../kernel/must'
import { refuse } from '../../../kernel/refuse'
import { nextNo } from '../documentNo'
import { type Goods, holdGoods, refuseLess } from '../goods.store'
import { type Move, recordMoves } from '../stock.store'
import { holdWarehouse } from '../warehouse'
import { arePicksOf, mayLeave, namedTwice } from './outbound.rules'
import * as store from './outbound.store'

const audit = auditAs('outboundOrder')
type Id = { id: number }
type Held = store.HeldOutbound
const isAnyOf = ({ quantity }: { quantity: number }) => quantity > 0

export async function add(ctx: CommandContext, input: InputOf<typeof contract.addOutboundOrder>) {
  const { warehouseId, replenisherId, lines, note } = input
  const { merchantId, name: warehouse, placeId } = await holdWarehouse(ctx, warehouseId, false)
  const bagId = await store.bagOf(ctx, merchantId, replenisherId)
  await refuseLines(ctx, placeId, lines)
  const no = await nextNo(ctx.tx, merchantId, 'CH', ctx.now())
  const made = await sql<Id>`insert into outbound_order (merchant_id, no, warehouse_id, bag_id, note, made_by, maker,
      made_at)
    values (${merchantId}, ${no}, ${warehouseId}, ${bagId}, ${note}, ${ctx.actor.userId}, ${ctx.actor.displayName},
      ${ctx.now()}) returning id`.execute(ctx.tx)
  const { id } = only(made)
  await store.putLines(ctx.tx, id, lines)
  await audit(ctx, { id, merchantId }, null, { no, warehouse, replenisherId, lines, note })
  return { id, no }
}

/** @throws Refusal for a product that is not of the warehouse's line, and one that stands there twice */
async function refuseLines(ctx: CommandContext, placeId: number, lines: readonly store.Wanted[]): Promise<void> {
  if (namedTwice(lines)) refuse('outbound.lines')
  const ids = lines.map(({ productId }) => productId)
  const found = await sql<{ count: number }>`select count(*)::int as count from place o
    join merchant own on own.id = o.merchant_id join product p on p.merchant_id = any(own.path)
    where o.id = ${placeId} and p.id = any(${ids}::bigint[])`.execute(ctx.tx)
  if (only(found).count < ids.length) refuse('request.notFound')
}

export async function edit(ctx: CommandContext, input: InputOf<typeof contract.editOutboundOrder>) {
  const { id, version, lines, note } = input
  const held = await store.holdOutbound(ctx, id, null)
  const before = { lines: await store.wantedOf(ctx.tx, id), note: held.note }
  refuseStale(ctx, { version }, held, before, { lines, note })
  store.outbounds.must(held, 'pick')
  await refuseLines(ctx, held.warehousePlaceId, lines)
  await sql`update outbound_order set note = ${note}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await store.putLines(ctx.tx, id, lines)
  await audit(ctx, held, before, { lines, note })
  return { id, state: held.state }
}

export async function pick(ctx: CommandContext, input: InputOf<typeof contract.pickOutboundOrder>) {
  const held = await store.holdOutbound(ctx, input.id, 'pick')
  const picks = input.picks.filter(isAnyOf)
  if (picks.length === 0) refuse('outbound.nothing', { no: held.no })
  if (!arePicksOf(await store.wantedOf(ctx.tx, held.id), picks)) refuse('outbound.lines')
  // Whoever picks of the same goods waits here, so that no piece lies ready for two.
  const goods = await holdGoods(ctx.tx, held.warehousePlaceId, picks)
  await refuseStopped(ctx, held, goods)
  refuseLess(await store.withoutPicked(ctx.tx, held.warehouseId, goods, held.id))
  await store.putPicks(ctx.tx, held.id, picks)
  return move(ctx, held, 'pick', { picker: ctx.actor.displayName, pickedAt: ctx.now() }, { picks })
}

const idsOf = (goods: readonly Goods[]) => [...new Set(goods.map(({ productId }) => productId))]

/** @throws Refusal outbound.batch for a batch that could not be sold at a machine today */
async function refuseStopped(ctx: CommandContext, held: Held, goods: readonly Goods[]): Promise<void> {
  const lying = await store.lyingAt(ctx.tx, held.warehouseId, idsOf(goods), held.id)
  const day = await store.leavingDay(ctx.tx, ctx.now(), held.merchantId)
  const stopped = goods.find(({ productId, batch }) => {
    const lot = lying.find((each) => each.productId === productId && each.batch === batch)
    return lot && !mayLeave(lot, day)
  })
  if (stopped) refuse('outbound.batch', { name: stopped.name, batch: stopped.batch })
}

export async function putBack(ctx: CommandContext, { id }: Id) {
  const held = await store.holdOutbound(ctx, id, 'putBack')
  await store.putPicks(ctx.tx, id, [])
  return move(ctx, held, 'putBack', { picker: null, pickedAt: null })
}

export async function load(ctx: CommandContext, { id }: Id) {
  const held = await store.holdOutbound(ctx, id, 'load')
  await store.holdBag(ctx.tx, held.bagId)
  const picks = await store.picksOf(ctx.tx, id)
  const goods = await holdGoods(ctx.tx, held.warehousePlaceId, picks)
  await refuseStopped(ctx, held, goods)
  refuseLess(goods)
  await recordMoves(ctx.tx, movesOf(ctx, held, picks, { from: held.warehousePlaceId, to: held.bagPlaceId }))
  return move(ctx, held, 'load', { loader: ctx.actor.displayName, loadedAt: ctx.now() }, { picks })
}

export async function close(ctx: CommandContext, input: InputOf<typeof contract.closeOutboundOrder>) {
  const held = await store.holdOutbound(ctx, input.id, 'close')
  await store.holdBag(ctx.tx, held.bagId)
  const returns = input.returns.filter(isAnyOf)
  if (namedTwice(returns)) refuse('outbound.lines')
  if (returns.length > 0) {
    refuseLess(await holdGoods(ctx.tx, held.bagPlaceId, returns))
    await recordMoves(ctx.tx, movesOf(ctx, held, returns, { from: held.bagPlaceId, to: held.warehousePlaceId }))
    await store.putReturns(ctx.tx, held.id, returns)
  }
  return move(ctx, held, 'close', { ender: ctx.actor.displayName, endedAt: ctx.now() }, { returns })
}

export async function cancel(ctx: CommandContext, input: InputOf<typeof contract.cancelOutboundOrder>) {
  const { id, reason } = input
  const held = await store.holdOutbound(ctx, id, 'cancel')
  const ended = { ender: ctx.actor.displayName, endedAt: ctx.now(), endReason: reason }
  return move(ctx, held, 'cancel', ended, { reason })
}

async function move(
  ctx: CommandContext,
  held: Held,
  verb: keyof typeof outboundState.moves,
  change: Parameters<typeof store.outbounds.move>[3],
  facts: Record<string, unknown> = {},
) {
  const state = await store.outbounds.move(ctx.tx, held, verb, change)
  await audit(ctx, held, { state: held.state }, { state, ...facts })
  return { id: held.id, state }
}

const movesOf = (
  ctx: CommandContext,
  { merchantId, no }: Held,
  lots: readonly store.Pick[],
  { from, to }: { from: number; to: number },
): Move[] =>
  lots.map(({ productId, batch, quantity }) => ({
    merchantId,
    movedAt: ctx.now(),
    productId,
    quantity,
    fromPlaceId: from,
    toPlaceId: to,
    cause: 'transfer',
    reference: no,
    batch: batch || null,
    userId: ctx.actor.userId,
  }))
