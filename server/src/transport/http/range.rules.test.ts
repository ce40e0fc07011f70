import { expect, test } from 'vitest'
import { partOf } from './range.rules'

test.each([
  [undefined, null],
  ['bytes=0-', { from: 0, to: 99 }],
  ['bytes=40-', { from: 40, to: 99 }],
  ['bytes=40-59', { from: 40, to: 59 }],
  ['bytes=40-500', { from: 40, to: 99 }],
  ['bytes=-10', { from: 90, to: 99 }],
  ['bytes=-500', { from: 0, to: 99 }],
  ['bytes=100-', 'outside'],
  ['bytes=60-40', 'outside'],
  ['bytes=-0', 'outside'],
  ['bytes=-', null],
  ['bytes=0-1,5-6', null],
  ['lines=1-2', null],
] as const)('of a hundred bytes %s is %o', (header, part) => {
  expect(partOf(header, 100)).toEqual(part)
})
