import { expect, test } from 'vitest'
import {
  bestOf,
  errorOf,
  hindranceOf,
  type Lot,
  type Needed,
  type Option,
  overDays,
  proposalOf,
  usableOf,
} from './plan.rules'

const FRIDAY = '2026-11-20'
const week = [2, 2, 2, 2, 2, 2, 2]
const lot = (quantity: number, expiresOn: string | null = null, state: Lot['state'] = null): Lot => ({
  quantity,
  expiresOn,
  state,
})

test.each([
  ['goods without a batch are good', [lot(7)], 7],
  ['what has ended is nothing to sell', [lot(7, '2026-11-19')], 0],
  ['what is held back, too', [lot(7, '2030-01-01', 'locked')], 0],
  ['of what ends in three days, what three days sell', [lot(7, '2026-11-22')], 6],
  ['two that end together share those days', [lot(4, '2026-11-22'), lot(4, '2026-11-22')], 6],
  ['what ends later is sold after', [lot(9, '2026-11-24'), lot(4, '2026-11-22')], 10],
  ['what is good for years counts whole', [lot(5000, '2029-01-01')], 5000],
] as const)('of a stock, %s', (_, lots, usable) => {
  expect(usableOf(lots, week, { from: FRIDAY, marginDays: 0 })).toBe(usable)
})

test('a course has to end before its medicine does', () => {
  expect(usableOf([lot(9, '2026-11-24')], week, { from: FRIDAY, marginDays: 3 })).toBe(4)
})

const option = (more: Partial<Option> = {}): Option => ({
  supplierProductId: 1,
  supplierId: 1,
  packUnits: 6,
  minimumPacks: 2,
  leadDays: 3,
  preference: 1,
  packFen: 1000,
  hindrance: null,
  ...more,
})

test.each([
  ['the preferred', [option({ preference: 2 }), option({ supplierProductId: 2 })], 2],
  ['the cheaper of two', [option(), option({ supplierProductId: 2, packUnits: 12, packFen: 1900 })], 2],
  ['one who can deliver', [option({ hindrance: 'papers' }), option({ supplierProductId: 2, preference: 9 })], 2],
  ['who can’t, where nobody can', [option({ hindrance: 'noPrice', packFen: null })], 1],
  ['nobody', [], null],
] as const)('asked first is %s', (_, options, id) => {
  expect(bestOf(options)?.supplierProductId ?? null).toBe(id)
})

test.each([
  [{ fits: false, fault: 'supplier.papers' as const, packFen: null }, 'storage'],
  [{ fits: true, fault: 'supplier.papers' as const, packFen: null }, 'papers'],
  [{ fits: true, fault: 'supplier.scope' as const, packFen: 1 }, 'scope'],
  [{ fits: true, fault: null, packFen: null }, 'noPrice'],
  [{ fits: true, fault: null, packFen: 1 }, null],
])('%o is hindered by %s', (asked, hindrance) => {
  expect(hindranceOf(asked)).toBe(hindrance)
})

const needed = (more: Partial<Needed> = {}): Needed => ({
  week,
  from: FRIDAY,
  horizonDays: 7,
  slotTarget: 10,
  inSlots: 8,
  usable: 4,
  coming: 0,
  ...more,
})

// Ten days sell 20; nine in ten such times at most 26.
test.each([
  ['what is missing, in whole packs', needed(), option(), { needDays: 10, safety: 6, short: 24, proposedPacks: 4 }],
  ['what is on the way counts', needed({ coming: 12 }), option(), { short: 12, proposedPacks: 2 }],
  ['a minimum is kept', needed({ coming: 22 }), option({ minimumPacks: 5 }), { short: 2, proposedPacks: 5 }],
  ['nothing where enough is there', needed({ usable: 90 }), option(), { short: 0, proposedPacks: 0 }],
  ['who takes longer has to bring more', needed(), option({ leadDays: 10 }), { needDays: 17, short: 40 }],
  ['without a supplier it is said', needed(), null, { short: 33, proposedPacks: 0, hindrance: 'noSupplier' }],
  ['and what stands in the way', needed(), option({ hindrance: 'papers' }), { proposedPacks: 4, hindrance: 'papers' }],
] as const)('proposed: %s', (_, about, by, proposal) => {
  expect(proposalOf(about, by)).toMatchObject(proposal)
})

test('how right a forecast was is told product by product, and on which side it missed', () => {
  const lines = [
    { sold: 10, forecastThen: 14 },
    { sold: 30, forecastThen: 28 },
  ]
  expect(errorOf(lines)).toEqual({ errorPermille: 150, biasPermille: 50 })
  expect(errorOf([{ sold: 0, forecastThen: 3 }])).toBeNull()
})

test.each([
  ['2026-11-20', null],
  ['2026-11-21', { from: FRIDAY, to: '2026-11-20' }],
  ['2026-11-27', { from: FRIDAY, to: '2026-11-26' }],
  ['2026-12-24', { from: FRIDAY, to: '2026-11-26' }],
])('on %s its days that are over are %o', (today, days) => {
  expect(overDays({ fromOn: FRIDAY, horizonDays: 7 }, today)).toEqual(days)
})
