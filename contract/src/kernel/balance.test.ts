import { expect, test } from 'vitest'
import { readBalance } from './balance'

test.each([
  ['available', -984, 984, 'owed'],
  ['available', 300, -300, 'owed_back'],
  ['cash_owned', -500, 500, 'own'],
  ['card_liability', -5_000, 5_000, 'card'],
  ['bank', 4_000, 4_000, 'held'],
  ['channel_balance', -300, -300, 'held_back'],
  ['fees', -16, 16, 'earned'],
  ['loss', 12_345, 12_345, 'spent'],
  ['loss', -300, -300, 'spent_back'],
  ['suspense', -300, 300, 'unexplained'],
  ['suspense', 300, -300, 'unexplained_back'],
  ['tax_payable', -1, 1, 'payable'],
  ['pending', 0, 0, 'settled'],
])('%s of %i reads %i, %s', (kind, balanceFen, shownFen, side) => {
  expect(readBalance(kind, balanceFen)).toEqual({ shownFen, side })
})
