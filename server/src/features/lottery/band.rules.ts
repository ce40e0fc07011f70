import type { winVerdicts } from '@aisle/contract/lottery/statistics'

/** Of a hundred series of honest plays one lies outside, half of those above. */
const TAIL = 0.005
/** Above this many plays the binomial is a normal one to far below a single win. */
const MOST_EXACT = 20_000
/** Of the normal distribution, for the same tails. */
const Z = 2.575829

type Band = { least: number; most: number }

/**
 * How many wins chance alone explains in 99 of 100 cases, both bounds included: the exact binomial distribution. Where
 * the odds changed within the plays their mean is asked; the true band is then no wider, so nobody is accused wrongly.
 */
export function bandOf(plays: number, odds: number): Band {
  if (plays === 0 || odds <= 0) return { least: 0, most: 0 }
  if (odds >= 1) return { least: plays, most: plays }
  if (plays > MOST_EXACT) return normalBand(plays, odds)
  const logOdds = Math.log(odds) - Math.log1p(-odds)
  let logShare = plays * Math.log1p(-odds)
  let below = 0
  let least = -1
  for (let wins = 0; wins <= plays; wins += 1) {
    below += Math.exp(logShare)
    if (least < 0 && below > TAIL) least = wins
    if (below >= 1 - TAIL) return { least: Math.max(least, 0), most: wins }
    logShare += Math.log(plays - wins) - Math.log(wins + 1) + logOdds
  }
  return { least: Math.max(least, 0), most: plays }
}

function normalBand(plays: number, odds: number): Band {
  const spread = Z * Math.sqrt(plays * odds * (1 - odds))
  return {
    least: Math.max(0, Math.ceil(plays * odds - spread - 0.5)),
    most: Math.min(plays, Math.floor(plays * odds + spread + 0.5)),
  }
}

export function verdictOf(wins: number, { least, most }: Band): (typeof winVerdicts)[number] {
  if (wins > most) return 'tooMany'
  return wins < least ? 'tooFew' : 'plausible'
}
