import { afterAll, beforeEach, expect, test } from 'vitest'
import { absoluteTime, clockTime, dayText, momentText, relativeTime } from './timeText'

const { TZ } = process.env
/** Where the reader is. */
const readIn = (zone: string | undefined) => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
}
beforeEach(() => readIn('Asia/Shanghai'))
afterAll(() => readIn(TZ))

const at = '2026-11-20T06:20:11Z'
const after = (ms: number) => Date.parse(at) + ms

test.each([
  [0, '现在'],
  [12_000, '12秒前'],
  [61_000, '1分钟前'],
  [3 * 3600_000, '3小时前'],
  [23 * 3600_000, '23小时前'],
  [26 * 3600_000, '昨天 14:20'],
  [40 * 3600_000, '前天 14:20'],
  [5 * 24 * 3600_000, '5天前 14:20'],
  [40 * 24 * 3600_000, '2026年11月20日 14:20'],
])('%i ms later it reads %s', (ms, text) => {
  expect(relativeTime(at, after(ms), 'zh-CN')).toBe(text)
})

test('a machine whose clock runs ahead is not in the future', () => {
  expect(relativeTime(at, after(-9_000), 'en-GB')).toBe('now')
})

test.each([
  [90 * 60_000, '1小时后'],
  [26 * 3600_000, '明天 14:20'],
  [40 * 24 * 3600_000, '2026年11月20日 14:20'],
])('%i ms ahead it reads %s', (ms, text) => {
  expect(relativeTime(at, after(-ms), 'zh-CN')).toBe(text)
})

test('a day is written as the language does, whatever the zone', () => {
  expect(dayText('2026-11-20', 'fr-FR')).toBe('20 nov. 2026')
  expect(dayText('2026-11-20', 'zh-CN')).toBe('2026年11月20日')
})

test('the exact time names its zone', () => {
  expect(absoluteTime(at, 'zh-CN')).toBe('2026/11/20 GMT+8 14:20:11')
  expect(clockTime('2026-11-20T16:05:00Z', 'en-GB')).toBe('00:05:00')
})

test('who reads it where another time is, is told whose time it says', () => {
  readIn('Europe/Paris')
  expect(relativeTime(at, after(26 * 3600_000), 'fr-FR')).toBe('hier 14:20 UTC+8')
  expect(momentText(at, 'fr-FR')).toBe('20/11/2026 14:20:11 UTC+8')
  expect(clockTime(at, 'fr-FR')).toBe('14:20:11 UTC+8')
})
