import type { CustomerHeld } from '@aisle/contract/support/customer'
import { expect, test } from 'vitest'
import type { Claim, Judged } from './match.rules'
import { type Counted, heldBecause } from './payBack.rules'

const claim: Claim = { kind: 'nothing', amountFen: 500, atMs: 0, goods: '' }
const order: Judged = {
  orderId: 1,
  paidAtMs: 0,
  paidFen: 500,
  failedFen: 500,
  isUntold: false,
  isBack: false,
  claimedBy: null,
  goods: [],
  sureness: 99,
  evidence: [],
}
const counted: Counted = { limitFen: 2_000, ofPhone: 0, atMachine: 0 }
const like = (part: Partial<Judged>): Judged => ({ ...order, ...part })

test.each<[string, Partial<Claim>, Judged | undefined, Judged[], Partial<Counted>, CustomerHeld | null]>([
  ['the machine says so, and it is the only one', {}, order, [order], {}, null],
  ['stuck is as good as nothing', { kind: 'stuck' }, order, [order], {}, null],
  ['as much as the limit', {}, order, [order], { limitFen: 500 }, null],
  ['a fen above it', {}, order, [order], { limitFen: 499 }, 'aboveLimit'],
  ['switched off', {}, order, [order], { limitFen: 0 }, 'off'],
  ['nothing found', {}, undefined, [], {}, 'nothingFound'],
  ['the machine is still at it', {}, undefined, [like({ isUntold: true, failedFen: 0 })], {}, 'untold'],
  ['it came out', {}, like({ failedFen: 0 }), [order], {}, 'notReported'],
  ['wrong goods are for a person', { kind: 'wrong' }, order, [order], {}, 'notReported'],
  ['charged twice is for a person', { kind: 'twice' }, order, [order], {}, 'notReported'],
  ['another amount', { amountFen: 501 }, order, [order], {}, 'otherAmount'],
  ['a second payment of the amount', {}, order, [order, like({ orderId: 2, failedFen: 0 })], {}, 'several'],
  ['a second one of another amount', {}, order, [order, like({ orderId: 2, failedFen: 0, paidFen: 900 })], {}, null],
  ['the third of a number', {}, order, [order], { ofPhone: 2 }, null],
  ['the fourth', {}, order, [order], { ofPhone: 3 }, 'phoneOften'],
  ['the fifth at a machine', {}, order, [order], { atMachine: 4 }, null],
  ['the sixth', {}, order, [order], { atMachine: 5 }, 'machineOften'],
])('%s', (_, said, best, near, counts, why) => {
  expect(heldBecause({ ...claim, ...said }, best, near, { ...counted, ...counts })).toBe(why)
})
