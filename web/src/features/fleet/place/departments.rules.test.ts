import { expect, test } from 'vitest'
import { departmentsIn, departmentsText } from './departments.rules'

test.each([
  ['', []],
  ['内科', [{ building: '', name: '内科' }]],
  [
    '门诊楼 / 内科\n\n门诊楼／外科 ',
    [
      { building: '门诊楼', name: '内科' },
      { building: '门诊楼', name: '外科' },
    ],
  ],
  ['A / B\nA / B', [{ building: 'A', name: 'B' }]],
  ['A / B / C', [{ building: 'A', name: 'B / C' }]],
  ['A /', []],
])('%j is %j', (text, expected) => {
  expect(departmentsIn(text)).toEqual(expected)
})

test('what is read can be written again', () => {
  const departments = [
    { building: '门诊楼', name: '内科' },
    { building: '', name: '体检中心' },
  ]
  expect(departmentsIn(departmentsText(departments))).toEqual(departments)
})
