import type { FillItemState } from '@aisle/contract/pharmacy/states'
import { expect, test } from 'vitest'
import { countChange, decideFill, type Fillable, isSpent, nextState, offerOf, settledState } from './fill.rules'

const NOW = new Date('2026-11-20T04:00:00Z')
const later = (days: number) => new Date(NOW.getTime() + days * 86_400_000)
const line = (more: object = {}) => ({ productId: 1, quantity: 2, allowed: 0, held: 0, dispensed: 0, ...more })
const rx = (more: Partial<Fillable> = {}): Fillable => ({
  state: 'approved',
  expiresAt: later(3),
  isSigned: true,
  uses: 1,
  usesOpened: 0,
  intervalDays: 0,
  lastDispensedAt: null,
  lines: [line()],
  ...more,
})
const one = [{ productId: 1, isRx: true }]
const two = [...one, ...one]
const opened = (more: object = {}) => ({ usesOpened: 1, lines: [line({ allowed: 2, ...more })] })

test.each([
  ['nothing of that code', undefined, one, 'prescriptionUnknown'],
  ['a draft', rx({ state: 'draft' }), one, 'prescriptionNotApproved'],
  ['a waiting one', rx({ state: 'submitted' }), one, 'prescriptionNotApproved'],
  ['a rejected one', rx({ state: 'rejected' }), one, 'prescriptionNotApproved'],
  ['a cancelled one', rx({ state: 'cancelled' }), one, 'prescriptionNotApproved'],
  ['a spent one', rx({ state: 'dispensed' }), one, 'prescriptionSpent'],
  ['an expired one', rx({ state: 'expired' }), one, 'prescriptionExpired'],
  ['one whose time is up now', rx({ expiresAt: NOW }), one, 'prescriptionExpired'],
  ['one of other content', rx({ isSigned: false }), one, 'prescriptionNotApproved'],
  ['another medicine', rx(), [{ productId: 2, isRx: true }], 'medicineNotNamed'],
  ['one that it names with one that it does not', rx(), [...one, { productId: 2, isRx: true }], 'medicineNotNamed'],
  ['more than it names', rx(), [...two, ...one], 'prescriptionSpent'],
  ['what another order holds', rx(opened({ held: 2 })), one, 'prescriptionSpent'],
  ['more than is left', rx(opened({ dispensed: 1 })), two, 'prescriptionSpent'],
  [
    'the next use too early',
    rx({ ...opened({ dispensed: 2 }), uses: 2, intervalDays: 7, lastDispensedAt: later(-6) }),
    one,
    'limitReached',
  ],
  // A jam gave the first use back: nothing has come out, so that no time has to pass before the next.
  ['what a jam gave back with the next use', rx({ ...opened(), uses: 2 }), [...two, ...one], 'prescriptionSpent'],
  [
    'what is left of a use with the next',
    rx({ ...opened({ dispensed: 1 }), uses: 2, intervalDays: 7, lastDispensedAt: later(-9) }),
    two,
    'prescriptionSpent',
  ],
  [
    'the next use in doubt',
    rx({ ...opened({ held: 1, dispensed: 1 }), uses: 2, intervalDays: 7, lastDispensedAt: later(-9) }),
    two,
    'prescriptionSpent',
  ],
  [
    'the next use while one of two medicines is in doubt',
    rx({
      ...opened(),
      uses: 2,
      lines: [line({ allowed: 2, dispensed: 2 }), line({ productId: 2, allowed: 2, held: 1, dispensed: 1 })],
      lastDispensedAt: later(-9),
    }),
    one,
    'prescriptionSpent',
  ],
  [
    'a use beyond the last',
    rx({ ...opened({ dispensed: 2 }), uses: 1, lastDispensedAt: later(-9) }),
    one,
    'prescriptionSpent',
  ],
])('%s is refused', (_, prescription, wanted, refused) => {
  expect(decideFill(prescription, wanted, NOW)).toEqual({ refused })
})

