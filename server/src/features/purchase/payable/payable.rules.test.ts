import { supplierInvoiceState, supplierPaymentState } from '@aisle/contract/purchase/payable'
import { expect, test } from 'vitest'
import { differencePostings, faultOfParts, goodsPostings, type Owed, type Part, paymentPostings } from './payable.rules'

const owed: Owed[] = [
  { id: 1, amountFen: 1000, claimedFen: 300, invoiceWaits: false },
  { id: 2, amountFen: -200, claimedFen: 0, invoiceWaits: false },
  { id: 3, amountFen: 500, claimedFen: 0, invoiceWaits: true },
]
const part = (payableId: number, amountFen: number): Part => ({ payableId, amountFen })

test.each([
  [[part(1, 700)], null],
  [[part(1, 1)], null],
  [[part(1, 701)], 'payable.most'],
  [[part(1, 0)], 'payable.amount'],
  [[part(1, -1)], 'payable.amount'],
  [[part(2, 1)], 'payable.amount'],
  // A credit alone is no payment; with a debt it makes it less.
  [[part(2, -200)], 'payable.amount'],
  [[part(1, 200), part(2, -200)], null],
  [[part(1, 700), part(2, -201)], 'payable.most'],
  [[part(3, 1)], 'payable.invoiceWaits'],
  [[part(4, 1)], 'payable.unknown'],
  [[part(1, 1), part(1, 1)], 'payable.twice'],
] as const)('parts %j: %s', (parts, fault) => {
  expect(faultOfParts(parts, owed)).toBe(fault)
})

test.each([
  ['goods', goodsPostings, { goods: 5, supplier_due: -5 }],
  ['a dearer invoice', differencePostings, { price_difference: 5, supplier_due: -5 }],
  ['a payment', paymentPostings, { bank: -5, supplier_due: 5 }],
] as const)('%s of 5 fen', (_, post, expected) => {
  const postings = post({ merchantId: 7, supplierId: 9, amountFen: 5 })
  expect(Object.fromEntries(postings.map(({ account, amountFen }) => [account.kind, amountFen]))).toEqual(expected)
  expect(post({ merchantId: 7, supplierId: 9, amountFen: 0 })).toEqual([])
})

test('every state is reached', () => {
  expect([...supplierInvoiceState.unreachable(), ...supplierPaymentState.unreachable()]).toEqual([])
})
