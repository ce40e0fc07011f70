import { REPLAY_SPANS, type SoldInSpan } from '@aisle/contract/wallboard/replay'
import { expect, test } from 'vitest'
import { comparedAt, DAY_MS, hoursOf, loadedOf, salesBy, soldBy, spanAt, statisticsOf, sumOf } from './replay.rules'

const TEN_MINUTES = 600_000
const sold = (span: number, paidFen: number, method = 0): SoldInSpan => ({
  span,
  method,
  orders: 1,
  paidFen,
  onlineOrders: 1,
  onlineFen: paidFen,
})
const spans = [sold(0, 100), sold(6, 200), sold(6, 300, 5), sold(143, 400)]
const present = {
  seconds: [
    { ...sold(0, 200), second: 10 },
    { ...sold(0, 300, 5), second: 599 },
  ],
  points: [],
  orders: 2,
}

test('a moment counts spans that are over and the seconds of the present one that are over', () => {
  const fenAt = (atMs: number) => sumOf(soldBy(atMs, spans, present)).paidFen
  expect(fenAt(0)).toBe(0)
  expect(fenAt(6 * TEN_MINUTES)).toBe(100)
  expect(fenAt(6 * TEN_MINUTES + 10_999)).toBe(100)
  expect(fenAt(6 * TEN_MINUTES + 11_000)).toBe(300)
  expect(fenAt(7 * TEN_MINUTES)).toBe(600 + 0)
})

test('the end of the day has all of it, whatever was fetched', () => {
  expect(spanAt(DAY_MS)).toBe(REPLAY_SPANS - 1)
  expect(sumOf(soldBy(DAY_MS, spans, undefined))).toEqual({
    orders: 4,
    paidFen: 1_000,
    onlineOrders: 4,
    onlineFen: 1_000,
  })
})

test('hours hold the fen of their six spans', () => {
  expect(hoursOf(spans)).toEqual([100, 500, ...Array.from({ length: 21 }, () => 0), 400])
})

test('two days are compared up to the same ten minutes', () => {
  expect(comparedAt(7 * TEN_MINUTES - 1, spans, [sold(6, 50)])).toEqual({ thenFen: 0, nowFen: 100 })
  expect(comparedAt(7 * TEN_MINUTES, spans, [sold(6, 50)])).toEqual({ thenFen: 50, nowFen: 600 })
})

test('methods are counted and summed in yuan', () => {
  const [counts, amounts] = statisticsOf(spans)
  expect(counts).toMatchObject({ alipaysl: 3, cashsl: 1, allCount: 4 })
  expect(amounts).toMatchObject({ alipaysl: 7, cashsl: 3, allCount: 10 })
})

test('the newest points come first, at most eighty, none of the future', () => {
  const startMs = Date.parse('2026-11-20T02:00:00Z')
  const points = Array.from({ length: 100 }, (_, n) => ({
    productName: `P${n}`,
    value: [116, 40, ''] as [number, number, string],
    place: '',
    amountFen: 1,
    at: new Date(startMs + n * 1_000).toISOString(),
    isAbroad: false,
  }))
  const shown = salesBy(startMs + 90_000, [undefined, loadedOf({ seconds: [], points, orders: 100 })])
  expect([shown.length, shown[0]?.productName, shown.at(-1)?.productName]).toEqual([80, 'P90', 'P11'])
})
