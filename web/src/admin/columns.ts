/** A person's choice for one list: kept by column name, so that a column added later simply appears. */
export type Layout = { order: readonly string[]; hidden: readonly string[] }

/** All declared columns in the person's order; a column they have not seen yet keeps its declared neighbour. */
export function arrange(declared: readonly string[], order: readonly string[]): string[] {
  const known = order.filter((name) => declared.includes(name))
  declared.forEach((name, at) => {
    if (known.includes(name)) return
    const before = declared[at - 1]
    known.splice(before === undefined ? 0 : known.indexOf(before) + 1, 0, name)
  })
  return known
}

/** The first column names the row and opens it, so it can neither be hidden nor moved away. */
export function visible(declared: readonly string[], { order, hidden }: Layout): string[] {
  const [first, ...rest] = declared
  if (first === undefined) return []
  return [first, ...arrange(rest, order).filter((name) => !hidden.includes(name))]
}

export function moved(names: readonly string[], name: string, by: -1 | 1): string[] {
  const from = names.indexOf(name)
  const to = from + by
  const swapped = names[to]
  if (from < 0 || swapped === undefined) return [...names]
  return names.map((each, at) => (at === from ? swapped : at === to ? name : each))
}

export const toggled = (names: readonly string[], name: string): string[] =>
  names.includes(name) ? names.filter((each) => each !== name) : [...names, name]
