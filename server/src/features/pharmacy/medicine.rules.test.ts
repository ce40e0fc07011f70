import { expect, test } from 'vitest'
import { codeAsTyped, isIdNumber, maskedName, maskedNumber, newCode } from './code.rules'
import { isWithinLimit } from './limit.rules'
import { reviewHindrance } from './review.rules'
import { type MedicineFacts, warningsOf } from './warning.rules'

const NOW = new Date('2026-11-20T04:00:00Z')
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000)
test.each([
  [[], 2, true],
  [[], 3, false],
  [[{ packs: 1, at: ago(1) }], 1, true],
  [[{ packs: 1, at: ago(1) }], 2, false],
  [[{ packs: 2, at: ago(167) }], 1, false],
  [[{ packs: 2, at: ago(168) }], 2, true],
])('%j and %i more within two packs in seven days: %s', (takes, wanted, isWithin) => {
  expect(isWithinLimit({ packs: 2, days: 7 }, takes, wanted, NOW)).toBe(isWithin)
})

test.each([
  ['张三', '张*'],
  ['欧阳明月', '欧***'],
  ['Li', 'Li*'],
  ['Marie Curie', 'Ma***'],
  ['A张三', 'A张*'],
])('%s is shown as %s', (name, masked) => {
  expect(maskedName(name)).toBe(masked)
})

test('numbers are checked, masked, and codes read as people write them', () => {
  expect(isIdNumber('330106198003076577', 1980)).toBe(true)
  expect(isIdNumber('330106198003076577', 1981)).toBe(false)
  expect(isIdNumber('330106198003076578', 1980)).toBe(false)
  expect(isIdNumber('33010619800307657', 1980)).toBe(false)
  // The check is right in both, and neither is a number: a digit too many, a first one of 0.
  expect(isIdNumber('3301061980030765771', 1980)).toBe(false)
  expect(isIdNumber('010101198001010009', 1980)).toBe(false)
  expect(isIdNumber('0101011980010100091', 1980)).toBe(false)
  expect(maskedNumber('330106198003076577')).toBe('330**************7')
  expect(maskedNumber('')).toBe('')
  expect(codeAsTyped('rx261120-7kq2 m9xdpaio')).toBe('RX2611207KQ2M9XDPA10')
})

test('a new code says its day and is never the same', () => {
  const codes = Array.from({ length: 200 }, () => newCode('2026-11-20'))
  for (const code of codes) expect(code).toMatch(/^RX261120[0-9A-HJKMNP-TV-Z]{12}$/)
  expect(new Set(codes).size).toBe(200)
  // Read as people write it, it is the code still.
  for (const code of codes) expect(codeAsTyped(code.toLowerCase())).toBe(code)
})

const doctor = { userId: 1, phone: '13900000001', email: 'a@example.com' }
const reviewer = {
  userId: 2,
  phone: '13900000002',
  email: null,
  profession: 'pharmacist' as const,
  licenceNumber: 'L2',
}
test.each([
  ['a pharmacist of their own', {}, 'submitted' as const, null],
  ['the doctor', { userId: 1 }, 'submitted' as const, 'own'],
  ['another account with the doctor’s telephone', { phone: ' 13900000001' }, 'submitted' as const, 'samePerson'],
  ['another account with the doctor’s address', { email: 'A@example.com' }, 'submitted' as const, 'samePerson'],
  ['a doctor', { profession: 'doctor' as const }, 'submitted' as const, 'notPharmacist'],
  ['somebody without a profession', { profession: null }, 'submitted' as const, 'notPharmacist'],
  ['a pharmacist without a licence', { licenceNumber: null }, 'submitted' as const, 'practice'],
  ['a pharmacist, of an approved one', {}, 'approved' as const, 'state'],
])('%s may review: %s %s', (_, more, state, hindrance) => {
  expect(reviewHindrance({ ...reviewer, ...more }, doctor, state)).toBe(hindrance)
})

test.each([
  ['a telephone that only the one has', { phone: '13900000001' }, { phone: null }],
  ['one that only the other has', { phone: null }, { phone: '13900000001' }],
  ['blanks for a telephone', { phone: ' ' }, { phone: ' ' }],
])('%s makes nobody the same person', (_, own, others) => {
  const people = [
    { ...reviewer, ...own },
    { ...doctor, email: null, ...others },
  ] as const
  expect(reviewHindrance(...people, 'submitted')).toBeNull()
})

test('blanks around a telephone are no other telephone, whoever typed them', () => {
  const typed = { ...doctor, phone: ' 13900000002 ' }
  expect(reviewHindrance(reviewer, typed, 'submitted')).toBe('samePerson')
})

test('two without telephone and address are not the same person', () => {
  const nobody = { phone: null, email: '' }
  expect(reviewHindrance({ ...reviewer, ...nobody }, { userId: 1, ...nobody }, 'submitted')).toBeNull()
})

