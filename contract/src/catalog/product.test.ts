import { expect, test } from 'vitest'
import { isSaleLawful, unlawfulBecause } from './product'

test.each([
  ['none', null, null],
  ['none', 'otc_b', 'noLicence'],
  ['none', 'rx', 'noLicence'],
  ['retail', null, null],
  ['retail', 'otc_b', null],
  ['retail', 'otc_a', 'otcBOnly'],
  ['retail', 'rx', 'otcBOnly'],
  ['hospital', 'otc_a', null],
  ['hospital', 'rx', null],
] as const)('a machine of licence %s may not sell %s because of %s', (mode, medicineClass, reason) => {
  expect(unlawfulBecause(mode, medicineClass)).toBe(reason)
  expect(isSaleLawful(mode, medicineClass)).toBe(reason === null)
})
