export type Node = { id: number; parentId: number | null; name: string; count?: number; note?: string }
export type TreeRow = Node & { depth: number; hasChildren: boolean; isOpen: boolean }

/** The nodes in sight from top to bottom; one whose parent isn't among them stands at the top. */
export function rowsOf(nodes: readonly Node[], isOpen: (id: number, depth: number) => boolean): TreeRow[] {
  const known = new Set(nodes.map(({ id }) => id))
  const below = new Map<number | null, Node[]>()
  for (const node of nodes) {
    const parent = node.parentId !== null && known.has(node.parentId) ? node.parentId : null
    below.set(parent, [...(below.get(parent) ?? []), node])
  }
  const walk = (parent: number | null, depth: number): TreeRow[] =>
    (below.get(parent) ?? []).flatMap((node) => {
      const hasChildren = below.has(node.id)
      const open = hasChildren && isOpen(node.id, depth)
      return [{ ...node, depth, hasChildren, isOpen: open }, ...(open ? walk(node.id, depth + 1) : [])]
    })
  return walk(null, 0)
}

/** The ancestors of a node, so that what is chosen is in sight. */
export function openTo(nodes: readonly Node[], id: number | null): ReadonlySet<number> {
  const parents = new Map(nodes.map((node) => [node.id, node.parentId]))
  const path = new Set<number>()
  for (let at = id === null ? null : parents.get(id); at && !path.has(at); at = parents.get(at)) path.add(at)
  return path
}

/** Those whose text holds what was typed, with all above them. */
export function matching<N extends Node>(nodes: readonly N[], typed: string): readonly N[] {
  const text = typed.trim().toLowerCase()
  if (!text) return nodes
  const hits = nodes.filter(({ name, note }) => `${name} ${note ?? ''}`.toLowerCase().includes(text))
  const kept = new Set(hits.flatMap(({ id }) => [id, ...openTo(nodes, id)]))
  return nodes.filter(({ id }) => kept.has(id))
}
