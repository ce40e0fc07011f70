import type { Field } from '@aisle/contract/kernel/field'
import { expect, test } from 'vitest'
import { cellOf, csvLine, guarded } from './cell.rules'

const words = (key: string) => `<${key}>`
const time = (iso: string) => iso.slice(0, 10)
const state: Field = { kind: 'state', words: 'ship', tones: {} }

test.each<[unknown, Field | undefined, string | number | null]>([
  [1234, { kind: 'money' }, 12.34],
  [-5, { kind: 'money' }, -0.05],
  [7, { kind: 'count' }, 7],
  ['2026-11-20T04:00:00Z', { kind: 'dateTime' }, '2026-11-20'],
  ['timeout', state, '<ship.timeout>'],
  [['a', 'b'], { kind: 'states', words: 'x', tones: {} }, '<x.a> · <x.b>'],
  ['wechat', { kind: 'code', words: 'key', states: ['wechat'] }, '<key.wechat>'],
  ['M-7', { kind: 'code', words: 'key', states: ['wechat'] }, 'M-7'],
  ['=7', { kind: 'code' }, "'=7"],
  [null, { kind: 'money' }, null],
  [true, undefined, '✓'],
  [false, undefined, ''],
  ['=1+1', { kind: 'text' }, "'=1+1"],
  [{ a: 1 }, undefined, '{"a":1}'],
  [undefined, { kind: 'money' }, null],
  ['12', { kind: 'money' }, null],
  [995, { kind: 'permille' }, 99.5],
  ['995', { kind: 'permille' }, null],
  ['7', { kind: 'count' }, null],
  [12.5, { kind: 'percent' }, 12.5],
  [3, { kind: 'text' }, 3],
  ['a', { kind: 'states', words: 'x', tones: {} }, null],
  [['drinks', 'tea'], { kind: 'tree' }, 'drinks / tea'],
  ['drinks', { kind: 'tree' }, null],
  [['=1'], { kind: 'tree' }, "'=1"],
  [{ value: 4.5 }, { kind: 'reading' }, 4.5],
  [{ value: 4.5, isStale: false }, { kind: 'reading' }, 4.5],
  [{ value: 4.5, isStale: true }, { kind: 'reading' }, null],
  [{ value: null }, { kind: 'reading' }, null],
  [{ value: 'open' }, { kind: 'reading', words: 'door' }, '<door.open>'],
  [4.5, { kind: 'reading' }, null],
  [{}, { kind: 'reading' }, null],
])('%j as %j reads %j', (value, field, cell) => {
  expect(cellOf(value, field, words, time)).toBe(cell)
})

test.each(['=SUM(A1)', '+1', '-1', '@x', '\tx', '\rx', '\nx', '＝1+1', '＋1', '－1', '＠x'])(
  '%j is no formula any more',
  (text) => {
    expect(guarded(text)).toBe(`'${text}`)
  },
)

test('a line quotes what would break it', () => {
  expect(csvLine(['a,b', 'say "x"', 'two\nlines', 3, null])).toBe('"a,b","say ""x""","two\nlines",3,\r\n')
})
