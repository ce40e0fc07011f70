export type Branch = { id: number; parentId: number | null; name: string }

/** Children under their parents; one whose parent isn't among them stands at the top. */
export function inOrder<B extends Branch>(branches: readonly B[]): (B & { depth: number; hasChildren: boolean })[] {
  const known = new Set(branches.map(({ id }) => id))
  const below = new Map<number | null, B[]>()
  for (const branch of branches) {
    const parent = branch.parentId !== null && known.has(branch.parentId) ? branch.parentId : null
    below.set(parent, [...(below.get(parent) ?? []), branch])
  }
  const walk = (parent: number | null, depth: number): (B & { depth: number; hasChildren: boolean })[] =>
    (below.get(parent) ?? []).flatMap((branch) => [
      { ...branch, depth, hasChildren: below.has(branch.id) },
      ...walk(branch.id, depth + 1),
    ])
  return walk(null, 0)
}

/** For a native select, which shows no tree: names moved in by their depth. */
export const indented = (branches: readonly Branch[]): { id: number; name: string }[] =>
  inOrder(branches).map(({ id, name, depth }) => ({ id, name: `${'\u2003'.repeat(depth)}${name}` }))

/** The unit and all below it, which it can't be hung under. */
export function branchIds(branches: readonly Branch[], id: number): ReadonlySet<number> {
  const ids = new Set([id])
  // Parents stand before their children.
  for (const { id: each, parentId } of inOrder(branches)) if (parentId !== null && ids.has(parentId)) ids.add(each)
  return ids
}
