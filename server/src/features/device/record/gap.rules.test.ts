import { expect, test } from 'vitest'
import { type Counted, counting, type Said, without } from './gap.rules'

const say = (bootId: string, ...seqs: number[]) => seqs.map((seq) => ({ bootId, seq, isLive: true }))
const again = (bootId: string, ...seqs: number[]) => seqs.map((seq) => ({ bootId, seq, isLive: false }))
const at = (bootId: string, top: number, previous: string | null = null): Counted => ({ bootId, top, previous })

test.each<[string, Counted | null, Said[], Counted | null, [number, number][], number[]]>([
  ['one after the other', at('a', 4), say('a', 5, 6), at('a', 6), [], []],
  ['a hole', at('a', 4), say('a', 8), at('a', 8), [[5, 7]], []],
  [
    'two holes',
    at('a', 4),
    say('a', 6, 9),
    at('a', 9),
    [
      [5, 5],
      [7, 8],
    ],
    [],
  ],
  ['shuffled in one batch', at('a', 4), say('a', 7, 5, 6), at('a', 7), [], []],
  ['one that comes late', at('a', 9), say('a', 6), at('a', 9), [], [6]],
  ['the same again', at('a', 9), say('a', 9), at('a', 9), [], [9]],
  ['a new start', at('a', 9), say('b', 1, 2), at('b', 2, 'a'), [], []],
  ['a new start whose first words are missing', at('a', 9), say('b', 3), at('b', 3, 'a'), [[1, 2]], []],
  ['a machine never heard', null, say('a', 50), at('a', 50), [], []],
  ['an earlier run replayed', at('b', 9), again('a', 5, 6), at('b', 9), [], [5, 6]],
  [
    'a new start and an earlier run in one batch',
    at('a', 9),
    [...again('a', 12), ...say('b', 1)],
    at('b', 1, 'a'),
    [],
    [12],
  ],
  ['the last will', at('a', 9), say('a', 0), at('a', 9), [], []],
])('%s', (_, known, said, top, opened, late) => {
  const found = counting(known, said)
  expect(found.top).toEqual(top)
  expect(found.opened.map(({ first, last }) => [first, last])).toEqual(opened)
  expect(found.late.map(({ seq }) => seq)).toEqual(late)
})

test.each<[number, [number, number][]]>([
  [5, [[6, 8]]],
  [8, [[5, 7]]],
  [
    6,
    [
      [5, 5],
      [7, 8],
    ],
  ],
  [9, [[5, 8]]],
])('of the gap 5 to 8 the number %i leaves %j', (seq, left) => {
  expect(without({ first: 5, last: 8 }, seq)).toEqual(left.map(([first, last]) => ({ first, last })))
})

test('a gap of one that has come is gone', () => {
  expect(without({ first: 5, last: 5 }, 5)).toEqual([])
})

test.each<[string, Counted, Said[], boolean]>([
  ['a new start', at('a', 9), say('b', 1), false],
  ['the start after it', at('b', 9, 'a'), say('c', 1), false],
  ['a run that had ended', at('b', 9, 'a'), say('a', 10), true],
  ['what an ended run had kept', at('b', 9, 'a'), again('a', 10), false],
])('heard live is %s: two machines with one code? %#', (_, known, said, isReturn) => {
  expect(counting(known, said).isReturn).toBe(isReturn)
})
