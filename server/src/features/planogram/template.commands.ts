import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { releaseMachines } from '@aisle/contract/planogram/apply'
import type {
  addTemplate,
  copyTemplate,
  editTemplate,
  makeTemplate,
  TemplateSlot,
} from '@aisle/contract/planogram/template'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import type { CommandContext } from '../../kernel/context'
import { refuseInUse, refuseStale } from '../../kernel/edit'
import { existing, refuse } from '../../kernel/refuse'
import { machineInSight, merchantInSight, refuseUnseenMerchant, sightOf } from '../../kernel/scope'
import { findMachine } from './machine.store'
import { findProducts, findSlots } from './slot.store'
import {
  factsOf,
  findLines,
  findTemplate,
  insertTemplate,
  type TemplateFacts,
  type TemplateRow,
  updateTemplate,
} from './template.store'

type Changed = { id: number }

export async function add(ctx: CommandContext, input: InputOf<typeof addTemplate>): Promise<Changed> {
  const { merchantId, slots, ...facts } = input
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  await refuseUnlessSold(ctx, merchantId, slots)
  const id = await insertTemplate(ctx, merchantId, facts, slots)
  await audit(ctx, { id, merchantId }, null, { ...facts, slots: slots.length })
  return { id }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editTemplate>): Promise<Changed> {
  const { id, version, slots, ...facts } = input
  const template = await hold(ctx, id)
  const before = (await findLines(ctx.tx, id)).map(({ medicineClass: _class, ...line }) => line)
  refuseStale(ctx, { version }, template, { ...factsOf(template), slots: before }, { ...facts, slots: sorted(slots) })
  const known = new Set(before.map(({ productId }) => productId))
  const fresh = slots.filter(({ productId }) => !known.has(productId))
  await refuseUnlessSold(ctx, template.merchantId, fresh)
  await updateTemplate(ctx, id, facts, slots)
  await audit(ctx, template, { ...factsOf(template), slots: before }, { ...facts, slots: sorted(slots) })
  return { id }
}

/** Of one slot what stands in it and at which price; its other lines stay. Machines get it when it is applied. */
export async function editLine(
  ctx: CommandContext,
  id: number,
  at: Pick<TemplateSlot, 'layer' | 'position' | 'productId' | 'priceFen'>,
): Promise<void> {
  const template = await hold(ctx, id)
  const before = await findLines(ctx.tx, id)
  const isMeant = ({ layer, position }: TemplateSlot) => layer === at.layer && position === at.position
  await refuseUnlessSold(
    ctx,
    template.merchantId,
    before.filter(isMeant).map((line) => ({ ...line, ...at })),
  )
  const after = before.map((line) => (isMeant(line) ? { ...line, ...at } : line))
  await updateTemplate(ctx, id, factsOf(template), after)
  await audit(ctx, template, { slots: sorted(before) }, { slots: sorted(after) })
}

const sorted = (slots: readonly TemplateSlot[]): TemplateSlot[] =>
  slots
    .map(({ layer, position, productId, priceFen, capacity, alarmThreshold }) => ({
      layer,
      position,
      productId,
      priceFen,
      capacity,
      alarmThreshold,
    }))
    .sort((a, b) => a.layer - b.layer || a.position - b.position)

export async function remove(ctx: CommandContext, id: number): Promise<Changed> {
  const template = await hold(ctx, id)
  const used = await sql<{ name: string }>`select m.code || ' ' || m.name as name from template_use u
    join machine m on m.id = u.machine_id where u.template_id = ${id} order by m.code limit 30`.execute(ctx.tx)
  refuseInUse(used.rows.map(({ name }) => name))
  await sql`delete from template where id = ${id}`.execute(ctx.tx)
  await audit(ctx, template, factsOf(template), null)
  return { id }
}

export async function copy(ctx: CommandContext, input: InputOf<typeof copyTemplate>): Promise<Changed> {
  const template = await hold(ctx, input.id)
  const facts = { ...factsOf(template), name: input.name, remark: input.remark }
  return make(ctx, template.merchantId, facts, await findLines(ctx.tx, template.id))
}

/** Of the machine's merchant where the person works for it, else of their own. */
export async function makeFromMachine(ctx: CommandContext, input: InputOf<typeof makeTemplate>): Promise<Changed> {
  const sight = sightOf(ctx.actor)
  const machine = existing(await findMachine(ctx.tx, sight, input.id))
  const set = await sql<Omit<TemplateFacts, 'name' | 'remark'> & { isSeen: boolean }>`
    select m.flow_alarm_mb as "flowAlarmMb", m.temperature_min_c as "temperatureMinC",
      m.temperature_max_c as "temperatureMaxC", m.humidity_min as "humidityMin", m.humidity_max as "humidityMax",
      m.thermostat, ${merchantInSight(sight, sql`m.merchant_id`)} as "isSeen"
    from machine m where m.id = ${machine.id}`.execute(ctx.tx)
  const { isSeen, ...settings } = existing(set.rows[0])
  const merchantId = isSeen ? machine.merchantId : ctx.actor.merchantId
  const slots = await findSlots(ctx.tx, machine.id, false)
  if (slots.length === 0) refuse('slot.nothingChanged')
  return make(ctx, merchantId, { ...settings, name: input.name, remark: input.remark }, slots)
}

export async function make(
  ctx: CommandContext,
  merchantId: number,
  facts: TemplateFacts,
  slots: readonly TemplateSlot[],
): Promise<Changed> {
  const id = await insertTemplate(ctx, merchantId, facts, slots)
  await audit(ctx, { id, merchantId }, null, { ...facts, slots: slots.length })
  return { id }
}

export async function release(
  ctx: CommandContext,
  { id, machineIds }: InputOf<typeof releaseMachines>,
): Promise<OutputOf<typeof releaseMachines>> {
  const template = await hold(ctx, id)
  const ids = [...new Set(machineIds)]
  const seen = await sql<{ count: number }>`select count(*) as count from machine m
    where m.id = any(${ids}::bigint[]) and ${machineInSight(sightOf(ctx.actor), sql`m.id`)}`.execute(ctx.tx)
  if (seen.rows[0]?.count !== ids.length) refuse('request.notFound')
  const released = await sql`delete from template_use where template_id = ${id}
    and machine_id = any(${ids}::bigint[])`.execute(ctx.tx)
  await audit(ctx, template, { machines: Number(released.numAffectedRows) }, { machines: 0 })
  return { released: Number(released.numAffectedRows) }
}

const hold = async (ctx: CommandContext, id: number): Promise<TemplateRow> =>
  existing(await findTemplate(ctx.tx, sightOf(ctx.actor), id, true))

/** @throws Refusal request.notFound for a product that the merchant may not sell, or that is offered no longer */
async function refuseUnlessSold(ctx: CommandContext, merchantId: number, slots: readonly TemplateSlot[]) {
  const ids = [...new Set(slots.flatMap(({ productId }) => productId ?? []))]
  const found = await findProducts(ctx.tx, merchantId, ids)
  if (found.size < ids.length) refuse('request.notFound')
}

export const audit = auditAs('template')
