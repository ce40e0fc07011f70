import { expect, test } from 'vitest'
import { changePermille, shareOf } from './change.rules'

test.each([
  [120, 100, 200],
  [80, 100, -200],
  [100, 100, 0],
  [50, 0, null],
  [0, 50, -1_000],
  [50, -50, 2_000],
])('%i after %i is a change of %s of a thousand', (now, before, permille) => {
  expect(changePermille(now, before)).toBe(permille)
})

test('of nothing every part is nothing', () => {
  expect(shareOf(0, 0)).toBe(0)
  expect(shareOf(1, 3)).toBe(333)
})
