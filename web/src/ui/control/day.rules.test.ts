import { expect, test } from 'vitest'
import { momentTyped, readDay, readMoment, readTime } from './day.rules'

test.each([
  ['2026-11-28', '2026-11-28'],
  ['2026/1/8', '2026-01-08'],
  ['20261128', '2026-11-28'],
  ['2026年11月28日', '2026-11-28'],
  ['2026. 11. 28.', '2026-11-28'],
  ['28/11/2026', '2026-11-28'],
  ['28.11.2026', '2026-11-28'],
  ['11-28', null],
  [' 2028-02-29 ', '2028-02-29'],
  ['2026-02-29', null],
  ['31/02/2026', null],
  ['2026-13-01', null],
  ['2026-11', null],
  ['28/11/26', null],
  ['tomorrow', null],
  ['', null],
])('%s is read as %s', (text, day) => expect(readDay(text)).toBe(day))

test.each(['2026-11-28 14:05', '2026-11-28T14:05', '28/11/2026 14h05', '2026年11月28日 14时05分'])(
  'the moment %s is one of the network’s clock',
  (text) => expect(momentTyped(readMoment(text) ?? '')).toBe('2026-11-28 14:05'),
)

test.each(['2026-11-28', '2026-11-28 24:00', '2026-11-28 12:60', '2026-02-30 10:00', '14:05'])(
  '%s is no moment',
  (text) => expect(readMoment(text)).toBeNull(),
)

test.each([
  ['9:05', '09:05'],
  ['0905', '09:05'],
  ['905', '09:05'],
  ['14h30', '14:30'],
  ['14时30分', '14:30'],
  ['24:00', null],
  ['9:5', null],
  ['9', null],
  ['noon', null],
])('%s is the time %s', (text, time) => expect(readTime(text)).toBe(time))

test('14:05 in Shanghai is 06:05 UTC, wherever it is typed', () =>
  expect(readMoment('2026-11-28 14:05')).toBe('2026-11-28T06:05:00.000Z'))
