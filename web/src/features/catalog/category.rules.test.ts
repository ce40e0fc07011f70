import { expect, test } from 'vitest'
import { indented } from '../../admin/fields/indented'
import { placesFor } from './category.rules'

const branch = (id: number, parentId: number | null, merchantId = 1) => ({ id, parentId, merchantId, name: `n${id}` })
const tree = [branch(1, null), branch(9, null, 2), branch(2, 1), branch(3, 1), branch(4, 2)]

test('names are moved in by their depth, each below its parent', () => {
  expect(indented(tree).map(({ name }) => name)).toEqual(['n1', '\u2003n2', '\u2003\u2003n4', '\u2003n3', 'n9'])
})

test('a branch hangs below any of its merchant but itself and what is below it', () => {
  const places = (of: number) =>
    placesFor(tree, tree.find(({ id }) => id === of) ?? branch(0, null)).map(({ id }) => id)
  expect(places(2)).toEqual([1, 3])
  expect(places(1)).toEqual([])
  expect(places(4)).toEqual([1, 2, 3])
})
