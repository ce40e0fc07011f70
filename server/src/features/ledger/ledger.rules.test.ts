import { describe, expect, test } from 'vitest'
import { type AccountKind, boundOf, type Posting, salePostings, topUpPostings } from './ledger.rules'
import { lossPostings, refundPostings } from './refund.postings'

const sale = { paidFen: 500, merchantId: 7, machineCode: 'SH-1', collectsPayment: false } as const
const said = (postings: readonly Posting[]) =>
  Object.fromEntries(
    postings.map(({ account: { kind, merchantId, key }, amountFen }) => [`${kind}/${merchantId}/${key}`, amountFen]),
  )
const sum = (postings: readonly Posting[]) => postings.reduce((total, { amountFen }) => total + amountFen, 0)

describe('a sale', () => {
  test.each([
    ['wechat', { 'clearing/7/wechat': 500, 'pending/7/': -500 }],
    ['alipay', { 'clearing/7/alipay': 500, 'pending/7/': -500 }],
    ['unionpay', { 'clearing/7/unionpay': 500, 'pending/7/': -500 }],
    ['other', { 'clearing/7/other': 500, 'pending/7/': -500 }],
    ['cash', { 'cash_in_machine/7/SH-1': 500, 'cash_owned/7/': -500 }],
    ['pickup_code', {}],
  ] as const)('paid by %s posts %o', (method, postings) => {
    expect(said(salePostings({ ...sale, method }))).toEqual(postings)
  })

  test('of a merchant that collects itself posts nothing but its cash', () => {
    const own = { ...sale, collectsPayment: true }
    expect(salePostings({ ...own, method: 'wechat' })).toEqual([])
    expect(said(salePostings({ ...own, method: 'cash' }))).toEqual({
      'cash_in_machine/7/SH-1': 500,
      'cash_owned/7/': -500,
    })
  })

  test('for nothing posts nothing, however it was paid', () => {
    for (const method of ['cash', 'wechat', 'member_card'] as const) {
      expect(salePostings({ ...sale, paidFen: 0, method })).toEqual([])
    }
  })

  test('by a card is taken off what its issuer owes on it, and owed to who sold', () => {
    const card = { cardId: 3, issuerId: 9, balanceFen: 300, giftFen: 200 }
    const postings = salePostings({ ...sale, method: 'member_card', card })
    expect(said(postings)).toEqual({
      'card_liability/9/3': 300,
      'gift_liability/9/3': 200,
      // Nobody ever paid for the gift: the issuer has yet to bring it in.
      'card_due/9/': 200,
      'coupon_cost/9/': -200,
      'pending/7/': -500,
    })
    expect(sum(postings)).toBe(0)
    const whole = salePostings({ ...sale, method: 'member_card', card: { ...card, balanceFen: 500, giftFen: 0 } })
    expect(said(whole)).toEqual({ 'card_liability/9/3': 500, 'pending/7/': -500 })
    expect(() => salePostings({ ...sale, method: 'member_card' })).toThrow('a card that is not named')
  })
})

describe('a top-up', () => {
  const topUp = { cardId: 3, merchantId: 9, method: 'wechat', amountFen: 1_000, giftFen: 0 }
  test('through a channel is what the channel took and what is owed to who holds the card', () => {
    expect(said(topUpPostings(topUp))).toEqual({ 'clearing/9/wechat': 1_000, 'card_liability/9/3': -1_000 })
  })

  test('with something on top keeps the gift apart, at the cost of the issuer', () => {
    expect(said(topUpPostings({ ...topUp, giftFen: 100 }))).toEqual({
      'clearing/9/wechat': 1_000,
      'card_liability/9/3': -1_000,
      'coupon_cost/9/': 100,
      'gift_liability/9/3': -100,
    })
  })

  test.each(['cash', 'transfer'])('taken at a desk by %s is due from the issuer, who has it', (method) => {
    expect(said(topUpPostings({ ...topUp, method }))).toEqual({ 'card_due/9/': 1_000, 'card_liability/9/3': -1_000 })
  })
})

describe('a refund', () => {
  const refund = { amountFen: 500, merchantId: 7, machineCode: 'SH-1', collectsPayment: false, byHand: null } as const
  test.each([
    [{ method: 'wechat' }, { 'pending/7/': 500, 'clearing/7/wechat': -500 }],
    [{ method: 'other' }, { 'pending/7/': 500, 'clearing/7/other': -500 }],
    [
      { method: 'wechat', byHand: 'transfer' },
      { 'pending/7/': 500, 'bank/7/transfer': -500 },
    ],
    [
      { method: 'wechat', byHand: 'cash' },
      { 'pending/7/': 500, 'bank/7/cash': -500 },
    ],
    [{ method: 'cash' }, { 'cash_owned/7/': 500, 'cash_in_machine/7/SH-1': -500 }],
    [
      { method: 'cash', byHand: 'cash' },
      { 'cash_owned/7/': 500, 'cash_in_machine/7/SH-1': -500 },
    ],
    [
      { method: 'cash', byHand: 'transfer' },
      { 'cash_owned/7/': 500, 'bank/7/transfer': -500 },
    ],
    [{ method: 'member_card' }, {}],
    [
      { method: 'member_card', byHand: 'transfer' },
      { 'pending/7/': 500, 'bank/7/transfer': -500 },
    ],
    [{ method: 'pickup_code', byHand: 'transfer' }, {}],
    [{ method: 'wechat', amountFen: 0 }, {}],
  ] as const)('of %j posts %o', (more, postings) => {
    expect(said(refundPostings({ ...refund, ...more }))).toEqual(postings)
  })

  test('of a merchant that collects itself posts nothing but its cash and what cards had paid', () => {
    const own = { ...refund, collectsPayment: true } as const
    expect(refundPostings({ ...own, method: 'wechat', byHand: 'transfer' })).toEqual([])
    expect(sum(refundPostings({ ...own, method: 'cash' }))).toBe(0)
    expect(said(refundPostings({ ...own, method: 'cash' }))).toHaveProperty(['cash_owned/7/'], 500)
    const card = refundPostings({ ...own, method: 'member_card', byHand: 'transfer' })
    expect(said(card)).toEqual({ 'pending/7/': 500, 'bank/7/transfer': -500 })
  })

  test('whose goods came out all the same is a loss of what they were sold for', () => {
    expect(said(lossPostings({ merchantId: 7, amountFen: 500, key: 'dispensed_after_refund' }))).toEqual({
      'loss/7/dispensed_after_refund': 500,
      'goods/7/': -500,
    })
  })
})

test.each<[AccountKind, number]>([
  // What is paid back in cash may leave before the next box (docs/decisions/0062).
  ['cash_in_machine', 0],
  ['cash_in_transit', 1],
  ['cash_counted', 1],
  ['card_liability', -1],
  ['gift_liability', -1],
  ['available', -1],
  ['withdrawing', -1],
  ['clearing', 0],
  ['pending', 0],
  ['suspense', 0],
])('an account of %s stays on the side %i of zero', (kind, bound) => expect(boundOf(kind)).toBe(bound))
