import { expect, test } from 'vitest'
import { changeOf, changeText } from './change.rules'

test.each([
  [150, 100, '+50%'],
  [95, 100, '−5%'],
  [1012, 1000, '+1.2%'],
  [100, 100, '±0%'],
  [0, 100, '−100%'],
  [10_004, 10_000, '±0%'],
  [166_567, 100, '> +999%'],
])('%i after %i reads %s', (now, before, text) => expect(changeText(changeOf(now, before) ?? NaN, 'zh')).toBe(text))

test('it is written as the reader writes numbers', () => expect(changeText(0.0123, 'fr')).toMatch(/^\+1,2\s%$/))

test('nothing before is nothing to compare with', () => expect(changeOf(5, 0)).toBeNull())
