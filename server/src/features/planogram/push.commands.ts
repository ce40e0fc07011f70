import { randomUUID } from 'node:crypto'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { pushPlanogram } from '@aisle/contract/planogram/slot'
import { announce } from '../../kernel/announce'
import type { CommandContext, Tx } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { countedSlots } from '../counting/public'
import { queueCommands } from '../device/public'
import { findSetsAt } from '../medicine/public'
import { refuseUnlawful } from './law'
import { findMachine, holdMachine, type PlanMachine } from './machine.store'
import { type Counts, planogramData, priceData } from './push.rules'
import { unlawfulSlots } from './slot.rules'
import { findDrifting, findSlots, type SlotRow } from './slot.store'

export async function push(
  ctx: CommandContext,
  { id, what }: InputOf<typeof pushPlanogram>,
): Promise<OutputOf<typeof pushPlanogram>> {
  const machine = await holdMachine(ctx, id)
  const commandId = await pushPlan(ctx, machine, what === 'prices' ? 'prices' : 'all')
  await ctx.audit({
    merchantId: machine.merchantId,
    objectKind: 'planogram',
    objectId: machine.code,
    before: null,
    after: { pushed: what, version: machine.planVersion },
  })
  return { commandId }
}

/**
 * Tells the machine what should stand in it, all of it or the prices of these slots (none named: of all). A plan with
 * anything unlawful in it is told to nobody. @returns the command's id
 */
export async function pushPlan(
  ctx: CommandContext,
  machine: PlanMachine,
  what: 'all' | 'prices',
  codes?: readonly string[],
): Promise<string> {
  const slots = await findSlots(ctx.tx, machine.id, false)
  if (slots.length === 0) refuse('slot.nothingChanged')
  refuseUnlawful(
    ctx,
    machine,
    slots.map((row) => ({ row, medicineClass: row.medicineClass })),
  )
  if (what === 'all') {
    return queue(ctx.tx, machine, 'push_planogram', await planOf(ctx.tx, machine, slots), by(ctx))
  }
  const priced = slots.filter(({ code, productId }) => productId !== null && (codes?.includes(code) ?? true))
  return queue(ctx.tx, machine, 'push_prices', priceData(shown(priced)), by(ctx))
}

/**
 * Tells the machine what a person found in its slots, with its plan: what it says of its stock is that from now on.
 * @returns the command's id
 */
export async function pushCounts(ctx: CommandContext, machine: PlanMachine, counts: Counts): Promise<string> {
  const slots = await findSlots(ctx.tx, machine.id, false)
  return queue(ctx.tx, machine, 'push_planogram', await planOf(ctx.tx, machine, slots, counts), by(ctx))
}

/** The same of a count that was posted; what the machine says of itself already is not told. */
export async function pushCounted(tx: Tx, countId: number, now: Date): Promise<void> {
  const counted = await countedSlots(tx, countId)
  const [first] = counted
  const machine = first && (await findMachine(tx, { kind: 'all' }, first.machineId))
  if (!machine || machine.isRetired) return
  const slots = await findSlots(tx, machine.id, false)
  if (unlawfulSlots(machine.licenceMode, slots).length > 0) return
  const drifting = await findDrifting(tx, machine.id, new Set(counted.map(({ code }) => code)))
  const counts: Counts = new Map(counted.filter(({ code }) => drifting.includes(code)).map((each) => [each.code, each]))
  if (counts.size === 0) return
  await queue(tx, machine, 'push_planogram', await planOf(tx, machine, slots, counts), { userId: null, now })
}

/** After a service that began what was planned, asked for by nobody in particular. */
export async function pushAfterService(tx: Tx, machineId: number, now: Date): Promise<void> {
  const machine = await findMachine(tx, { kind: 'all' }, machineId)
  if (!machine || machine.isRetired) return
  const slots = await findSlots(tx, machine.id, false)
  // The law may have changed since it was planned; what can't be sold is not told, and shows as differing.
  if (slots.length === 0 || unlawfulSlots(machine.licenceMode, slots).length > 0) return
  await queue(tx, machine, 'push_planogram', await planOf(tx, machine, slots), { userId: null, now })
}

/**
 * After a lower price or the price of a set began or ended, asked for by nobody in particular; the newest push says all
 * there is to say.
 */
export async function pushShownPrices(tx: Tx, machineId: number, now: Date): Promise<void> {
  const machine = await findMachine(tx, { kind: 'all' }, machineId)
  if (!machine || machine.isRetired) return
  const slots = (await findSlots(tx, machine.id, false)).filter(({ productId }) => productId !== null)
  if (slots.length === 0 || unlawfulSlots(machine.licenceMode, slots).length > 0) return
  await queue(tx, machine, 'push_prices', priceData(shown(slots), await setsAt(tx, machine.id)), { userId: null, now })
}

const setsAt = async (tx: Tx, machineId: number) => (await findSetsAt(tx, [machineId])).get(machineId) ?? []

const planOf = async (tx: Tx, { id, planVersion: version }: PlanMachine, slots: readonly SlotRow[], counts?: Counts) =>
  planogramData(shown(slots), { version, sets: await setsAt(tx, id), ...(counts ? { counts } : {}) })

/** A machine shows what is asked: the price, less what it is marked down by. */
const shown = (slots: readonly SlotRow[]): SlotRow[] => slots.map((slot) => ({ ...slot, priceFen: slot.shownFen }))

const by = (ctx: CommandContext) => ({ userId: ctx.actor.userId, now: ctx.now() })

async function queue(
  tx: Tx,
  machine: PlanMachine,
  type: 'push_planogram' | 'push_prices',
  data: Record<string, unknown>,
  { userId, now }: { userId: number | null; now: Date },
): Promise<string> {
  const id = randomUUID()
  const { merchantId, id: machineId } = machine
  await queueCommands(tx, [{ id, merchantId, machineId, type, data, reason: null, createdBy: userId }], now)
  await announce(tx, { topic: 'commands', machineIds: [machineId] })
  return id
}
