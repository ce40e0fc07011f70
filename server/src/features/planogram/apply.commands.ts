import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { applyTemplate } from '@aisle/contract/planogram/apply'
import { announce } from '../../kernel/announce'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { existing, refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { queueBatch } from '../device/public'
import { hangSlots, type NewSlot, raisePlans, setSettings } from '../fleet/public'
import { findSetsAt } from '../medicine/public'
import { takeOutContents } from '../stock/public'
import { findPlans, type Target, writeUses } from './apply.store'
import { judge, type Judged } from './preview'
import { planogramData } from './push.rules'
import { freeCode } from './slot.rules'
import { detachSlots, findLevels, writePlans } from './slot.store'
import { audit } from './template.commands'
import { findTemplate, type TemplateRow } from './template.store'

const MOST_IN_AUDIT = 200

/** All machines that may take it change here and are told in one batch; the others stay wholly as they are. */
export async function apply(
  ctx: CommandContext,
  input: InputOf<typeof applyTemplate>,
): Promise<OutputOf<typeof applyTemplate>> {
  const { id, version, machines, removeContents, reason } = input
  const template = existing(await findTemplate(ctx.tx, sightOf(ctx.actor), id, true))
  refuseStale(ctx, { version }, template, {}, {})
  const judged = await judge({ ...ctx, db: ctx.tx }, template, machines, { removeContents, isHeld: true })
  const changing = judged.filter(({ outcome }) => outcome === 'changes')
  const same = judged.filter(({ outcome }) => outcome === 'same')
  if (changing.length + same.length === 0) refuse('template.nothingToApply', { count: judged.length })
  await change(ctx, template, changing)
  const batchId = changing.length > 0 ? await tell(ctx, template, changing, reason) : null
  const by = { userId: ctx.actor.userId, at: ctx.now() }
  await writeUses(ctx.tx, template, { machineIds: idsOf(changing), batchId, ...by })
  await writeUses(ctx.tx, template, { machineIds: idsOf(same), batchId: null, ...by })
  const codes = changing.slice(0, MOST_IN_AUDIT).map(({ target }) => target.code)
  await audit(ctx, template, null, { applied: changing.length, codes, same: same.length, reason, batchId })
  const refused = judged.length - changing.length - same.length
  return { batchId, applied: changing.length, same: same.length, refused }
}

const idsOf = (judged: readonly Judged[]) => judged.map(({ target }) => target.id)

async function change(ctx: CommandContext, template: TemplateRow, changing: readonly Judged[]): Promise<void> {
  await takeOut(ctx, template, changing)
  const at = ctx.now()
  await writePlans(
    ctx.tx,
    changing.flatMap(({ diff, slots }) => {
      const standing = new Map(slots.map((slot) => [slot.id, slot]))
      return diff.changed.flatMap(({ slot, line }) => {
        const now = standing.get(slot.id)
        const { productId, priceFen, capacity, alarmThreshold } = line
        if (!now) return []
        return [
          { id: slot.id, productId, priceFen, capacity, alarmThreshold, choice: now.choice, isLocked: now.isLocked },
        ]
      })
    }),
    at,
  )
  await detachSlots(
    ctx.tx,
    changing.flatMap(({ diff }) => diff.removed.map((slot) => slot.id)),
    at,
  )
  await hangSlots(ctx.tx, changing.flatMap(newSlots))
  await setSettings(ctx.tx, template, idsOf(changing), at)
  await raisePlans(ctx.tx, idsOf(changing))
}

function newSlots({ target, diff, slots }: Judged): NewSlot[] {
  const gone = new Set(diff.removed.map(({ code }) => code))
  const taken = new Set(slots.map(({ code }) => code).filter((code) => !gone.has(code)))
  return diff.added.map(({ medicineClass: _class, ...line }) => {
    const code = freeCode(taken, line.layer, line.position)
    taken.add(code)
    return { ...line, code, machineId: target.id, merchantId: target.merchantId, machineCode: target.code }
  })
}

/** Of slots that get another product or go: what is left in them, or missing by the books, is booked out. */
async function takeOut(ctx: CommandContext, template: TemplateRow, changing: readonly Judged[]): Promise<void> {
  const emptied = new Map(
    changing.flatMap(({ target, diff, slots }) => {
      const replaced = diff.changed.filter(({ isReplaced }) => isReplaced)
      const productAt = new Map(replaced.map(({ slot, line }) => [slot.id, line.productId]))
      for (const slot of diff.removed) productAt.set(slot.id, null)
      return slots
        .filter(({ id }) => productAt.has(id))
        .map(({ id, placeId }) => [placeId, { target, productId: productAt.get(id) ?? null }] as const)
    }),
  )
  const levels = await findLevels(ctx.tx, [...emptied.keys()])
  const by = { userId: ctx.actor.userId, at: ctx.now() }
  await takeOutContents(
    ctx.tx,
    levels.flatMap((level) => {
      const at = emptied.get(level.placeId)
      if (!at || at.productId === level.productId) return []
      return [
        { ...level, ...by, merchantId: at.target.merchantId, reference: `template/${template.id}/${at.target.code}` },
      ]
    }),
  )
}

async function tell(
  ctx: CommandContext,
  template: TemplateRow,
  changing: readonly Judged[],
  reason: string,
): Promise<string> {
  const plans = await findPlans(ctx.tx, idsOf(changing))
  const sets = await findSetsAt(ctx.tx, idsOf(changing))
  const batchId = await queueBatch(ctx, {
    type: 'push_template',
    reason,
    data: { templateId: template.id, template: template.name, version: template.version },
    machines: changing.map(({ target }) => ({
      id: target.id,
      merchantId: target.merchantId,
      data: {
        ...planogramData(plans.get(target.id) ?? [], {
          version: target.planVersion + 1,
          sets: sets.get(target.id) ?? [],
        }),
        settings: settingsOf(template, target),
      },
    })),
  })
  await announce(ctx.tx, { topic: 'machines', machineIds: idsOf(changing) })
  return batchId
}

/** As the machine is set from now on: what the template leaves open is as it was. */
const settingsOf = (template: TemplateRow, target: Target) => ({
  flowAlarmMb: template.flowAlarmMb ?? target.flowAlarmMb,
  temperatureMinC: template.temperatureMinC ?? target.temperatureMinC,
  temperatureMaxC: template.temperatureMaxC ?? target.temperatureMaxC,
  humidityMin: template.humidityMin ?? target.humidityMin,
  humidityMax: template.humidityMax ?? target.humidityMax,
  thermostat: template.thermostat ?? target.thermostat,
})
