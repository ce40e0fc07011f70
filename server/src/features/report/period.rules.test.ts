import { expect, test } from 'vitest'
import { periodOf, piecesOf } from './period.rules'

const today = '2026-11-20'

test.each([
  [{}, { from: '2026-10-22', to: today, days: 30 }],
  [{ from: today }, { from: today, to: today, days: 1 }],
  [
    { from: '2026-11-01', to: '2026-11-10' },
    { from: '2026-11-01', to: '2026-11-10', days: 10 },
  ],
  [
    { to: '2027-01-01', from: '2026-11-19' },
    { from: '2026-11-19', to: today, days: 2 },
  ],
  [{ from: '2026-11-21' }, null],
  [{ from: '2025-11-20' }, { from: '2025-11-20', to: today, days: 366 }],
  [{ from: '2025-11-19' }, null],
])('%j is %j', (asked, period) => {
  expect(periodOf(asked, today)).toEqual(period && expect.objectContaining(period))
})

test.each([
  [{}, { from: '2026-09-22', to: '2026-10-21' }],
  [
    { from: '2026-11-01', to: '2026-11-10' },
    { from: '2026-10-22', to: '2026-10-31' },
  ],
  [
    { from: '2026-11-01', to: '2026-11-10', against: 'lastYear' },
    { from: '2025-11-01', to: '2025-11-10' },
  ],
  [
    { from: '2024-02-29', to: '2024-02-29', against: 'lastYear' },
    { from: '2023-02-28', to: '2023-02-28' },
  ],
  [
    { from: '2024-02-01', to: '2024-02-29', against: 'lastYear' },
    { from: '2023-02-01', to: '2023-02-28' },
  ],
  [
    { from: '2026-11-01', to: '2026-11-10', against: '2026-05-01' },
    { from: '2026-05-01', to: '2026-05-10' },
  ],
])('%j is compared with %j', (asked, before) => {
  expect(periodOf(asked, today)?.before).toEqual(before)
})

test.each([
  ['2026-03-05', '2026-03-05', 'month', [['2026-03-05', '2026-03-05']]],
  ['2026-03-05', '2026-04-01', 'year', [['2026-03-05', '2026-04-01']]],
  [
    '2025-11-30',
    '2026-01-01',
    'month',
    [
      ['2025-11-30', '2025-11-30'],
      ['2025-12-01', '2025-12-31'],
      ['2026-01-01', '2026-01-01'],
    ],
  ],
  [
    '2025-12-31',
    '2026-01-01',
    'year',
    [
      ['2025-12-31', '2025-12-31'],
      ['2026-01-01', '2026-01-01'],
    ],
  ],
  ['2026-01-02', '2026-01-01', 'year', []],
] as const)('%s to %s is cut where a %s begins', (from, to, unit, pieces) => {
  expect(piecesOf({ from, to }, unit)).toEqual(pieces.map(([first, last]) => ({ first, last })))
})
