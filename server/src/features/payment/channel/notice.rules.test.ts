import { expect, test } from 'vitest'
import { isOfAccount } from './notice.rules'

const own = { providerAccountId: 7, payee: 'app/1900/1901', attemptNo: 'A1' }
const payment = { about: 'payment', attemptNo: 'A1', payee: own.payee, currency: 'CNY' } as const
const refund = { about: 'refund', attemptNo: 'A1', payee: own.payee } as const
const { payee: _, ...unnamed } = refund

test.each<[string, Parameters<typeof isOfAccount>[0], number, boolean]>([
  ['a payment of ours', payment, 7, true],
  ['a payment told at another account', payment, 8, false],
  ['a payment to another payee', { ...payment, payee: 'app/1900/1999' }, 7, false],
  ['a payment that names nobody', { ...payment, payee: '' }, 7, false],
  ['a payment of another number', { ...payment, attemptNo: 'A2' }, 7, false],
  ['a payment without a number', { ...payment, attemptNo: '' }, 7, false],
  ['a payment in other money', { ...payment, currency: 'USD' }, 7, false],
  ['a payment that names no money', { ...payment, currency: '' }, 7, false],
  ['a refund of ours', refund, 7, true],
  ['a refund told at another account', refund, 8, false],
  ['a refund of another payee', { ...refund, payee: 'app/1900/1999' }, 7, false],
  ['a refund where the provider names no payee', unnamed, 7, true],
  ['the same told at another account', unnamed, 8, false],
  ['a payee that is named and empty is another', { ...refund, payee: '' }, 7, false],
  ['a refund of another payment', { ...refund, attemptNo: 'A2' }, 7, false],
  ['a refund where the provider names no payment', { ...unnamed, attemptNo: '' }, 7, true],
])('%s', (_name, said, toldAt, isOurs) => {
  expect(isOfAccount(said, own, toldAt)).toBe(isOurs)
})
