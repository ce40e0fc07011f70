import { givenNames, surnames } from './data/names'

/** A repeatable source of chance: the same seed draws the same network and the same history. */
export type Random = {
  /** From 0, below 1. */
  next: () => number
  /** Whole, both ends included. */
  between: (least: number, most: number) => number
  chance: (probability: number) => boolean
  pick: <T>(items: readonly T[]) => T
  /** How many of many rare things happen, when `mean` are expected (Knuth; means here are below 50). */
  poisson: (mean: number) => number
  /** Around 1, skewed as sales are; `spread` 0.2 keeps most draws within a fifth. */
  factor: (spread: number) => number
}

/** mulberry32: 32 bits of state, good enough for plausible figures, never for secrets. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(next() * items.length)]
    if (item === undefined) throw new RangeError('nothing to pick from')
    return item
  }
  return {
    next,
    pick,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (probability) => next() < probability,
    poisson: (mean) => {
      const limit = Math.exp(-mean)
      let drawn = 0
      for (let product = next(); product > limit; product *= next()) drawn += 1
      return drawn
    },
    factor: (spread) => Math.exp(spread * (next() + next() + next() - 1.5) * 2),
  }
}

/** The index of a weight, drawn in proportion; -1 when all weights are 0. */
export function drawWeighted(random: Random, weights: readonly number[]): number {
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0)
  for (let index = 0; index < weights.length; index += 1) {
    left -= weights[index] ?? 0
    if (left < 0) return index
  }
  return weights.findLastIndex((weight) => weight > 0)
}

/** A seed of its own for each thing with a name, so that adding one thing does not redraw all others. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

/** With the digit at its end that the others ask for. */
export function withCheckDigit(digits: string, isRight: (whole: string) => boolean): string {
  const last = [...'0123456789X'].map((digit) => digits + digit).find(isRight)
  if (!last) throw new RangeError(`no check digit fits ${digits}`)
  return last
}

/** Of nobody. */
export const nameFrom = (random: Random): string => random.pick(surnames) + random.pick(givenNames)
export const phoneFrom = (random: Random): string =>
  `13${random.between(5, 9)}${random.between(10_000_000, 99_999_999)}`
