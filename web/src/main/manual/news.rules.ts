/** Pages of the manual that a person has, each with its verbs that they may do, by their keys. */
export type Mine = ReadonlyMap<string, readonly string[]>
/** What they knew when they last said so. */
export type Known = { at: string; mine: Record<string, string[]> }

export type News = { screen: string; isWhole: boolean; verbs: readonly string[] }

/** Pages that were not there, or not theirs, and verbs new on those that were. */
export function newsOf(known: Known, mine: Mine): News[] {
  return [...mine].flatMap(([screen, verbs]): News[] => {
    const before = known.mine[screen]
    if (!before) return [{ screen, isWhole: true, verbs: [] }]
    const fresh = verbs.filter((verb) => !before.includes(verb))
    return fresh.length === 0 ? [] : [{ screen, isWhole: false, verbs: fresh }]
  })
}
