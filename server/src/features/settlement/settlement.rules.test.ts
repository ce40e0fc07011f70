import { decisions, decisionsOf, differenceKinds, lightOf } from '@aisle/contract/settlement/states'
import { describe, expect, test } from 'vitest'
import { affordable, feeOfAll, feeOfCounted, feeOn } from './fee/fee.rules'
import { deltaOf, receiptPostings, statementPostings, type StatementSums, writeOffPostings } from './posting.rules'
import { fundKind, isOfDay, statementLines } from './statement.rules'

const raise = 'raise' as const
const percent = { ratePpm: 10_000, minFen: 0, belowMin: raise }
const waived = { ratePpm: 6000, minFen: 1, belowMin: 'waive' as const }

describe('fees', () => {
  test.each([
    [10_000, { ratePpm: 6000, minFen: 1, belowMin: raise }, 60, 0],
    [1, { ratePpm: 6000, minFen: 1, belowMin: raise }, 1, 994_000],
    [0, { ratePpm: 6000, minFen: 1, belowMin: raise }, 0, 0],
    [-5, { ratePpm: 6000, minFen: 1, belowMin: raise }, 0, 0],
    // Half a fen counts as one, a little less does not.
    [50, percent, 1, 500_000],
    [49, percent, 0, -490_000],
    [150, percent, 2, 500_000],
    [100, percent, 1, 0],
    // No rate, no least fee; and never more than there is.
    [1000, { ratePpm: 0, minFen: 5, belowMin: raise }, 0, 0],
    [3, { ratePpm: 6000, minFen: 5, belowMin: raise }, 3, 2_982_000],
    // "None below 0.01 yuan": what is less than the least is not taken, and rounding does not raise it to that.
    [166, waived, 0, -996_000],
    [167, waived, 1, -2_000],
    [333, { ...waived, minFen: 2 }, 0, -1_998_000],
    [334, { ...waived, minFen: 2 }, 2, -4_000],
    [100, { ...waived, minFen: 0 }, 1, 400_000],
  ])('%i fen at %o: %i, rounded by %i', (amount, rule, feeFen, roundingUfen) => {
    expect(feeOn(amount, rule)).toEqual({ feeFen, roundingUfen })
  })

  test('are rounded for each order, or once on the total of the day', () => {
    const rule = { ratePpm: 6000, minFen: 1, belowMin: raise }
    expect(feeOfAll([50, 50, 50], { ...rule, basis: 'order' })).toEqual({ feeFen: 3, roundingUfen: 2_100_000 })
    expect(feeOfAll([50, 50, 50], { ...rule, basis: 'day' })).toEqual({ feeFen: 1, roundingUfen: 100_000 })
    expect(feeOfAll([], { ...rule, basis: 'day' })).toEqual({ feeFen: 0, roundingUfen: 0 })
  })

  test.each(['order', 'day'] as const)('of equal amounts, counted, are those of each, rounded by %s', (basis) => {
    const rule = { ratePpm: 6000, minFen: 1, belowMin: raise, basis }
    const counted = [
      { fen: 50, count: 3 },
      { fen: 990, count: 2 },
    ]
    expect(feeOfCounted(counted, rule)).toEqual(feeOfAll([50, 50, 50, 990, 990], rule))
  })

  test('late refunds are taken oldest first, as far as they are covered', () => {
    const refunds = [{ amountFen: 300 }, { amountFen: 500 }, { amountFen: 100 }]
    expect(affordable(refunds, 899)).toEqual(refunds.slice(0, 2))
    expect(affordable(refunds, 800)).toEqual(refunds.slice(0, 2))
    expect(affordable(refunds, 799)).toEqual(refunds.slice(0, 1))
    expect(affordable(refunds, 900)).toEqual(refunds)
    expect(affordable(refunds, -1)).toEqual([])
  })
})

