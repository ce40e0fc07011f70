import { expect, test } from 'vitest'
import { promisedAt } from './promise.rules'

const week = { from: '09:00', to: '18:00', atWeekends: false, timeZone: 'Asia/Shanghai' }

/** 20 November 2026 is a Friday; times are of Shanghai. */
test.each([
  ['within the day', '2026-11-19T10:00', 8, week, '2026-11-19T18:00'],
  ['over the night', '2026-11-19T15:30', 8, week, '2026-11-20T14:30'],
  ['before the doors open, from then on', '2026-11-19T03:00', 2, week, '2026-11-19T11:00'],
  ['after they closed, from the next day on', '2026-11-19T20:00', 2, week, '2026-11-20T11:00'],
  ['over a weekend', '2026-11-20T17:00', 8, week, '2026-11-23T16:00'],
  ['on a Sunday, from Monday on', '2026-11-22T12:00', 1, week, '2026-11-23T10:00'],
  ['at weekends too where support works', '2026-11-20T17:00', 8, { ...week, atWeekends: true }, '2026-11-21T16:00'],
  ['in weeks', '2026-11-16T09:00', 90, week, '2026-11-27T18:00'],
])('a promise is counted %s', (_, since, hours, business, expected) => {
  const at = (local: string) => new Date(`${local}:00+08:00`)
  expect(promisedAt(at(since), hours, business).toISOString()).toBe(at(expected).toISOString())
})

test('a clock that is put back moves no promise out of the day', () => {
  const paris = { ...week, timeZone: 'Europe/Paris' }
  const said = promisedAt(new Date('2026-10-23T15:00:00Z'), 2, paris)
  expect(said.toISOString()).toBe('2026-10-26T09:00:00.000Z')
})
