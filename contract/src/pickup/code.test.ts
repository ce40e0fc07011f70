import { expect, test } from 'vitest'
import { plainCode } from '../kernel/codes'
import { isCode, maskedCode } from './code'

test('a code is kept as it is, however it was typed or read aloud', () => {
  expect(plainCode(' 34679 acdef-ghjkm ')).toBe('34679ACDEFGHJKM')
})

test.each([
  ['34679ACDEF', true],
  ['GHJKMNPQRT', true],
  ['WXYWXYWXYW', true],
  ['34679ACDE', false],
  ['34679ACDEFG', false],
  ['34679acdef', false],
  ['34679 CDEF', false],
  ['', false],
])('%j is written as a code is: %s', (text, isOne) => expect(isCode(text)).toBe(isOne))

test('no sign of a code is one that people take for another', () => {
  for (const sign of '0O1IL2Z5S8BUV') expect(isCode(`34679ACDE${sign}`)).toBe(false)
})

test.each([
  ['34679ACDEF', '••••••CDEF'],
  ['34679-acd ef', '••••••CDEF'],
  ['DEF', '••••••DEF'],
])('of %j is shown %s', (typed, shown) => expect(maskedCode(typed)).toBe(shown))
