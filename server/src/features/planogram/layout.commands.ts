import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { addSlots, removeSlots } from '@aisle/contract/planogram/slot'
import { announce } from '../../kernel/announce'
import type { CommandContext } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { word } from '../../kernel/words'
import { hangSlots } from '../fleet/public'
import { takeOutContents } from '../stock/public'
import { holdMachine, type PlanMachine, raisePlan } from './machine.store'
import { freeCode, freePositions } from './slot.rules'
import { detachSlots, findAwaited, findLevels, findSlots, type SlotRow } from './slot.store'

export async function add(
  ctx: CommandContext,
  { id, layer, count, capacity }: InputOf<typeof addSlots>,
): Promise<OutputOf<typeof addSlots>> {
  const machine = await holdMachine(ctx, id)
  const slots = await findSlots(ctx.tx, machine.id, true)
  const positions = freePositions(slots, layer, count) ?? refuse('slot.layerFull', { layer })
  const taken = new Set(slots.map(({ code }) => code))
  const free = positions.map((position) => ({ position, code: freeCode(taken, layer, position) }))
  await hangSlots(
    ctx.tx,
    free.map(({ position, code }) => ({
      machineId: machine.id,
      merchantId: machine.merchantId,
      machineCode: machine.code,
      code,
      layer,
      position,
      productId: null,
      priceFen: null,
      capacity,
      alarmThreshold: Math.min(1, capacity),
    })),
  )
  const codes = free.map(({ code }) => code)
  await conclude(ctx, machine, { before: null, after: { added: codes.join(' ') } })
  return { codes }
}

export async function remove(
  ctx: CommandContext,
  { id, codes }: InputOf<typeof removeSlots>,
): Promise<OutputOf<typeof removeSlots>> {
  const machine = await holdMachine(ctx, id)
  const slots = await findSlots(ctx.tx, machine.id, true)
  const gone = [...new Set(codes)].map((code) => existing(slots.find((slot) => slot.code === code)))
  if (gone.length === slots.length) refuse('slot.lastOne', { code: machine.code })
  await refuseHeld(ctx, gone)
  const awaited = await findAwaited(ctx.tx, [machine.id])
  const waits = gone.filter((slot) => awaited.has(slot.id))
  if (waits.length > 0) refuse('slot.waitsForOrder', { slots: waits.map(({ code }) => code).join(' ') })
  await settle(ctx, machine, gone)
  await detachSlots(
    ctx.tx,
    gone.map((slot) => slot.id),
    ctx.now(),
  )
  await conclude(ctx, machine, { before: { removed: gone.map(({ code }) => code).join(' ') }, after: null })
  return { removed: gone.length }
}

async function refuseHeld(ctx: CommandContext, gone: readonly SlotRow[]): Promise<void> {
  const codeOf = new Map(gone.map(({ placeId, code }) => [placeId, code]))
  const held = (await findLevels(ctx.tx, [...codeOf.keys()])).filter(({ quantity }) => quantity > 0)
  if (held.length === 0) return
  const fields = held.map(({ placeId, quantity }) => {
    const code = codeOf.get(placeId) ?? ''
    const msg = word(ctx.language, 'planogram', 'slot.holds', { code, count: quantity })
    return { path: `slots.${code}`, reason: 'holdsStock', msg }
  })
  refuse('slot.holdsStock', { slots: held.map(({ placeId }) => codeOf.get(placeId) ?? '').join(' ') }, fields)
}

/** Books below zero would stay so for ever once nobody can count the slot. */
async function settle(ctx: CommandContext, { code, merchantId }: PlanMachine, gone: readonly SlotRow[]): Promise<void> {
  const levels = await findLevels(
    ctx.tx,
    gone.map(({ placeId }) => placeId),
  )
  const common = { merchantId, reference: `plan/${code}`, userId: ctx.actor.userId, at: ctx.now() }
  await takeOutContents(
    ctx.tx,
    levels.map((level) => ({ ...level, ...common })),
  )
}

async function conclude(
  ctx: CommandContext,
  { id, code, merchantId }: PlanMachine,
  sides: { before: Record<string, unknown> | null; after: Record<string, unknown> | null },
): Promise<void> {
  await raisePlan(ctx, id)
  await ctx.audit({ merchantId, objectKind: 'planogram', objectId: code, ...sides })
  await announce(ctx.tx, { topic: 'machines', machineIds: [id] })
}
