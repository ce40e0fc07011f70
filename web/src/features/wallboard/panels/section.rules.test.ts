import { expect, test } from 'vitest'
import { labelledSteps, roundTop } from './section.rules'

const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

test('the newest day is labelled, and each week before it', () => {
  const labels = labelledSteps({ from: '2026-10-24', step: 'day', values: Array.from({ length: 30 }, () => 0) })
  expect(labels.flatMap((label, at) => (label === null ? [] : [[at, label]]))).toEqual([
    [1, day('2026-10-25')],
    [8, day('2026-11-01')],
    [15, day('2026-11-08')],
    [22, day('2026-11-15')],
    [29, day('2026-11-22')],
  ])
})

test('months are all labelled, over the turn of the year', () =>
  expect(labelledSteps({ from: '2025-11-01', step: 'month', values: [1, 2, 3] })).toEqual(
    ['2025-11-01', '2025-12-01', '2026-01-01'].map(day),
  ))

test.each([
  [[0, 0], 1],
  [[3, 1], 3],
  [[7], 8],
  [[11], 12],
  [[22_300], 25_000],
  [[270, 12], 300],
  [[1_000], 1_000],
  [[5_700_00], 6_000_00],
])('a scale of %o ends at %i', (values, top) => expect(roundTop(values)).toBe(top))
