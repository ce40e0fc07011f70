import type * as contract from '@aisle/contract/field/cashCollection'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { cashTolerance } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import { businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { CommandContext } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { settingOf } from '../../../kernel/settings'
import { type Posting, postTransfers } from '../../ledger/public'
import { isOff, settledPostings, takenPostings } from './cash.rules'
import * as store from './cash.store'

const audit = auditAs('cashCollection')
type Taken = { boxNo: string; at: Date; step: string | null }

export async function take(ctx: CommandContext, input: InputOf<typeof contract.takeCashBox>) {
  const { machineCode, boxNo, takenAt } = input
  const machine = (await store.machineBy(ctx, machineCode)) ?? refuse('cash.machine', { code: machineCode })
  const at = takenAt === null ? ctx.now() : new Date(takenAt)
  return takeBox(ctx, machine, { boxNo, at, step: null })
}

/** @throws Refusal before anything is written */
export async function takeBox(ctx: CommandContext, machine: store.Machine, { boxNo, at, step }: Taken) {
  const { userId, displayName } = ctx.actor
  const expectedFen = await store.expectedAt(ctx.tx, machine, at)
  const before = await store.lastTaken(ctx.tx, machine.id)
  if (at > ctx.now() || (before !== null && at <= before)) refuse('cash.early')
  const made = await sql<{ id: number; state: store.Held['state'] }>`
    insert into cash_collection (merchant_id, machine_id, box_no, taken_at, booked_at, taken_by, taker, step,
      expected_fen)
    values (${machine.merchantId}, ${machine.id}, ${boxNo}, ${at}, ${ctx.now()}, ${userId}, ${displayName}, ${step},
      ${expectedFen}) on conflict do nothing returning id, state`.execute(ctx.tx)
  const { id, state } = made.rows[0] ?? refuse('cash.boxUsed', { box: boxNo })
  const about = { merchantId: machine.merchantId, machineCode: machine.code }
  await postCash(ctx, about, `take/${id}`, takenPostings(about, expectedFen))
  await audit(ctx, { id, merchantId: machine.merchantId }, null, { machine: machine.code, boxNo, at, expectedFen })
  return { id, state }
}

/** Sales that were told late came out of the same box: they are expected in it too. */
export async function count(ctx: CommandContext, { id, countedFen, note }: InputOf<typeof contract.countCashBox>) {
  const held = await store.holdCollection(ctx, id, 'count')
  const { userId, displayName } = ctx.actor
  if (held.takenBy === userId) refuse('cash.ownCount')
  const lateFen = await store.heardLate(ctx.tx, held)
  await postCash(ctx, held, `late/${id}/${ctx.now().getTime()}`, takenPostings(held, lateFen))
  const expectedFen = held.expectedFen + lateFen
  const tolerance = await settingOf(ctx.tx, cashTolerance, held.merchantId)
  const counted = { countedFen, countedBy: userId, counter: displayName, countedAt: ctx.now(), expectedFen }
  // What was heard by now is in the expectation; a second count adds only what comes after.
  const change = { ...counted, bookedAt: ctx.now(), note: note || held.note }
  const settles = !isOff(expectedFen, countedFen, tolerance)
  const state = settles
    ? await store.collections.move(ctx.tx, held, 'settle', { ...change, settledAt: ctx.now() })
    : await store.collections.move(ctx.tx, held, 'count', change)
  if (settles) await postCash(ctx, held, `settle/${id}`, settledPostings(held, { expectedFen, countedFen }))
  await audit(ctx, held, { state: held.state, expectedFen: held.expectedFen }, { state, expectedFen, countedFen, note })
  return { id, state }
}

/** What the first count came to stays in the audit. */
export async function recount(ctx: CommandContext, { id, reason }: InputOf<typeof contract.recountCashBox>) {
  const held = await store.holdCollection(ctx, id, 'recount')
  const nobody = { countedFen: null, countedBy: null, counter: null, countedAt: null }
  const state = await store.collections.move(ctx.tx, held, 'recount', { ...nobody, note: reason })
  await audit(ctx, held, { state: held.state, countedFen: held.countedFen }, { state, reason })
  return { id, state }
}

export async function accept(ctx: CommandContext, { id, reason }: InputOf<typeof contract.acceptCashDifference>) {
  const held = await store.holdCollection(ctx, id, 'settle')
  const { expectedFen, countedFen } = held
  if (countedFen === null) refuse('cash.state')
  const { userId, displayName } = ctx.actor
  if (held.takenBy === userId || held.countedBy === userId) refuse('cash.ownDecision')
  const decided = { decidedBy: userId, decider: displayName, settledAt: ctx.now(), note: reason }
  const state = await store.collections.move(ctx.tx, held, 'settle', decided)
  await postCash(ctx, held, `settle/${id}`, settledPostings(held, { expectedFen, countedFen }))
  await audit(ctx, held, { state: held.state }, { state, reason, differenceFen: countedFen - expectedFen })
  return { id, state }
}

export async function cancel(ctx: CommandContext, { id, reason }: InputOf<typeof contract.cancelCashBox>) {
  const held = await store.holdCollection(ctx, id, 'cancel')
  const { userId, displayName } = ctx.actor
  const ended = { decidedBy: userId, decider: displayName, settledAt: ctx.now(), note: reason }
  const state = await store.collections.move(ctx.tx, held, 'cancel', ended)
  await postCash(ctx, held, `cancel/${id}`, takenPostings(held, -held.expectedFen))
  await audit(ctx, held, { state: held.state }, { state, reason })
  return { id, state }
}

/** In the books of cash, today. */
export async function postCash(
  ctx: CommandContext,
  { merchantId }: { merchantId: number },
  reference: string,
  postings: readonly Posting[],
): Promise<void> {
  const { day: businessDay } = businessTime(ctx.now(), PLATFORM_TIME_ZONE)
  await postTransfers(ctx.tx, [{ kind: 'cash', reference, merchantId, postedAt: ctx.now(), businessDay, postings }])
}
