import { expect, test } from 'vitest'
import { isLooser, limitedRefusal, type LimitedSale } from './limit.rules'

const limited = { isLimited: true, minAge: null }
const plain = { isLimited: false, minAge: null }
const adult = { age: 40 }
const base: LimitedSale = {
  mode: 'hospital',
  isSoldInRetail: false,
  hasPrescription: false,
  person: null,
  pieces: [limited],
}

test.each<[string, Partial<LimitedSale>, ReturnType<typeof limitedRefusal>]>([
  ['nothing limited to nobody', { pieces: [plain] }, null],
  ['limited to nobody in a hospital', {}, 'personMissing'],
  ['limited beside goods to nobody', { pieces: [plain, limited] }, 'personMissing'],
  ['limited to a checked person in a hospital', { person: adult }, null],
  ['limited to nobody on a prescription', { hasPrescription: true }, null],
  ['limited in a shop as shipped', { mode: 'retail', person: adult }, 'limitedNotSold'],
  ['limited in a shop to nobody as shipped', { mode: 'retail' }, 'limitedNotSold'],
  ['limited in a shop that may, to a checked person', { mode: 'retail', isSoldInRetail: true, person: adult }, null],
  ['limited in a shop that may, to nobody', { mode: 'retail', isSoldInRetail: true }, 'personMissing'],
  ['old enough to the day', { person: { age: 18 }, pieces: [{ isLimited: true, minAge: 18 }] }, null],
  ['a year too young', { person: { age: 17 }, pieces: [{ isLimited: true, minAge: 18 }] }, 'personTooYoung'],
  [
    'too young for what is not limited',
    { person: { age: 5 }, pieces: [{ isLimited: false, minAge: 6 }] },
    'personTooYoung',
  ],
  [
    'too young for one of two',
    {
      person: { age: 17 },
      pieces: [
        { isLimited: true, minAge: 18 },
        { isLimited: false, minAge: null },
      ],
    },
    'personTooYoung',
  ],
  ['an age that nobody was asked for', { pieces: [{ isLimited: false, minAge: 6 }] }, null],
  ['too young, on a prescription', { hasPrescription: true, pieces: [{ isLimited: true, minAge: 18 }] }, null],
])('%s', (_, sale, refusal) => expect(limitedRefusal({ ...base, ...sale })).toBe(refusal))

test.each([
  [{ packs: 2, days: 7 }, false],
  [{ packs: 1, days: 7 }, false],
  [{ packs: 2, days: 30 }, false],
  [{ packs: 3, days: 7 }, true],
  [{ packs: 2, days: 6 }, true],
  [{ packs: 1, days: 1 }, true],
  [{ packs: 3, days: 30 }, true],
])('%j is looser than two in seven days: %s', (own, looser) => {
  expect(isLooser(own, { packs: 2, days: 7 })).toBe(looser)
})
