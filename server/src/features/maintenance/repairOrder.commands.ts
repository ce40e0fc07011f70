import { codesIn } from '@aisle/contract/kernel/codes'
import {
  type addRepairOrder,
  type addRepairPart,
  type assignRepairOrder,
  type cancelRepairOrder,
  type editRepairOrder,
  type finishRepairOrder,
  type removeRepairPart,
  repairOrderState,
  type resumeRepairOrder,
} from '@aisle/contract/maintenance/repairOrder'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { closeRepaired, linkRepair, unlinkRepair } from '../alarm/public'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { only } from '../../kernel/must'
import { refuse } from '../../kernel/refuse'
import { findPassed } from './repairOrder.reads'
import { testsOf } from './repairOrder.rules'
import {
  type Held,
  hold,
  machineByCode,
  record,
  refuseBlind,
  refuseUnknownSlots,
  repairOrders,
} from './repairOrder.store'

type Id = { id: number }
const changed = ({ id }: Id, state: Held['state']) => ({ id, state })

export async function add(ctx: CommandContext, input: InputOf<typeof addRepairOrder>) {
  const { machineCode, kind, problem, dueOn, pictures, assigneeId, alarmId } = input
  const machine = (await machineByCode(ctx, machineCode)) ?? refuse('repairOrder.noMachine', { code: machineCode })
  const slots = codesIn(input.slots)
  await refuseUnknownSlots(ctx, machine.id, slots)
  if (assigneeId !== null) await refuseBlind(ctx, assigneeId, machine.id)
  const state = assigneeId === null ? repairOrderState.initial : repairOrderState.to('assign')
  const made = await sql<Id>`insert into repair_order (merchant_id, machine_id, source, kind, problem, slots, pictures,
      state, assignee_id, due_on, created_by, created_at)
    values (${machine.merchantId}, ${machine.id}, ${alarmId === null ? 'person' : 'alarm'}, ${kind}, ${problem},
      ${slots}::text[], ${pictures}::text[], ${state}, ${assigneeId}, ${dueOn}::date, ${ctx.actor.userId},
      ${ctx.now()}) returning id`.execute(ctx.tx)
  const id = only(made).id
  if (alarmId !== null) await link(ctx, alarmId, { id, machineId: machine.id })
  const after = { machineCode, kind, problem, slots, dueOn, state, alarmId }
  await record(ctx, { id, merchantId: machine.merchantId }, { verb: 'add', note: problem, before: null, after })
  return { id }
}

async function link(ctx: CommandContext, alarmId: number, order: { id: number; machineId: number }): Promise<void> {
  const isLinked = await linkRepair(ctx.tx, { alarmId, order, userId: ctx.actor.userId, at: ctx.now() })
  if (!isLinked) refuse('repairOrder.alarm')
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editRepairOrder>) {
  const { id, version, ...typed } = input
  const order = await hold(ctx, id, null)
  const wanted = { ...typed, slots: codesIn(typed.slots) }
  const { problem, slots, dueOn, pictures } = order
  const before = { problem, slots, dueOn, pictures }
  refuseStale(ctx, { version }, order, before, wanted)
  if (repairOrderState.is(order.state, 'over')) refuse('repairOrder.state', { id })
  await refuseUnknownSlots(ctx, order.machineId, wanted.slots)
  await sql`update repair_order set problem = ${wanted.problem}, slots = ${wanted.slots}::text[],
    due_on = ${wanted.dueOn}::date, pictures = ${wanted.pictures}::text[], version = version + 1
    where id = ${id}`.execute(ctx.tx)
  await record(ctx, order, { verb: 'edit', before, after: wanted })
  return changed(order, order.state)
}

export async function assign(ctx: CommandContext, { id, assigneeId }: InputOf<typeof assignRepairOrder>) {
  const order = await hold(ctx, id, 'assign')
  const name = await refuseBlind(ctx, assigneeId, order.machineId)
  const state = await repairOrders.move(ctx.tx, order, 'assign', { assigneeId })
  const after = { state, assigneeId }
  await record(ctx, order, { verb: 'assign', note: name, before: stateOf(order), after })
  return changed(order, state)
}

const stateOf = ({ state, assigneeId }: Held) => ({ state, assigneeId })

/** Whoever begins work that nobody has is the one who does it. */
export async function start(ctx: CommandContext, { id }: Id) {
  const order = await hold(ctx, id, 'start')
  const assigneeId = order.assigneeId ?? ctx.actor.userId
  const state = await repairOrders.move(ctx.tx, order, 'start', { assigneeId, startedAt: ctx.now() })
  await record(ctx, order, { verb: 'start', before: stateOf(order), after: { state, assigneeId } })
  return changed(order, state)
}

