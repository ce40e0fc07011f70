import { zPhone } from '@aisle/contract/identity/phone'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { isMobile, isWrongMobile, mobileRuleIs } from './mobile'
import { insideOf, problemsOf } from './schema'

afterEach(() => mobileRuleIs('wide'))

test('a mobile number is known by its schema, however that is wrapped', () => {
  expect([zPhone, zPhone.nullable(), zPhone.optional()].map(insideOf).map(isMobile)).toEqual([true, true, true])
  expect([z.string(), undefined].map(isMobile)).toEqual([false, false])
})

test.each([
  ['wide', '16612345678', false],
  ['narrow', '16612345678', true],
  ['narrow', '13812345678', false],
  ['narrow', '', false],
] as const)('under the %s rule %s is wrong: %s', (rule, phone, isWrong) => {
  mobileRuleIs(rule)
  expect(isWrongMobile(zPhone, phone)).toBe(isWrong)
})

test('a form says it before it is sent', () => {
  const schema = z.strictObject({ phone: zPhone })
  expect([...problemsOf(schema, { phone: '16612345678' }).keys()]).toEqual([])
  mobileRuleIs('narrow')
  expect([...problemsOf(schema, { phone: '16612345678' }).keys()]).toEqual(['phone'])
})