test.each([
  ['the first use', rx(), two, { opens: true, isBound: [true, true] }],
  ['what is left of a use', rx(opened({ dispensed: 1 })), one, { opens: false, isBound: [true] }],
  ['what a jam gave back', rx(opened()), two, { opens: false, isBound: [true, true] }],
  [
    'the next use on its day',
    rx({ ...opened({ dispensed: 2 }), uses: 2, intervalDays: 7, lastDispensedAt: later(-7) }),
    two,
    { opens: true, isBound: [true, true] },
  ],
  [
    'the next use of one medicine, beside what is left of another',
    rx({
      uses: 2,
      usesOpened: 1,
      lines: [line({ allowed: 2, dispensed: 2 }), line({ productId: 2, allowed: 2 })],
      lastDispensedAt: later(-9),
    }),
    [...two, { productId: 2, isRx: true }],
    { opens: true, isBound: [true, true, true] },
  ],
  ['other goods beside', rx(), [...one, { productId: 9, isRx: false }], { opens: true, isBound: [true, false] }],
  [
    'a named one that needs none, as far as it goes',
    rx(opened({ dispensed: 1 })),
    two.map((each) => ({ ...each, isRx: false })),
    { opens: false, isBound: [true, false] },
  ],
])('%s is held', (_, prescription, wanted, held) => {
  expect(decideFill(prescription, wanted, NOW)).toEqual({ refused: null, ...held })
})

test.each([
  ['what is open', rx(opened({ held: 1 })), { refused: null, medicines: [{ productId: 1, packs: 1 }] }],
  ['what would begin', rx(), { refused: null, medicines: [{ productId: 1, packs: 2 }] }],
  ['nothing while all is held', rx({ ...opened({ held: 2 }), uses: 3 }), { refused: 'prescriptionSpent' }],
  [
    'nothing while one of two medicines is held',
    rx({
      uses: 2,
      usesOpened: 1,
      lines: [line({ allowed: 2, dispensed: 2 }), line({ productId: 2, allowed: 2, held: 2 })],
    }),
    { refused: 'prescriptionSpent' },
  ],
  [
    'the next use on its minute',
    rx({ ...opened({ dispensed: 2 }), uses: 2, intervalDays: 2, lastDispensedAt: later(-2) }),
    { refused: null, medicines: [{ productId: 1, packs: 2 }] },
  ],
  ['nothing of a spent one', rx(opened({ dispensed: 2 })), { refused: 'prescriptionSpent' }],
  [
    'nothing too early',
    rx({ ...opened({ dispensed: 2 }), uses: 2, intervalDays: 2, lastDispensedAt: later(-1) }),
    { refused: 'limitReached' },
  ],
  ['nothing of none', undefined, { refused: 'prescriptionUnknown' }],
  ['nothing of an unapproved one', rx({ state: 'submitted' }), { refused: 'prescriptionNotApproved' }],
])('a machine hears of %s', (_, prescription, offer) => {
  expect(offerOf(prescription, NOW)).toEqual(offer)
})

type Case = [FillItemState, FillItemState, number, FillItemState, { held: number; dispensed: number; excess: number }]
const counts = (held: number, dispensed: number, excess: number) => ({ held, dispensed, excess })
test.each<Case>([
  ['held', 'dispensed', 0, 'dispensed', counts(-1, 1, 0)],
  ['unknown', 'dispensed', 0, 'dispensed', counts(-1, 1, 0)],
  ['held', 'free', 0, 'free', counts(-1, 0, 0)],
  ['unknown', 'free', 0, 'free', counts(-1, 0, 0)],
  ['held', 'unknown', 0, 'unknown', counts(0, 0, 0)],
  ['free', 'dispensed', 1, 'dispensed', counts(0, 1, 0)],
  ['free', 'dispensed', 0, 'dispensed', counts(0, 0, 1)],
  ['free', 'unknown', 1, 'free', counts(0, 0, 0)],
  ['free', 'held', 1, 'free', counts(0, 0, 0)],
  ['dispensed', 'free', 1, 'dispensed', counts(0, 0, 0)],
  ['dispensed', 'unknown', 1, 'dispensed', counts(0, 0, 0)],
  ['dispensed', 'dispensed', 1, 'dispensed', counts(0, 0, 0)],
  ['held', 'held', 1, 'held', counts(0, 0, 0)],
])('from %s, told %s with %i left: %s', (from, to, left, state, change) => {
  expect(nextState(from, to)).toBe(state)
  expect(countChange(from, to, left)).toEqual(change)
})

test('what a machine said, did not say, and said that it did not', () => {
  expect(settledState({ isDispensed: true, isUnknown: false })).toBe('dispensed')
  expect(settledState({ isDispensed: false, isUnknown: true })).toBe('unknown')
  expect(settledState({ isDispensed: false, isUnknown: false })).toBe('free')
})

test('it is spent with its last pack of its last use', () => {
  expect(isSpent({ uses: 2, lines: [line({ dispensed: 4 }), line({ dispensed: 4 })] })).toBe(true)
  expect(isSpent({ uses: 2, lines: [line({ dispensed: 4 }), line({ dispensed: 3 })] })).toBe(false)
  expect(isSpent({ uses: 2, lines: [line({ dispensed: 2 })] })).toBe(false)
})
