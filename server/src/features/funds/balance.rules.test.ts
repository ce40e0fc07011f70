import { MOST_BALANCE_DAYS } from '@aisle/contract/funds/balance'
import { expect, test } from 'vitest'
import { addDays } from '../../kernel/businessDay'
import { periodOf } from './balance.rules'

const TODAY = '2026-11-20'

test.each([
  ['nothing', {}, '2026-11-01', TODAY],
  ['a first day', { from: '2026-10-05' }, '2026-10-05', TODAY],
  ['today as the first', { from: TODAY }, TODAY, TODAY],
  ['a first day that is yet to come', { from: '2026-11-22' }, '2026-11-22', '2026-11-22'],
  ['a last day', { to: '2026-02-10' }, '2026-02-01', '2026-02-10'],
  ['both', { from: '2026-02-03', to: '2026-02-10' }, '2026-02-03', '2026-02-10'],
  ['one day', { from: '2026-02-03', to: '2026-02-03' }, '2026-02-03', '2026-02-03'],
  [
    'as many as there may be',
    { from: addDays(TODAY, 1 - MOST_BALANCE_DAYS) },
    addDays(TODAY, 1 - MOST_BALANCE_DAYS),
    TODAY,
  ],
])('of who asks for %s it is this time', (_, asked, from, to) => expect(periodOf(asked, TODAY)).toEqual({ from, to }))

test.each([
  ['ends before it begins', { from: '2026-02-11', to: '2026-02-10' }],
  ['is a day too long', { from: addDays(TODAY, -MOST_BALANCE_DAYS) }],
])('a time that %s is refused', (_, asked) => {
  const refused = expect.objectContaining({ code: 'balance.period', vars: { most: MOST_BALANCE_DAYS } }) as Error
  expect(() => periodOf(asked, TODAY)).toThrow(refused)
})
