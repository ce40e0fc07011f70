import { expect, test } from 'vitest'
import { type Bound, bindOutcome, type Wanted } from './bind.rules'

/** Merchants: 1 is the platform, 2 and 3 below it, 4 below 2. */
const machine: Bound = {
  merchantId: 2,
  path: [1, 2],
  isRetired: false,
  pointId: 10,
  pointOwner: 2,
  routeId: null,
  operatorId: null,
  hasOpenOrders: false,
  goodsOwners: [1],
}
const sister = { id: 3, path: [1, 3] }
const daughter = { id: 4, path: [1, 2, 4] }
const herPoint = { id: 30, owner: 3 }

test.each<[string, Partial<Bound>, Wanted, ReturnType<typeof bindOutcome>]>([
  ['its own point', {}, { point: { id: 11, owner: 2 } }, 'done'],
  ['a point of the merchant above', {}, { point: { id: 11, owner: 1 } }, 'done'],
  ['the point where it stands', {}, { point: { id: 10, owner: 2 } }, 'same'],
  ["a sister's point", {}, { point: herPoint }, 'otherMerchant'],
  ["a sister's route", {}, { route: { id: 5, owner: 3 } }, 'otherMerchant'],
  ['the first route', {}, { route: { id: 5, owner: 2 } }, 'done'],
  ['its own merchant', {}, { merchant: { id: 2, path: [1, 2] } }, 'same'],
  ['the daughter, at the point where it stands', {}, { merchant: daughter }, 'done'],
  ['the sister, at a point that is not hers', {}, { merchant: sister }, 'otherMerchant'],
  ['the sister, at her point', {}, { merchant: sister, point: herPoint }, 'done'],
  ['the sister, with an order under way', { hasOpenOrders: true }, { merchant: sister, point: herPoint }, 'openOrders'],
  ['the sister, with goods of its own', { goodsOwners: [1, 2] }, { merchant: sister, point: herPoint }, 'otherGoods'],
  ['another point, with an order under way', { hasOpenOrders: true }, { point: { id: 11, owner: 2 } }, 'done'],
  ['anything, once retired', { isRetired: true }, { point: { id: 11, owner: 2 } }, 'retired'],
])('a machine bound to %s', (_, facts, wanted, outcome) => {
  expect(bindOutcome({ ...machine, ...facts }, wanted)).toBe(outcome)
})
