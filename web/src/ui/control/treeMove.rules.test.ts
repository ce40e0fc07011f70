import { expect, test } from 'vitest'
import { indexOf } from './tree.rules'
import { dropAt, stepTo, zoneAt } from './treeMove.rules'

const node = (id: number, parentId: number | null) => ({ id, parentId, name: `n${id}` })
// 1 ─ 2 ─ (4, 5) · 3 ; 6
const index = indexOf([node(1, null), node(2, 1), node(3, 1), node(4, 2), node(5, 2), node(6, null)])

test.each([
  [6, 1, 'inside', { parentId: 1, before: null }],
  [6, 2, 'before', { parentId: 1, before: 2 }],
  [6, 2, 'after', { parentId: 1, before: 3 }],
  [6, 3, 'after', { parentId: 1, before: null }],
  [3, 2, 'after', { parentId: 1, before: null }],
  [4, 6, 'after', { parentId: null, before: null }],
  [1, 1, 'inside', null],
  [1, 5, 'inside', null],
  [1, 4, 'before', null],
  [1, 99, 'inside', null],
] as const)('%i let go on %i, %s', (id, target, zone, place) => expect(dropAt(index, id, target, zone)).toEqual(place))

test.each([
  [2, 'up', null],
  [3, 'up', { parentId: 1, before: 2 }],
  [2, 'down', { parentId: 1, before: null }],
  [1, 'down', { parentId: null, before: null }],
  [3, 'down', null],
  [3, 'in', { parentId: 2, before: null }],
  [2, 'in', null],
  [5, 'out', { parentId: 1, before: 3 }],
  [3, 'out', { parentId: null, before: 6 }],
  [6, 'out', null],
  [99, 'up', null],
] as const)('%i one step %s', (id, step, place) => expect(stepTo(index, id, step)).toEqual(place))

test('the upper and the lower quarter of a line are its edges', () => {
  expect([0, 8, 9, 17, 25, 26, 34].map((y) => zoneAt(y, 34))).toEqual([
    'before',
    'before',
    'inside',
    'inside',
    'inside',
    'after',
    'after',
  ])
})
