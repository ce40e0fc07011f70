import { expect, test } from 'vitest'
import { branchIds, indented, inOrder } from './tree.rules'

const units = [
  { id: 3, parentId: 1, name: 'Route A' },
  { id: 1, parentId: null, name: 'Field' },
  { id: 2, parentId: null, name: 'Office' },
  { id: 4, parentId: 3, name: 'Van 7' },
  { id: 9, parentId: 8, name: 'Orphan' },
]

test('children stand under their parents, and who has none in sight at the top', () => {
  expect(inOrder(units).map(({ name, depth }) => [name, depth])).toEqual([
    ['Field', 0],
    ['Route A', 1],
    ['Van 7', 2],
    ['Office', 0],
    ['Orphan', 0],
  ])
  expect(indented(units)[2]).toEqual({ id: 4, name: '\u2003\u2003Van 7' })
})

test('a branch is the unit with all below it', () => {
  expect([...branchIds(units, 1)]).toEqual([1, 3, 4])
  expect([...branchIds(units, 2)]).toEqual([2])
})
