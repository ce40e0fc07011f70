import { expect, test } from 'vitest'
import { faultsIn } from './firstAdmin.rules'

const entered = {
  account: 'admin',
  displayName: '王敏',
  platformName: '穿堂',
  password: 'Kiosk-Row-26!',
  again: 'Kiosk-Row-26!',
}

test('a whole form has no fault', () => expect(faultsIn(entered)).toEqual({}))

test('each missing field is named, in the order of the form', () => {
  const faults = faultsIn({ account: '', displayName: '', platformName: '', password: '', again: '' })
  expect(Object.entries(faults)).toEqual([
    ['account', 'login.fault.account'],
    ['displayName', 'firstAdmin.fault.displayName'],
    ['platformName', 'firstAdmin.fault.platformName'],
    ['password', 'login.fault.password'],
  ])
})

const passwords: [password: string, fault: string | undefined][] = [
  ['k7Qm2', 'password.fault.short'],
  ['k7Qm2x', undefined],
  ['~!*{k}-=^[p];&"_z?+,', undefined],
  ['~!*{k}-=^[p];&"_z?+,.', 'password.fault.long'],
  ['123456', 'password.weak.run'],
  ['P@ssw0rd!', 'password.weak.common'],
  ['Admin77+x', 'password.weak.own'],
  ['with space', 'firstAdmin.fault.passwordSigns'],
  ['密码密码密码', 'firstAdmin.fault.passwordSigns'],
]
test.each(passwords)('the password %j has the fault %s', (password, fault) => {
  expect(faultsIn({ ...entered, password, again: password }).password).toBe(fault)
})

test('the second password must repeat the first; a bad first one is told alone', () => {
  expect(faultsIn({ ...entered, again: 'Kiosk-Row-26' })).toEqual({ again: 'firstAdmin.fault.mismatch' })
  expect(faultsIn({ ...entered, password: '123', again: '' })).toEqual({ password: 'password.fault.short' })
})
