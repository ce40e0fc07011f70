import { expect, test } from 'vitest'
import { nextTryAt, readAnswer } from './traceUpload.rules'

const NOW = new Date('2026-11-20T04:00:00Z')

test.each([
  [1, 1],
  [2, 2],
  [4, 15],
  [8, 720],
  [9, 720],
  [500, 720],
])('after try %i it waits %i minutes', (tries, minutes) => {
  expect(nextTryAt(tries, NOW).getTime() - NOW.getTime()).toBe(minutes * 60_000)
})

const asked = new Set([1, 2])
test.each([
  ['nothing', '', null],
  ['a page', '<html>', null],
  ['another shape', '{"items":[{"id":"1"}]}', null],
  ['an outcome that nobody knows', '{"items":[{"id":1,"outcome":"maybe"}]}', null],
  ['one of two', '{"items":[{"id":1,"outcome":"accepted"}]}', [{ id: 1, outcome: 'accepted', reason: '' }]],
  ['what nobody asked', '{"items":[{"id":3,"outcome":"accepted"}]}', []],
  [
    'a reason',
    `{"more":1,"items":[{"id":2,"outcome":"refused","reason":"a\\u0000${'b'.repeat(400)}"}]}`,
    [{ id: 2, outcome: 'refused', reason: `a${'b'.repeat(299)}` }],
  ],
  ['one that waits', '{"items":[{"id":1,"outcome":"pending"}]}', [{ id: 1, outcome: 'pending', reason: '' }]],
])('%s is read as what it says', (_, text, read) => expect(readAnswer(text, asked)).toEqual(read))
