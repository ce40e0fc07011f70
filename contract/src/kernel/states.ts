/** The states that something can be in, and sets of them that have a name. */
export type StateNames<S extends string, N extends string = never> = {
  states: readonly S[]
  sets: Readonly<Record<N, readonly S[]>>
  /** Whether it is in this state, or in one of this set; what is not there at all is in none. */
  is: (state: S | null | undefined, name: S | N) => boolean
}

/**
 * A state table is data that both sides ask: the web to grey a button with its reason, the server to move a row by
 * compare-and-set. Nobody compares states by hand.
 */
export type StateTable<S extends string, V extends string, N extends string = never> = StateNames<S, N> & {
  initial: S
  moves: Record<V, { from: readonly S[]; to: S }>
  can: (state: S, verb: V) => boolean
  from: (verb: V) => readonly S[]
  to: (verb: V) => S
  /** Every state that no path from `initial` reaches; a test wants it empty. */
  unreachable: () => S[]
}

type Named<S extends string, N extends string> = Readonly<Record<N, readonly NoInfer<S>[]>>
type Moves<S extends string, V extends string> = Record<V, { from: readonly NoInfer<S>[]; to: NoInfer<S> }>

/** States that follow from facts, such as a day that has come: no verb moves them. */
export function stateNames<const S extends string, const N extends string = never>(
  states: readonly S[],
  sets = {} as Named<S, N>,
): StateNames<S, N> {
  const members: Readonly<Record<string, readonly string[]>> = sets
  return {
    states,
    sets,
    is: (state, name) => state === name || (state ? members[name]?.includes(state) : false) === true,
  }
}

export function stateTable<const S extends string, const V extends string, const N extends string = never>(table: {
  initial: S
  states: readonly S[]
  moves: Moves<S, V>
  sets?: Named<S, N>
}): StateTable<S, V, N> {
  return {
    ...table,
    ...stateNames<S, N>(table.states, table.sets),
    can: (state, verb) => table.moves[verb].from.includes(state),
    from: (verb) => table.moves[verb].from,
    to: (verb) => table.moves[verb].to,
    unreachable: () => table.states.filter((state) => !reached(table).has(state)),
  }
}

/** What is stopped is offered no more, and what began with it goes on. */
export const onOff = stateTable({
  initial: 'active',
  states: ['active', 'stopped'],
  moves: { stop: { from: ['active'], to: 'stopped' }, resume: { from: ['stopped'], to: 'active' } },
})
export const onOffTones = { active: 'good', stopped: 'idle' } as const

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