const facts = (more: Partial<MedicineFacts> = {}): MedicineFacts => ({
  productId: 1,
  name: 'One',
  ingredients: ['a'],
  limitGroup: null,
  limitPacks: null,
  doseUnit: 'u',
  unitsPerPack: 10,
  maxDailyUnits: 6,
  maxDays: null,
  minAge: 12,
  notFor: ['pregnant'],
  ...more,
})
const line = (more: object = {}) => ({ productId: 1, quantity: 1, dose: 1, timesADay: 3, days: 3, ...more })
const other = facts({ productId: 2, name: 'Two', ingredients: ['b'], notFor: [] })
type Given = {
  patient?: object
  uses?: number
  lines?: ReturnType<typeof line>[]
  one?: Partial<MedicineFacts>
  two?: Partial<MedicineFacts>
}
const both = [line(), line({ productId: 2 })]
test.each<[string, Given, string[]]>([
  ['nothing', {}, []],
  ['an allergy', { patient: { allergies: ['a'] } }, ['allergy']],
  ['another allergy', { patient: { allergies: ['z'] } }, []],
  ['what it is not for', { patient: { facts: ['pregnant'] } }, ['notFor']],
  ['a child', { patient: { birthYear: 2015 } }, ['tooYoung']],
  ['somebody just old enough', { patient: { birthYear: 2014 } }, []],
  ['an unknown age', { patient: { birthYear: null } }, []],
  ['the most in a day', { lines: [line({ dose: 2 })], one: { unitsPerPack: 18 } }, []],
  ['more in a day', { lines: [line({ dose: 2.01 })], one: { unitsPerPack: 1 } }, ['overDaily']],
  ['seven days', { lines: [line({ days: 7 })] }, []],
  ['eight days', { lines: [line({ days: 8 })] }, ['overDays']],
  ['eight days of a repeat', { lines: [line({ days: 8 })], uses: 2 }, []],
  ['days beyond its own limit', { lines: [line({ days: 5 })], one: { maxDays: 4 }, uses: 2 }, ['overDays']],
  ['exactly the packs', { lines: [line({ quantity: 1 })], one: { unitsPerPack: 9 } }, []],
  ['a pack too many', { lines: [line({ quantity: 2 })], one: { unitsPerPack: 9 } }, ['overQuantity']],
  ['a second pack that is begun', { lines: [line({ quantity: 2 })], one: { unitsPerPack: 8 } }, []],
  ['the same substance twice', { lines: both, two: { ingredients: ['a', 'b'] } }, ['ingredientTwice']],
  ['two that act on each other', { lines: both, two: { ingredients: ['c'] } }, ['pair']],
  ['two that do not', { lines: both }, []],
  [
    'the limit of a group',
    { lines: both, one: { limitGroup: 'g', limitPacks: 2 }, two: { limitGroup: 'g', limitPacks: 2 } },
    [],
  ],
  [
    'beyond the limit of a group',
    { lines: both, one: { limitGroup: 'g', limitPacks: 1 }, two: { limitGroup: 'g', limitPacks: 1 } },
    ['overLimit'],
  ],
  ['two groups', { lines: both, one: { limitGroup: 'g', limitPacks: 1 }, two: { limitGroup: 'h', limitPacks: 1 } }, []],
  ['as much as anybody likes in a day', { lines: [line({ dose: 3 })], one: { maxDailyUnits: null } }, []],
  ['a medicine that nobody knows any more', { lines: [line({ productId: 9, days: 400 })] }, []],
  ['a group that nothing limits', { lines: both, one: { limitGroup: 'g' }, two: { limitGroup: 'g' } }, []],
  ['packs that are of no group', { lines: both, one: { limitPacks: 1 }, two: { limitPacks: 1 } }, []],
  ['what is worst first', { lines: both, two: { ingredients: ['a', 'c'] } }, ['pair', 'ingredientTwice']],
  [
    'the same, however many things are wrong',
    {
      patient: { birthYear: 2020, facts: ['pregnant'], allergies: ['a'] },
      lines: [line({ quantity: 9, dose: 3, days: 8 })],
      one: { limitGroup: 'g', limitPacks: 8 },
    },
    ['allergy', 'notFor', 'tooYoung', 'overDaily', 'overLimit', 'overDays', 'overQuantity'],
  ],
])('of %s is warned as it should', (_, given, kinds) => {
  expect(warned(given).map(({ kind }) => kind)).toEqual(kinds)
})

test.each<[Given, number[], Record<string, string>]>([
  [{ patient: { allergies: ['a'] } }, [1], { name: 'One', substance: 'a' }],
  [{ patient: { facts: ['pregnant'] } }, [1], { name: 'One', fact: 'pregnant' }],
  [{ patient: { birthYear: 2015 } }, [1], { name: 'One', age: '11', min: '12' }],
  [{ lines: both, two: { ingredients: ['c'] } }, [1, 2], { name: 'One', other: 'Two', substances: 'a + c' }],
  [{ lines: both, two: { ingredients: ['a'] } }, [1, 2], { name: 'One', other: 'Two', substance: 'a' }],
  [{ lines: [line({ dose: 2.5 })] }, [1], { name: 'One', unit: 'u', daily: '7.5', max: '6' }],
  [{ lines: [line({ days: 8 })] }, [1], { name: 'One', days: '8', max: '7' }],
  [{ lines: [line({ quantity: 2 })] }, [1], { name: 'One', packs: '2', needed: '1' }],
  [
    { lines: both, one: { limitGroup: 'g', limitPacks: 1 }, two: { limitGroup: 'g', limitPacks: 1 } },
    [1, 2],
    { name: 'One, Two', packs: '2', max: '1' },
  ],
])('of %j the warning says of which medicines, and the words of its sentence', (given, productIds, said) => {
  expect(warned(given)).toMatchObject([{ productIds, facts: said }])
})

function warned(given: Given) {
  const medicines = new Map([
    [1, facts(given.one)],
    [2, { ...other, ...given.two }],
  ])
  const patient = { birthYear: 1980, facts: [], allergies: [], ...given.patient }
  const written = { patient, uses: given.uses ?? 1, lines: given.lines ?? [line()] }
  return warningsOf(written, medicines, [['a', 'c']], 2026)
}
