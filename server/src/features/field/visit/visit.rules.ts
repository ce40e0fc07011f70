import type { Difference, Step, StepAnswer, stepVerbs } from '@aisle/contract/field/visit'
import { type BatchFacts, hindranceOf } from '@aisle/contract/medicine/batchState'

export type Verb = (typeof stepVerbs)[number]
type Kept = Pick<StepAnswer, 'answer' | 'reason' | 'differs'>
/** What is known of a visit before new steps are heard. */
export type Heard = {
  /** By the name that the phone gave. */
  steps: ReadonlyMap<string, Kept>
  /** Names of steps of other visits, which are not told about. */
  foreign: ReadonlySet<string>
  /** The last number of this phone; 0 before its first. */
  lastSeq: number
}

/**
 * Which steps are new, in the order of their numbers. What was heard before is answered as it was; what has a gap
 * before it waits on the phone until that is filled, so that the steps of a phone are always done in their order.
 */
export function hear(heard: Heard, steps: readonly Step[]): { fresh: Step[]; answers: StepAnswer[] } {
  const fresh: Step[] = []
  const answers: StepAnswer[] = []
  const names = new Set<string>()
  for (const step of steps.toSorted((a, b) => a.seq - b.seq)) {
    const known = heard.steps.get(step.id)
    if (known) answers.push({ ...known, id: step.id, answer: 'duplicate', first: known.answer, isKept: true })
    if (known || names.has(step.id)) continue
    const isNext = step.seq === heard.lastSeq + fresh.length + 1 && !heard.foreign.has(step.id)
    if (isNext) {
      names.add(step.id)
      fresh.push(step)
      continue
    }
    answers.push({ id: step.id, answer: 'refused', first: null, reason: 'visit.early', isKept: false, differs: [] })
  }
  return { fresh, answers }
}

/**
 * The same moments, each after the one before it and none after now: a count and the fill after it are told apart by
 * their times alone.
 */
export function inTurn(moments: readonly Date[], now: Date): Date[] {
  const times = moments.map((moment) => moment.getTime())
  for (let at = 1; at < times.length; at += 1) times[at] = Math.max(times[at] ?? 0, (times[at - 1] ?? 0) + 1)
  let next = now.getTime() + 1
  for (let at = times.length - 1; at >= 0; at -= 1) {
    next = Math.min(times[at] ?? 0, next - 1)
    times[at] = next
  }
  return times.map((time) => new Date(time))
}

/** Steps one after the other that are of one kind are done together. */
export function runsOf<S extends { kind: string }>(steps: readonly S[]): S[][] {
  const runs: S[][] = []
  for (const step of steps) {
    const last = runs.at(-1)
    if (last?.[0]?.kind === step.kind) last.push(step)
    else runs.push([step])
  }
  return runs
}

export type FillFacts = {
  said: { productCode: string; batch: string; pieces: number; plannedCode: string; priceFen: number | null }
  /** What should stand in the slot now, and what it sells at. */
  slot: { wantedCode: string | null; priceFen: number | null }
  /** Of a medicine; null of goods, which have no batches. Without facts nobody knows the batch. */
  batch: { facts: BatchFacts | null } | null
  /** Where the machine is. */
  day: string
  /** Pieces that the bag did not hold by the books. */
  outside: number
  /** What others put into the slot on this tour. */
  others: { who: string; pieces: number } | null
}

/** What a fill and the books say otherwise. It is booked all the same: what stands in the slot stands there. */
export function differencesOf({ said, slot, batch, day, outside, others }: FillFacts): Difference[] {
  const differs: Difference[] = []
  const add = (kind: Difference['kind'], mine: string | number, books: string | number | null) =>
    differs.push({ kind, said: String(mine), books: String(books ?? '') })
  const isChanged = said.plannedCode !== '' && said.plannedCode !== slot.wantedCode
  if (isChanged) add('slotChanged', said.plannedCode, slot.wantedCode)
  if (!isChanged && said.productCode !== slot.wantedCode) add('otherProduct', said.productCode, slot.wantedCode)
  if (!isChanged && said.priceFen !== null && said.priceFen !== slot.priceFen) {
    add('priceChanged', said.priceFen, slot.priceFen)
  }
  if (batch) {
    const hindrance = batch.facts && hindranceOf(batch.facts, day)
    if (!batch.facts) add('batchUnknown', said.batch, '')
    if (hindrance === 'expired') add('batchExpired', said.batch, batch.facts?.expiresOn ?? '')
    if (hindrance && hindrance !== 'expired') add('batchStopped', said.batch, hindrance)
  }
  if (outside > 0) add('bagShort', said.pieces, said.pieces - outside)
  if (others) add('otherFilled', said.pieces, `${others.who} ${others.pieces}`)
  return differs
}

type Goods = { kind: string; slotCode: string; productCode: string; batch: string }
export type Told = Goods & { who: string; pieces: number }

/** What another phone has told of the same goods in the same slot, which may be the same pieces once more. */
export const twinOf = (said: Goods, others: readonly Told[]): Told | undefined =>
  others.find(
    (each) =>
      each.kind === said.kind &&
      each.slotCode === said.slotCode &&
      each.productCode === said.productCode &&
      each.batch === said.batch,
  )

/** What may be decided about a step; nothing of one that nobody has to look at. */
export function verbsOf({ answer, isBooked }: { answer: string; isBooked: boolean }): Verb[] {
  if (answer === 'refused') return ['drop']
  if (answer !== 'needsReview') return []
  return isBooked ? ['keep'] : ['book', 'drop']
}
