import { expect, test } from 'vitest'
import { isInDoubt } from './clock.rules'

const NOON = new Date('2026-11-20T04:00:00Z')

test.each([
  ['just now', 0, false, false],
  ['by a clock that is a little behind', -5, false, false],
  ['by a clock that is too far behind, or long ago', -5.1, false, true],
  ['by a clock that is a little ahead', 5, false, false],
  ['by a clock that is too far ahead', 5.1, false, true],
  ['without a link', 0, true, true],
])('what was asked %s', (_when, minutes, offline, doubtful) => {
  const occurredAt = new Date(NOON.getTime() + minutes * 60_000).toISOString()
  expect(isInDoubt({ occurredAt, offline }, NOON)).toBe(doubtful)
})
