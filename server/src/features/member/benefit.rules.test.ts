import { expect, test } from 'vitest'
import { giftOf, type GiftRule } from './benefit.rules'

const rule = (fromFen: number, giftFen: number, more: Partial<GiftRule> = {}): GiftRule => ({
  cardType: null,
  fromFen,
  giftFen,
  fromDay: '2026-11-01',
  toDay: '2026-11-30',
  ...more,
})
const put = (amountFen: number, day = '2026-11-20') => ({ type: 'student' as const, amountFen, day })
const steps = [rule(10_000, 500), rule(20_000, 2_000)]

test.each([
  ['nothing below the first step', steps, put(9_999), 0],
  ['the step that is reached', steps, put(10_000), 500],
  ['the best of those that are reached, not their sum', steps, put(50_000), 2_000],
  ['the better for the holder where two begin alike', [rule(100, 5), rule(100, 9)], put(100), 9],
  ['what is meant for such cards', [rule(100, 5, { cardType: 'student' })], put(100), 5],
  ['no word for other cards', [rule(100, 5, { cardType: 'staff' })], put(100), null],
  ['the last day still', steps, put(10_000, '2026-11-30'), 500],
  ['no word after it', steps, put(10_000, '2026-12-01'), null],
  ['no word before the first', steps, put(10_000, '2026-10-31'), null],
  ['without an end', [rule(100, 5, { toDay: null })], put(100, '2030-01-01'), 5],
  ['no word without rules', [], put(100), null],
])('a top-up is given %s', (_, rules, asked, gift) => {
  expect(giftOf(rules, asked)).toBe(gift)
})
