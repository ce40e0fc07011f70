type Branch = { id: number; parentId: number | null; name: string }

/** For a native select, which shows no tree: names moved in by their depth, each below its parent. */
export function indented(branches: readonly Branch[]): { id: number; name: string }[] {
  const known = new Set(branches.map(({ id }) => id))
  const under = (parent: number | null, depth: number): { id: number; name: string }[] =>
    branches
      .filter(({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : null) === parent)
      .flatMap(({ id, name }) => [{ id, name: `${'\u2003'.repeat(depth)}${name}` }, ...under(id, depth + 1)])
  return under(null, 0)
}
