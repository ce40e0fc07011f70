import { priceOn } from '@aisle/contract/purchase/supplierProduct'
import { expect, test } from 'vitest'
import { faultOfSupplier, paperStateOf, verbFor } from './supplier.rules'

const DAY = '2026-11-20'

test.each([
  [{ daysLeft: 0 }, 'expiring'],
  [{ daysLeft: -1 }, 'expired'],
  [{ daysLeft: 60 }, 'expiring'],
  [{ daysLeft: 61 }, 'valid'],
  [{ daysLeft: null }, 'valid'],
  [{ daysLeft: 300, validFrom: '2026-11-21' }, 'coming'],
  [{ daysLeft: -1, isRevoked: true }, 'revoked'],
] as const)('a paper of %j is %s', (more, state) => {
  expect(paperStateOf({ validFrom: '2020-01-01', isRevoked: false, ...more }, DAY, 60)).toBe(state)
})

test.each([
  ['qualified', ['business'], 'suspend'],
  ['qualified', [], null],
  ['suspended', [], 'reinstate'],
  ['suspended', ['quality'], null],
  ['draft', ['business'], null],
  ['review', [], null],
  ['stopped', [], null],
] as const)('a supplier that is %s and misses %j: %s', (state, missing, verb) => {
  expect(verbFor(state, missing)).toBe(verb)
})

const good = { state: 'qualified', deliversMedicine: true, missing: [], scope: ['otc_a', 'otc_b'] } as const

test.each([
  [{}, [], null],
  [{}, ['otc_a', 'otc_b'], null],
  [{}, ['rx'], 'supplier.scope'],
  [{ deliversMedicine: false }, ['otc_b'], 'supplier.notQualified'],
  [{ deliversMedicine: false }, [], null],
  [{ missing: ['medicine'] }, ['otc_b'], 'supplier.papers'],
  // Its state was not moved yet: the paper alone decides.
  [{ missing: ['business'] }, [], 'supplier.papers'],
  [{ state: 'suspended' }, [], 'supplier.notQualified'],
  [{ state: 'review' }, [], 'supplier.notQualified'],
  [{ state: 'stopped' }, [], 'supplier.notQualified'],
] as const)('from one of %j, medicines of %j: %s', (more, classes, fault) => {
  expect(faultOfSupplier({ ...good, ...more }, classes)).toBe(fault)
})

const price = (fromOn: string, fromPacks: number, priceFen: number, toOn: string | null = null) => ({
  fromOn,
  toOn,
  fromPacks,
  priceFen,
})
const prices = [
  price('2026-01-01', 1, 1000),
  price('2026-01-01', 10, 900),
  price('2026-06-01', 1, 1100, '2026-12-31'),
  price('2026-12-01', 1, 1200),
]

test.each([
  ['2025-12-31', 1, undefined],
  ['2026-01-01', 1, 1000],
  ['2026-05-31', 9, 1000],
  ['2026-06-01', 9, 1100],
  // A break is reached by its packs, whatever began later for fewer.
  ['2026-06-01', 10, 900],
  ['2026-12-01', 1, 1200],
  ['2027-01-01', 1, 1200],
] as const)('on %s for %i packs: %s', (day, packs, fen) => {
  expect(priceOn(prices, day, packs)?.priceFen).toBe(fen)
})
