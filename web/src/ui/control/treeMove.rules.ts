import { aboveOf, childrenOf, type TreeIndex } from './tree.rules'

/** Where a node goes: below whom, and before which of its siblings; null is the end. */
export type TreePlace = { parentId: number | null; before: number | null }
/** Where on a line something is let go: its upper edge, its middle, its lower edge. */
export type Zone = 'before' | 'inside' | 'after'

export const zoneAt = (y: number, height: number): Zone =>
  y < height / 4 ? 'before' : y > (height * 3) / 4 ? 'after' : 'inside'

/** Where a node comes to stand that is let go on a line; null where it can't: on itself or below itself. */
export function dropAt(index: TreeIndex, id: number, target: number, zone: Zone): TreePlace | null {
  const on = index.byId.get(target)
  if (!on || id === target || aboveOf(index, target).includes(id)) return null
  if (zone === 'inside') return { parentId: target, before: null }
  return { parentId: on.parentId, before: zone === 'before' ? target : siblingAt(index, target, 1, id) }
}

export type Step = 'up' | 'down' | 'in' | 'out'

/** One step by the keyboard or a button: among its siblings, into the one above it, or out behind its parent. */
export function stepTo(index: TreeIndex, id: number, step: Step): TreePlace | null {
  const node = index.byId.get(id)
  if (!node) return null
  const { parentId } = node
  const previous = siblingAt(index, id, -1)
  if (step === 'up') return previous === null ? null : { parentId, before: previous }
  if (step === 'in') return previous === null ? null : { parentId: previous, before: null }
  if (step === 'down') {
    const next = siblingAt(index, id, 1)
    return next === null ? null : { parentId, before: siblingAt(index, next, 1) }
  }
  const parent = parentId === null ? undefined : index.byId.get(parentId)
  return parent ? { parentId: parent.parentId, before: siblingAt(index, parent.id, 1) } : null
}

/** @param without a node that is leaving its place and counts no more */
function siblingAt(index: TreeIndex, id: number, by: 1 | -1, without?: number): number | null {
  const parentId = index.byId.get(id)?.parentId ?? null
  const known = parentId !== null && index.byId.has(parentId) ? parentId : null
  const siblings = childrenOf(index, known).filter((each) => each.id !== without)
  return siblings[siblings.findIndex((each) => each.id === id) + by]?.id ?? null
}
