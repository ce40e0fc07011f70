import { MAP_POINTS_KEPT, type PushMessage } from '@aisle/contract/wallboard/board'
import { expect, test } from 'vitest'
import { type Backlog, drained, emptyBacklog, readPush, receive, waitMs } from './push.rules'

const AT = '2026-11-20T06:26:08.000Z'
const push = (allTransactionSum: number, more: Partial<PushMessage> = {}): PushMessage => ({
  todaytransactionsSum: 1,
  todaytransactionsOnLine: 1,
  allTransactionSum,
  todaytransactionsNumberSum: 1,
  todaytransactionsNumberOnLine: 1,
  allTransactionsNumberSum: 1,
  ...more,
})
const sale = (productName: string, at = AT): PushMessage => push(1, { tag: 2, productName, value: [121, 31, ''], at })

const waits: [fact: string, backlog: Backlog, nowMs: number, wait: number | null][] = [
  ['nothing pending waits for nothing', drained(1_000), 9_000, null],
  ['the first message is drawn at once', receive(emptyBacklog, push(1), AT), 5, 0],
  ['a message half a second after a drawing waits two', receive(drained(1_000), push(1), AT), 1_500, 2_000],
  ['after 2.5 seconds it may be drawn', receive(drained(1_000), push(1), AT), 3_500, 0],
  ['later it may still be drawn', receive(drained(1_000), push(1), AT), 60_000, 0],
  ['a clock that was set back does not hold the board', receive(drained(9_000), push(1), AT), 1_000, 0],
]
test.each(waits)('%s', (_, backlog, nowMs, wait) => expect(waitMs(backlog, nowMs)).toBe(wait))

test('the newest figures win while all new points queue up, the newest first', () => {
  const backlog = [push(1), sale('a', '1'), sale('b', '2'), push(7)].reduce(
    (before, message) => receive(before, message, AT),
    drained(0),
  )
  expect(backlog.message?.allTransactionSum).toBe(7)
  expect(backlog.sales.map(({ productName }) => productName)).toEqual(['b', 'a'])
})

test('a queue that nobody draws stays small', () => {
  let backlog = drained(0)
  for (let i = 0; i < 500; i += 1) backlog = receive(backlog, sale(`p${i}`), AT)
  expect(backlog.sales).toHaveLength(MAP_POINTS_KEPT)
  expect(backlog.sales[0]?.productName).toBe('p499')
})

const frames: [fact: string, frame: unknown, isPush: boolean][] = [
  ['the greeting is no push', 'connected', false],
  ['a binary frame is no push', new ArrayBuffer(2), false],
  ['figures are a push', JSON.stringify(push(1)), true],
  ['a new sale is a push', JSON.stringify(sale('a')), true],
  ['figures that are missing one are no push', JSON.stringify({ ...push(1), allTransactionSum: undefined }), false],
  ['a place that is no list is no push', JSON.stringify({ ...sale('a'), value: 'x' }), false],
]
test.each(frames)('%s', (_, frame, isPush) => expect(readPush(frame) !== null).toBe(isPush))
