import { type decideStep, type sendVisit, type Step, visitState } from '@aisle/contract/field/visit'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext } from '../../../kernel/context'
import { must } from '../../../kernel/must'
import { refuse } from '../../../kernel/refuse'
import { countedTime, finishVisitCount } from '../../counting/public'
import { applyRun, type Outcome, type Timed } from './step.commands'
import { hear, inTurn, runsOf, verbsOf } from './visit.rules'
import * as store from './visit.store'

const audit = auditAs('visit')

/**
 * Steps of a visit as a phone sends them, as often as it takes. Each counts once; those of a phone are done in the
 * order of their numbers. Nothing that was done at a machine is turned away because the books say otherwise: it is
 * booked as it was and put before somebody.
 */
export async function send(ctx: CommandContext, input: InputOf<typeof sendVisit>): Promise<OutputOf<typeof sendVisit>> {
  const { orderId, machineId, phone, sentAt, steps } = input
  const stop = await store.holdStop(ctx, orderId, machineId)
  const known = await store.findVisit(ctx, stop)
  const { lastAt, ...heard } = await store.heardOf(ctx, known?.id ?? null, { phone, steps })
  const { fresh, answers } = hear(heard, steps)
  const timed = timesOf(fresh, {
    sentAt,
    from: lastAt ? new Date(lastAt.getTime() + 1) : stop.startedAt,
    now: ctx.now(),
  })
  const [first] = timed
  if (!first) {
    const about = { id: known?.id ?? 'none', merchantId: stop.merchantId }
    await audit(ctx, about, null, { machineCode: stop.machineCode, steps: 0, heardBefore: answers.length })
    return { state: known?.state ?? null, answers }
  }
  const row = known ?? (await store.addVisit(ctx, stop, first.at))
  const others = await store.toldByOthers(ctx, row.id, phone)
  const visit = { ...row, stop, by: ctx.actor, others }
  const outcomes = new Map<Timed, Outcome>()
  for (const run of runsOf(timed)) {
    for (const [step, outcome] of await applyRun(ctx, visit, run)) outcomes.set(step, outcome)
  }
  const done = timed.map((step) => ({ step, outcome: must(outcomes.get(step), 'an outcome') }))
  await store.addSteps(ctx, row.id, phone, done.map(keptOf))
  const state = await finish(ctx, visit, timed)
  const numberOf = (answer: Outcome['answer']) => done.filter(({ outcome }) => outcome.answer === answer).length
  const facts = { machineCode: stop.machineCode, steps: done.length, state }
  const refused = { needsReview: numberOf('needsReview'), refused: numberOf('refused') }
  await audit(ctx, { id: row.id, merchantId: stop.merchantId }, null, { ...facts, ...refused })
  const told = done.map(({ step: { id }, outcome: { answer, reason, differs } }) => {
    return { id, answer, first: null, reason, isKept: true, differs }
  })
  return { state, answers: [...answers, ...told] }
}

/** When each was really done: phones are days off, and nothing was done before what was done before it. */
function timesOf(steps: readonly Step[], { sentAt, from, now }: { sentAt: string; from: Date; now: Date }): Timed[] {
  const bounds = { from, now }
  const moments = steps.map(({ occurredAt }) => countedTime({ countedAt: occurredAt, sentAt }, bounds))
  const turns = inTurn(moments, now)
  return steps.map((step, at) => ({ ...step, at: turns[at] ?? now }))
}

function keptOf({ step, outcome }: { step: Timed; outcome: Outcome }): store.NewStep {
  const { id: uuid, seq, kind, occurredAt, at, ...said } = step
  return { uuid, seq, kind, occurredAt, at, said, ...outcome }
}

/** Over with the first phone that says so; what a count has by then goes on to whoever looks at it. */
async function finish(ctx: CommandContext, visit: store.VisitRow, timed: readonly Timed[]) {
  const done = timed.find(({ kind }) => kind === 'done')
  if (visit.countId !== null) await store.noteCount(ctx, visit)
  const doneAt = done && new Date(Math.max(done.at.getTime(), visit.openedAt.getTime()))
  const isEnd = doneAt && visitState.can(visit.state, 'finish')
  const state = isEnd ? await store.visits.move(ctx.tx, visit, 'finish', { doneAt }) : visit.state
  if (visitState.is(state, 'over') && visit.countId !== null) await finishVisitCount(ctx, visit.countId)
  return state
}

export async function decide(ctx: CommandContext, { id, verb, note }: InputOf<typeof decideStep>) {
  const { orderId, machineId } = await store.findStep(ctx, id)
  const stop = await store.holdStop(ctx, orderId, machineId)
  const held = await store.findStep(ctx, id)
  if (held.isDecided || !verbsOf(held).includes(verb)) refuse('visit.decided')
  if (verb === 'book') await book(ctx, stop, held)
  await store.addDecision(ctx, id, { verb, note })
  const { kind, said } = held
  await audit(ctx, { id: held.visitId, merchantId: stop.merchantId }, null, { kind, said, verb, note })
  return { id, verb }
}

/** It is another one than the one that it looks like. */
async function book(ctx: CommandContext, stop: store.HeldStop, held: store.HeldStep): Promise<void> {
  const row = must(await store.findVisit(ctx, stop), 'its visit')
  const { uuid: id, seq, kind, at, said, userId, account } = held
  const step = { ...said, id, seq, kind, at, occurredAt: held.occurredAt.toISOString() } as Timed
  const outcomes = await applyRun(ctx, { ...row, stop, by: { userId, account }, others: [] }, [step])
  const { answer, reason } = must(outcomes.get(step), 'an outcome')
  if (answer === 'refused') refuse(reason ?? 'visit.slot')
}
