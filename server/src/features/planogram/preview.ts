import { unlawfulBecause } from '@aisle/contract/catalog/product'
import { slotCode } from '@aisle/contract/fleet/layout'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  type ApplyOutcome,
  MOST_APPLIED,
  type previewTemplate,
  type PreviewedMachine,
  type previewTemplateMachine,
  type TemplateMachines,
  type templateSettings,
} from '@aisle/contract/planogram/apply'
import { sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { findStanding, findTargets, type PlacedSlot, type Target } from './apply.store'
import { changedSettings, diffTemplate, outcomeOf, type TemplateDiff, wrongRange } from './template.rules'
import { findLines, findTemplate, type TemplateRow } from './template.store'

export type Judged = {
  target: Target
  diff: TemplateDiff
  settings: (typeof templateSettings)[number][]
  outcome: ApplyOutcome
  refusedSlots: string[]
  slots: readonly PlacedSlot[]
}

/** What the template would do to each of the machines: the same for who looks and for who does it. */
export async function judge(
  ctx: Pick<QueryContext, 'db' | 'actor'>,
  template: TemplateRow,
  machines: TemplateMachines,
  how: { removeContents: boolean; isHeld: boolean },
): Promise<Judged[]> {
  const most = MOST_APPLIED + 1
  const targets = await findTargets(ctx.db, sightOf(ctx.actor), template.id, machines, { most, isHeld: how.isHeld })
  refuseOthers(machines, targets.length)
  const lines = await findLines(ctx.db, template.id)
  const standing = await findStanding(
    ctx.db,
    template.id,
    targets.map(({ id }) => id),
  )
  return targets.map((target) => {
    const slots = standing.get(target.id) ?? []
    const diff = diffTemplate(lines, slots)
    const settings = changedSettings(template, target)
    const facts = { ...target, settings, hasWrongRange: wrongRange(template, target) }
    const { outcome, refused } = outcomeOf(facts, lines, diff, how.removeContents)
    const codes = refused.map((each) => ('code' in each ? each.code : codeAt(slots, each)))
    return { target, diff, settings, outcome, refusedSlots: codes, slots }
  })
}

function refuseOthers(machines: TemplateMachines, found: number): void {
  if ('machineIds' in machines) {
    if (found < new Set(machines.machineIds).size) refuse('request.notFound')
    return
  }
  const isOther = machines.count !== null && machines.count !== found
  if (isOther || found > MOST_APPLIED) {
    refuse('template.machinesChanged', { now: found, seen: machines.count ?? 0, most: MOST_APPLIED })
  }
}

const codeAt = (slots: readonly PlacedSlot[], { layer, position }: { layer: number; position: number }): string =>
  slots.find((slot) => slot.layer === layer && slot.position === position)?.code ?? slotCode(layer, position)

const MOST_SHOWN = 200
const order: Record<ApplyOutcome, number> = {
  unlawful: 0,
  foreignProduct: 1,
  wrongRange: 2,
  holdsStock: 3,
  waitsForOrder: 4,
  retired: 5,
  changes: 6,
  same: 7,
}

export async function preview(
  ctx: QueryContext,
  { id, machines, removeContents }: InputOf<typeof previewTemplate>,
): Promise<OutputOf<typeof previewTemplate>> {
  const template = existing(await findTemplate(ctx.db, sightOf(ctx.actor), id, false))
  const judged = await judge(ctx, template, machines, { removeContents, isHeld: false })
  const outcomes: Record<string, number> = {}
  for (const { outcome } of judged) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  const items = judged
    .sort((a, b) => order[a.outcome] - order[b.outcome] || a.target.code.localeCompare(b.target.code))
    .slice(0, MOST_SHOWN)
    .map(lineOf)
  return { version: template.version, count: judged.length, outcomes, items }
}

const lineOf = ({ target, diff, settings, outcome, refusedSlots }: Judged): PreviewedMachine => ({
  id: target.id,
  code: target.code,
  name: target.name,
  merchantName: target.merchantName,
  outcome,
  refusedSlots,
  added: diff.added.length,
  removed: diff.removed.length,
  changed: diff.changed.length,
  prices: diff.prices,
  settings,
})

type Lines = OutputOf<typeof previewTemplateMachine>

/** Slot by slot, by the names of products. */
export async function previewMachine(
  ctx: QueryContext,
  { id, machineId }: InputOf<typeof previewTemplateMachine>,
): Promise<Lines> {
  const template = existing(await findTemplate(ctx.db, sightOf(ctx.actor), id, false))
  const machines = { machineIds: [machineId] }
  const [found] = await judge(ctx, template, machines, { removeContents: false, isHeld: false })
  const { diff, slots, target } = existing(found)
  const named = [...diff.added, ...diff.removed, ...diff.changed.flatMap(({ slot, line }) => [slot, line])].flatMap(
    ({ productId }) => productId ?? [],
  )
  const names = await namesOf(ctx.db, named)
  const side = (plan: {
    productId: number | null
    priceFen: number | null
    capacity: number
    alarmThreshold: number
  }) => ({
    productName: plan.productId === null ? null : (names.get(plan.productId) ?? ''),
    priceFen: plan.priceFen,
    capacity: plan.capacity,
    alarmThreshold: plan.alarmThreshold,
  })
  const added = diff.added.map((line) => ({
    code: codeAt(slots, line),
    kind: 'added' as const,
    before: null,
    after: side(line),
    stock: 0,
    unlawful: unlawfulBecause(target.licenceMode, line.medicineClass),
  }))
  const changed = diff.changed.map(({ slot, line }) => ({
    code: slot.code,
    kind: 'changed' as const,
    before: side(slot),
    after: side(line),
    stock: slot.held,
    unlawful: unlawfulBecause(target.licenceMode, line.medicineClass),
  }))
  const removed = diff.removed.map((slot) => ({
    code: slot.code,
    kind: 'removed' as const,
    before: side(slot),
    after: null,
    stock: slot.held,
    unlawful: null,
  }))
  return { slots: [...added, ...changed, ...removed].sort((a, b) => a.code.localeCompare(b.code)) }
}

async function namesOf(db: Reader, ids: readonly number[]): Promise<Map<number, string>> {
  const found = await sql<{ id: number; name: string }>`select id, name from product
    where id = any(${[...new Set(ids)]}::bigint[])`.execute(db)
  return new Map(found.rows.map(({ id, name }) => [id, name]))
}
