import { expect, test } from 'vitest'
import { countedTime, cycleOf, deltasOf, needsSecond } from './count.rules'

const limits = { pieces: 2, percent: 5, fen: 2_000 }
const line = { difference: 0, book: 40, costFen: 0, isMedicine: false }

test.each([
  ['fits', {}, false],
  ['one of forty, cheap', { difference: -1, costFen: -200 }, false],
  ['two pieces', { difference: 2 }, true],
  ['one of ten is ten percent', { difference: -1, book: 10 }, true],
  ['one of twenty is five percent', { difference: 1, book: 20 }, true],
  ['one, dear', { difference: -1, costFen: -2_000 }, true],
  ['one where the books have none', { difference: 1, book: 0 }, true],
  ['a medicine that fits', { isMedicine: true }, false],
  ['a medicine, one', { isMedicine: true, difference: 1 }, true],
])('counted again: %s', (_, more, expected) => {
  expect(needsSecond({ ...line, ...more }, limits)).toBe(expected)
})

test.each([
  ['a right clock', '10:20', '10:25', '10:20'],
  ['a clock a day ahead', '2026-11-21T10:20:00Z', '2026-11-21T10:25:00Z', '10:20'],
  ['a clock five minutes behind', '10:15', '10:20', '10:20'],
  ['later than now is now', '10:40', '10:25', '10:25'],
  ['before the count began is its beginning', '09:00', '10:25', '10:00'],
])('when it was counted: %s', (_, countedAt, sentAt, expected) => {
  const at = (text: string) => (text.length > 5 ? text : `2026-11-20T${text}:00Z`)
  const bounds = { from: new Date(at('10:00')), now: new Date(at('10:25')) }
  const counted = countedTime({ countedAt: at(countedAt), sentAt: at(sentAt) }, bounds)
  expect(counted.toISOString()).toBe(new Date(at(expected)).toISOString())
})

test('a visit counts what is empty and three more by value and past error, in the order of the slots', () => {
  const slot = (code: string, stock: number, costFen: number, pastError = 0) => ({ code, stock, costFen, pastError })
  const slots = [
    slot('A1', 0, 900),
    slot('A2', 5, 100),
    slot('A3', 5, 300),
    slot('A4', 1, 100, 9),
    slot('A5', 5, 900),
    slot('A6', -1, 100),
  ]
  expect(cycleOf(slots).map(({ code }) => code)).toEqual(['A1', 'A3', 'A4', 'A5', 'A6'])
})

const part = (batch: string | null, book: number, found: number | null) => ({ batch, book, found })
const change = (batch: string | null, delta: number) => ({ batch, delta })
test.each([
  ['fits', [part(null, 5, 5)], 0, []],
  ['one batch', [part('A', 5, 3)], 0, [change('A', -2)]],
  ['not counted is not none', [part('A', 5, null)], 0, []],
  ['a piece of another batch', [part('A', 5, 4), part('B', 0, 1)], 0, [change('A', -1), change('B', 1)]],
  ['one of two counted', [part('A', 3, 2), part('B', 2, null)], -4, [change('A', -1)]],
  ['books below zero', [part(null, -2, 0)], 0, [change(null, 2)]],
  ['what the batches do not account for', [part('A', 5, 5), part('B', 1, 1)], -1, [change(null, -1)]],
  ['the same of a line without batch', [part('A', 5, 5), part(null, 1, 2)], -1, []],
])('the books change by the difference: %s', (_, parts, rest, expected) => {
  expect(deltasOf(parts, rest)).toEqual(expected)
})
