import { expect, test } from 'vitest'
import { bankAccountState, isCardNumber, maskedNumber } from './bankAccount'

test('every state of account information can be reached, and only the approved one is in force', () => {
  expect(bankAccountState.unreachable()).toEqual([])
  expect(bankAccountState.states.filter((state) => bankAccountState.can(state, 'replace'))).toEqual(['approved'])
  expect(bankAccountState.states.filter((state) => bankAccountState.can(state, 'approve'))).toEqual(['pending'])
})

test.each([
  ['6222021234567890128', true],
  ['6222021234567890129', false],
  ['6222021234568790128', false],
  ['0', false],
  ['', false],
])('%s is a card number: %s', (digits, expected) => {
  expect(isCardNumber(digits)).toBe(expected)
})

test('of a sealed number the last four digits are shown', () => {
  expect(maskedNumber('0123')).toBe('•••• 0123')
})
