import { expect, test } from 'vitest'
import { sharesOf } from './card.rules'
import { type Lot, owedBack, payOutRefusal, untouchedOf, usedLots } from './cardEnd.rules'

const lot = (amountFen: number, giftFen = 0): Lot => ({ amountFen, giftFen })
/** What is on a card with these lots once so much was spent, the gift first. */
function worthAfter(lots: readonly Lot[], spentFen: number) {
  const on = {
    balanceFen: lots.reduce((fen, { amountFen }) => fen + amountFen, 0),
    giftFen: lots.reduce((fen, { giftFen }) => fen + giftFen, 0),
  }
  const { balanceFen, giftFen } = sharesOf(spentFen, on)
  return { balanceFen: on.balanceFen - balanceFen, giftFen: on.giftFen - giftFen }
}

test.each<[string, Lot[], number, number, number]>([
  ['100 paid, 20 given, 50 used', [lot(10_000, 2_000)], 5_000, 5_833, 5_000],
  ['nothing used', [lot(10_000, 2_000)], 0, 10_000, 10_000],
  ['all used', [lot(10_000, 2_000)], 12_000, 0, 0],
  ['more used than was paid', [lot(10_000, 2_000)], 11_000, 833, 0],
  ['without a gift', [lot(10_000)], 3_333, 6_667, 6_667],
  ['a third given on top', [lot(9, 3)], 4, 6, 5],
  ['the older lot used whole, the newer one kept', [lot(10_000, 2_000), lot(10_000)], 12_000, 10_000, 10_000],
  ['a better gift lately', [lot(10_000, 2_000), lot(10_000, 5_000)], 10_000, 11_667, 10_000],
  ['nothing ever paid in', [], 0, 0, 0],
])('%s', (_, lots, spentFen, issuerFen, holderFen) => {
  const worth = worthAfter(lots, spentFen)
  const used = usedLots(lots, worth)
  expect(used.reduce((fen, { usedFen }) => fen + usedFen, 0)).toBe(spentFen)
  expect([owedBack(used, worth, 'issuer'), owedBack(used, worth, 'holder')]).toEqual([issuerFen, holderFen])
})

test('what was on a card before there were lots counts as paid in', () => {
  const worth = { balanceFen: 700, giftFen: 0 }
  expect(owedBack(usedLots([lot(500, 100)], worth), worth, 'holder')).toBe(600)
})

test('of any lots and any use, no more goes back than stands on the card, and by the issuer’s wish no less', () => {
  for (let n = 0; n < 5_000; n += 1) {
    const lots = Array.from({ length: 1 + (n % 4) }, (_, i) =>
      lot(1 + ((n * 7 + i * 131) % 997), (n * 13 + i * 71) % 400),
    )
    const all = lots.reduce((fen, { amountFen, giftFen }) => fen + amountFen + giftFen, 0)
    const worth = worthAfter(lots, (n * 31) % (all + 1))
    const used = usedLots(lots, worth)
    const [ours, theirs] = [owedBack(used, worth, 'issuer'), owedBack(used, worth, 'holder')]
    expect(theirs).toBeLessThanOrEqual(ours)
    expect(ours).toBeLessThanOrEqual(worth.balanceFen)
    for (const each of used) {
      const back = untouchedOf(each, worth)
      expect(back.balanceFen + back.giftFen).toBe(each.amountFen + each.giftFen - each.usedFen)
      expect(back.paidFen).toBeLessThanOrEqual(back.balanceFen)
    }
  }
})

test.each([
  ['nothing used', 0, { paidFen: 10_000, balanceFen: 10_000, giftFen: 2_000 }],
  ['less used than was given', 500, { paidFen: 10_000, balanceFen: 10_000, giftFen: 1_500 }],
  ['more used than was given', 5_000, { paidFen: 7_000, balanceFen: 7_000, giftFen: 0 }],
  ['all used', 12_000, { paidFen: 0, balanceFen: 0, giftFen: 0 }],
])('untouched of 100 paid with 20 given, %s', (_, spentFen, back) => {
  const lots = [lot(10_000, 2_000)]
  const worth = worthAfter(lots, spentFen)
  expect(untouchedOf(usedLots(lots, worth)[0] ?? { ...lot(0), usedFen: 0 }, worth)).toEqual(back)
})

test.each([
  [
    'as far as it is paid in',
    1_000,
    { balanceFen: 4_000, giftFen: 5_000 },
    { paidFen: 4_000, balanceFen: 4_000, giftFen: 0 },
  ],
  [
    'nothing where all that is left was given',
    0,
    { balanceFen: 0, giftFen: 5_000 },
    { paidFen: 0, balanceFen: 0, giftFen: 0 },
  ],
])('of a card whose gift outlived what was paid in, %s', (_, usedFen, worth, back) =>
  expect(untouchedOf({ ...lot(10_000), usedFen }, worth)).toEqual(back),
)

const asked = { paidFen: 10_000, shownFen: 10_000, method: 'cash', isOwn: true, secondLookFen: 50_000 }
test.each([
  [{}, null],
  [{ paidFen: 10_001, shownFen: 10_001 }, 'card.cashLimit'],
  [{ paidFen: 60_000, shownFen: 60_000, method: 'transfer' }, 'card.ownRequest'],
  [{ paidFen: 60_000, shownFen: 60_000, method: 'transfer', isOwn: false }, null],
  [{ shownFen: 9_999 }, 'card.amountChanged'],
])('paying back with %j: %s', (more, reason) => expect(payOutRefusal({ ...asked, ...more })).toBe(reason))
