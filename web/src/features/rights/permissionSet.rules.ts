/** What a page of a tree stands for: the permissions that the person may change, and how many of all are ticked. */
export type Tick = 'all' | 'some' | 'none'

export function tickOf(codes: readonly string[], ticked: ReadonlySet<string>): Tick {
  const count = codes.filter((code) => ticked.has(code)).length
  if (count === 0) return 'none'
  return count === codes.length ? 'all' : 'some'
}

/** Ticks all of what may be changed, or none of it where all were ticked. What may not be changed stays as it is. */
export function toggled(
  ticked: ReadonlySet<string>,
  codes: readonly string[],
  mayChange: (code: string) => boolean,
): Set<string> {
  const own = codes.filter(mayChange)
  const isAll = own.every((code) => ticked.has(code))
  const next = new Set(ticked)
  for (const code of own) {
    if (isAll) next.delete(code)
    else next.add(code)
  }
  return next
}

export const isSameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((each) => b.has(each))
