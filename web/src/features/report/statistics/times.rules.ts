export type Timed = { name: string; value: number }

/**
 * One value a time, oldest first, of rows that come newest first and may be several of one time. Where rows are left
 * out, the oldest time among them may lack some of its own: it is left out with them.
 */
export function timesOf(rows: readonly Timed[], isMore: boolean): Timed[] {
  const sums = new Map<string, number>()
  for (const { name, value } of rows) sums.set(name, (sums.get(name) ?? 0) + value)
  const newestFirst = [...sums].map(([name, value]) => ({ name, value }))
  return (isMore ? newestFirst.slice(0, -1) : newestFirst).reverse()
}