describe('postings', () => {
  const channel = { id: 4, merchantId: 1, provider: 'wechat' }
  const none: StatementSums = {
    payments: [],
    refunds: [],
    strayPaymentFen: 0,
    strayRefundFen: 0,
    strayFeeFen: 0,
    payoutFen: 0,
    splitFen: 0,
    otherFen: 0,
  }
  const named = (postings: ReturnType<typeof statementPostings>) =>
    Object.fromEntries(
      postings.map(({ account, amountFen }) => [`${account.kind}/${account.merchantId}/${account.key}`, amountFen]),
    )
  const sum = (postings: ReturnType<typeof statementPostings>) =>
    postings.reduce((total, { amountFen }) => total + amountFen, 0)

  test.each([
    [5000, 5000, 0, { 'bank/1/': 5000, 'payout_in_transit/1/9': -5000 }],
    [5000, 5000, 300, { 'bank/1/': 5000, 'payout_in_transit/1/9': -5000 }],
    [5000, 4700, 300, { 'bank/1/': 4700, 'channel_balance/1/9': 300, 'payout_in_transit/1/9': -5000 }],
    [5000, 4800, 300, { 'bank/1/': 4800, 'channel_balance/1/9': 200, 'payout_in_transit/1/9': -5000 }],
    [5000, 4699, 300, null],
    [5000, 4999, 0, null],
    [5000, 5001, 300, null],
    [5000, 4980, 0, { 'bank/1/': 4980, 'channel_fee/1/bank': 20, 'payout_in_transit/1/9': -5000 }, 20],
    [5000, 4979, 0, null, 20],
    [5000, 5000, 0, null, 20],
    [
      5000,
      4680,
      300,
      { 'bank/1/': 4680, 'channel_fee/1/bank': 20, 'channel_balance/1/9': 300, 'payout_in_transit/1/9': -5000 },
      20,
    ],
  ])(
    'a payout of %i of which the bank got %i while %i was owed',
    (payoutFen, amountFen, owedFen, wanted, bankFeeFen = 0) => {
      const postings = receiptPostings({ payoutFen, amountFen, owedFen, bankFeeFen }, { channelId: 9, merchantId: 1 })
      expect(postings && named(postings)).toEqual(wanted)
      expect(postings ? sum(postings) : 0).toBe(0)
    },
  )

  test('an empty bill posts nothing', () => expect(statementPostings(none, channel)).toEqual([]))

  test('what was found leaves clearing less its fee; what differs and what is unknown is suspended', () => {
    const postings = statementPostings(
      {
        payments: [{ merchantId: 2, theirFen: 900, ourFen: 1000, feeFen: 6 }],
        refunds: [{ merchantId: 2, theirFen: 210, ourFen: 200, feeFen: -1 }],
        strayPaymentFen: 70,
        strayRefundFen: 30,
        strayFeeFen: 2,
        payoutFen: 400,
        splitFen: 0,
        otherFen: 5,
      },
      channel,
    )
    expect(named(postings)).toEqual({
      'channel_balance/1/4': 900 + 70 - 210 - 30 - 7 - 400 + 5,
      'channel_fee/1/wechat': 7,
      'payout_in_transit/1/4': 400,
      'suspense/1/wechat': 30 - 70 - 5,
      'clearing/2/wechat': -1000 + 200,
      'suspense/2/wechat': 100 + 10,
    })
    expect(sum(postings)).toBe(0)
  })

  test('what receivers got of the channel leaves what it holds, and was taken from clearing when they got it', () => {
    const postings = statementPostings({ ...none, splitFen: -120 }, channel)
    expect(named(postings)).toEqual({ 'channel_balance/1/4': -120, 'clearing/1/wechat': 120 })
    expect(sum(postings)).toBe(0)
  })

  test('only what is missing after earlier postings is posted', () => {
    const wanted = statementPostings({ ...none, strayPaymentFen: 500 }, channel)
    expect(deltaOf(wanted, [])).toEqual(wanted)
    expect(deltaOf(wanted, wanted)).toEqual([])
    const found = statementPostings(
      { ...none, payments: [{ merchantId: 2, theirFen: 500, ourFen: 500, feeFen: 0 }] },
      channel,
    )
    expect(named(deltaOf(found, wanted))).toEqual({ 'suspense/1/wechat': 500, 'clearing/2/wechat': -500 })
  })

  test.each([
    ['only_ours', 1000, null, { 'loss/1/write_off': 1000, 'clearing/2/wechat': -1000 }],
    ['only_theirs', null, 300, { 'loss/1/write_off': -300, 'suspense/1/wechat': 300 }],
    ['amount_differs', 1000, 900, { 'loss/1/write_off': 100, 'suspense/2/wechat': -100 }],
    ['refund_only_ours', 200, null, { 'loss/1/write_off': -200, 'clearing/2/wechat': 200 }],
    ['refund_only_theirs', null, 50, { 'loss/1/write_off': 50, 'suspense/1/wechat': -50 }],
    ['refund_differs', 200, 210, { 'loss/1/write_off': 10, 'suspense/2/wechat': -10 }],
  ])('writing off %s of %s against %s', (kind, ourFen, theirFen, wanted) => {
    const held = { provider: 'wechat', fundsMode: 'custody', merchantId: 1, orderMerchantId: 2 }
    const postings = writeOffPostings({ ...held, kind, ourFen, theirFen })
    expect(named(postings)).toEqual(wanted)
    expect(sum(postings)).toBe(0)
    expect(writeOffPostings({ ...held, fundsMode: 'direct', kind, ourFen, theirFen })).toEqual([])
  })

  test('a difference of a number without an order is the channel’s merchant’s', () => {
    const difference = {
      kind: 'only_ours',
      provider: 'wechat',
      fundsMode: 'custody',
      merchantId: 1,
      orderMerchantId: null,
      ourFen: 5,
      theirFen: 0,
    }
    expect(named(writeOffPostings(difference))).toEqual({ 'loss/1/write_off': 5, 'clearing/1/wechat': -5 })
  })
})

