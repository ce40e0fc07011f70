import { expect, test } from 'vitest'
import { commonStems } from './commonPasswords'
import { type Weakness, weaknessOf } from './weakPassword'

const owner = { account: 'lilei', names: ['Li Lei', 'Han Meimei'], phone: '13812345867' }

const refused: readonly (readonly [string, Weakness])[] = [
  ['lilei2024x', 'own'],
  ['xLiLei#9', 'own'],
  ['ielil!77a', 'own'],
  ['Meimei&77', 'own'],
  ['a8123458b', 'own'],
  ['13812345867', 'own'],
  ['aaaaaa', 'repeated'],
  ['111111', 'repeated'],
  ['ababab', 'repeated'],
  ['123123', 'repeated'],
  ['aabbaab', 'repeated'],
  ['passpass', 'repeated'],
  ['123456', 'run'],
  ['654321', 'run'],
  ['0123456789', 'run'],
  ['abcdef', 'run'],
  ['fedcba', 'run'],
  ['qwertyuiop', 'run'],
  ['POIUYTREWQ', 'run'],
  ['asdfgh', 'run'],
  ['azertyuiop', 'run'],
  ['1qaz2wsx', 'run'],
  ['xsw2zaq1', 'run'],
  ['1q2w3e4r', 'run'],
  ['qwer1234', 'run'],
  ['111222', 'repeated'],
  ['qwe123!', 'run'],
  ['147258369', 'run'],
  ['!@#$%^', 'run'],
  ['19900115', 'date'],
  ['2003-12-31', 'date'],
  ['31121999', 'date'],
  ['900115', 'date'],
  ['li19900115', 'date'],
  ['password', 'common'],
  ['P@ssw0rd', 'common'],
  ['Passw0rd!', 'common'],
  ['password2024', 'common'],
  ['Admin@2024!', 'common'],
  ['!!admin!!', 'common'],
  ['iloveyou', 'common'],
  ['1l0v3y0u', 'common'],
  ['Welcome1', 'common'],
  ['letmein!', 'common'],
  ['woaini1314', 'common'],
  ['azerty123', 'run'],
  ['dragon99', 'common'],
  ['Aisle2026!', 'common'],
]

test.each(refused)('%s is guessed first: %s', (password, weakness) => {
  expect(weaknessOf(password, owner)).toBe(weakness)
})

const good = [
  'k7Qm2xWz',
  'brown-fox-42-jumps',
  'tea!cup7River',
  'H9#vTq',
  'correcthorsebattery',
  'Rj48zq1990',
  'blueDoor&Kite',
  'v3nd-4-moon',
  'zmxncbv7741Q',
]
test.each(good)('%s is taken', (password) => {
  expect(weaknessOf(password, owner)).toBeNull()
})

test('a name of two letters and an unknown phone forbid nothing', () => {
  expect(weaknessOf('k7Qli2xWz', { account: 'li', names: ['李'], phone: '' })).toBeNull()
})

test('every listed stem is refused with a year and a sign too', () => {
  const taken = [...commonStems].filter((stem) => weaknessOf(`${stem}2025!`) === null)
  expect(taken).toEqual([])
})
