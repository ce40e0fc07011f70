import { expect, test } from 'vitest'
import { faultsIn } from './login.rules'

const entered = { account: 'operator', password: 'aisle-demo', code: '' }

test('an account, a password of six characters and an automatic code are enough', () => {
  expect(faultsIn({ ...entered, password: '密码123!' }, false)).toEqual({})
})

test('each missing field is named, in the order of the form', () => {
  const faults = faultsIn({ account: '', password: '', code: '' }, true)
  expect(Object.entries(faults)).toEqual([
    ['account', 'login.fault.account'],
    ['password', 'login.fault.password'],
    ['code', 'login.fault.code'],
  ])
})

test('a password of five characters is too short, however many bytes it takes', () => {
  expect(faultsIn({ ...entered, password: '😀😀😀😀😀' }, false)).toEqual({ password: 'login.fault.passwordShort' })
})

test('a typed code has exactly four characters', () => {
  expect(faultsIn({ ...entered, code: 'K7Q' }, true)).toEqual({ code: 'login.fault.code' })
  expect(faultsIn({ ...entered, code: 'K7Q2' }, true)).toEqual({})
})
