import type { MedicineClass } from '@aisle/contract/catalog/product'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { cancelNextPlan, saveSlots } from '@aisle/contract/planogram/slot'
import { announce } from '../../kernel/announce'
import type { CommandContext } from '../../kernel/context'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { word } from '../../kernel/words'
import { clearNextPlans, saveNextPlans } from '../fleet/public'
import { takeOutContents } from '../stock/public'
import { askOverCapacity } from './capacity'
import { refuseUnlawful } from './law'
import { holdMachine, type PlanMachine, raisePlan } from './machine.store'
import { pushPlan } from './push.commands'
import { changedFields, decideSlot, isOnlyPrices, type SlotDecision, staleSlots } from './slot.rules'
import { findAwaited, findLevels, findProducts, findSlots, type SlotRow, writePlans } from './slot.store'

type Wish = InputOf<typeof saveSlots>
/** A slot as it is, what is wished for it, and what that comes to. */
type Decided = SlotDecision & { row: SlotRow; wanted: Wish['slots'][number]; medicineClass: MedicineClass | null }

export async function save(ctx: CommandContext, input: Wish): Promise<OutputOf<typeof saveSlots>> {
  const machine = await holdMachine(ctx, input.id)
  const rows = await findSlots(ctx.tx, machine.id, true)
  refuseStaleSlots(ctx, staleSlots(rows, input.slots))
  const decided = await decide(ctx, machine, rows, input)
  refuseUnlawful(ctx, machine, decided)
  refuseHeld(decided)
  // A slot whose size is not touched, and what goes out with its product, asks nobody.
  const resized = decided.flatMap(({ row, plan, isReplaced }) =>
    plan && plan.capacity !== row.capacity && !isReplaced
      ? [{ code: row.code, stock: row.stock, capacity: plan.capacity }]
      : [],
  )
  askOverCapacity(ctx, resized, input.isSure)
  const changed = decided.filter(({ plan }) => plan !== null)
  const waiting = decided.filter(({ next }) => next !== null)
  if (changed.length + waiting.length === 0) refuse('slot.nothingChanged')
  await empty(ctx, machine, decided, input.removeContents)
  const by = { userId: ctx.actor.userId, at: ctx.now() }
  await writePlans(
    ctx.tx,
    changed.flatMap(({ row, plan }) => (plan ? { id: row.id, ...plan } : [])),
    by.at,
  )
  await saveNextPlans(
    ctx.tx,
    waiting.flatMap(({ row, next }) => (next ? { id: row.id, ...next } : [])),
    by,
  )
  const version = await raisePlan(ctx, machine.id)
  await audit(ctx, machine, decided, input)
  await announce(ctx.tx, { topic: 'machines', machineIds: [machine.id] })
  const what = isOnlyPrices(changed.map(({ row, plan }) => (plan ? changedFields(row, plan) : []))) ? 'prices' : 'all'
  const codes = changed.map(({ row }) => row.code)
  const commandId = changed.length > 0 ? await pushPlan(ctx, { ...machine, planVersion: version }, what, codes) : null
  return { changed: changed.length, planned: waiting.length, commandId }
}

/**
 * Whoever may judge goods that were too warm, or are recalled, releases them; nobody else unlocks their slots, or books
 * what lies in them back into stock by putting another product there.
 */
function refuseHeld(decided: readonly Decided[]): void {
  const held = decided.filter(
    ({ row, plan, isReplaced }) => row.isLocked && row.lockReason !== '' && plan && (isReplaced || !plan.isLocked),
  )
  if (held.length > 0) refuse('slot.held', { slots: held.map(({ row }) => row.code).join(' ') })
}

async function decide(
  ctx: CommandContext,
  machine: PlanMachine,
  rows: readonly SlotRow[],
  { slots, when }: Wish,
): Promise<Decided[]> {
  const byCode = new Map(rows.map((row) => [row.code, row]))
  const wishes = [...new Map(slots.map((wanted) => [wanted.code, wanted])).values()]
  const chosen = wishes.flatMap(({ code, productId }) => (productId === byCode.get(code)?.productId ? [] : productId))
  const products = await findProducts(
    ctx.tx,
    machine.merchantId,
    chosen.flatMap((id) => id ?? []),
  )
  return wishes.map((wanted) => {
    const row = existing(byCode.get(wanted.code))
    const isSame = wanted.productId === null || wanted.productId === row.productId
    const product = wanted.productId === null ? undefined : products.get(wanted.productId)
    if (!isSame && !product) refuse('request.notFound')
    const medicineClass = wanted.productId === null ? null : (product ?? row).medicineClass
    return { ...decideSlot(row, wanted, when), row, wanted, medicineClass }
  })
}

