import { expect, test } from 'vitest'
import { addUp, bucketsOf, unitOf } from './overview.rules'
import { daysBehind } from './period.rules'

test.each([
  [1, 'hour'],
  [2, 'day'],
  [62, 'day'],
  [63, 'week'],
  [184, 'week'],
  [185, 'month'],
  [366, 'month'],
])('%i days are drawn by %s', (days, unit) => {
  expect(unitOf({ days })).toBe(unit)
})

test('the places of a trend begin with the period and end with it', () => {
  const period = { from: '2026-10-30', to: '2026-11-02', days: 4 }
  expect(bucketsOf('day', period)).toEqual(['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'])
  expect(bucketsOf('month', period)).toEqual(['2026-10-30', '2026-11-01'])
  expect(bucketsOf('week', { from: '2026-10-30', to: '2026-11-06', days: 8 })).toEqual(['2026-10-30', '2026-11-06'])
  expect(bucketsOf('month', { from: '2025-12-15', to: '2026-02-01', days: 49 })).toEqual([
    '2025-12-15',
    '2026-01-01',
    '2026-02-01',
  ])
  expect(bucketsOf('hour', period)).toHaveLength(24)
})

test('net is what was paid less what went back, and may be below zero', () => {
  const nothing = { orders: 0, paidFen: 0, discountFen: 0, refunds: 0, refundedFen: 0, offlineOrders: 0 }
  const day = { ...nothing, orders: 2, paidFen: 700, refunds: 1, refundedFen: 900 }
  expect(addUp([day, day])).toEqual({
    ...nothing,
    orders: 4,
    paidFen: 1400,
    refunds: 2,
    refundedFen: 1800,
    netFen: -400,
  })
  expect(addUp([])).toEqual({ ...nothing, netFen: 0 })
})

test.each([
  ['day', '2026-11-05', '2026-11-05', '2026-11-05'],
  ['week', '2026-10-26 – 2026-11-01', '2026-10-30', '2026-11-01'],
  ['week', '2026-11-02 – 2026-11-08', '2026-11-02', '2026-11-08'],
  ['month', '2026-10', '2026-10-30', '2026-10-31'],
  ['month', '2026-11', '2026-11-01', '2026-11-20'],
] as const)('behind the %s %s stand the days of the period from %s to %s', (by, name, from, to) => {
  expect(daysBehind(by, name, { from: '2026-10-30', to: '2026-11-20' })).toEqual({ from, to })
})
