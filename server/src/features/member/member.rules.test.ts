import { memberUnitKinds, mayStandIn } from '@aisle/contract/member/memberUnit'
import { memberEditable } from '@aisle/contract/member/memberRecord'
import { expect, test } from 'vitest'
import { ageOn, loggedOf, needsGuardian } from './member.rules'

test.each([
  ['2012-11-20', '2026-11-19', 13],
  ['2012-11-20', '2026-11-20', 14],
  ['2012-02-29', '2026-02-28', 13],
  ['2012-02-29', '2026-03-01', 14],
])('who was born on %s is on %s %i years old', (born, today, age) => {
  expect(ageOn(born, today)).toBe(age)
  expect(needsGuardian(born, today)).toBe(age < 14)
})

test('where no birthday is known, who agrees is believed', () => expect(needsGuardian(null, '2026-11-20')).toBe(false))

test.each(['2026-02-31', '2026-02-29', '2026-13-01', '31/02/2026'])('a birthday of %s is none', (birthday) => {
  expect(memberEditable.birthday.safeParse(birthday).success).toBe(false)
})

test('the log says which of what tells who it is has changed, and never what it was or is', () => {
  const before = { name: '王芳', phone: '13800001111', level: 1 }
  expect(loggedOf(before, { name: '王芳', phone: '13900002222', level: 2 })).toEqual({
    before: { level: 1 },
    after: { level: 2, personal: 'phone' },
  })
  expect(loggedOf(null, { name: '王芳', level: 1 })).toEqual({ before: null, after: { level: 1, personal: 'name' } })
})

test('no way down from a root is longer than three', () => {
  const below = (kind: (typeof memberUnitKinds)[number] | null): number =>
    Math.max(0, ...memberUnitKinds.filter((each) => mayStandIn(each, kind)).map((each) => 1 + below(each)))
  expect(below(null)).toBe(3)
})
