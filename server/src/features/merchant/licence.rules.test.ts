import { kindsOf, licenceKinds, licenceState } from '@aisle/contract/merchant/licence'
import { expect, test } from 'vitest'
import { endsLater, faultOf, warningFor } from './licence.rules'

test.each([
  { daysLeft: 61, warningDays: 60, expected: 'valid' },
  { daysLeft: 60, warningDays: 60, expected: 'expiring' },
  { daysLeft: 0, warningDays: 60, expected: 'expiring' },
  { daysLeft: -1, warningDays: 60, expected: 'expired' },
  { daysLeft: 8, warningDays: 7, expected: 'valid' },
  { daysLeft: null, warningDays: 365, expected: 'valid' },
])('a licence with $daysLeft days left is $expected when warned of from $warningDays', (each) => {
  expect(licenceState({ isRevoked: false, daysLeft: each.daysLeft }, each.warningDays)).toBe(each.expected)
  expect(licenceState({ isRevoked: true, daysLeft: each.daysLeft }, each.warningDays)).toBe('revoked')
})

test.each([
  [61, 60, null],
  [60, 60, 60],
  [31, 60, 60],
  [30, 60, 30],
  [8, 60, 30],
  [7, 60, 7],
  [1, 60, 7],
  [0, 60, 0],
  [-12, 60, 0],
  // Whoever wants to hear of it for a week only is not told before.
  [30, 7, null],
  [7, 7, 7],
  [3, 2, null],
  [0, 2, 0],
])('with %i days left, warned of from %i, the threshold is %s', (daysLeft, warningDays, expected) => {
  expect(warningFor(daysLeft, warningDays)).toBe(expected)
})

const licence = { holderKind: 'merchant', kind: 'business', validFrom: '2026-01-01', validTo: '2026-01-01' } as const

test.each([
  [licence, null],
  [{ ...licence, validTo: null }, null],
  [{ ...licence, validTo: '2025-12-31' }, 'licence.period'],
  [{ ...licence, kind: 'doctor_practice' as const }, 'licence.kindOfHolder'],
  [{ ...licence, holderKind: 'doctor' as const, kind: 'doctor_practice' as const }, null],
])('%o: %s', (asked, expected) => {
  expect(faultOf(asked)).toBe(expected)
})

test('each kind of licence can be held by somebody', () => {
  expect(new Set(Object.values(kindsOf).flat())).toEqual(new Set(licenceKinds))
})

test.each([
  ['2027-01-02', '2027-01-01', true],
  ['2027-01-01', '2027-01-01', false],
  [null, '2027-01-01', true],
  [null, null, false],
  ['2027-01-01', null, false],
])('a term to %s after one to %s ends later: %s', (next, now, expected) => {
  expect(endsLater(next, now)).toBe(expected)
})
