import { expect, test } from 'vitest'
import { type CardFacts, chargeRefusal, creditShares, mostOf, sharesOf, topUpRefusal } from './card.rules'

const card: CardFacts = {
  state: 'active',
  isForHere: true,
  balanceFen: 1_000,
  giftFen: 200,
  singleMaxFen: 0,
  dailyCountLimit: 0,
  dailyAmountFen: 0,
  chargesToday: 3,
  spentTodayFen: 900,
}

test.each<[Partial<CardFacts>, number, string | null]>([
  [{}, 1_200, null],
  [{}, 1_201, 'cardBalance'],
  [{ state: 'locked' }, 1, 'cardNotActive'],
  [{ state: 'not_activated' }, 1, 'cardNotActive'],
  [{ state: 'lost' }, 1, 'cardNotActive'],
  [{ isForHere: false }, 1, 'cardElsewhere'],
  [{ singleMaxFen: 500 }, 500, null],
  [{ singleMaxFen: 500 }, 501, 'cardLimit'],
  [{ dailyCountLimit: 4 }, 1, null],
  [{ dailyCountLimit: 3 }, 1, 'cardLimit'],
  [{ dailyAmountFen: 1_000 }, 100, null],
  [{ dailyAmountFen: 1_000 }, 101, 'cardLimit'],
])('a card with %j that is to pay %d: %s', (more, amountFen, refused) => {
  expect(chargeRefusal({ ...card, ...more }, amountFen)).toBe(refused)
})

test.each([
  [100, { giftFen: 100, balanceFen: 0 }],
  [200, { giftFen: 200, balanceFen: 0 }],
  [500, { giftFen: 200, balanceFen: 300 }],
])('what was given is spent first: %d', (amountFen, shares) => {
  expect(sharesOf(amountFen, card)).toEqual(shares)
})

test('credits add up to what each balance paid, however they are cut', () => {
  for (const cuts of [[1_000], [1, 999], [333, 333, 334], [7, 11, 13, 969], Array.from({ length: 100 }, () => 10)]) {
    const charge = { balanceFen: 701, giftFen: 299, creditedBalanceFen: 0, creditedGiftFen: 0 }
    for (const cut of cuts) {
      const back = creditShares(charge, cut)
      expect(back.balanceFen + back.giftFen).toBe(cut)
      expect(Math.min(back.balanceFen, back.giftFen)).toBeGreaterThanOrEqual(0)
      charge.creditedBalanceFen += back.balanceFen
      charge.creditedGiftFen += back.giftFen
    }
    expect(charge).toMatchObject({ creditedBalanceFen: 701, creditedGiftFen: 299 })
    expect(() => creditShares(charge, 1)).toThrow('credit of 1 makes 1001 of 1000')
  }
})

test.each([0, -1])('a credit of %i is none', (amountFen) => {
  const charge = { balanceFen: 701, giftFen: 299, creditedBalanceFen: 0, creditedGiftFen: 0 }
  expect(() => creditShares(charge, amountFen)).toThrow(RangeError)
})

test.each<[string, Partial<CardFacts>, number]>([
  ['all that is on it', {}, 1_200],
  ['its single limit', { singleMaxFen: 500 }, 500],
  ['what is on it, below its single limit', { singleMaxFen: 5_000 }, 1_200],
  ['what is left of the day', { dailyAmountFen: 1_000 }, 100],
  ['nothing once the day is spent', { dailyAmountFen: 900 }, 0],
  ['nothing where a limit was lowered below what was spent', { dailyAmountFen: 800 }, 0],
  ['nothing once it has paid often enough today', { dailyCountLimit: 3 }, 0],
  ['all that is on it, for the last time today', { dailyCountLimit: 4 }, 1_200],
])('the most that a card may pay is %s', (_, more, mostFen) => {
  const facts = { ...card, ...more }
  expect(mostOf(facts)).toBe(mostFen)
  if (mostFen > 0) expect(chargeRefusal(facts, mostFen)).toBe(null)
  expect(chargeRefusal(facts, mostFen + 1)).not.toBe(null)
})

const named = { state: 'active', type: 'ordinary', physicalNo: '00ab12cd' } as const
test.each<[Partial<Parameters<typeof topUpRefusal>[0]>, string, string | null]>([
  [{}, '00ab12cd', null],
  [{}, '00ab12ce', 'card.otherNumber'],
  [{ state: 'not_activated' }, '00ab12cd', 'card.notActive'],
  [{ state: 'cancelled' }, '00ab12cd', 'card.notActive'],
  [{ type: 'gift' }, '00ab12cd', 'card.gift'],
  [{ type: 'gift', state: 'lost' }, '00ab12cd', 'card.notActive'],
  [{ type: 'test' }, '00ab12cd', null],
])('a top-up of a card with %j, read as %s: %s', (more, readNo, reason) => {
  expect(topUpRefusal({ ...named, ...more }, readNo)).toBe(reason)
})
