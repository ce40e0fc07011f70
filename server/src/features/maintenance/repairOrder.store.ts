import type { RepairOrder, RepairOrderState } from '@aisle/contract/maintenance/repairOrder'
import { repairOrderState } from '@aisle/contract/maintenance/repairOrder'
import type { UserKind } from '@aisle/contract/identity/permissions'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { stateful } from '../../kernel/states'

/** @throws Refusal repairOrder.state */
export const repairOrders = stateful('repairOrder', 'state', repairOrderState, {
  versioned: true,
  refuse: ({ id }) => refuse('repairOrder.state', { id }),
})

export type Held = {
  id: number
  merchantId: number
  machineId: number
  machineCode: string
  planId: number | null
  kind: RepairOrder['kind']
  problem: string
  slots: string[]
  dueOn: string | null
  pictures: string[]
  state: RepairOrderState
  assigneeId: number | null
  startedAt: Date | null
  doneAt: Date | null
  version: number
}
type Verb = keyof typeof repairOrderState.moves

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function hold(ctx: CommandContext, id: number, verb: Verb | null): Promise<Held> {
  const found = await sql<Held>`
    select o.id, m.merchant_id as "merchantId", o.machine_id as "machineId", m.code as "machineCode",
      o.plan_id as "planId", o.kind, o.problem, o.slots, to_char(o.due_on, 'YYYY-MM-DD') as "dueOn", o.pictures,
      o.state, o.assignee_id as "assigneeId", o.started_at as "startedAt", o.done_at as "doneAt", o.version
    from repair_order o join machine m on m.id = o.machine_id
    where o.id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`o.machine_id`)} for update of o`.execute(ctx.tx)
  const held = existing(found.rows[0])
  if (verb) repairOrders.must(held, verb)
  return held
}

/** The row itself is moved by the caller; here its story and the audit. */
export async function record(
  ctx: CommandContext,
  order: Pick<Held, 'id' | 'merchantId'>,
  { verb, note = '', before, after }: { verb: string; note?: string; before: Facts; after: Facts },
): Promise<void> {
  await sql`insert into repair_event (order_id, at, verb, user_id, note)
    values (${order.id}, ${ctx.now()}, ${verb}, ${ctx.actor.userId}, ${note})`.execute(ctx.tx)
  const { id: objectId, merchantId } = order
  await ctx.audit({ merchantId, objectKind: 'repairOrder', objectId, before, after })
}
type Facts = Record<string, unknown> | null

type Machine = { id: number; merchantId: number; code: string }

export async function machineByCode(ctx: CommandContext, code: string): Promise<Machine | undefined> {
  const found = await sql<Machine>`select m.id, m.merchant_id as "merchantId", m.code from machine m
    where m.code = ${code} and ${machineInSight(sightOf(ctx.actor), sql`m.id`)}`.execute(ctx.tx)
  return found.rows[0]
}

/** @throws Refusal naming the first code that the machine does not have */
export async function refuseUnknownSlots(ctx: CommandContext, machineId: number, codes: readonly string[]) {
  if (codes.length === 0) return
  const found = await sql<{ code: string }>`select code from slot
    where machine_id = ${machineId} and code = any(${[...codes]}::text[])`.execute(ctx.tx)
  const known = new Set(found.rows.map(({ code }) => code))
  const unknown = codes.find((code) => !known.has(code))
  if (unknown !== undefined) refuse('repairOrder.slot', { slot: unknown.slice(0, 40) })
}

/** @returns the person's name */
export async function refuseBlind(ctx: CommandContext, userId: number, machineId: number): Promise<string> {
  const found = await sql<{ kind: UserKind; merchantId: number; name: string }>`
    select u.kind, u.merchant_id as "merchantId", u.display_name as name from app_user u
    where u.id = ${userId} and u.state = 'active'
      and ${merchantInSight(sightOf(ctx.actor), sql`u.merchant_id`)}`.execute(ctx.tx)
  const { kind, merchantId, name } = existing(found.rows[0])
  const sees = await sql`select 1 from machine m where m.id = ${machineId}
    and ${machineInSight(sightOf({ kind, userId, merchantId }), sql`m.id`)}`.execute(ctx.tx)
  if (sees.rows.length === 0) refuse('repairOrder.assigneeDoesNotSee', { name })
  return name
}
