import { expect, test } from 'vitest'
import {
  againAt,
  againRefusal,
  deduct,
  donePostings,
  dueBack,
  finishNoOf,
  follows,
  hear,
  hearReturn,
  isReturned,
  losesReceiver,
  ratesOf,
  releasePostings,
  returnNoOf,
  returnPostings,
  shareOut,
  splitNoOf,
} from './split.rules'

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
  expect(hear('sending', sent, { outcome: 'refused', shares: [], code: 'RULE_LIMIT' })).toEqual({
    verbs: ['fail'],
    lines: [
      { id: 1, verb: 'fail', code: 'RULE_LIMIT' },
      { id: 2, verb: 'fail', code: 'RULE_LIMIT' },
    ],
    detail: 'RULE_LIMIT',
  })
  expect(hear('sending', sent, { outcome: 'refused', shares: [], code: null })).toMatchObject({ detail: 'refused' })
})

test('of a share that is named with another amount nothing is known, though the others end', () => {
  const half = { ...said('done', 'done'), shares: said('done', 'done').shares.slice(0, 1) }
  expect(hear('sending', sent, half)).toEqual({
    verbs: ['lose'],
    lines: [{ id: 1, verb: 'confirm', code: null }],
    detail: 'unclear',
  })
  const silent = { ...said('done', 'done'), outcome: 'unknown' as const, code: 'SYSTEM_ERROR' }
  expect(hear('sending', sent, silent)).toEqual({ verbs: ['lose'], lines: [], detail: 'SYSTEM_ERROR' })
  expect(hear('unknown', sent, silent)).toEqual({ verbs: [], lines: [], detail: 'SYSTEM_ERROR' })
  expect(hear('sending', sent, said('waiting', 'waiting'))).toEqual({ verbs: [], lines: [], detail: null })
  // Two shares of one account are told apart by their amounts.
  const twice = [sent[0], { ...sent[1], account: 'a' }]
  const shares = [
    { account: 'a', amountFen: 20, outcome: 'failed' as const, code: 'X' },
    { account: 'a', amountFen: 10, outcome: 'done' as const, code: null },
  ]
  expect(hear('sending', twice, { outcome: 'taken', shares, code: null }).lines).toEqual([
    { id: 1, verb: 'confirm', code: null },
    { id: 2, verb: 'fail', code: 'X' },
  ])
})

test('a split is over once all its shares are, and waits for a person where one failed', () => {
  expect(follows([])).toBe('finish')
  expect(follows(['done', 'released'])).toBe('finish')
  expect(follows(['done', 'sent'])).toBeNull()
  expect(follows(['failed', 'waiting'])).toBeNull()
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

test('a number is letters and digits, another for each try, and says what it is of', () => {
  expect([splitNoOf(12, 1), splitNoOf(12, 10), finishNoOf(12), returnNoOf(12, 1)]).toEqual([
    'SP000000001201',
    'SP000000001210',
    'SF0000000012',
    'SR000000001201',
  ])
})

test('a limit of a month is over with the channel’s month, which begins before midnight UTC', () => {
  const failed = { code: 'RECEIVER_RECEIPT_LIMIT', isBound: true, isStopped: false }
  const again = (failedAt: string, now: string) =>
    againRefusal({ ...failed, failedAt: new Date(failedAt) }, new Date(now))
  expect(again('2026-11-30T15:00:00Z', '2026-11-30T15:59:59Z')).toBe('split.nextMonth')
  expect(again('2026-11-30T15:00:00Z', '2026-11-30T16:00:00Z')).toBeNull()
  expect(againRefusal({ ...failed, failedAt: null }, new Date())).toBeNull()
  expect(againRefusal({ ...failed, code: null, isStopped: true, failedAt: null }, new Date())).toBe('split.notBound')
})

test.each([
  [0, 1],
  [1, 2],
  [5, 32],
  [6, 60],
  [40, 60],
])('asked %i times, it is asked again after %i minutes', (asks, minutes) => {
  const now = new Date('2026-11-20T04:00:00Z')
  expect(againAt(asks, now).getTime() - now.getTime()).toBe(minutes * 60_000)
})

test.each([
  [null, false],
  ['RULE_LIMIT', false],
  ['NO_RELATION', true],
  ['ROYALTY_RELATION_NOT_EXIST', true],
  ['ACCOUNT_ABNORMAL', true],
  ['ACCOUNT_NOT_EXIST', true],
  ['USER_NOT_EXIST', true],
])('after %s a receiver has to be bound again: %s', (code, is) => expect(losesReceiver(code)).toBe(is))

test('rates are summed, amounts are none', () =>
  expect(ratesOf([rate(1, 1000), fixed(2, 50), rate(3, 500)])).toBe(1500))

test.each([
  ['done', 'confirm'],
  ['refused', 'claim'],
  ['over', 'again'],
  ['waiting', null],
  ['unknown', null],
] as const)('a return that is %s: %s', (outcome, verb) => {
  expect(hearReturn({ outcome, code: null } as Parameters<typeof hearReturn>[0])).toBe(verb)
})

const NOW = new Date('2026-11-20T04:00:00Z')
const days = (count: number) => new Date(NOW.getTime() - count * 86_400_000)
const given180 = { canReturn: true, consents: true, doneAt: days(1) }

test.each([
  ['lately, from who agreed to it', {}, true],
  ['from a channel that does not', { canReturn: false }, false],
  ['from who did not agree', { consents: false }, false],
  ['never paid', { doneAt: null }, false],
  ['a moment before the end', { doneAt: new Date(days(180).getTime() + 1) }, true],
  ['180 days ago', { doneAt: days(180) }, false],
])('a share is asked back, paid %s: %s', (_, more, is) => expect(isReturned({ ...given180, ...more }, NOW)).toBe(is))

const of = { merchantId: 7, receiverId: 9, provider: 'wechat', ownerId: 1 }

test.each([
  ['paid', donePostings(of, 50), ['split_payable:9@7 50', 'clearing:wechat@1 -50']],
  ['released', releasePostings(of, 50), ['split_payable:9@7 50', 'available@7 -50']],
  ['returned', returnPostings(of, 50), ['clearing:wechat@1 50', 'available@7 -50']],
  ['of nothing', donePostings(of, 0), []],
])('of a share that is %s this is posted', (_, postings, lines) => {
  const told = postings.map(({ account: { kind, key, merchantId }, amountFen }) => {
    return `${kind}${key && `:${key}`}@${merchantId} ${amountFen}`
  })
  expect(told).toEqual(lines)
})
