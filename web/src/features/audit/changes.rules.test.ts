import { expect, test } from 'vitest'
import { changesOf, factText } from './changes.rules'

test.each([
  [null, { a: 1 }, [{ name: 'a', before: undefined, after: 1 }]],
  [{ a: 1 }, null, [{ name: 'a', before: 1, after: undefined }]],
  [{ a: 1, b: [1] }, { a: 2, b: [1] }, [{ name: 'a', before: 1, after: 2 }]],
  [{ a: 1 }, { a: 1 }, []],
  [null, null, []],
])('from %j to %j', (before, after, changes) => {
  expect(changesOf(before, after)).toEqual(changes)
})

test.each([
  [null, '–'],
  ['', '–'],
  ['text', 'text'],
  [false, 'false'],
  [[1, 2], '[1,2]'],
])('%j reads %s', (value, text) => {
  expect(factText(value)).toBe(text)
})
