import { randomUUID } from 'node:crypto'
import {
  getTemperatures,
  MOST_TEMPERATURE_DAYS,
  releaseSlots,
  signTemperatures,
} from '@aisle/contract/device/temperature'
import { announce } from '../../../kernel/announce'
import { addDays, businessTime } from '../../../kernel/businessDay'
import type { CommandContext } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { command, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import { findInSight, releaseForTemperature } from '../../fleet/public'
import { queueCommands } from '../command/command.store'
import { findTemperatures, findThermal, isChainWhole, isStillOut } from './temperature.reads'
import { lockDay, signDay } from './temperature.store'

export const routes: Route[] = [
  query(getTemperatures, async (ctx, input) => {
    const { id } = existing(await findInSight(ctx.db, sightOf(ctx.actor), input.id))
    const machine = await findThermal(ctx.db, id)
    const to = input.to ?? businessTime(ctx.now(), machine.timeZone).day
    const from = input.from ?? to
    const isTooLong = from < addDays(to, 1 - MOST_TEMPERATURE_DAYS)
    if (from > to || isTooLong) refuse('temperature.days', { most: MOST_TEMPERATURE_DAYS })
    return findTemperatures(ctx.db, machine, { from, to }, ctx.now())
  }),
  command(signTemperatures, sign),
  command(releaseSlots, release),
]

/** Whoever signs has seen the day as it stands; what comes in late afterwards shows as added. */
async function sign(
  ctx: CommandContext,
  input: { id: number; day: string; note: string },
): Promise<{ day: string; records: number }> {
  const machine = existing(await findInSight(ctx.tx, sightOf(ctx.actor), input.id))
  const { timeZone } = await findThermal(ctx.tx, machine.id)
  if (input.day >= businessTime(ctx.now(), timeZone).day) refuse('temperature.dayLasts', { day: input.day })
  const day = (await lockDay(ctx.tx, machine.id, input.day)) ?? refuse('temperature.noRecord', { day: input.day })
  if (!(await isChainWhole(ctx.tx, machine.id, day))) refuse('temperature.broken', { day: input.day })
  await signDay(ctx.tx, machine.id, { day: input.day, note: input.note, userId: ctx.actor.userId, at: ctx.now() })
  await ctx.audit({
    merchantId: machine.merchantId,
    objectKind: 'machine',
    objectId: machine.code,
    before: { signedRecords: day.signedRecords },
    after: { day: input.day, signedRecords: day.records, note: input.note },
  })
  return { day: input.day, records: day.records }
}

/**
 * Whoever releases has judged the goods; while it is still too warm, or was when it was last heard, there is nothing to
 * judge. What somebody had locked by hand before stays locked by hand.
 */
async function release(ctx: CommandContext, input: { id: number; reason: string }): Promise<{ slots: string[] }> {
  const machine = existing(await findInSight(ctx.tx, sightOf(ctx.actor), input.id))
  if (await isStillOut(ctx.tx, machine.id)) refuse('temperature.stillOut', { code: machine.code })
  const released = await releaseForTemperature(ctx.tx, machine.id)
  if (released.length === 0) refuse('temperature.nothingHeld', { code: machine.code })
  const slots = released.map(({ code }) => code).sort()
  const open = released.flatMap(({ code, isLocked }) => (isLocked ? [] : [code])).sort()
  const unlock = {
    id: randomUUID(),
    merchantId: machine.merchantId,
    machineId: machine.id,
    type: 'unlock_slot' as const,
  }
  const { reason } = input
  if (open.length > 0) {
    await queueCommands(ctx.tx, [{ ...unlock, data: { slots: open }, reason, createdBy: ctx.actor.userId }], ctx.now())
  }
  await ctx.audit({
    merchantId: machine.merchantId,
    objectKind: 'machine',
    objectId: machine.code,
    before: { heldSlots: slots },
    after: { heldSlots: [], reason },
  })
  await announce(ctx.tx, { topic: 'machines', machineIds: [machine.id] })
  await announce(ctx.tx, { topic: 'commands', machineIds: [machine.id] })
  return { slots }
}
