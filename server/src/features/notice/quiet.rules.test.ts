import { expect, test } from 'vitest'
import { masked } from '../../kernel/outbox'
import { afterQuiet, MOST_TRIES, retryAfterMs } from './quiet.rules'

const night = { from: '22:00', to: '07:00' }
const noon = { from: '12:00', to: '13:30' }

test.each([
  [null, '2026-11-20T20:00:00Z', '2026-11-20T20:00:00.000Z'],
  // 04:00 in Shanghai: until 07:00 there.
  [night, '2026-11-20T20:00:00Z', '2026-11-20T23:00:00.000Z'],
  // 22:00 sharp is quiet, 07:00 sharp is not.
  [night, '2026-11-20T14:00:00Z', '2026-11-20T23:00:00.000Z'],
  [night, '2026-11-20T23:00:00Z', '2026-11-20T23:00:00.000Z'],
  [night, '2026-11-20T13:59:59Z', '2026-11-20T13:59:59.000Z'],
  [night, '2026-11-20T14:00:30Z', '2026-11-20T23:00:00.000Z'],
  [noon, '2026-11-20T04:15:00Z', '2026-11-20T05:30:00.000Z'],
  [noon, '2026-11-20T03:59:00Z', '2026-11-20T03:59:00.000Z'],
])('with quiet hours %j a message of %s goes at %s', (quiet, at, goes) => {
  expect(afterQuiet(quiet, 'Asia/Shanghai', new Date(at)).toISOString()).toBe(goes)
})

test('the hours are those of the receiver, not of the server', () => {
  const at = new Date('2026-11-20T23:30:00Z')
  expect(afterQuiet(night, 'Asia/Shanghai', at)).toEqual(at)
  expect(afterQuiet(night, 'Europe/Paris', at).toISOString()).toBe('2026-11-21T06:00:00.000Z')
})

test('tries come further and further apart, and end', () => {
  const waits = Array.from({ length: MOST_TRIES }, (_, i) => retryAfterMs(i + 1))
  expect(waits).toEqual([60_000, 300_000, 900_000, 3_600_000, 14_400_000, null])
})

test.each([
  ['13812345678', '138••••5678'],
  ['+8613812345678', '+86••••5678'],
  ['anna@example.com', 'a•••@example.com'],
  ['', ''],
  ['12345', '12345'],
])('%s is shown as %s', (receiver, shown) => {
  expect(masked(receiver)).toBe(shown)
})
