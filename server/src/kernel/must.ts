/** What has to be there; that it is not is a bug. @param what as the log shows it */
export function must<T>(found: T | null | undefined, what: string): T {
  if (found === null || found === undefined) throw new Error(`missing: ${what}`)
  return found
}

/** The one row that a statement answers with, as an insert does. */
export const only = <T>({ rows }: { rows: readonly T[] }): T => must(rows[0], 'a row')

/** An answer to each, found by the very thing that was asked about, so that no two lists run side by side. */
export const answers = <K, V>(asked: readonly K[], answerOf: (one: K) => V): Map<K, V> =>
  new Map(asked.map((one) => [one, answerOf(one)]))

/** All of them by what they have in common, in their order. */
export function grouped<K, V>(all: Iterable<V>, keyOf: (one: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}
