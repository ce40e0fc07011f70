import { expect, test } from 'vitest'
import { type Arm, effectOf, studentOf } from './effect.rules'

const arm = (before: number, during: number, more: Partial<Arm> = {}): Arm => ({
  machines: 20,
  days: 14,
  changeVariance: 100,
  before,
  during,
  ...more,
})

test.each([
  ['nothing to compare with', arm(100, 120), null, 'notMeasurable', 'noControl'],
  ['too few machines without it', arm(100, 120), arm(100, 100, { machines: 4 }), 'notMeasurable', 'fewMachines'],
  ['too few machines with it', arm(100, 120, { machines: 4 }), arm(100, 100), 'notMeasurable', 'fewMachines'],
  ['less than a week', arm(100, 120, { days: 6 }), arm(100, 100), 'notMeasurable', 'fewDays'],
  ['it rose and the others did not', arm(100, 120), arm(100, 100), 'more', null],
  ['it fell and the others did not', arm(100, 80), arm(100, 100), 'less', null],
  ['both rose alike', arm(100, 120), arm(200, 220), 'unclear', null],
  ['machines differ too much', arm(100, 120, { changeVariance: 9000 }), arm(100, 100), 'unclear', null],
] as const)('%s', (_, withIt, without, verdict, why) => {
  expect(effectOf(withIt, without)).toMatchObject({ verdict, why })
})

test('the change is that of the one side less that of the other, with what it is of', () => {
  const { change, percent } = effectOf(arm(100, 150), arm(100, 120))
  expect(change?.value).toBe(30)
  // 150 instead of the 120 that it would have been.
  expect(percent?.value).toBe(25)
  expect(change?.high).toBeCloseTo(30 + 2.0244 * Math.sqrt(10), 3)
})

test.each([
  [4, 2.776],
  [9, 2.262],
  [30, 2.042],
  [1e9, 1.96],
])('of %s degrees of freedom Student says %s', (freedom, expected) => {
  expect(studentOf(freedom)).toBeCloseTo(expected, 2)
})
