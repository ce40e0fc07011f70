import { expect, test } from 'vitest'
import { isoAt, minuteOfDay } from './machine/clock'
import { dayShare } from './demand'
import { hash32, poisson, seeded, spread, weighted } from './random'

test('a day curve is 1 on average, quiet at night and never nothing', () => {
  for (const category of ['drink', 'medicine']) {
    const day = Array.from({ length: 1440 }, (_, minute) => dayShare(category, minute))
    expect(day.reduce((sum, share) => sum + share, 0) / 1440).toBeCloseTo(1, 6)
    expect(Math.min(...day)).toBeGreaterThan(0.1)
    expect(dayShare(category, 4 * 60)).toBeLessThan(dayShare(category, 12 * 60) / 3)
  }
})

test('what is drawn by lot comes as often as asked, and the same seed draws the same', () => {
  const random = seeded(42)
  for (const mean of [0.3, 4, 80]) {
    const draws = Array.from({ length: 4_000 }, () => poisson(random, mean))
    expect(Math.abs(draws.reduce((sum, draw) => sum + draw, 0) / 4_000 - mean)).toBeLessThan(mean * 0.06 + 0.02)
  }
  const picks = Array.from({ length: 10_000 }, () => weighted(random, { a: 90, b: 10 }))
  expect(picks.filter((pick) => pick === 'b').length / 10_000).toBeCloseTo(0.1, 1)
  expect([seeded(1)(), seeded(1)()]).toEqual([seeded(1)(), seeded(1)()])
})

test('codes in a row spread evenly over a span', () => {
  const places = Array.from({ length: 10_000 }, (_, i) => spread(`M${10_000 + i}`, 10))
  for (let place = 0; place < 10; place += 1) {
    expect(Math.abs(places.filter((each) => each === place).length - 1_000)).toBeLessThan(150)
  }
  expect(hash32('M1')).not.toBe(hash32('M2'))
})

test('times are written with the offset of their own zone, summer time included', () => {
  const winter = Date.UTC(2026, 0, 15, 4, 30)
  expect(isoAt(winter, 'Asia/Shanghai')).toBe('2026-01-15T12:30:00.000+08:00')
  expect(isoAt(winter, 'Europe/Paris')).toBe('2026-01-15T05:30:00.000+01:00')
  expect(isoAt(Date.UTC(2026, 6, 15), 'Europe/Paris')).toBe('2026-07-15T02:00:00.000+02:00')
  expect(isoAt(Date.UTC(2026, 2, 29, 0, 59, 59), 'Europe/Paris')).toMatch(/\+01:00$/)
  expect(isoAt(Date.UTC(2026, 2, 29, 1, 0, 0), 'Europe/Paris')).toMatch(/\+02:00$/)
  expect(isoAt(winter, 'UTC')).toBe('2026-01-15T04:30:00.000+00:00')
  expect(minuteOfDay(winter, 'Asia/Shanghai')).toBe(12 * 60 + 30)
})