export async function addPart(ctx: CommandContext, input: InputOf<typeof addRepairPart>) {
  const { id, name, quantity, costFen } = input
  const order = await hold(ctx, id, null)
  if (repairOrderState.is(order.state, 'over')) refuse('repairOrder.state', { id })
  await sql`insert into repair_part (order_id, name, quantity, cost_fen, added_by, added_at)
    values (${id}, ${name}, ${quantity}, ${costFen}, ${ctx.actor.userId}, ${ctx.now()})`.execute(ctx.tx)
  const after = { part: name, quantity, costFen }
  await record(ctx, order, { verb: 'part', note: `${name} × ${quantity}`, before: null, after })
  return changed(order, order.state)
}

export async function removePart(ctx: CommandContext, { id, part }: InputOf<typeof removeRepairPart>) {
  const order = await hold(ctx, id, null)
  if (repairOrderState.is(order.state, 'over')) refuse('repairOrder.state', { id })
  const gone = await sql<{ name: string; quantity: number; costFen: number }>`
    delete from repair_part where id = ${part} and order_id = ${id}
    returning name, quantity, cost_fen as "costFen"`.execute(ctx.tx)
  const before = gone.rows[0] ?? refuse('repairOrder.part')
  await record(ctx, order, { verb: 'removePart', note: `${before.name} × ${before.quantity}`, before, after: null })
  return changed(order, order.state)
}

/** @throws Refusal for slots that were not seen to work since the work began */
async function provenBy(ctx: CommandContext, order: Held) {
  const tests = testsOf(order, await findPassed(ctx.tx, order.machineId, order.startedAt))
  const missing = tests.filter(({ passedAt }) => passedAt === null).map(({ slot }) => slot)
  if (missing.length > 0) refuse('repairOrder.untested', { slots: missing.filter(Boolean).join(', ') || '–' })
  return tests
}

/** Machines that were not seen to work after the work have not been repaired. */
export async function finish(ctx: CommandContext, { id, solution }: InputOf<typeof finishRepairOrder>) {
  const order = await hold(ctx, id, 'finish')
  const tests = await provenBy(ctx, order)
  const state = await repairOrders.move(ctx.tx, order, 'finish', { solution, doneAt: ctx.now() })
  const after = { state, solution, tested: tests.map(({ slot }) => slot) }
  await record(ctx, order, { verb: 'finish', note: solution, before: stateOf(order), after })
  return changed(order, state)
}

/** The tests that counted were of work that was not good: new ones have to pass. */
export async function resume(ctx: CommandContext, { id, reason }: InputOf<typeof resumeRepairOrder>) {
  const order = await hold(ctx, id, 'resume')
  const state = await repairOrders.move(ctx.tx, order, 'resume', { startedAt: ctx.now(), doneAt: null })
  await record(ctx, order, { verb: 'resume', note: reason, before: stateOf(order), after: { state } })
  return changed(order, state)
}

/** The plan that asked for it counts from today. Slots that were named once the work was done have to be proven too. */
export async function close(ctx: CommandContext, { id }: Id) {
  const order = await hold(ctx, id, 'close')
  await provenBy(ctx, order)
  const state = await repairOrders.move(ctx.tx, order, 'close', { closedAt: ctx.now() })
  await countPlanAnew(ctx, order)
  const closedBy = { userId: ctx.actor.userId, at: ctx.now(), note: `#${id}` }
  const alarms = await closeRepaired(ctx.tx, { repairOrderId: id, doneAt: order.doneAt ?? ctx.now() }, closedBy)
  const after = { state, ...alarms }
  await record(ctx, order, { verb: 'close', before: stateOf(order), after })
  return { ...changed(order, state), ...alarms }
}

export async function cancel(ctx: CommandContext, { id, reason }: InputOf<typeof cancelRepairOrder>) {
  const order = await hold(ctx, id, 'cancel')
  const state = await repairOrders.move(ctx.tx, order, 'cancel', { closedAt: ctx.now(), cancelReason: reason })
  await countPlanAnew(ctx, order)
  await unlinkRepair(ctx.tx, id)
  await record(ctx, order, { verb: 'cancel', note: reason, before: stateOf(order), after: { state, reason } })
  return changed(order, state)
}

/** Also where it was left out this time: else the plan would ask again in the same hour. */
async function countPlanAnew(ctx: CommandContext, { planId }: Held): Promise<void> {
  if (planId === null) return
  await sql`update repair_plan p set since = (${ctx.now()}::timestamptz at time zone m.time_zone)::date,
    version = p.version + 1 from machine m where p.id = ${planId} and m.id = p.machine_id`.execute(ctx.tx)
}
