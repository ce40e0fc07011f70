import { STATISTICS_REFRESH_MS } from '@aisle/contract/wallboard/board'

export type Link = 'connecting' | 'open' | 'closed'
export type Freshness = 'connecting' | 'live' | 'reconnecting' | 'stale'

const QUICK_RETRIES = 100
const QUICK_RETRY_MS = 800
const LAST_RETRY_MS = 15_000
/** From here on a retry comes only as often as the slowest. */
export const SLOW_RETRIES = QUICK_RETRIES + 4

/** One refetch missed and half a minute more: by then the figures on the wall are not today's truth any longer. */
export const STALE_AFTER_MS = STATISTICS_REFRESH_MS + 30_000
/** A socket that says nothing while the figures move is dead, whatever the browser believes. */
export const SILENT_AFTER_MS = 30_000

/** How often the time is looked at: a machine that slept finds a gap there, whatever its browser tells the page. */
export const PULSE_MS = 5_000

/** Two beats of the pulse were so far apart that the machine slept between them; a busy one is late by seconds. */
export const hasSlept = (beforeMs: number, nowMs: number): boolean => nowMs - beforeMs > 3 * PULSE_MS

/**
 * For a minute more than once a second, so that a restarted server has its boards back at once; then ever more slowly.
 * `chance` (0 to 1) spreads them, so that two thousand boards do not come in the same instant.
 */
export function retryAfterMs(retries: number, chance: number): number {
  const longest = Math.min(LAST_RETRY_MS, QUICK_RETRY_MS * 2 ** Math.max(0, retries - QUICK_RETRIES))
  return longest / 2 + (chance * longest) / 2
}

export function freshnessOf(link: Link, heardAtMs: number | null, nowMs: number): Freshness {
  if (heardAtMs === null) return link === 'closed' ? 'reconnecting' : 'connecting'
  if (nowMs - heardAtMs > STALE_AFTER_MS) return 'stale'
  return link === 'open' ? 'live' : 'reconnecting'
}
