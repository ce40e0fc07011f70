import { describe, expect, test } from 'vitest'
import {
  applyRefusal,
  backPostings,
  decide,
  decideRefusal,
  holdPostings,
  isFirstOfTwo,
  isOpen,
  latePostings,
  paidPostings,
  returnedPostings,
  withdrawableOf,
} from './withdrawal.rules'

const NOW = new Date('2026-11-20T04:00:00Z')
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000)

test.each([
  [7 * 60 + 29, false],
  [7 * 60 + 30, true],
  [19 * 60 + 29, true],
  [19 * 60 + 30, false],
])('at minute %i of the day the window is open: %s', (minute, open) => {
  expect(isOpen({ from: '07:30', to: '19:30' }, minute)).toBe(open)
})

test.each([
  [1_000, 0, 1_000],
  [1_000, 400, 600],
  [1_000, 1_400, 0],
  [1_000, -50, 1_000],
  [-5, 0, 0],
])('of %i with %i elsewhere %i may be withdrawn', (availableFen, elsewhereFen, fen) => {
  expect(withdrawableOf({ availableFen, elsewhereFen })).toBe(fen)
})

const fine = {
  availableFen: 1_000,
  elsewhereFen: 0,
  isOpen: true,
  isStopped: false,
  hasPayer: true,
  accountSince: ago(24),
  isReturned: false,
  totalFen: 1_000,
  now: NOW,
}
test.each([
  [{}, null],
  [{ totalFen: 1_001 }, 'withdrawal.tooMuch'],
  [{ isOpen: false, totalFen: 1_001 }, 'withdrawal.window'],
  [{ accountSince: ago(23.99), isOpen: false }, 'withdrawal.newBankAccount'],
  [{ isReturned: true }, 'withdrawal.accountReturned'],
  [{ accountSince: null, isReturned: true }, 'withdrawal.noBankAccount'],
  [{ hasPayer: false, accountSince: null }, 'withdrawal.noPayer'],
  [{ isStopped: true, hasPayer: false }, 'withdrawal.merchantStopped'],
])('with %o it is refused by %s', (more, code) => expect(applyRefusal({ ...fine, ...more })).toBe(code))

test.each([
  [{ amountFen: 100, limitFen: 100, checkedBy: null }, false],
  [{ amountFen: 101, limitFen: 100, checkedBy: null }, true],
  [{ amountFen: 101, limitFen: 100, checkedBy: 3 }, false],
])('%o is the first of two looks: %s', (one, isFirst) => expect(isFirstOfTwo(one)).toBe(isFirst))

describe('an answer of the bank', () => {
  const one = { amountFen: 500, asks: 1, paidAt: null, endedAt: null }
  const said = (outcome: Parameters<typeof decide>[1]['outcome'], amountFen: number | null = 500) => ({
    outcome,
    amountFen,
    bankNo: null,
    code: null,
  })
  test.each([
    ['paying', 'accepted', []],
    ['paying', 'paid', ['confirm']],
    ['paying', 'failed', ['fail']],
    ['paying', 'returned', ['confirm', 'giveBack']],
    ['paying', 'unknown', ['lose']],
    ['paying', 'notFound', ['lose']],
    ['unknown', 'accepted', ['hear']],
    ['unknown', 'paid', ['confirm']],
    ['unknown', 'failed', ['fail']],
    ['unknown', 'unknown', []],
    ['paid', 'paid', []],
    ['paid', 'failed', ['giveBack']],
    ['paid', 'returned', ['giveBack']],
    ['paid', 'unknown', []],
    ['paid', 'notFound', []],
    ['failed', 'failed', []],
    ['failed', 'paid', ['confirmLate']],
    ['returned', 'paid', []],
    ['rejected', 'paid', []],
  ] as const)('to one that is %s: %s moves it by %o', (state, outcome, verbs) => {
    expect(decide({ ...one, state }, said(outcome), NOW).verbs).toEqual(verbs)
  })

  test('about another amount is not believed', () => {
    expect(decide({ ...one, state: 'paying' }, said('paid', 499), NOW)).toMatchObject({
      verbs: ['lose'],
      detail: 'amountDiffers',
    })
    expect(decide({ ...one, state: 'paying' }, said('paid', null), NOW).verbs).toEqual(['confirm'])
  })

  test.each([
    ['paying', {}, 2],
    ['unknown', { asks: 9 }, 60],
    ['paid', { paidAt: ago(1) }, 360],
    ['paid', { paidAt: ago(7 * 24 - 6.1) }, 360],
    ['paid', { paidAt: ago(7 * 24 - 6) }, null],
    ['failed', { endedAt: ago(1) }, 360],
    ['returned', { endedAt: ago(1), paidAt: ago(2) }, null],
  ] as const)('leaves one that is %s with %o to be asked about after %s minutes', (state, more, minutes) => {
    const { nextAt } = decide({ ...one, state, ...more }, said('accepted'), NOW)
    expect(nextAt === null ? null : (nextAt.getTime() - NOW.getTime()) / 60_000).toBe(minutes)
  })
})

const money = { merchantId: 7, amountFen: 500, feeFen: 10, holderId: 1, platformId: 2 }

test('what was paid after all is taken off what is there, and the rest has to be explained', () => {
  const said = (availableFen: number) =>
    Object.fromEntries(latePostings(money, availableFen).map(({ account, amountFen }) => [account.kind, amountFen]))
  expect(said(1_000)).toEqual({ available: 510, bank: -500, fees: -10 })
  expect(said(200)).toEqual({ available: 200, suspense: 310, bank: -500, fees: -10 })
  expect(said(-5)).toEqual({ suspense: 510, bank: -500, fees: -10 })
})

test.each([
  ['held', holdPostings(money), ['available@7 510', 'withdrawing@7 -510']],
  ['given back', backPostings(money), ['withdrawing@7 510', 'available@7 -510']],
  ['paid', paidPostings(money), ['withdrawing@7 510', 'bank@1 -500', 'fees:withdrawal@2 -10']],
  ['sent back by the bank', returnedPostings(money), ['bank@1 500', 'fees:withdrawal@2 10', 'available@7 -510']],
  [
    'paid after all',
    latePostings(money, 200),
    ['available@7 200', 'suspense:bank@7 310', 'bank@1 -500', 'fees:withdrawal@2 -10'],
  ],
  ['paid without a fee', paidPostings({ ...money, feeFen: 0 }), ['withdrawing@7 500', 'bank@1 -500']],
])('%s, this is posted, and comes to nothing', (_, postings, lines) => {
  const said = postings.map(
    ({ account: { kind, key, merchantId }, amountFen }) => `${kind}${key && `:${key}`}@${merchantId} ${amountFen}`,
  )
  expect(said).toEqual(lines)
  expect(postings.reduce((sum, { amountFen }) => sum + amountFen, 0)).toBe(0)
})

test.each([
  ['somebody else', {}, null],
  ['who does not hold the money', { isHolder: false, requestedBy: 5 }, 'notHolder'],
  ['who asked for it', { requestedBy: 5 }, 'ownRequest'],
  ['who looked at it first', { checkedBy: 5 }, 'samePerson'],
  ['somebody else after the first', { checkedBy: 4 }, null],
])('%s decides: %s', (_, more, refusal) => {
  expect(decideRefusal({ requestedBy: 3, checkedBy: null, isHolder: true, ...more }, 5)).toBe(refusal)
})
