/** As it is set on a machine. */
type Odds = { lotteryPermille: number; upliftPermille: number }

/**
 * What a play for a prize costs (spec §3: lottery coefficient and uplift ratio): what the prize is worth on average,
 * its price times the odds, and the uplift on top; rounded up to whole fen, so that a play is never free. 0 where the
 * machine has no odds: nothing can be played for there.
 */
export function stakeFen(priceFen: number, { lotteryPermille, upliftPermille }: Odds): number {
  return Math.ceil((priceFen * lotteryPermille * (1000 + upliftPermille)) / 1_000_000)
}
