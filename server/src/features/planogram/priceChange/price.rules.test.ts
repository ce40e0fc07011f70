import { priceChangeState, pricedState } from '@aisle/contract/planogram/priceChange'
import { expect, test } from 'vitest'
import { judgeSlot, priceBy, type PriceRule } from './price.rules'

const rule = (more: Partial<PriceRule>): PriceRule => ({
  rule: 'set',
  amountFen: null,
  percent: null,
  roundTo: 'fen',
  ...more,
})

test.each([
  ['a new price stands as it is typed', { amountFen: 377, roundTo: 'half' }, 350, 377, null],
  ['also where there was none', { amountFen: 377 }, null, 377, null],
  ['the same price changes nothing', { amountFen: 350 }, 350, 350, 'same'],
  ['up by an amount', { rule: 'raise', amountFen: 25 }, 350, 375, null],
  ['to the jiao, a tie to the upper', { rule: 'raise', amountFen: 25, roundTo: 'jiao' }, 350, 380, null],
  ['to the half yuan', { rule: 'raise', amountFen: 20, roundTo: 'half' }, 350, 350, 'same'],
  ['down by an amount', { rule: 'cut', amountFen: 30 }, 350, 320, null],
  ['never to nothing', { rule: 'cut', amountFen: 350 }, 350, null, 'tooLow'],
  ['but to a fen', { rule: 'cut', amountFen: 349 }, 350, 1, null],
  ['nor below', { rule: 'cut', amountFen: 400 }, 350, null, 'tooLow'],
  ['nor rounded to nothing', { rule: 'cut', amountFen: 346, roundTo: 'jiao' }, 350, null, 'tooLow'],
  ['up by percent', { rule: 'raisePercent', percent: 10 }, 350, 385, null],
  ['half a fen goes up', { rule: 'raisePercent', percent: 50 }, 3, 5, null],
  ['down by percent to the jiao', { rule: 'cutPercent', percent: 10, roundTo: 'jiao' }, 350, 320, null],
  ['down by percent to the half yuan', { rule: 'cutPercent', percent: 10, roundTo: 'half' }, 350, 300, null],
  ['a third of a yuan', { rule: 'cutPercent', percent: 33, roundTo: 'jiao' }, 199, 130, null],
  ['all of it is too much', { rule: 'cutPercent', percent: 100 }, 350, null, 'tooLow'],
  ['more than all of it as well', { rule: 'cutPercent', percent: 500 }, 350, null, 'tooLow'],
  ['no more than 100,000 yuan', { rule: 'raisePercent', percent: 500 }, 2_000_000, null, 'tooHigh'],
  ['up to it', { rule: 'raise', amountFen: 1 }, 9_999_999, 10_000_000, null],
  ['what has no price is raised from nothing', { rule: 'raise', amountFen: 10 }, null, null, 'noPrice'],
  ['nor what costs nothing', { rule: 'raisePercent', percent: 10 }, 0, null, 'noPrice'],
] as const)('%s', (_, by, now, afterFen, why) => {
  expect(priceBy(rule(by), now)).toEqual({ afterFen, why })
})

const slot = {
  priceFen: 350,
  isOffline: false,
  medicineClass: null,
  licenceMode: 'none',
  isMachineUnlawful: false,
} as const

test.each([
  ['goods anywhere', {}, null],
  ['a medicine without a licence', { medicineClass: 'otc_b' }, 'unlawful'],
  ['OTC A in a retail machine', { medicineClass: 'otc_a', licenceMode: 'retail' }, 'unlawful'],
  ['OTC B in a retail machine', { medicineClass: 'otc_b', licenceMode: 'retail' }, null],
  ['goods beside something unlawful', { isMachineUnlawful: true }, 'machineUnlawful'],
  ['the unlawful one itself says so first', { isMachineUnlawful: true, medicineClass: 'rx' }, 'unlawful'],
  ['what is offline', { isOffline: true }, 'offline'],
  ['what costs that much already', { priceFen: 400 }, 'same'],
] as const)('%s', (_, more, why) => {
  expect(judgeSlot(rule({ amountFen: 400 }), { ...slot, ...more })).toEqual({ afterFen: 400, why })
})

test('every state can be reached', () => {
  expect(priceChangeState.unreachable()).toEqual([])
  expect(pricedState.unreachable()).toEqual([])
})
