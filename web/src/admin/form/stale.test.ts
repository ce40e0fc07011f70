import { expect, test } from 'vitest'
import { newerIn, overNewer } from './stale'

const fields = [
  { path: 'name', reason: 'changed', msg: 'It is now: B', now: 'B' },
  { path: 'remark', reason: 'changed', msg: 'It is now: –', now: null },
  { path: 'version', reason: 'now', msg: '7' },
]

test('a refused save says the newer version and the newer values', () => {
  expect(newerIn(fields)).toEqual({ version: 7, now: { name: 'B', remark: null } })
  expect(newerIn([{ path: 'name', reason: 'required', msg: '' }])).toEqual({ version: null, now: {} })
})

const read = { name: 'A', phone: '1', roles: [1, 2], remark: 'x', note: '' }
const cases = [
  ['what the person left alone becomes the newer value', {}, { name: 'B' }, { name: 'B' }, ['name']],
  ['what they changed stays', { name: 'mine' }, { name: 'B' }, { name: 'mine' }, []],
  ['each field for itself', { name: 'mine' }, { name: 'B', phone: '2' }, { name: 'mine', phone: '2' }, ['phone']],
  ['what was emptied by another is empty', {}, { remark: null }, { remark: null }, ['remark']],
  ['an empty field is the same however it is empty', { note: undefined }, { note: 'n' }, { note: 'n' }, ['note']],
  ['a set in another order was not changed', { roles: [2, 1] }, { roles: [3] }, { roles: [3] }, ['roles']],
  ['a set with another member was', { roles: [1] }, { roles: [3] }, { roles: [1] }, []],
] as const
test.each(cases)('%s', (_, typed, now, expected, taken) => {
  expect(overNewer({ ...read, ...typed }, read, now)).toEqual({ values: { ...read, ...typed, ...expected }, taken })
})
