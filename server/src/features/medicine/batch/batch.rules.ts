import { type BatchHindrance, type BatchState, batchState } from '@aisle/contract/medicine/batchState'

/** What is known of a batch; without a row of its own nobody knows more than its number, or not even that. */
export type BatchFacts = { state: BatchState | null; expiresOn: string | null }

/**
 * Why a batch may not be sold on a day; null when it may (domain rules, section 3). The one rule that every road asks.
 * Good to the end of the day that the pack says, less the days that its user needs to use it up.
 */
export function hindranceOf({ state, expiresOn }: BatchFacts, day: string, marginDays = 0): BatchHindrance | null {
  if (state === 'locked' || state === 'recalled' || state === 'rejected') return state
  if (expiresOn !== null && expiresOn < daysAfter(day, marginDays)) return 'expired'
  return null
}

export const sellable = (batch: BatchFacts, day: string, marginDays = 0): boolean =>
  hindranceOf(batch, day, marginDays) === null

const DAY_MS = 86_400_000
const daysAfter = (day: string, days: number): string =>
  days === 0 ? day : new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** Pieces of one batch in a slot. */
export type Layer = BatchFacts & { quantity: number }
/** What stands in a slot, the front first. In doubt, nobody knows in which order it stands. */
export type Queue = { layers: readonly Layer[]; isDoubtful: boolean }

/**
 * How many pieces may be sold before one comes that may not. A slot can't choose: its front goes first. A recalled
 * piece stops its slot wherever it stands, and in doubt any piece that may not be sold does.
 */
export function reachable({ layers, isDoubtful }: Queue, day: string, marginDays = 0): number {
  const at = layers.findIndex((layer) => !sellable(layer, day, marginDays))
  if (at < 0) return Number.POSITIVE_INFINITY
  if (isDoubtful || layers.some(({ state }) => batchState.is(state, 'recalled'))) return 0
  return piecesOf(layers.slice(0, at))
}

/** Good pieces that stand behind one that may not be sold. */
export function trapped({ layers }: Queue, day: string, marginDays = 0): number {
  const at = layers.findIndex((layer) => !sellable(layer, day, marginDays))
  return at < 0 ? 0 : piecesOf(layers.slice(at).filter((layer) => sellable(layer, day, marginDays)))
}

/** Why the slot sells nothing now: what its front, or in doubt any of its pieces, is. */
export function blockOf(queue: Queue, day: string, marginDays = 0): BatchHindrance | null {
  if (reachable(queue, day, marginDays) > 0) return null
  const whys = queue.layers.map((layer) => hindranceOf(layer, day, marginDays))
  return whys.find((why) => why === 'recalled') ?? whys.find((why) => why !== null) ?? null
}

const piecesOf = (layers: readonly Layer[]): number => layers.reduce((sum, { quantity }) => sum + quantity, 0)
