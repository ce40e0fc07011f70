import { expect, test } from 'vitest'
import { type CurvePoint, frameOf, placeIn, runsOf } from './curve.rules'

const point = (atMs: number, value: number): CurvePoint => ({ atMs, value, lowest: value, highest: value })
const span = { fromMs: 0, toMs: 100 }

test.each([
  ['values', [point(1, 4.2), point(2, 6.7)], [], 3, 8],
  ['limits beyond the values', [point(1, 4)], [2, 8], 1, 9],
  ['one open limit', [point(1, 4)], [null, 8], 3, 9],
  ['nothing', [], [null], 0, 1],
] as [string, CurvePoint[], (number | null)[], number, number][])(
  'the frame holds %s',
  (_, points, limits, low, high) => {
    expect(frameOf(points, limits, span)).toEqual({ ...span, lowest: low, highest: high })
  },
)

test('a silence parts the line', () => {
  const runs = runsOf([point(0, 1), point(10, 1), point(50, 2), point(55, 2)], 10)
  expect(runs.map((run) => run.map(({ atMs }) => atMs))).toEqual([
    [0, 10],
    [50, 55],
  ])
})

test('the highest value is on top, the first on the left', () => {
  const place = placeIn({ fromMs: 0, toMs: 100, lowest: 0, highest: 10 }, 200, 50)
  expect([place(0, 10), place(100, 0), place(50, 5)]).toEqual([
    [0, 0],
    [200, 50],
    [100, 25],
  ])
})
