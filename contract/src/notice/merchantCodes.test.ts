import { expect, test } from 'vitest'
import { codeProblem, codesIn, MOST_CODES } from './merchantCodes'

test.each([
  ['', 'required'],
  ['  ', 'required'],
  ['HZ01,HZ02', null],
  ['HZ01', null],
  [' HZ01 , HZ02 ', null],
  ['HZ01,HZ02,', 'trailing'],
  ['HZ01,HZ02, ', 'trailing'],
  [',', 'trailing'],
  [',HZ01', 'gap'],
  ['HZ01,,HZ02', 'gap'],
  ['HZ01，HZ02', 'fullWidth'],
  ['HZ01，', 'fullWidth'],
  ['HZ01、HZ02', 'fullWidth'],
  ['HZ01;HZ02', 'fullWidth'],
  ['hz01', 'format'],
  ['HZ 01', 'format'],
  ['HZ01\nHZ02', 'format'],
])('%j is %s', (text, problem) => {
  expect(codeProblem(text)).toBe(problem)
})

test('a code named twice counts once, and more than the most are too many', () => {
  expect(codesIn('HZ01,HZ02,HZ01')).toEqual(['HZ01', 'HZ02'])
  const many = Array.from({ length: MOST_CODES + 1 }, (_, i) => `M${i}`)
  expect(codeProblem(many.slice(1).join(','))).toBeNull()
  expect(codeProblem(many.join(','))).toBe('tooMany')
})
