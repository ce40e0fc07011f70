import { expect, test } from 'vitest'
import { type Freshness, freshnessOf, hasSlept, type Link, retryAfterMs, STALE_AFTER_MS } from './link.rules'

const waits: [fact: string, retries: number, chance: number, ms: number][] = [
  ['the first retry comes within a second', 0, 1, 800],
  ['chance takes up to half away', 0, 0, 400],
  ['a minute later it is still less than a second', 100, 1, 800],
  ['then it doubles', 102, 1, 3_200],
  ['it never exceeds 15 seconds', 100_000, 1, 15_000],
]
test.each(waits)('%s', (_, retries, chance, ms) => expect(retryAfterMs(retries, chance)).toBe(ms))

const states: [fact: string, link: Link, heardAtMs: number | null, nowMs: number, freshness: Freshness][] = [
  ['at first it connects', 'connecting', null, 0, 'connecting'],
  ['a server that never answered is being retried', 'closed', null, 0, 'reconnecting'],
  ['an open socket with a recent figure is live', 'open', 1_000, 20_000, 'live'],
  ['a closed socket is being reopened', 'closed', 1_000, 20_000, 'reconnecting'],
  ['an old figure is stale, whatever the socket says', 'open', 1_000, 1_001 + STALE_AFTER_MS, 'stale'],
]
test.each(states)('%s', (_, link, heardAtMs, nowMs, freshness) =>
  expect(freshnessOf(link, heardAtMs, nowMs)).toBe(freshness),
)

test.each([
  [5_000, false],
  [14_000, false],
  [40_000, true],
  [-3_600_000, false],
])('a pulse that comes after %i ms was slept through: %s', (gapMs, slept) =>
  expect(hasSlept(7_000_000, 7_000_000 + gapMs)).toBe(slept),
)
