export type TreeNode = {
  id: number
  parentId: number | null
  name: string
  /** On the right, such as the machines below it. */
  count?: number
  note?: string
  isDisabled?: boolean
}

export type TreeIndex = {
  byId: ReadonlyMap<number, TreeNode>
  /** Children in the order given; those whose parent is not among the nodes stand under null. */
  children: ReadonlyMap<number | null, readonly TreeNode[]>
}

export function indexOf(nodes: readonly TreeNode[]): TreeIndex {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const children = new Map<number | null, TreeNode[]>()
  for (const node of nodes) {
    const parent = node.parentId !== null && byId.has(node.parentId) ? node.parentId : null
    const siblings = children.get(parent)
    if (siblings) siblings.push(node)
    else children.set(parent, [node])
  }
  return { byId, children }
}

export const childrenOf = ({ children }: TreeIndex, id: number | null): readonly TreeNode[] => children.get(id) ?? []

export type TreeLine = { node: TreeNode; level: number; isOpen: boolean; hasChildren: boolean; of: number; at: number }

/** What is in sight, top down. Without recursion over what is closed, so that a large closed tree costs nothing. */
export function linesOf(index: TreeIndex, open: ReadonlySet<number>, matches: ReadonlySet<number> | null): TreeLine[] {
  const lines: TreeLine[] = []
  const walk = (parent: number | null, level: number) => {
    const siblings = childrenOf(index, parent).filter(({ id }) => matches === null || matches.has(id))
    siblings.forEach((node, at) => {
      const hasChildren = childrenOf(index, node.id).some(({ id }) => matches === null || matches.has(id))
      const isOpen = hasChildren && (matches !== null || open.has(node.id))
      lines.push({ node, level, isOpen, hasChildren, of: siblings.length, at: at + 1 })
      if (isOpen) walk(node.id, level + 1)
    })
  }
  walk(null, 1)
  return lines
}

/** The nodes that hold the text and all that stands above them; null without a text. */
export function matching({ byId }: TreeIndex, text: string): Set<number> | null {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return null
  const found = new Set<number>()
  for (const node of byId.values()) {
    const isHit = node.name.toLowerCase().includes(wanted) || node.note?.toLowerCase().includes(wanted)
    for (let at: TreeNode | undefined = isHit ? node : undefined; at && !found.has(at.id); at = above(byId, at)) {
      found.add(at.id)
    }
  }
  return found
}

const above = (byId: TreeIndex['byId'], { parentId }: TreeNode): TreeNode | undefined =>
  parentId === null ? undefined : byId.get(parentId)

/** All ids above a node, nearest first. */
export function aboveOf({ byId }: TreeIndex, id: number): number[] {
  const ids: number[] = []
  const first = byId.get(id)
  for (let at = first && above(byId, first); at; at = above(byId, at)) ids.push(at.id)
  return ids
}

/** The leaves below a node, or the node itself where it is one. */
export function leavesOf(index: TreeIndex, id: number): number[] {
  const below = childrenOf(index, id)
  return below.length === 0 ? [id] : below.flatMap((child) => leavesOf(index, child.id))
}

export type Check = 'on' | 'off' | 'some'

/** What is ticked are leaves; everything above them follows. One pass, however large the tree. */
export function checksOf(index: TreeIndex, selected: ReadonlySet<number>): Map<number, Check> {
  const checks = new Map<number, Check>()
  const walk = (node: TreeNode): Check => {
    const below = childrenOf(index, node.id)
    const states = new Set(below.map(walk))
    const own =
      below.length === 0 ? (selected.has(node.id) ? 'on' : 'off') : states.size === 1 ? [...states][0] : 'some'
    checks.set(node.id, own ?? 'off')
    return own ?? 'off'
  }
  childrenOf(index, null).forEach(walk)
  return checks
}

/** Ticks or unticks a node with all that is below it, but for what is disabled. */
export function checked(index: TreeIndex, selected: ReadonlySet<number>, id: number, isOn: boolean): Set<number> {
  const next = new Set(selected)
  for (const leaf of leavesOf(index, id)) {
    if (index.byId.get(leaf)?.isDisabled) continue
    if (isOn) next.add(leaf)
    else next.delete(leaf)
  }
  return next
}
