import { expect, test } from 'vitest'
import { fillFault, type Standing } from './fill.rules'

const layer = (batch: string | null, expiresOn: string | null = '2027-05-01'): Standing => ({ batch, expiresOn })

test.each([
  ['nothing', [], null],
  ['one batch', [layer('A')], null],
  ['one batch and what nobody named', [layer(null, null), layer('A')], null],
  ['one batch twice', [layer('A'), layer('A')], null],
  ['two that end on one day', [layer('A'), layer('B')], { cause: 'batch_mixed', batches: 'A, B' }],
  ['the older in front', [layer('A', '2027-01-01'), layer('B')], { cause: 'batch_mixed', batches: 'A, B' }],
  ['the newer in front', [layer('B'), layer('A', '2027-01-01')], { cause: 'batch_order', ahead: 'B', behind: 'A' }],
  [
    'an older one further behind',
    [layer('B'), layer('C', '2027-06-01'), layer('A', '2027-01-01')],
    { cause: 'batch_order', ahead: 'B', behind: 'A' },
  ],
  ['one that nobody described in front', [layer('X', null), layer('A')], { cause: 'batch_mixed', batches: 'X, A' }],
  ['one that nobody described behind', [layer('A'), layer('X', null)], { cause: 'batch_mixed', batches: 'A, X' }],
])('a slot with %s', (_, layers, fault) => {
  expect(fillFault(layers)).toEqual(fault)
})
