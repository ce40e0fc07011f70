import { expect, test } from 'vitest'
import { changesOf } from './changes'

test.each([
  [null, { a: 1 }, [{ field: 'a', before: null, after: '1' }]],
  [{ a: 'x' }, null, [{ field: 'a', before: 'x', after: null }]],
  [{ a: 1, b: [1] }, { a: 2, b: [1] }, [{ field: 'a', before: '1', after: '2' }]],
  [
    { a: false },
    { b: 0, a: true },
    [
      { field: 'b', before: null, after: '0' },
      { field: 'a', before: 'false', after: 'true' },
    ],
  ],
  [{ a: '' }, { a: null }, []],
  [{ a: 1 }, { a: 1 }, []],
  [null, null, []],
])('from %j to %j', (before, after, changes) => {
  expect(changesOf(before, after)).toEqual(changes)
})
