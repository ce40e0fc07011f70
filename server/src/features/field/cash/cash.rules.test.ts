import { expect, test } from 'vitest'
import { bankedPostings, isOff, settledPostings, takenPostings } from './cash.rules'

test.each([
  { expected: 50_000, counted: 50_000, off: false },
  { expected: 50_000, counted: 49_000, off: false },
  { expected: 50_000, counted: 51_000, off: false },
  { expected: 50_000, counted: 48_999, off: true },
  { expected: 50_000, counted: 51_001, off: true },
  { expected: 200_000, counted: 198_000, off: false },
  { expected: 200_000, counted: 197_999, off: true },
  { expected: 0, counted: 1_001, off: true },
])('of $expected fen $counted are counted: somebody has to look is $off', ({ expected, counted, off }) => {
  expect(isOff(expected, counted, 1_000)).toBe(off)
})

const box = { merchantId: 7, machineCode: 'SH-1' }
const said = (postings: ReturnType<typeof takenPostings>) =>
  Object.fromEntries(postings.map(({ account: { kind, key }, amountFen }) => [`${kind}/${key}`, amountFen]))

test('a box that is taken moves what is expected in it, and one that was not taken moves it back', () => {
  expect(said(takenPostings(box, 500))).toEqual({ 'cash_in_transit/SH-1': 500, 'cash_in_machine/SH-1': -500 })
  expect(said(takenPostings(box, -500))).toEqual({ 'cash_in_transit/SH-1': -500, 'cash_in_machine/SH-1': 500 })
  expect(takenPostings(box, 0)).toEqual([])
})

test.each([
  [500, 500, { 'cash_counted/': 500, 'cash_in_transit/SH-1': -500 }],
  [500, 430, { 'cash_counted/': 430, 'cash_in_transit/SH-1': -500, 'loss/cash_difference': 70 }],
  [500, 520, { 'cash_counted/': 520, 'cash_in_transit/SH-1': -500, 'loss/cash_difference': -20 }],
  [0, 30, { 'cash_counted/': 30, 'loss/cash_difference': -30 }],
])('of %i expected %i counted are in the books, and the rest is lost or won', (expectedFen, countedFen, entries) => {
  const postings = settledPostings(box, { expectedFen, countedFen })
  expect(said(postings)).toEqual(entries)
  expect(postings.reduce((sum, { amountFen }) => sum + amountFen, 0)).toBe(0)
})

test.each([
  [500, 500, { 'bank/cash_deposit': 500, 'cash_counted/': -500 }],
  [500, 480, { 'bank/cash_deposit': 480, 'cash_counted/': -500, 'loss/cash_difference': 20 }],
  [-500, -480, { 'bank/cash_deposit': -480, 'cash_counted/': 500, 'loss/cash_difference': -20 }],
])('of %i counted the bank took %i', (countedFen, amountFen, entries) => {
  const postings = bankedPostings(7, { countedFen, amountFen })
  expect(said(postings)).toEqual(entries)
  expect(postings.reduce((sum, each) => sum + each.amountFen, 0)).toBe(0)
})
