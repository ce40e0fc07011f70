import { expect, test } from 'vitest'
import { againRefusal, deduct, dueBack, follows, hear, shareOut, splitNoOf } from './split.rules'

const order = { paidFen: 1000, baseFen: 950, capPercent: 30 }
const rate = (receiverId: number, rateBps: number) => ({ receiverId, rateBps, fixedFen: null })
const fixed = (receiverId: number, fixedFen: number) => ({ receiverId, rateBps: null, fixedFen })
const given = ({ parts }: ReturnType<typeof shareOut>) => parts.map(({ receiverId, fen }) => [receiverId, fen])

test.each([
  ['a rate of what the order leaves, rounded down', order, [rate(1, 1000)], [[1, 95]], 0],
  ['an odd rate', { ...order, baseFen: 333 }, [rate(1, 1001)], [[1, 33]], 0],
  [
    'amounts go first, whatever their place',
    order,
    [rate(1, 3000), fixed(2, 50)],
    [
      [1, 250],
      [2, 50],
    ],
    35,
  ],
  [
    'amounts in their order, as far as the cap reaches',
    order,
    [fixed(1, 200), fixed(2, 200)],
    [
      [1, 200],
      [2, 100],
    ],
    100,
  ],
  ['never more than the order leaves', { ...order, baseFen: 40 }, [fixed(1, 100)], [[1, 40]], 60],
  [
    'of an order that leaves nothing nothing',
    { ...order, baseFen: 0 },
    [rate(1, 1000), fixed(2, 5)],
    [
      [1, 0],
      [2, 0],
    ],
    5,
  ],
  ['a cap of a fen and a half is a fen', { paidFen: 5, baseFen: 5, capPercent: 30 }, [fixed(1, 5)], [[1, 1]], 4],
] as const)('%s', (_, of, shares, parts, cutFen) => {
  const out = shareOut(of, shares)
  expect(given(out)).toEqual(parts)
  expect(out.cutFen).toBe(cutFen)
})

test('what is owed back comes off the oldest claim first', () => {
  const claims = [
    { id: 1, openFen: 30 },
    { id: 2, openFen: 50 },
  ]
  expect(deduct(60, claims)).toEqual([
    { id: 1, fen: 30 },
    { id: 2, fen: 30 },
  ])
  expect(deduct(0, claims)).toEqual([])
})

test.each([
  [{ amountFen: 95, keptFen: 1000, refundedFen: 500, askedBackFen: 0 }, 47],
  [{ amountFen: 95, keptFen: 1000, refundedFen: 1000, askedBackFen: 47 }, 48],
  [{ amountFen: 95, keptFen: 1000, refundedFen: 1000, askedBackFen: 95 }, 0],
  [{ amountFen: 1, keptFen: 1000, refundedFen: 999, askedBackFen: 0 }, 0],
])('back after a refund, in proportion: %o', (refunded, fen) => expect(dueBack(refunded)).toBe(fen))

const sent = [
  { id: 1, state: 'sent', account: 'a', amountFen: 10 },
  { id: 2, state: 'sent', account: 'b', amountFen: 20 },
] as const
const said = (a: 'waiting' | 'done' | 'failed', b: 'waiting' | 'done' | 'failed') => ({
  outcome: 'taken' as const,
  code: null,
  shares: [
    { account: 'a', amountFen: 10, outcome: a, code: null },
    { account: 'b', amountFen: 20, outcome: b, code: 'NO_RELATION' },
  ],
})

test('each share ends by itself; of one that is not named, or with another amount, nothing is known', () => {
  expect(hear('sending', sent, said('done', 'failed'))).toEqual({
    verbs: [],
    lines: [
      { id: 1, verb: 'confirm', code: null },
      { id: 2, verb: 'fail', code: 'NO_RELATION' },
    ],
    detail: null,
  })
  expect(hear('unknown', sent, said('done', 'waiting'))).toMatchObject({ verbs: ['hear'], lines: [{ id: 1 }] })
  const other = {
    ...said('done', 'done'),
    shares: [{ account: 'a', amountFen: 11, outcome: 'done' as const, code: null }],
  }
  expect(hear('sending', sent, other)).toMatchObject({ verbs: ['lose'], lines: [] })
  expect(hear('sending', sent, { outcome: 'unknown', shares: [], code: null })).toMatchObject({
    verbs: ['lose'],
    lines: [],
  })
  expect(hear('sending', sent, { outcome: 'refused', shares: [], code: 'RULE_LIMIT' }).lines).toHaveLength(2)
})

test('a split is over once all its shares are, and waits for a person where one failed', () => {
  expect(follows([])).toBe('finish')
  expect(follows(['done', 'released'])).toBe('finish')
  expect(follows(['done', 'sent'])).toBeNull()
  expect(follows(['done', 'failed'])).toBe('fail')
})

test.each([
  ['RECEIVER_HIGH_RISK', true, '2026-11-20', 'split.never'],
  ['NO_RELATION', false, '2026-11-20', 'split.notBound'],
  ['NO_RELATION', true, '2026-11-20', null],
  ['RECEIVER_RECEIPT_LIMIT', true, '2026-11-20', 'split.nextMonth'],
  ['RECEIVER_RECEIPT_LIMIT', true, '2026-10-31', null],
])('%s, bound: %s, failed on %s: %s', (code, isBound, day, refusal) => {
  const failedAt = new Date(`${day}T04:00:00Z`)
  expect(againRefusal({ code, failedAt, isBound, isStopped: false }, new Date('2026-11-25T04:00:00Z'))).toBe(refusal)
})

test('a number is letters and digits, and another for each try', () => {
  expect(splitNoOf(12, 1)).toMatch(/^[A-Z0-9]{8,32}$/)
  expect(splitNoOf(12, 1)).not.toBe(splitNoOf(12, 2))
})
