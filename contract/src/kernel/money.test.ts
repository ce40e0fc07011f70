import { expect, test } from 'vitest'
import { fen, sumFen, yuan } from './money'

test.each([0, -1, 9_000_000_000_000_000])('%i is an amount of fen', (amount) => expect(fen(amount)).toBe(amount))

test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('%f is none', (amount) => {
  expect(() => fen(amount)).toThrow(new RangeError(`not a whole number of fen: ${amount}`))
})

test('amounts are summed in whole fen and told in yuan', () => {
  expect(sumFen([])).toBe(0)
  expect(sumFen([150, -50, 1])).toBe(101)
  expect(() => sumFen([0.1, 0.2])).toThrow(RangeError)
  expect(yuan(101)).toBe(1.01)
})
