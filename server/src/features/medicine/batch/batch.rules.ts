import {
  type BatchFacts,
  type BatchHindrance,
  batchState,
  hindranceOf,
  sellable,
} from '@aisle/contract/medicine/batchState'

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
