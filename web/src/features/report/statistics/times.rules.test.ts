import { expect, test } from 'vitest'
import { timesOf } from './times.rules'

const rows = [
  { name: '2026-11-02', value: 5 },
  { name: '2026-11-02', value: -2 },
  { name: '2026-11-01', value: 4 },
]

test.each([
  ['all of them', rows, false, ['2026-11-01 4', '2026-11-02 3']],
  ['with more before', rows, true, ['2026-11-02 3']],
  ['none', [], false, []],
])('times of rows, %s', (_, given, isMore, told) => {
  expect(timesOf(given, isMore).map(({ name, value }) => `${name} ${value}`)).toEqual(told)
})
