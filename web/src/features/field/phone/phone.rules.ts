import type { FieldDay, FieldStop, Review, Step, StepAnswer } from '@aisle/contract/field/visit'

type Spread<S> = S extends unknown ? Omit<S, 'id' | 'seq' | 'occurredAt'> : never
/** What is done at a machine, before it has a name and number. A picture may still lie on the phone alone. */
export type Deed = Spread<Step>
export type Where = { orderId: number; machineId: number }
export type KeptStep = Where & {
  id: string
  account: string
  seq: number
  occurredAt: string
  deed: Deed
  /** Null: the server has not answered for it. */
  answer: StepAnswer | null
}

export const isOf = (where: Where, step: Where): boolean =>
  step.orderId === where.orderId && step.machineId === where.machineId

export const unsentOf = (steps: readonly KeptStep[]): KeptStep[] => steps.filter(({ answer }) => answer === null)

/** Calls to make, visit by visit, each with its steps in their order. */
export function batchesOf(steps: readonly KeptStep[], most: number): KeptStep[][] {
  const visits = new Map<string, KeptStep[]>()
  for (const step of unsentOf(steps).toSorted((a, b) => a.seq - b.seq)) {
    const key = `${step.orderId}/${step.machineId}`
    visits.set(key, [...(visits.get(key) ?? []), step])
  }
  return [...visits.values()].map((all) => all.slice(0, most))
}

export const nextSeq = (where: Where, steps: readonly KeptStep[]): number =>
  steps.reduce((last, step) => (isOf(where, step) ? Math.max(last, step.seq) : last), 0) + 1

export type VisitStage = 'waiting' | 'open' | 'done'

export function stageOf(stop: FieldStop, steps: readonly KeptStep[]): VisitStage {
  const own = steps.filter((step) => isOf(stop, step))
  if (own.some(({ deed }) => deed.kind === 'done') || stop.state === 'done') return 'done'
  return own.length > 0 || stop.state === 'open' ? 'open' : 'waiting'
}

export type SlotDone = { counted: number | null; filled: number; takenOut: number }

/** What was noted of a slot on this phone. */
export function doneOf(where: Where, slotCode: string, steps: readonly KeptStep[]): SlotDone {
  const done: SlotDone = { counted: null, filled: 0, takenOut: 0 }
  for (const { deed } of steps.filter((step) => isOf(where, step))) {
    if (!('slotCode' in deed) || deed.slotCode !== slotCode) continue
    if (deed.kind === 'count') done.counted = deed.counted
    if (deed.kind === 'fill') done.filled += deed.pieces
    if (deed.kind === 'takeOut') done.takenOut += deed.pieces
  }
  return done
}

type Lot = FieldDay['bag'][number]

/** What the bag holds of a product after all that was done here since it was read, first expiry first. */
export function lotsLeft(day: FieldDay, product: { id: number; code: string }, steps: readonly KeptStep[]): Lot[] {
  const lots = day.bag.filter(({ productId }) => productId === product.id).map((lot) => ({ ...lot }))
  for (const { deed, answer, occurredAt } of steps) {
    const isKnown = answer !== null && occurredAt <= day.at
    if (isKnown || !('productCode' in deed) || deed.productCode !== product.code) continue
    const lot = lots.find(({ batch }) => batch === (deed.batch ?? ''))
    if (lot && deed.kind === 'fill') lot.quantity -= deed.pieces
  }
  return lots
    .filter(({ quantity }) => quantity > 0)
    .toSorted((a, b) => (a.expiresOn ?? '9').localeCompare(b.expiresOn ?? '9'))
}

/** The batch that should go in before this one; null where this one is right. */
export function earlierThan(batch: string, lots: readonly Lot[], day: string): Lot | null {
  const good = lots.filter(({ expiresOn }) => expiresOn === null || expiresOn >= day)
  const chosen = good.find((lot) => lot.batch === batch)
  const [first] = good
  if (!first || !chosen || first.batch === batch) return null
  return (first.expiresOn ?? '9') < (chosen.expiresOn ?? '9') ? first : null
}

/** The product whose barcode or code was scanned or typed, or the slot. */
export function foundBy(text: string, day: FieldDay, stop: FieldStop): string[] {
  const wanted = text.trim()
  if (wanted === '') return stop.slots.map(({ code }) => code)
  const ids = day.products
    .filter(({ code, barcodes }) => code === wanted || barcodes.includes(wanted))
    .map(({ id }) => id)
  return stop.slots
    .filter(({ code, productId }) => code === wanted || (productId !== null && ids.includes(productId)))
    .map(({ code }) => code)
}

export const reviewsOfStop = (where: Where, reviews: readonly Review[]): Review[] =>
  reviews.filter((review) => isOf(where, review))
