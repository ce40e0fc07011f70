import { expect, test } from 'vitest'
import { arrange, moved, toggled, visible } from './columns'

const declared = ['code', 'name', 'city', 'state']

test('without a choice the declared order stands', () => {
  expect(visible(declared, { order: [], hidden: [] })).toEqual(declared)
})

test('a choice orders and hides, but the first column stays first and in sight', () => {
  expect(visible(declared, { order: ['state', 'code', 'name'], hidden: ['name', 'code'] })).toEqual([
    'code',
    'state',
    'city',
  ])
})

test('a column added later stands behind its declared neighbour, a removed one is forgotten', () => {
  expect(arrange(['name', 'point', 'city'], ['city', 'gone', 'name'])).toEqual(['city', 'name', 'point'])
})

test('moving beyond an end changes nothing', () => {
  expect(moved(['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 'b', 1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b'], 'a', -1)).toEqual(['a', 'b'])
  expect(moved(['a', 'b'], 'x', 1)).toEqual(['a', 'b'])
})

test('toggling twice is nothing', () => {
  expect(toggled(toggled(['a'], 'b'), 'b')).toEqual(['a'])
})
