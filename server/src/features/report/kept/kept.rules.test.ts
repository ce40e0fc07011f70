import { expect, test } from 'vitest'
import { daysOf, nextRun } from './kept.rules'

const at = (wall: string) => new Date(`${wall}:00+08:00`)

test.each([
  ['never', 8, '2026-11-20T07:30', null],
  ['daily', 8, '2026-11-20T07:30', '2026-11-20T08:00'],
  ['daily', 8, '2026-11-20T08:00', '2026-11-21T08:00'],
  ['daily', 0, '2026-12-31T23:59', '2027-01-01T00:00'],
  ['weekly', 6, '2026-11-20T07:30', '2026-11-23T06:00'],
  ['weekly', 6, '2026-11-23T05:59', '2026-11-23T06:00'],
  ['monthly', 6, '2026-11-20T07:30', '2026-12-01T06:00'],
  ['monthly', 6, '2028-02-01T06:00', '2028-03-01T06:00'],
] as const)('%s at %i is made after %s at %s', (cadence, atHour, now, next) => {
  expect(nextRun({ cadence, atHour }, at(now))).toEqual(next && at(next))
})

test.each([
  ['fixed', '2026-11-20', null],
  ['yesterday', '2026-03-01', ['2026-02-28', '2026-02-28']],
  ['sevenBefore', '2026-11-20', ['2026-11-13', '2026-11-19']],
  ['thirtyBefore', '2026-11-20', ['2026-10-21', '2026-11-19']],
  ['lastWeek', '2026-11-20', ['2026-11-09', '2026-11-15']],
  ['lastWeek', '2026-11-23', ['2026-11-16', '2026-11-22']],
  ['lastWeek', '2026-11-22', ['2026-11-09', '2026-11-15']],
  ['lastMonth', '2028-03-31', ['2028-02-01', '2028-02-29']],
  ['lastMonth', '2027-01-01', ['2026-12-01', '2026-12-31']],
  ['thisMonth', '2028-02-10', ['2028-02-01', '2028-02-29']],
] as const)('%s on %s is these days', (period, today, days) => {
  expect(daysOf(period, today)).toEqual(days && { from: days[0], to: days[1] })
})
