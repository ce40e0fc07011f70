import { expect, test } from 'vitest'
import { changeOf, changeText } from './change.rules'

test.each([
  [150, 100, '+50%'],
  [95, 100, '−5%'],
  [1012, 1000, '+1.2%'],
  [100, 100, '±0%'],
  [0, 100, '−100%'],
  [10_004, 10_000, '±0%'],
])('%i after %i reads %s', (now, before, text) => expect(changeText(changeOf(now, before) ?? NaN)).toBe(text))

test('nothing before is nothing to compare with', () => expect(changeOf(5, 0)).toBeNull())
