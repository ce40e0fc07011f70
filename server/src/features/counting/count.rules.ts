/** What is large enough for another person to count again (settings `count.second*`). */
export type SecondLimits = { pieces: number; percent: number; fen: number }
export type Differing = { difference: number; book: number; costFen: number; isMedicine: boolean }

/** Of a medicine every piece is accounted for by two. */
export function needsSecond({ difference, book, costFen, isMedicine }: Differing, limits: SecondLimits): boolean {
  const pieces = Math.abs(difference)
  if (pieces === 0) return false
  if (isMedicine || pieces >= limits.pieces) return true
  return pieces * 100 >= limits.percent * Math.max(0, book) || Math.abs(costFen) >= limits.fen
}

/**
 * When something was counted, by the server's clock: phones are minutes or days off, and what they say beside of their
 * own time of sending tells by how much. Nothing is counted before its count began, or later than now.
 */
export function countedTime(
  said: { countedAt: string; sentAt: string },
  { from, now }: { from: Date; now: Date },
): Date {
  const apartMs = now.getTime() - Date.parse(said.sentAt)
  const atMs = Date.parse(said.countedAt) + apartMs
  return new Date(Math.min(now.getTime(), Math.max(from.getTime(), atMs)))
}

export type Visited = { stock: number; costFen: number; pastError: number }

/** Beside what is empty by the books a visit looks at three more: by what lies there times how wrong it has been. */
const BESIDE = 3

export function cycleOf<V extends Visited>(slots: readonly V[]): V[] {
  const isEmpty = ({ stock }: V) => stock <= 0
  const stake = ({ stock, costFen, pastError }: V) => stock * costFen * (1 + pastError)
  const rest = slots.filter((slot) => !isEmpty(slot)).sort((a, b) => stake(b) - stake(a))
  const chosen = new Set([...slots.filter(isEmpty), ...rest.slice(0, BESIDE)])
  return slots.filter((slot) => chosen.has(slot))
}

/** What lies under one batch in a place, by the books of its moment and as found; null was not counted. */
export type Part = { batch: string | null; book: number; found: number | null }

/**
 * By how much the books change, batch by batch. Where all was counted, nothing else stands there: what the batches do
 * not account for (`rest`: they come to so much more than the place) is of none.
 */
export function deltasOf(parts: readonly Part[], rest: number): { batch: string | null; delta: number }[] {
  const deltas = new Map<string | null, number>()
  const add = (batch: string | null, delta: number) => deltas.set(batch, (deltas.get(batch) ?? 0) + delta)
  for (const { batch, book, found } of parts) if (found !== null) add(batch, found - book)
  if (parts.every(({ found }) => found !== null)) add(null, rest)
  return [...deltas].map(([batch, delta]) => ({ batch, delta })).filter(({ delta }) => delta !== 0)
}
