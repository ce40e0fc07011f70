import { randomUUID } from 'node:crypto'
import { blockOf } from '@aisle/contract/device/block'
import {
  type Block,
  blocks,
  type cancelBatch,
  type previewBatch,
  type retryBatch,
  type sendBatch,
  type sendToMachines,
} from '@aisle/contract/device/batch'
import { type CommandType, commandTtlMs } from '@aisle/contract/device/commands'
import { dataOf, type SendableType } from '@aisle/contract/device/sendable'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import type { CommandContext, QueryContext } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { sightOf } from '../../../kernel/scope'
import { findBatchId, findChanged, findForbidden, findRepeatable, inBatch } from './batch.store'
import { cancelCommands, queueCommands } from './command.store'
import { settleEnded } from './ended'
import { isOperation, makeChoices, takeBackChoices } from './operation.store'
import { findTargets, type FoundTarget, whichOf } from './target.reads'

export type BatchOf = {
  type: CommandType
  reason: string
  /** What was asked, for the one who reads the batch. */
  data: Record<string, unknown>
  /** Each in the caller's sight, with what its own command carries. */
  machines: readonly { id: number; merchantId: number; data: Record<string, unknown> }[]
  /** Machines that were named and are not asked, by reason. */
  leftOut?: Readonly<Record<string, number>>
}

/**
 * One thing asked of many machines: a command each, in one batch whose progress is counted from them.
 * @returns its id
 */
export async function queueBatch(ctx: CommandContext, batch: BatchOf): Promise<string> {
  const { type, reason, data, machines, leftOut = {} } = batch
  const batchId = randomUUID()
  const asked = machines.length + Object.values(leftOut).reduce((sum, count) => sum + count, 0)
  await sql`insert into command_batch (id, merchant_id, type, data, reason, created_by, created_at, asked, left_out)
    values (${batchId}, ${ctx.actor.merchantId}, ${type}, ${JSON.stringify(data)}, ${reason}, ${ctx.actor.userId},
      ${ctx.now()}, ${asked}, ${JSON.stringify(leftOut)})`.execute(ctx.tx)
  const common = { type, reason, createdBy: ctx.actor.userId, batchId }
  const commands = machines.map(({ id, merchantId, data: own }) => ({
    ...common,
    id: randomUUID(),
    merchantId,
    machineId: id,
    data: own,
  }))
  await queueCommands(ctx.tx, commands, ctx.now())
  await announce(ctx.tx, { topic: 'commands', machineIds: machines.map(({ id }) => id) })
  return batchId
}

type Sorted = { asked: FoundTarget[]; leftOut: Map<Block, FoundTarget[]> }

function sortTargets(type: CommandType, targets: readonly FoundTarget[]): Sorted {
  const sorted: Sorted = { asked: [], leftOut: new Map() }
  for (const target of targets) {
    const block = blockOf(type, target)
    if (block) sorted.leftOut.set(block, [...(sorted.leftOut.get(block) ?? []), target])
    else sorted.asked.push(target)
  }
  return sorted
}

const countsOf = (leftOut: ReadonlyMap<Block, readonly unknown[]>): Record<string, number> =>
  Object.fromEntries([...leftOut].map(([block, targets]) => [block, targets.length]))

const MOST_CODES = 20

export async function preview(
  ctx: QueryContext,
  { type, machines }: InputOf<typeof previewBatch>,
): Promise<OutputOf<typeof previewBatch>> {
  const which = 'machineIds' in machines ? { ids: machines.machineIds } : { filter: machines.filter }
  const targets = await findTargets(ctx.db, sightOf(ctx.actor), which, ctx.now())
  const { asked, leftOut } = sortTargets(type, targets)
  return {
    count: targets.length,
    willBeAsked: asked.length,
    away: asked.filter(({ connection }) => connection !== 'online').length,
    leftOut: blocks.flatMap((block) => {
      const some = leftOut.get(block) ?? []
      const codes = some.slice(0, MOST_CODES).map(({ code }) => code)
      return some.length > 0 ? [{ block, count: some.length, codes }] : []
    }),
    expiresInMinutes: Math.round(commandTtlMs[type] / 60_000),
  }
}

export async function send(ctx: CommandContext, input: InputOf<typeof sendBatch>): Promise<OutputOf<typeof sendBatch>> {
  const { type, reason, machines } = input
  const data = dataOf(type, input) ?? refuse('command.incomplete')
  const which = whichOf(machines)
  const targets = await findTargets(ctx.tx, sightOf(ctx.actor), which, ctx.now())
  if ('ids' in which && targets.length < which.ids.length) refuse('request.notFound')
  if ('count' in machines && targets.length !== machines.count) {
    refuse('batch.changed', { now: targets.length, seen: machines.count })
  }
  const sorted = sortTargets(type, targets)
  if (sorted.asked.length === 0) refuse('batch.nobody', { count: targets.length })
  const id = await sendSorted(ctx, { type, reason, data, sorted })
  return { id, asked: sorted.asked.length, leftOut: targets.length - sorted.asked.length }
}

