import { expect, test } from 'vitest'
import { sharesOf } from '../trade/public'
import {
  applyRefusal,
  askAgainMs,
  causeOf,
  isOwnAboveLimit,
  paymentAfter,
  problemAfter,
  sentOrHanded,
  paybackRouteOf,
} from './refund.rules'

test.each([
  [{ paidFen: 1000 }, [400, 600], [400, 600]],
  [{ paidFen: 500 }, [333, 667], [166, 334]],
  [{ paidFen: 100 }, [100, 100, 100], [33, 33, 34]],
  [{ paidFen: 1 }, [100, 100, 100], [0, 0, 1]],
  [{ paidFen: 0 }, [0, 0], [0, 0]],
])('of %o the items at %o have the parts %o', (order, prices, shares) => {
  expect(sharesOf(order, prices)).toEqual(shares)
})

test('parts sum to what was paid, whatever was paid for whatever', () => {
  for (let seed = 1; seed < 2_000; seed += 1) {
    const prices = Array.from({ length: 1 + (seed % 7) }, (_, at) => 1 + ((seed * 7919 + at * 104_729) % 9_000))
    const totalFen = prices.reduce((sum, price) => sum + price, 0)
    const paidFen = (seed * 31) % (totalFen + 1)
    const shares = sharesOf({ paidFen }, prices)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(paidFen)
    expect(shares.every((share, at) => share >= 0 && share <= (prices[at] ?? 0))).toBe(true)
  }
})

test.each([
  [['jammed'], 'jam'],
  [['failed', 'jammed'], 'jam'],
  [['no_answer'], 'ship_timeout'],
  [['jammed', 'no_answer'], 'ship_timeout'],
] as const)('%o went back for %s', (states, cause) => expect(causeOf(states)).toBe(cause))