function refuseStaleSlots(ctx: CommandContext, stale: readonly SlotRow[]): void {
  if (stale.length === 0) return
  const now = (row: SlotRow) =>
    `${row.productCode ?? '–'} · ¥${((row.priceFen ?? 0) / 100).toFixed(2)} · ${row.capacity}`
  const fields = stale.map((row) => ({
    path: `slots.${row.code}`,
    reason: 'changed',
    msg: `${row.code}: ${word(ctx.language, 'kernel', 'field.changed', { now: now(row) })}`,
  }))
  throw refusal('edit.stale', {}, fields)
}

/** What lies in slots that get another product is taken out, or in the way. */
async function empty(
  ctx: CommandContext,
  machine: PlanMachine,
  decided: readonly Decided[],
  removeContents: boolean,
): Promise<void> {
  const replaced = new Map(decided.filter(({ isReplaced }) => isReplaced).map((each) => [each.row.placeId, each]))
  if (replaced.size === 0) return
  const awaited = await findAwaited(ctx.tx, [machine.id])
  const waits = [...replaced.values()].filter(({ row }) => awaited.has(row.id))
  if (waits.length > 0) refuse('slot.waitsForOrder', { slots: waits.map(({ row }) => row.code).join(' ') })
  const levels = await findLevels(ctx.tx, [...replaced.keys()])
  const inside = levels.filter(({ placeId, productId }) => replaced.get(placeId)?.wanted.productId !== productId)
  const held = inside.filter(({ quantity }) => quantity > 0)
  if (held.length > 0 && !removeContents) {
    const codeOf = (placeId: number) => replaced.get(placeId)?.row.code ?? ''
    const fields = held.map(({ placeId, quantity }) => ({
      path: `slots.${codeOf(placeId)}`,
      reason: 'holdsStock',
      msg: word(ctx.language, 'planogram', 'slot.holds', { code: codeOf(placeId), count: quantity }),
    }))
    refuse('slot.holdsStock', { slots: held.map(({ placeId }) => codeOf(placeId)).join(' ') }, fields)
  }
  const { merchantId } = machine
  const common = { merchantId, userId: ctx.actor.userId, at: ctx.now() }
  await takeOutContents(
    ctx.tx,
    inside.map((level) => ({ ...level, ...common, reference: `plan/${machine.code}/${machine.planVersion + 1}` })),
  )
}

async function audit(
  ctx: CommandContext,
  { merchantId, code }: PlanMachine,
  decided: readonly Decided[],
  { when, removeContents }: Wish,
): Promise<void> {
  const touched = decided.filter(({ plan, next }) => plan ?? next)
  const sides = touched.map(({ row, wanted }) => {
    const names = changedFields(row, wanted)
    const side = (from: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, from[name]]))
    return { code: row.code, before: side(row), after: side(wanted) }
  })
  await ctx.audit({
    merchantId,
    objectKind: 'planogram',
    objectId: code,
    before: Object.fromEntries(sides.map((side) => [side.code, side.before])),
    after: { when, removeContents, ...Object.fromEntries(sides.map((side) => [side.code, side.after])) },
  })
}

export async function cancelNext(
  ctx: CommandContext,
  { id, codes }: InputOf<typeof cancelNextPlan>,
): Promise<OutputOf<typeof cancelNextPlan>> {
  const machine = await holdMachine(ctx, id)
  const cancelled = await clearNextPlans(ctx.tx, machine.id, codes)
  if (cancelled === 0) refuse('slot.nothingChanged')
  await ctx.audit({
    merchantId: machine.merchantId,
    objectKind: 'planogram',
    objectId: machine.code,
    before: { next: codes.join(' ') },
    after: null,
  })
  await announce(ctx.tx, { topic: 'machines', machineIds: [machine.id] })
  return { cancelled }
}
