import { endpoints } from '@aisle/contract/endpoints'
import { expect, test } from 'vitest'
import { kindOfWrite } from './kindOfWrite'

const called = (name: string) => {
  const found = endpoints.find((each) => each.name === name)
  if (!found) throw new Error(name)
  return kindOfWrite(found)
}

test.each([
  ['merchant.createMerchant', 'add'],
  ['merchant.editMerchant', 'edit'],
  ['merchant.deleteMerchant', 'remove'],
  ['fleet.retireMachine', 'verb'],
] as const)('what fails with %s is said to be the %s', (name, kind) => {
  expect(called(name)).toBe(kind)
})