describe('statements', () => {
  test.each([
    ['交易', 'fund_payment'],
    ['在线支付', 'fund_payment'],
    ['扣除交易手续费', 'fund_fee'],
    ['收费', 'fund_fee'],
    ['交易退款', 'fund_refund'],
    ['提现', 'fund_payout'],
    ['结算到银行卡', 'fund_payout'],
    ['分账', 'fund_split'],
    ['分账回退', 'fund_split'],
    ['红包', 'fund_other'],
  ])('%s is %s', (word, kind) => expect(fundKind(word)).toBe(kind))

  test('lines of sales and of funds are kept in one form, each with what it is known by', () => {
    const at = new Date('2026-11-20T12:00:00+08:00')
    const payment = {
      kind: 'payment' as const,
      attemptNo: 'A1',
      refundNo: null,
      channelNo: 'C1',
      amountFen: 5,
      feeFen: 1,
      at,
    }
    const refund = { ...payment, kind: 'refund' as const, attemptNo: '', refundNo: 'R1' }
    const fund = { kind: '提现', reference: 'T1', amountFen: -4, balanceFen: 0, at }
    const known = { channelNo: 'C1', amountFen: 5, feeFen: 1, balanceFen: null, at }
    expect(statementLines({ lines: [payment, refund], funds: [fund] })).toEqual([
      { kind: 'payment', attemptNo: 'A1', refundNo: '', ...known },
      { kind: 'refund', attemptNo: '', refundNo: 'R1', ...known },
      {
        kind: 'fund_payout',
        attemptNo: '',
        refundNo: '',
        channelNo: 'T1',
        amountFen: -4,
        feeFen: 0,
        balanceFen: 0,
        at,
      },
    ])
    expect(statementLines({})).toEqual([])
  })

  test('a bill of another day has no line of this one; an empty one may be of any', () => {
    const [from, to] = [new Date('2026-11-20T00:00:00+08:00'), new Date('2026-11-21T00:00:00+08:00')]
    expect(isOfDay([], from, to)).toBe(true)
    expect(isOfDay([{ at: from }], from, to)).toBe(true)
    expect(isOfDay([{ at: to }], from, to)).toBe(false)
    expect(isOfDay([{ at: new Date(from.getTime() - 1) }], from, to)).toBe(false)
    expect(isOfDay([{ at: to }, { at: new Date(to.getTime() - 1) }], from, to)).toBe(true)
  })
})

describe('states', () => {
  test('each kind of difference can be decided, and each decision is for some kind', () => {
    for (const kind of differenceKinds) expect(decisionsOf[kind].length).toBeGreaterThan(1)
    expect(new Set(Object.values(decisionsOf).flat())).toEqual(new Set(decisions))
  })

  test.each([
    ['waiting', 0, 0, 'none'],
    ['matched', 1, 1, 'red'],
    ['matched', 0, 1, 'amber'],
    ['closing', 0, 0, 'amber'],
    ['matched', 0, 0, 'green'],
    ['closed', 0, 0, 'green'],
  ] as const)('%s with %i undecided and %i waiting is %s', (state, openCount, waitingCount, light) => {
    expect(lightOf({ state, openCount, waitingCount })).toBe(light)
  })
})
