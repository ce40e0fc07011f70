/**
 * A state table is data that both sides ask: the web to grey a button with its reason, the server to move a row by
 * compare-and-set. Nobody compares states by hand.
 */
export type StateTable<S extends string, V extends string> = {
  initial: S
  states: readonly S[]
  moves: Record<V, { from: readonly S[]; to: S }>
  can: (state: S, verb: V) => boolean
  from: (verb: V) => readonly S[]
  to: (verb: V) => S
  /** Every state that no path from `initial` reaches; a test wants it empty. */
  unreachable: () => S[]
}

export function stateTable<const S extends string, const V extends string>(table: {
  initial: S
  states: readonly S[]
  moves: Record<V, { from: readonly NoInfer<S>[]; to: NoInfer<S> }>
}): StateTable<S, V> {
  return {
    ...table,
    can: (state, verb) => table.moves[verb].from.includes(state),
    from: (verb) => table.moves[verb].from,
    to: (verb) => table.moves[verb].to,
    unreachable: () => table.states.filter((state) => !reached(table).has(state)),
  }
}

function reached<S extends string>(table: {
  initial: S
  moves: Record<string, { from: readonly S[]; to: S }>
}): Set<S> {
  const seen = new Set<S>([table.initial])
  const moves = Object.values(table.moves)
  for (let before = 0; before !== seen.size; ) {
    before = seen.size
    for (const move of moves) if (move.from.some((state) => seen.has(state))) seen.add(move.to)
  }
  return seen
}