type Sending = { type: SendableType; reason: string; data: Record<string, unknown>; sorted: Sorted }

async function sendSorted(ctx: CommandContext, { type, reason, data, sorted }: Sending): Promise<number> {
  const machineIds = sorted.asked.map(({ id }) => id)
  await makeChoices(ctx.tx, type, machineIds)
  const leftOut = countsOf(sorted.leftOut)
  const machines = sorted.asked.map(({ id, merchantId }) => ({ id, merchantId, data }))
  const batchId = await queueBatch(ctx, { type, reason, data, leftOut, machines })
  if (isOperation(type)) await announce(ctx.tx, { topic: 'machines', machineIds })
  const id = await findBatchId(ctx.tx, batchId)
  const codes = sorted.asked.slice(0, MOST_CODES).map(({ code }) => code)
  await audit(ctx, id, { command: type, data, machines: machineIds.length, codes, leftOut, reason })
  return id
}

const audit = (ctx: CommandContext, id: number, after: Record<string, unknown>) =>
  ctx.audit({ merchantId: ctx.actor.merchantId, objectKind: 'commandBatch', objectId: id, before: null, after })

export async function sendToRows(
  ctx: CommandContext,
  { ids, type, reason }: InputOf<typeof sendToMachines>,
): Promise<OutputOf<typeof sendToMachines>> {
  const data = dataOf(type, {}) ?? refuse('command.incomplete')
  const unique = [...new Set(ids)]
  const targets = await findTargets(ctx.tx, sightOf(ctx.actor), { ids: unique }, ctx.now())
  if (targets.length < unique.length) refuse('request.notFound')
  const sorted = sortTargets(type, targets)
  const isAsked = sorted.asked.length > 0
  const batchId = isAsked ? await sendSorted(ctx, { type, reason, data, sorted }) : null
  if (!isAsked) await audit(ctx, 0, { command: type, machines: 0, leftOut: countsOf(sorted.leftOut), reason })
  return {
    batchId,
    outcomes: [
      ...sorted.asked.map(({ id }) => ({ id, outcome: 'queued' as const })),
      ...[...sorted.leftOut].flatMap(([outcome, some]) => some.map(({ id }) => ({ id, outcome }))),
    ],
  }
}

/** Only those in sight, and each with what it was asked before. */
export async function retry(
  ctx: CommandContext,
  { id, reason }: InputOf<typeof retryBatch>,
): Promise<OutputOf<typeof retryBatch>> {
  const found = existing(await findRepeatable(ctx.tx, sightOf(ctx.actor), id))
  const { type, data, machines } = found
  const targets = await findTargets(ctx.tx, sightOf(ctx.actor), { ids: machines.map((each) => each.id) }, ctx.now())
  const sorted = sortTargets(type, targets)
  leaveOut(sorted, 'forbidden', await findForbidden(ctx.tx, machines))
  leaveOut(sorted, 'planChanged', await findChanged(ctx.tx, machines))
  const may = new Set(sorted.asked.map((each) => each.id))
  const again = machines.filter((each) => may.has(each.id))
  const leftOut = countsOf(sorted.leftOut)
  if (again.length === 0) refuseAll(leftOut)
  const batchId = await queueBatch(ctx, { type, reason, data, leftOut, machines: again })
  const made = await findBatchId(ctx.tx, batchId)
  await audit(ctx, made, { command: type, again: id, machines: again.length, leftOut, reason })
  return { id: made, asked: again.length }
}

/** Of those that would be asked, these are not. */
function leaveOut(sorted: Sorted, block: Block, ids: ReadonlySet<number>): void {
  const out = sorted.asked.filter(({ id }) => ids.has(id))
  if (out.length === 0) return
  sorted.leftOut.set(block, [...(sorted.leftOut.get(block) ?? []), ...out])
  sorted.asked = sorted.asked.filter(({ id }) => !ids.has(id))
}

function refuseAll({ forbidden = 0, planChanged = 0 }: Record<string, number>): never {
  if (forbidden + planChanged === 0) return refuse('batch.nothingLeft')
  return refuse('batch.noneMay', { forbidden, planChanged })
}

export async function cancelRest(
  ctx: CommandContext,
  { id, reason }: InputOf<typeof cancelBatch>,
): Promise<OutputOf<typeof cancelBatch>> {
  const which = existing(await inBatch(ctx.tx, sightOf(ctx.actor), id))
  const ended = await cancelCommands(ctx.tx, which, ctx.now())
  if (ended.length === 0) refuse('batch.nothingLeft')
  await sql`update command_batch set cancelled_at = coalesce(cancelled_at, ${ctx.now()}) where seq = ${id}`.execute(
    ctx.tx,
  )
  await takeBackChoices(ctx.tx, ended)
  await settleEnded(ctx.tx, ended, ctx.now())
  await audit(ctx, id, { cancelled: ended.length, reason })
  return { cancelled: ended.length }
}
