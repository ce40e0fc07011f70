import { expect, test } from 'vitest'
import { matching, openTo, rowsOf } from './granteeTree.rules'

const nodes = [
  { id: 1, parentId: null, name: 'East' },
  { id: 2, parentId: 1, name: 'Team one' },
  { id: 3, parentId: 2, name: 'Mei' },
  { id: 4, parentId: 99, name: 'Lost' },
]

test('children stand below their parents, and one without a known parent at the top', () => {
  const rows = rowsOf(nodes, () => true)
  expect(rows.map(({ id, depth }) => [id, depth])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 0],
  ])
})

test('what is folded hides what is below it', () => {
  expect(rowsOf(nodes, (_, depth) => depth === 0).map(({ id }) => id)).toEqual([1, 2, 4])
})

test('what is found keeps all above it, and what is chosen opens all above it', () => {
  expect(matching(nodes, 'mei').map(({ id }) => id)).toEqual([1, 2, 3])
  expect(matching(nodes, 'nobody')).toEqual([])
  expect([...openTo(nodes, 3)]).toEqual([2, 1])
})
