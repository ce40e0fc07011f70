import { expect, test } from 'vitest'
import { aboveOf, checked, checksOf, indexOf, linesOf, matching, type TreeNode } from './tree.rules'

const node = (id: number, parentId: number | null, name = `n${id}`): TreeNode => ({ id, parentId, name })
const index = indexOf([node(1, null), node(2, 1, 'Xi’an'), node(3, 1), node(4, 2), node(5, 2), node(9, 77, 'cut off')])
const ids = (open: number[], matches: Set<number> | null = null) =>
  linesOf(index, new Set(open), matches).map(({ node: { id }, level }) => [id, level])

test('only what is open shows its children; a branch whose parent is out of sight begins at the top', () => {
  expect(ids([])).toEqual([
    [1, 1],
    [9, 1],
  ])
  expect(ids([1, 2]).map(([id]) => id)).toEqual([1, 2, 4, 5, 3, 9])
})

test('a search shows what it finds, with the way there', () => {
  expect(ids([], matching(index, ' N5 ')).map(([id]) => id)).toEqual([1, 2, 5])
  expect(matching(index, '  ')).toBeNull()
  expect(ids([], matching(index, 'nothing like it'))).toEqual([])
  expect(aboveOf(index, 5)).toEqual([2, 1])
})

test('a parent follows its leaves, and ticking it ticks them all', () => {
  const some = checksOf(index, new Set([4]))
  expect([1, 2, 3, 4, 5].map((id) => some.get(id))).toEqual(['some', 'some', 'off', 'on', 'off'])
  const all = checked(index, new Set([4]), 1, true)
  expect([...all].sort((a, b) => a - b)).toEqual([3, 4, 5])
  expect(checksOf(index, all).get(1)).toBe('on')
  expect([...checked(index, all, 2, false)]).toEqual([3])
})

test('what is disabled keeps its tick', () => {
  const fixed = indexOf([node(1, null), { ...node(2, 1), isDisabled: true }, node(3, 1)])
  expect([...checked(fixed, new Set([2]), 1, false)]).toEqual([2])
  expect([...checked(fixed, new Set(), 1, true)]).toEqual([3])
})
