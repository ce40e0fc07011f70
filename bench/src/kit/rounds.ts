export type Sides = { ours: () => Promise<number>; anchor: () => Promise<number> }

export type Measured = {
  /** Medians over the rounds. */
  ours: number
  anchor: number
  /** Median of the rounds' own ratios, ours by anchor: what slows a whole round down cancels out. */
  ratio: number
  lowest: number
  highest: number
}

/** Both sides once to warm up, then in turn, so that neither has the machine to itself at a better time. */
export async function inRotation({ ours, anchor }: Sides, rounds: number): Promise<Measured> {
  await anchor()
  await ours()
  const pairs: { ours: number; anchor: number }[] = []
  while (pairs.length < rounds) pairs.push({ anchor: await anchor(), ours: await ours() })
  const ratios = pairs.map((pair) => pair.ours / pair.anchor)
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    anchor: median(pairs.map((pair) => pair.anchor)),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** @returns seconds */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return (performance.now() - startedMs) / 1000
}
