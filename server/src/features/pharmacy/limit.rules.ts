/** How many packs of a group one person may have within so many days. */
export type Limit = { packs: number; days: number }
export type Take = { packs: number; at: Date }

const DAY_MS = 86_400_000

/** Counted back from now to the millisecond, so that midnight opens no second allowance. */
export function isWithinLimit(limit: Limit, takes: readonly Take[], wanted: number, now: Date): boolean {
  const since = now.getTime() - limit.days * DAY_MS
  const had = takes.reduce((sum, { packs, at }) => (at.getTime() > since ? sum + packs : sum), 0)
  return had + wanted <= limit.packs
}
