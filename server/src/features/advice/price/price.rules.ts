import type { lackingFacts, priceVerdicts } from '@aisle/contract/advice/price'

/** A product at a machine over some days, at one price. `othersPerDay`: what the machine sells of all else. */
export type Seen = { fen: number; pieces: number; stockedDays: number; othersPerDay: number; costFen: number }

type Interval = { value: number; low: number; high: number }
export type Estimate = {
  verdict: (typeof priceVerdicts)[number]
  lacking: (typeof lackingFacts)[number] | null
  nowFen: number
  advisedFen: number | null
  gainFen: number
  lowFen: number | null
  highFen: number | null
  elasticity: Interval | null
  demand: { fen: number; machines: number; pieces: number; perDay: number }[]
}

const LEAST_MACHINES = 6
const LEAST_PIECES = 60
const MONTH = 30
/** What is known of products that are sold so: one percent dearer, about one percent less, give or take one. */
const USUAL = { mean: -1, variance: 0.25 }
/** A trial goes no further than what the machines' own prices can speak of. */
const STEPS = [-10, -5, 5, 10]
/** Less of it is not worth a change. */
const LEAST_PERCENT = 1
const NORMAL = 1.96

/** By which price machines differ, and what that says: an estimate drawn to what is usual as far as facts are few. */
export function estimate(seen: readonly Seen[]): Estimate {
  const demand = demandOf(seen)
  const nowFen = [...demand].sort((a, b) => b.pieces - a.pieces || a.fen - b.fen)[0]?.fen ?? 0
  const nothing = { nowFen, demand, advisedFen: null, gainFen: 0, lowFen: null, highFen: null }
  const lacking = lackingOf(seen, demand.length)
  if (lacking) return { ...nothing, verdict: 'notEnough', lacking, elasticity: null }
  const { mean, deviation } = elasticityOf(seen)
  const elasticity = { value: mean, low: mean - NORMAL * deviation, high: mean + NORMAL * deviation }
  const sold = seen.reduce((sum, one) => sum + (one.pieces / one.stockedDays) * MONTH, 0)
  const costFen = seen[0]?.costFen ?? 0
  const gainAt = (fen: number, e: number) => sold * ((fen / nowFen) ** e * (fen - costFen) - (nowFen - costFen))
  const best = STEPS.map((step) => stepped(nowFen, step))
    .filter((fen) => fen !== nowFen && fen > costFen)
    .sort((a, b) => gainAt(b, mean) - gainAt(a, mean))[0]
  const now = Math.abs(sold * (nowFen - costFen))
  const worth = best !== undefined && gainAt(best, mean) * 100 >= now * LEAST_PERCENT && gainAt(best, mean) >= 1
  if (!worth) return { ...nothing, verdict: 'keep', lacking: null, elasticity }
  const ends = [gainAt(best, elasticity.low), gainAt(best, elasticity.high)].map(Math.round)
  return {
    nowFen,
    demand,
    lacking: null,
    elasticity,
    verdict: best > nowFen ? 'raise' : 'cut',
    advisedFen: best,
    gainFen: Math.round(gainAt(best, mean)),
    lowFen: Math.min(...ends),
    highFen: Math.max(...ends),
  }
}

/** In tenths of a yuan, as prices are set. */
const stepped = (fen: number, percent: number): number => Math.round((fen * (100 + percent)) / 1000) * 10

function demandOf(seen: readonly Seen[]): Estimate['demand'] {
  const prices = [...new Set(seen.map(({ fen }) => fen))].sort((a, b) => a - b)
  return prices.map((fen) => {
    const own = seen.filter((one) => one.fen === fen)
    const [pieces, days] = [sum(own, (one) => one.pieces), sum(own, (one) => one.stockedDays)]
    return { fen, machines: own.length, pieces, perDay: pieces / days }
  })
}

function lackingOf(seen: readonly Seen[], prices: number): Estimate['lacking'] {
  if (prices < 2) return 'prices'
  if (seen.length < LEAST_MACHINES) return 'machines'
  return sum(seen, ({ pieces }) => pieces) < LEAST_PIECES ? 'sales' : null
}

/**
 * How much less is sold where it is dearer, of what the machine sells of all else: a line through logarithms, weighed
 * by sales, with its error as large as the machines differ; then drawn to what is usual by how sure each of them is.
 */
function elasticityOf(seen: readonly Seen[]): { mean: number; deviation: number } {
  const points = seen.map(({ fen, pieces, stockedDays, othersPerDay }) => ({
    x: Math.log(fen),
    y: Math.log((pieces + 0.5) / stockedDays / Math.max(0.5, othersPerDay)),
    weight: pieces + 0.5,
  }))
  const all = sum(points, ({ weight }) => weight)
  const mean = (of: (point: (typeof points)[number]) => number) => sum(points, (one) => one.weight * of(one)) / all
  const [x, y] = [mean((one) => one.x), mean((one) => one.y)]
  const spread = sum(points, (one) => one.weight * (one.x - x) ** 2)
  const slope = sum(points, (one) => one.weight * (one.x - x) * (one.y - y)) / spread
  const rest = sum(points, (one) => one.weight * (one.y - y - slope * (one.x - x)) ** 2)
  // Sales by chance alone leave 1; machines that differ for other reasons leave more.
  const variance = Math.max(1, rest / (points.length - 2)) / spread
  const sure = 1 / variance + 1 / USUAL.variance
  return { mean: (slope / variance + USUAL.mean / USUAL.variance) / sure, deviation: Math.sqrt(1 / sure) }
}

const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((total, one) => total + of(one), 0)

/** Whether so much is lost against the machines that stayed as they were that nobody waits for the end. */
export const losesTooMuch = (
  sides: { days: number; with: { before: number; during: number }; without: { before: number; during: number } },
  stopPercent: number,
): boolean => {
  const expected = sides.with.before + sides.without.during - sides.without.before
  return sides.days >= 3 && expected > 0 && (sides.with.during - expected) * 100 < -stopPercent * expected
}
