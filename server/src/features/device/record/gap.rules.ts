/** Numbers that a machine passed over, both ends included. */
export type Gap = { first: number; last: number }
/** How far a run of the machine's program has counted, and which run was before it. */
export type Counted = { bootId: string; top: number; previous: string | null }

/** `isLive`: of a kind that is never kept and sent again, so its program is the one that runs now. */
export type Said = { bootId: string; seq: number; isLive: boolean }

/**
 * What a batch says of one machine's counting. Numbers come in any order; 0 is the last will and counts for nothing.
 * A program that starts anew counts from 1; what an earlier run says is late and begins nothing.
 * @param known how far it had counted, null for a machine never heard
 * @returns how far it has counted now, gaps that are new, numbers that came late, and whether a run that had ended is
 * heard live again: no machine does that, two with one code do
 */
export function counting(
  known: Counted | null,
  said: readonly Said[],
): { top: Counted | null; opened: (Gap & { bootId: string })[]; late: Said[]; isReturn: boolean } {
  const counted = said.filter(({ seq }) => seq > 0)
  const runs =
    counted.find(({ bootId, isLive }) => isLive && bootId !== known?.bootId) ?? (known ? undefined : counted[0])
  const bootId = runs?.bootId ?? known?.bootId
  const isAnew = bootId !== known?.bootId
  const numbers = [...new Set(counted.filter((each) => each.bootId === bootId).map(({ seq }) => seq))]
  const start = isAnew ? 0 : (known?.top ?? 0)
  const ahead = numbers.filter((seq) => seq > start).sort((a, b) => a - b)
  const late = counted.filter((each) => each.bootId !== bootId || each.seq <= start)
  if (bootId === undefined) return { top: known, opened: [], late: [], isReturn: false }
  const isReturn = isAnew && bootId === known?.previous
  // What a machine never heard said before is not missing: it was not ours to hear. How far a run had come that is
  // heard again is not known any more.
  const heard = known && !isReturn ? start : (ahead[0] ?? 1) - 1
  const opened = ahead.flatMap((seq, i) => {
    const before = ahead[i - 1] ?? heard
    return seq > before + 1 ? [{ bootId, first: before + 1, last: seq - 1 }] : []
  })
  const previous = isAnew ? (known?.bootId ?? null) : (known?.previous ?? null)
  return { top: { bootId, top: ahead.at(-1) ?? start, previous }, opened, late, isReturn }
}

/** What is left of a gap when one number of it has come. */
export function without({ first, last }: Gap, seq: number): Gap[] {
  if (seq < first || seq > last) return [{ first, last }]
  const before = seq > first ? [{ first, last: seq - 1 }] : []
  const after = seq < last ? [{ first: seq + 1, last }] : []
  return [...before, ...after]
}