const now = new Date('2026-11-20T04:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const paid = { method: 'wechat', attemptId: 7, paidAt: daysAgo(1), refunds: 0 } as const
test.each([
  [paid, 'channel'],
  [{ ...paid, paidAt: daysAgo(365) }, 'channel'],
  [{ ...paid, paidAt: daysAgo(366) }, 'tooOld'],
  [{ ...paid, refunds: 49 }, 'channel'],
  [{ ...paid, refunds: 50 }, 'tooMany'],
  [{ ...paid, attemptId: null }, 'reader'],
  [{ ...paid, method: 'other', attemptId: null }, 'reader'],
  [{ ...paid, method: 'cash', attemptId: null }, 'cash'],
  [{ ...paid, method: 'member_card', attemptId: null, paidAt: daysAgo(900) }, 'card'],
] as const)('%o goes back by %s', (order, route) => expect(paybackRouteOf(order, now)).toBe(route))

test('what no channel and no card can pay waits for a person, and says why', () => {
  expect(sentOrHanded('channel')).toEqual({ state: 'refunding', detail: null })
  expect(sentOrHanded('card')).toEqual({ state: 'refunding', detail: null })
  expect(sentOrHanded('cash')).toEqual({ state: 'needs_handling', detail: 'cash' })
})

const money = (paidFen: number, refundedFen: number, isUnderWay = false) => ({ paidFen, refundedFen, isUnderWay })
test.each([
  ['paid', money(500, 0), 'paid'],
  ['paid', money(500, 0, true), 'refunding'],
  ['refunding', money(500, 0, true), 'refunding'],
  ['refunding', money(500, 0), 'paid'],
  ['refunding', money(500, 500), 'refunded'],
  ['refunding', money(500, 200), 'partly_refunded'],
  ['paid', money(500, 200), 'partly_refunded'],
  ['paid', money(500, 500), 'refunded'],
  ['partly_refunded', money(500, 200), 'partly_refunded'],
  ['partly_refunded', money(500, 200, true), 'refunding'],
  ['partly_refunded', money(500, 500), 'refunded'],
  ['refunded', money(500, 500), 'refunded'],
] as const)('a payment that is %s with %o is %s', (from, standing, to) => expect(paymentAfter(from, standing)).toBe(to))

test('a payment that never was can’t be on its way back', () => {
  expect(() => paymentAfter('unpaid', money(500, 0, true))).toThrow('a payment that is unpaid does not refund')
  expect(() => paymentAfter('refunded', money(500, 200))).toThrow(RangeError)
  expect(() => paymentAfter('closed', money(500, 500))).toThrow(RangeError)
})

const troubled = (problem: Parameters<typeof problemAfter>[0]['problem'], refundedFen = 0) =>
  ({ problem, orderState: 'done', paidFen: 500, refundedFen }) as const
const item = (state: 'dispensed' | 'jammed' | 'no_answer', isGone = false, shareFen = 250) => ({
  state,
  isGone,
  shareFen,
})
test.each([
  [troubled(null), [item('dispensed', true)], null],
  [troubled('undelivered'), [item('jammed'), item('dispensed')], 'undelivered'],
  [troubled('undelivered', 250), [item('jammed', true), item('dispensed')], null],
  [troubled('undelivered', 249), [item('jammed', true), item('dispensed')], 'undelivered'],
  [troubled('no_answer', 500), [item('no_answer', true), item('no_answer', true)], null],
  [troubled('late_result'), [item('dispensed'), item('dispensed')], 'late_result'],
  [troubled('late_result'), [item('dispensed', true), item('no_answer')], 'dispensed_after_refund'],
  [troubled('late_result', 250), [item('dispensed'), item('jammed', true)], 'late_result'],
  [troubled('dispensed_after_refund', 500), [item('dispensed', true)], 'dispensed_after_refund'],
  [troubled('dispensed_after_refund', 500), [], 'dispensed_after_refund'],
  [troubled('undelivered'), [item('dispensed')], 'undelivered'],
  [troubled('late_result', 500), [], 'late_result'],
  [troubled('no_answer', 250), [item('no_answer', true), item('dispensed')], null],
  [troubled('amount_mismatch', 100), [item('dispensed')], 'amount_mismatch'],
  [troubled('amount_mismatch', 500), [item('dispensed')], null],
  [troubled('paid_late', 500), [], null],
  [troubled('unlawful_sale', 500), [item('dispensed')], 'unlawful_sale'],
  [troubled('goods_differ', 100), [item('dispensed')], 'goods_differ'],
  [troubled('goods_differ', 500), [item('dispensed')], null],
] as const)('%o with %o is left with %s', (order, items, problem) => expect(problemAfter(order, items)).toBe(problem))

const asked = {
  isPlayed: false,
  method: 'wechat',
  orderState: 'done',
  paymentState: 'paid',
  problem: null,
  paidFen: 500,
  refunds: 0,
} as const
test.each([
  [asked, null],
  [{ ...asked, paymentState: 'partly_refunded' }, null],
  [{ ...asked, isPlayed: true }, 'refund.lottery'],
  [{ ...asked, method: 'pickup_code' }, 'refund.freeOfCharge'],
  [{ ...asked, paymentState: 'unpaid' }, 'refund.notPaid'],
  [{ ...asked, paymentState: 'closed' }, 'refund.notPaid'],
  [{ ...asked, paymentState: 'refunded' }, 'refund.nothingLeft'],
  [{ ...asked, orderState: 'open' }, 'refund.isOpen'],
  [{ ...asked, orderState: 'open', problem: 'amount_mismatch' }, null],
  [{ ...asked, paidFen: 0 }, 'refund.notPaid'],
  [{ ...asked, refunds: 50 }, 'refund.tooMany'],
] as const)('of %o a refund is refused as %s', (order, why) => expect(applyRefusal(order)).toBe(why))

test('nobody approves their own above the limit', () => {
  const refund = { requestedById: 7, unseenFen: 5_001 }
  expect(isOwnAboveLimit(refund, 7, 5_000)).toBe(true)
  expect(isOwnAboveLimit(refund, 8, 5_000)).toBe(false)
  expect(isOwnAboveLimit({ ...refund, unseenFen: 5_000 }, 7, 5_000)).toBe(false)
  expect(isOwnAboveLimit({ ...refund, requestedById: null }, 7, 5_000)).toBe(false)
})

test('a silent channel is asked soon, then each hour', () => {
  expect([0, 1, 2, 5, 6, 60].map((asks) => askAgainMs(asks) / 60_000)).toEqual([1, 2, 4, 32, 60, 60])
})
