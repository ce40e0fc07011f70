import { expect, test } from 'vitest'
import { needOf, perHundredDays, type SlotFacts } from './need.rules'

const slot: SlotFacts = {
  there: 8,
  takeOut: 0,
  capacity: 10,
  alarm: 2,
  perDay: 1,
  priceFen: 300,
  isNewProduct: false,
}

test.each([
  ['it lasts', {}, null],
  ['it sells out before the next visit', { perDay: 3 }, [2, 'sellsOut', 300]],
  ['as many as are needed are there', { perDay: 8 / 3 }, null],
  ['below the alarm', { there: 2, perDay: 0 }, [8, 'belowAlarm', 0]],
  ['empty', { there: 0 }, [10, 'empty', 900]],
  ['below nothing by the books', { there: -2 }, [10, 'empty', 900]],
  ['full, and sold out tomorrow', { there: 10, perDay: 20 }, null],
  ['some of it expires', { takeOut: 3 }, [5, 'expiring', 0]],
  ['all of it expires', { takeOut: 8, perDay: 2 }, [10, 'expiring', 1800]],
  ['another product is to come in', { there: 0, isNewProduct: true, perDay: 0 }, [10, 'newProduct', 0]],
  ['nothing fits', { there: 0, capacity: 0 }, null],
] as const)('%s', (_, facts, wanted) => {
  const need = needOf({ ...slot, ...facts }, 3)
  expect(need && [need.bring, need.reason, need.stakeFen]).toEqual(wanted)
})

const DAY = 86_400_000
test.each([
  [28, { sinceMs: 28 * DAY, outMs: 0 }, 100],
  [14, { sinceMs: 28 * DAY, outMs: 14 * DAY }, 100],
  [0, { sinceMs: 28 * DAY, outMs: 0 }, 0],
  [5, { sinceMs: 2 * DAY, outMs: 0 }, 250],
  // Sold at once and out since: not more than it sold.
  [5, { sinceMs: 28 * DAY, outMs: 28 * DAY }, 500],
])('%i sold in %j: %i a hundred days', (sold, time, rate) => expect(perHundredDays(sold, time)).toBe(rate))
