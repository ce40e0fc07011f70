import type { StatisticsRow } from '@aisle/contract/wallboard/board'
import { expect, test } from 'vitest'
import { methodFigures, ranked, slicesOf, sumOf } from './payments.rules'

const row = (
  classify: string,
  [a, w, u, p, m, c, o]: readonly [number, number, number, number, number, number, number],
) =>
  ({
    classify,
    alipaysl: a,
    wxpaysl: w,
    unionpaysl: u,
    pickcodesl: p,
    memberpaysl: m,
    cashsl: c,
    othersl: o,
    allCount: a + w + u + p + m + c + o,
  }) satisfies StatisticsRow

const figures = methodFigures([row('number', [5, 9, 1, 7, 2, 0, 1]), row('amount', [50.1, 40, 3.35, 0, 9, 0, 1])])

test('the first row counts, the second is yuan and becomes whole fen', () => {
  expect(figures[0]).toEqual({ method: 'alipay', number: 5, amount: 5_010 })
  expect(figures[2]).toEqual({ method: 'unionpay', number: 1, amount: 335 })
  expect(sumOf(figures, 'number')).toBe(25)
})

test('an answer without rows counts as nothing sold', () => {
  expect(sumOf(methodFigures([]), 'amount')).toBe(0)
  expect(slicesOf(methodFigures([]), 'amount', 0.2)).toEqual([])
})

test('the ranking follows what is counted', () => {
  expect(ranked(figures, 'amount')[0]?.method).toBe('alipay')
  expect(ranked(figures, 'number')[0]?.method).toBe('wechat')
})

test('slices fill the ring once, without the methods that sold nothing', () => {
  const slices = slicesOf(figures, 'number', 0.2)
  expect(slices.map(({ method }) => method)).not.toContain('cash')
  expect(slices.reduce((sum, { from, to }) => sum + to - from, 0)).toBeCloseTo(1)
})

test('labels of a side keep their distance and stay within the ring', () => {
  const slices = slicesOf(methodFigures([row('number', [90, 2, 2, 2, 2, 1, 1])]), 'number', 0.3)
  for (const side of ['left', 'right'] as const) {
    const heights = slices.filter((slice) => slice.side === side).map(({ labelY }) => labelY)
    heights.forEach((height, i) => {
      expect(Math.abs(height)).toBeLessThanOrEqual(1.0001)
      if (i > 0) expect(height - (heights[i - 1] ?? 0)).toBeGreaterThanOrEqual(0.2999)
    })
  }
})
