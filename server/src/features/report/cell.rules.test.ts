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
