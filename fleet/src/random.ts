/** 0 included to 1 excluded. */
export type Random = () => number

/** A repeatable source (mulberry32): one number of state, so that each of many machines may own one. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** FNV-1a with a final mix, so that codes that differ in the last digit land far apart. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A fixed share of a span for a name: the same at every start, evenly spread over names. */
export const spread = (name: string, spanMs: number): number => Math.floor((hash32(name) / 4_294_967_296) * spanMs)

export const chance = (random: Random, share: number): boolean => share > 0 && random() < share

export type Span = readonly [min: number, max: number]
export const between = (random: Random, [min, max]: Span): number => min + Math.floor(random() * (max - min + 1))

export function weighted<T extends string>(random: Random, weights: Readonly<Partial<Record<T, number>>>): T {
  const entries = Object.entries(weights) as [T, number][]
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [name, weight] of entries) {
    left -= weight
    if (left < 0) return name
  }
  return entries[entries.length - 1]![0]
}

/** How many happen when `mean` happen on average; above 50 the normal curve is close enough and costs nothing. */
export function poisson(random: Random, mean: number): number {
  if (mean <= 0) return 0
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return Math.max(0, Math.round(mean + normal * Math.sqrt(mean)))
  }
  const floor = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > floor; product *= random()) count += 1
  return count
}
