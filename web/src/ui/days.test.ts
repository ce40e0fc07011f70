import { expect, test } from 'vitest'
import { businessDay, dataBeginsOn, dayBefore, dayPresets } from './days'

test('the business day turns at midnight in Shanghai', () => {
  expect(businessDay(Date.parse('2026-11-20T15:59:59Z'))).toBe('2026-11-20')
  expect(businessDay(Date.parse('2026-11-20T16:00:00Z'))).toBe('2026-11-21')
})

test('days are counted over month, leap day and year', () => {
  expect(dayBefore('2026-03-01', 1)).toBe('2026-02-28')
  expect(dayBefore('2028-03-01', 1)).toBe('2028-02-29')
  expect(dayBefore('2026-01-03', 6)).toBe('2025-12-28')
})

test('last 7 days include today', () => {
  expect(dayPresets.last7Days('2026-11-20')).toEqual({ from: '2026-11-14', to: '2026-11-20' })
  expect(dayPresets.last30Days('2026-11-20')).toEqual({ from: '2026-10-22', to: '2026-11-20' })
  expect(dayPresets.yesterday('2026-11-01')).toEqual({ from: '2026-10-31', to: '2026-10-31' })
})

test('last week is whole, from Monday to Sunday, whatever today is', () => {
  const week = { from: '2026-11-09', to: '2026-11-15' }
  expect(dayPresets.lastWeek('2026-11-16')).toEqual(week)
  expect(dayPresets.lastWeek('2026-11-20')).toEqual(week)
  expect(dayPresets.lastWeek('2026-11-22')).toEqual(week)
  expect(dayPresets.lastWeek('2026-11-23')).toEqual({ from: '2026-11-16', to: '2026-11-22' })
})

test('last month is whole, and three months are this one and the two before', () => {
  expect(dayPresets.lastMonth('2026-03-31')).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  expect(dayPresets.lastMonth('2026-01-01')).toEqual({ from: '2025-12-01', to: '2025-12-31' })
  expect(dayPresets.last3Months('2026-01-15')).toEqual({ from: '2025-11-01', to: '2026-01-15' })
})

test('no preset begins before the day that the data begins, which is a setting', () => {
  dataBeginsOn('2026-11-10')
  expect(dayPresets.currentMonth('2026-11-20')).toEqual({ from: '2026-11-10', to: '2026-11-20' })
  expect(dayPresets.last30Days('2026-11-20')).toEqual({ from: '2026-11-10', to: '2026-11-20' })
  expect(dayPresets.yesterday('2026-11-10')).toEqual({ from: '2026-11-10', to: '2026-11-10' })
  expect(dayPresets.last7Days('2026-11-20').from).toBe('2026-11-14')
  dataBeginsOn('2019-06-01')
})

test('the current month starts no earlier than June 2019', () => {
  expect(dayPresets.currentMonth('2026-11-20').from).toBe('2026-11-01')
  expect(dayPresets.currentMonth('2019-06-10').from).toBe('2019-06-01')
  expect(dayPresets.currentMonth('2019-05-10').from).toBe('2019-06-01')
})
