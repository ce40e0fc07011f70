import { MAP_POINTS_KEPT, type PushMessage } from '@aisle/contract/wallboard/board'
import { expect, test } from 'vitest'
import { addInFront, catchUp, type Sale, saleOfPoint, saleOfPush } from './sale.rules'

const AT = '2026-11-20T06:26:08.000Z'
const sale = (at: string, productName = 'tea'): Sale =>
  saleOfPoint({ productName, value: [121.4, 31.2, ''], place: 'Shanghai', amountFen: 550, at, isAbroad: false })
const figures = {
  todaytransactionsSum: 1,
  todaytransactionsOnLine: 1,
  allTransactionSum: 1,
  todaytransactionsNumberSum: 1,
  todaytransactionsNumberOnLine: 1,
  allTransactionsNumberSum: 1,
}

test('a sale that a refetch and a push both bring is one sale', () => {
  const pushed = saleOfPush(
    { ...figures, tag: 2, productName: 'tea', value: [121.4, 31.2, ''], place: 'Shanghai', amountFen: 550, at: AT },
    'later',
  )
  expect(pushed).toEqual(sale(AT))
  expect(addInFront([sale(AT)], pushed ? [pushed] : [])).toEqual([sale(AT)])
})

const pushes: [fact: string, message: PushMessage, isPoint: boolean][] = [
  ['a message without the tag brings no point', { ...figures, productName: 'tea', value: [1, 2, ''] }, false],
  ['another tag brings no point', { ...figures, tag: 1, productName: 'tea', value: [1, 2, ''] }, false],
  ['tag 2 without a place brings no point', { ...figures, tag: 2, productName: 'tea' }, false],
  ['tag 2 with a place brings one', { ...figures, tag: 2, productName: 'tea', value: [1, 2, ''] }, true],
]
test.each(pushes)('%s', (_, message, isPoint) => expect(saleOfPush(message, AT) !== null).toBe(isPoint))

test('the newest 80 are kept, the newest first', () => {
  const times = Array.from({ length: 100 }, (_, i) => sale(`2026-11-20T06:00:${String(i).padStart(3, '0')}`))
  const sales = times.reduce<readonly Sale[]>((list, each) => addInFront(list, [each]), [])
  expect(sales).toHaveLength(MAP_POINTS_KEPT)
  expect(sales[0]?.at).toContain(':099')
  expect(sales.at(-1)?.at).toContain(':020')
})

test('what a machine tells days late is not what was just sold', () => {
  const shown = Array.from({ length: MAP_POINTS_KEPT }, (_, i) => sale(`2026-11-20T06:00:${99 - i}`))
  const late = Array.from({ length: 200 }, (_, i) => sale(`2026-11-18T06:00:${100 + i}`))
  expect(addInFront(shown, late)).toEqual(shown)
  expect(addInFront(shown.slice(0, 2), late.slice(0, 1)).map(({ at }) => at.slice(8, 10))).toEqual(['20', '20', '18'])
})

test('nothing new leaves the same list, so that nothing is drawn again', () => {
  const sales = [sale(AT)]
  expect(addInFront(sales, [sale(AT)])).toBe(sales)
  expect(addInFront(sales, [])).toBe(sales)
})

const [a, b, c, d] = ['4', '3', '2', '1'].map((at) => sale(at)) as [Sale, Sale, Sale, Sale]
const lists: [fact: string, shown: Sale[], fetched: Sale[], after: Sale[]][] = [
  ['the first list is taken as it is', [], [a, b], [a, b]],
  ['what was missed comes in', [c, d], [a, b, c, d], [a, b, c, d]],
  ['what was pushed while the list was under way stays in front', [a, b], [b, c], [a, b, c]],
  ['after a long sleep nothing old stays in front', [d], [a, b], [a, b]],
  ['a sale that arrived late keeps the place the server gives it', [d, a, b], [a, b, d], [a, b, d]],
]
test.each(lists)('catching up: %s', (_, shown, fetched, after) => expect(catchUp(shown, fetched)).toEqual(after))

test('catching up with the same list draws nothing again', () => {
  const shown = [a, b]
  expect(catchUp(shown, [a, b])).toBe(shown)
})
