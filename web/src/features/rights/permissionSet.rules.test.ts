import { expect, test } from 'vitest'
import { isSameSet, tickOf, toggled } from './permissionSet.rules'

const set = (text: string) => new Set(text.split(' ').filter(Boolean))
const all = () => true

test.each([
  ['a b', '', 'none'],
  ['a b', 'b c', 'some'],
  ['a b', 'a b c', 'all'],
])('of %s, with %s ticked: %s', (codes, ticked, expected) => {
  expect(tickOf(codes.split(' '), set(ticked))).toBe(expected)
})

test.each([
  ['none becomes all', '', 'a b'],
  ['some becomes all', 'a', 'a b'],
  ['all becomes none', 'a b', ''],
])('%s', (_, before, after) => {
  expect(toggled(set(before), ['a', 'b'], all)).toEqual(set(after))
})

test('what may not be changed stays as it is, ticked or not', () => {
  const notC = (code: string) => code !== 'c'
  expect(toggled(set('c'), ['a', 'c'], notC)).toEqual(set('a c'))
  expect(toggled(set('a c'), ['a', 'c'], notC)).toEqual(set('c'))
  expect(toggled(set('a'), ['a', 'c'], notC)).toEqual(set(''))
  expect(isSameSet(set('a b'), set('b a'))).toBe(true)
  expect(isSameSet(set('a'), set('b'))).toBe(false)
})
