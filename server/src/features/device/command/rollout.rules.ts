/** Of one wave: `missed` were away until their command expired, which says nothing about the software. */
export type WaveCounts = { machines: number; open: number; done: number; failed: number; missed: number }

export type WaveQuestion = {
  isLast: boolean
  limitPercent: number
  counts: WaveCounts
  /** Failures of this wave that a person has seen and goes on with; null when nobody was asked. */
  forgiven: number | null
}

/**
 * Whether a wave goes on. It stops as soon as its failures are above the limit, without waiting for the rest, and
 * where nobody took the software: the next wave would be ten times as many without anything learnt.
 */
export function stepOf({
  isLast,
  limitPercent,
  counts,
  forgiven,
}: WaveQuestion): 'wait' | 'stop' | 'advance' | 'finish' {
  const { machines, open, done, failed } = counts
  const fresh = Math.max(0, failed - (forgiven ?? 0))
  if (fresh * 100 > limitPercent * machines) return 'stop'
  if (open > 0) return 'wait'
  if (machines > 0 && done === 0 && forgiven === null) return 'stop'
  return isLast ? 'finish' : 'advance'
}

/** Rising, and all machines in the end. */
export const areWaves = (percents: readonly number[]): boolean =>
  percents.at(-1) === 100 && percents.every((percent, at) => at === 0 || percent > (percents[at - 1] ?? 0))

/** Which wave each of so many machines is in, from 1; the first has one machine at least. */
export function wavesOf(count: number, percents: readonly number[]): number[] {
  const ends = percents.map((percent) => Math.ceil((count * percent) / 100))
  return Array.from({ length: count }, (_, at) => ends.findIndex((end) => at < end) + 1)
}
