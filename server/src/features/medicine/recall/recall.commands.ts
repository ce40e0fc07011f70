import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { batchState } from '@aisle/contract/medicine/batchState'
import {
  type addRecall,
  type cancelRecall,
  type closeRecall,
  type noteRecall,
  recallDays,
  type startRecall,
  targetState,
} from '@aisle/contract/medicine/recall'
import { sql } from 'kysely'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext } from '../../../kernel/context'
import { addJob } from '../../../kernel/jobs'
import { only } from '../../../kernel/must'
import { refusal, refuse } from '../../../kernel/refuse'
import { statesIn } from '../../../kernel/states'
import { batches, holdBatch, recordBatch } from '../batch/batch.store'
import { recallNo } from '../batch/batch.reads'
import { sealRecall } from './recall.proof'
import { holdRecall, recalls, recordRecall } from './recall.store'

/** Writes down the places of a recall that was started, and has machines and the field told. */
export const SPREAD_RECALL = 'medicine.spreadRecall'
const DAY_MS = 86_400_000

export async function add(ctx: CommandContext, input: InputOf<typeof addRecall>): Promise<OutputOf<typeof addRecall>> {
  const batch = await holdBatch(ctx, input.batchId)
  if (!input.isDrill && !batchState.can(batch.state, 'recall')) refuse('recall.batch', { number: batch.number })
  const { merchantId } = batch
  const made = await sql<{ id: number; no: string }>`insert into recall
      (merchant_id, batch_id, class, is_drill, reason, created_by, created_at)
    values (${merchantId}, ${batch.id}, ${input.class}, ${input.isDrill}, ${input.reason}, ${ctx.actor.userId},
      ${ctx.now()}) returning id, ${recallNo} as no`.execute(ctx.tx)
  const { id, no } = only(made)
  const after = { number: batch.number, class: input.class, isDrill: input.isDrill, reason: input.reason }
  await recordRecall(ctx, { id, merchantId }, { verb: 'add', note: input.reason, before: null, after })
  return { id, no }
}

/**
 * The batch is stopped by this commit: every road asks for its state. All else (its places, the machines, the field)
 * follows, so that no slot waits for a list of fifty thousand.
 */
export async function start(
  ctx: CommandContext,
  { id }: InputOf<typeof startRecall>,
): Promise<OutputOf<typeof startRecall>> {
  const recall = await holdRecall(ctx, id)
  recalls.must(recall, 'start')
  if (recall.createdBy === ctx.actor.userId) refuse('recall.samePerson')
  const batch = await holdBatch(ctx, recall.batchId)
  if (!recall.isDrill) {
    if (!batchState.can(batch.state, 'recall')) refuse('recall.batch', { number: batch.number })
    const change = { reason: recall.no, changedBy: ctx.actor.userId, changedAt: ctx.now() }
    const state = await batches.move(ctx.tx, batch, 'recall', change)
    const facts = { before: { state: batch.state }, after: { state, recall: recall.no } }
    await recordBatch(ctx, batch, { verb: 'recall', note: recall.no, ...facts })
  }
  const dueAt = new Date(ctx.now().getTime() + recallDays[recall.class] * DAY_MS)
  const started = { startedBy: ctx.actor.userId, startedAt: ctx.now(), dueAt }
  const moved = recalls.move(ctx.tx, recall, 'start', started)
  const state = await refusedBy('recall_active', moved, () => refusal('recall.already', { number: batch.number }))
  await recordRecall(ctx, recall, { verb: 'start', before: { state: recall.state }, after: { state } })
  await addJob(ctx.tx, SPREAD_RECALL, { recallId: id })
  return { id, state }
}

export async function cancel(ctx: CommandContext, { id, reason }: InputOf<typeof cancelRecall>) {
  const recall = await holdRecall(ctx, id)
  const state = await recalls.move(ctx.tx, recall, 'cancel', { summary: reason })
  await recordRecall(ctx, recall, { verb: 'cancel', note: reason, before: { state: recall.state }, after: { state } })
  return { id, state }
}

export async function note(ctx: CommandContext, { id, kind, note: text, quantity }: InputOf<typeof noteRecall>) {
  const recall = await holdRecall(ctx, id)
  recalls.must(recall, 'close')
  await recordRecall(ctx, recall, { verb: kind, note: text, quantity, before: null, after: { kind, text, quantity } })
  return { id, state: recall.state }
}

/** Whoever wrote or started it takes another; each place has its end first. */
export async function close(ctx: CommandContext, { id, summary }: InputOf<typeof closeRecall>) {
  const recall = await holdRecall(ctx, id)
  recalls.must(recall, 'close')
  if ([recall.createdBy, recall.startedBy].includes(ctx.actor.userId)) refuse('recall.samePerson')
  const open = await sql<{ count: number }>`select count(*)::int as count from recall_target
    where recall_id = ${id} and state in ${statesIn(targetState, 'open')}`.execute(ctx.tx)
  const { count } = only(open)
  if (recall.spreadAt === null || count > 0) refuse('recall.open', { count })
  const change = { summary, closedBy: ctx.actor.userId, closedAt: ctx.now() }
  const state = await recalls.move(ctx.tx, recall, 'close', change)
  await recordRecall(ctx, recall, { verb: 'close', note: summary, before: { state: recall.state }, after: { state } })
  await sealRecall(ctx.tx, ctx.services.keys, id, ctx.now())
  return { id, state }
}
