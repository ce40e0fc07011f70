import { planKinds } from '@aisle/contract/promotion/plan'
import { voucherKinds } from '@aisle/contract/promotion/voucher'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MODEL_TIMEOUT_MS, modelRuns } from '../../testing/model'
import { type Basket, type BasketItem, type LivePlan, priceBasket } from './price.rules'
import { anyPlanOf, plainPrices } from './price.testing'

const item = (listFen: number, more: Partial<BasketItem> = {}): BasketItem => ({
  productId: 1,
  categoryIds: [10],
  medicineClass: null,
  listFen,
  cut: null,
  ...more,
})
const basketOf = (items: readonly BasketItem[], more: Partial<Basket> = {}): Basket => ({
  machine: { id: 5, merchantId: 1, groupIds: [50] },
  at: { day: '2026-11-20', weekday: 5, minute: 600 },
  buyer: null,
  items,
  ...more,
})
const askedFen = (basket: Basket, plans: readonly LivePlan[]) =>
  priceBasket(basket, plans).items.map((each) => each.askedFen)
const fens = (...list: number[]) => basketOf(list.map((fen) => item(fen)))

const eightTenths = anyPlanOf({ kind: 'rate', paidPercent: 80 })
const staff = { level: 2, cardType: 'staff' as const, isFirst: false }
const cut = { markdownId: 9, paidPercent: 50, reason: 'near its day' }

test.each<[string, Basket, LivePlan[], number[]]>([
  ['nothing applies', fens(300), [], [300]],
  ['八折 is the share that is paid', fens(300), [eightTenths], [240]],
  ['down to the whole fen', fens(999), [anyPlanOf({ kind: 'rate', paidPercent: 85 })], [849]],
  ['a third of 10 fen', fens(10), [anyPlanOf({ kind: 'rate', paidPercent: 67 })], [6]],
  ['never below a fen', fens(1), [anyPlanOf({ kind: 'rate', paidPercent: 1 })], [1]],
  ['an amount off', fens(300), [anyPlanOf({ kind: 'amount', amountFen: 50 })], [250]],
  ['more off than it costs', fens(30), [anyPlanOf({ kind: 'amount', amountFen: 50 })], [1]],
  ['a fixed price', fens(300), [anyPlanOf({ kind: 'fixed', amountFen: 199 })], [199]],
  ['a fixed price above the slot has no effect', fens(100), [anyPlanOf({ kind: 'fixed', amountFen: 199 })], [100]],
  [
    'the second at half: dearest first, the cheaper is halved',
    fens(200, 500, 300),
    [anyPlanOf({ kind: 'nth', pieces: 2, paidPercent: 50 })],
    [200, 500, 150],
  ],
  [
    'two bought, the third is free by word',
    fens(200, 200, 200),
    [anyPlanOf({ kind: 'nth', pieces: 3, paidPercent: 0 })],
    [200, 200, 0],
  ],
  [
    'three for 500',
    fens(200, 300, 400, 100),
    [anyPlanOf({ kind: 'bundle', pieces: 3, amountFen: 500 })],
    [111, 167, 222, 100],
  ],
  [
    'a bundle that would be dearer is none',
    fens(100, 100),
    [anyPlanOf({ kind: 'bundle', pieces: 2, amountFen: 500 })],
    [100, 100],
  ],
  [
    '满 1000 减 300, spread to the fen',
    fens(500, 700),
    [anyPlanOf({ kind: 'threshold', leastFen: 1000, amountFen: 300 })],
    [375, 525],
  ],
  ['not reached', fens(500, 400), [anyPlanOf({ kind: 'threshold', leastFen: 1000, amountFen: 300 })], [500, 400]],
  [
    'each time it is reached',
    fens(1000, 1000),
    [anyPlanOf({ kind: 'threshold', leastFen: 1000, amountFen: 300 })],
    [700, 700],
  ],
  [
    'once an order',
    fens(1000, 1000),
    [anyPlanOf({ kind: 'threshold', leastFen: 1000, amountFen: 300, perOrder: 1 })],
    [850, 850],
  ],
  [
    '1 is before 9, though it saves less',
    fens(300),
    [
      anyPlanOf({ kind: 'amount', amountFen: 10, priority: 1, planId: 2 }),
      anyPlanOf({ kind: 'amount', amountFen: 200, priority: 9 }),
    ],
    [290],
  ],
  [
    'of equal ones what saves more',
    fens(300),
    [anyPlanOf({ kind: 'amount', amountFen: 10 }), anyPlanOf({ kind: 'amount', amountFen: 20, planId: 2 })],
    [280],
  ],
  [
    'both stack, each from the reduced price',
    fens(1000),
    [
      anyPlanOf({ kind: 'rate', paidPercent: 80, stacks: true }),
      anyPlanOf({ kind: 'amount', amountFen: 100, stacks: true, planId: 2, priority: 6 }),
    ],
    [700],
  ],
  [
    'one stacks and the other does not',
    fens(1000),
    [
      anyPlanOf({ kind: 'rate', paidPercent: 80, stacks: true }),
      anyPlanOf({ kind: 'amount', amountFen: 100, planId: 2, priority: 6 }),
    ],
    [800],
  ],
  [
    'an order plan takes what no other took',
    basketOf([item(1000), item(1000, { productId: 2 })]),
    [
      anyPlanOf({ kind: 'rate', paidPercent: 80, productIds: [1], priority: 9 }),
      anyPlanOf({ kind: 'threshold', leastFen: 1000, amountFen: 300, planId: 2, priority: 1 }),
    ],
    [800, 700],
  ],
  ['a markdown stands at five: the better of equals', basketOf([item(1000, { cut })]), [eightTenths], [500]],
  ['and is passed by a higher priority', basketOf([item(1000, { cut })]), [{ ...eightTenths, priority: 4 }], [800]],
  ['another merchant', basketOf([item(300)]), [{ ...eightTenths, merchantIds: [2] }], [300]],
  ['another machine', fens(300), [{ ...eightTenths, machineIds: [6] }], [300]],
  ['its group', fens(300), [{ ...eightTenths, machineIds: [6], groupIds: [50] }], [240]],
  ['another product', fens(300), [{ ...eightTenths, productIds: [2] }], [300]],
  ['its category', fens(300), [{ ...eightTenths, productIds: [2], categoryIds: [10] }], [240]],
  ['a level, nobody known', fens(300), [{ ...eightTenths, levels: [2] }], [300]],
  ['a level', basketOf([item(300)], { buyer: staff }), [{ ...eightTenths, levels: [2] }], [240]],
  ['a kind of card, nobody known', fens(300), [{ ...eightTenths, cardTypes: ['staff'] }], [300]],
  ['a kind of card', basketOf([item(300)], { buyer: staff }), [{ ...eightTenths, cardTypes: ['staff'] }], [240]],
  ['another', basketOf([item(300)], { buyer: staff }), [{ ...eightTenths, cardTypes: ['student'] }], [300]],
  ['not the first', basketOf([item(300)], { buyer: staff }), [{ ...eightTenths, isFirstPurchase: true }], [300]],
  ['another weekday', fens(300), [{ ...eightTenths, weekdays: [6, 7] }], [300]],
  ['its last day', fens(300), [{ ...eightTenths, startsOn: '2026-11-20', endsOn: '2026-11-20' }], [240]],
  ['the day after', fens(300), [{ ...eightTenths, endsOn: '2026-11-19' }], [300]],
  ['its hour is over at the minute', fens(300), [{ ...eightTenths, fromMinute: 540, toMinute: 600 }], [300]],
  ['through midnight', fens(300), [{ ...eightTenths, fromMinute: 1380, toMinute: 601 }], [240]],
  [
    'two pieces an order: the dearest',
    fens(100, 300, 200),
    [anyPlanOf({ kind: 'amount', amountFen: 50, perOrder: 2 })],
    [100, 250, 150],
  ],
  ['sold out', fens(300), [{ ...eightTenths, room: { uses: 0, fen: null } }], [300]],
  [
    'a budget gives whole pieces only',
    fens(1000, 400),
    [{ ...eightTenths, room: { uses: null, fen: 100 } }],
    [1000, 320],
  ],
  ['an open price for OTC B', basketOf([item(1000, { medicineClass: 'otc_b' })]), [eightTenths], [800]],
  ['none for a prescription medicine', basketOf([item(1000, { medicineClass: 'rx' })]), [eightTenths], [1000]],
  [
    'and no gift with OTC B',
    basketOf([item(1000, { medicineClass: 'otc_b' }), item(900)]),
    [anyPlanOf({ kind: 'nth', pieces: 2, paidPercent: 0 })],
    [1000, 900],
  ],
  [
    'a coupon is no open price: nothing for OTC B',
    basketOf([item(1000, { medicineClass: 'otc_b' }), item(1000)]),
    [{ ...eightTenths, voucherKind: 'coupon' }],
    [1000, 800],
  ],
  [
    'a coupon from an amount, over what a plan left',
    basketOf([item(1000), item(500, { productId: 2 }), item(3)]),
    [
      anyPlanOf({ kind: 'rate', paidPercent: 90, productIds: [1], stacks: true }),
      anyPlanOf({
        kind: 'threshold',
        leastFen: 1000,
        amountFen: 100,
        perOrder: 1,
        stacks: true,
        voucherKind: 'code',
        planId: 2,
      }),
    ],
    [836, 464, 2],
  ],
])('%s', (_, basket, plans, expected) => expect(askedFen(basket, plans)).toEqual(expected))

test('each step says from what to what and why, and what a plan gave is counted once an order', () => {
  const priced = priceBasket(fens(1000, 500), [
    anyPlanOf({ kind: 'rate', paidPercent: 90, stacks: true, name: 'week' }),
    anyPlanOf({ kind: 'threshold', leastFen: 1000, amountFen: 300, stacks: true, planId: 2, name: 'much' }),
  ])
  expect(
    priced.items.map(({ steps }) => steps.map(({ reason, beforeFen, afterFen }) => [reason, beforeFen, afterFen])),
  ).toEqual([
    [
      ['week', 1000, 900],
      ['much', 900, 700],
    ],
    [
      ['week', 500, 450],
      ['much', 450, 350],
    ],
  ])
  expect(priced.uses).toEqual([
    { planId: 1, versionId: 1, fen: 150 },
    { planId: 2, versionId: 2, fen: 300 },
  ])
})

test('a set of medicines takes its pieces as they cost by then', () => {
  const basket = basketOf([
    item(1000, { cut, medicineClass: 'otc_b' }),
    item(500, { productId: 2, medicineClass: 'otc_b' }),
  ])
  const set = {
    id: 3,
    name: 'both',
    priceFen: 600,
    items: [
      { productId: 1, quantity: 1 },
      { productId: 2, quantity: 1 },
    ],
  }
  expect(priceBasket(basket, [], [set]).items.map((each) => [each.askedFen, each.steps.length])).toEqual([
    [300, 2],
    [300, 1],
  ])
})

const few = (most: number) => fc.uniqueArray(fc.integer({ min: 1, max: most }), { maxLength: 2 })
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { freq: 3, nil: null })
const anyItem: fc.Arbitrary<BasketItem> = fc.record({
  productId: fc.integer({ min: 1, max: 3 }),
  categoryIds: few(3),
  medicineClass: fc.constantFrom(null, null, null, 'otc_b' as const, 'rx' as const),
  listFen: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 3000 })),
  cut: maybe(
    fc.record({ markdownId: fc.constant(1), paidPercent: fc.integer({ min: 1, max: 99 }), reason: fc.constant('') }),
  ),
})
const anyBasket: fc.Arbitrary<Basket> = fc.record({
  machine: fc.record({
    id: fc.integer({ min: 1, max: 2 }),
    merchantId: fc.integer({ min: 1, max: 2 }),
    groupIds: few(2),
  }),
  at: fc.record({
    day: fc.constantFrom('2026-11-19', '2026-11-20', '2026-11-21'),
    weekday: fc.integer({ min: 1, max: 7 }),
    minute: fc.integer({ min: 0, max: 1439 }),
  }),
  buyer: maybe(
    fc.record({
      level: fc.integer({ min: 1, max: 3 }),
      cardType: fc.constantFrom('student' as const, 'staff' as const),
      isFirst: fc.boolean(),
    }),
  ),
  items: fc.array(anyItem, { minLength: 1, maxLength: 6 }),
})
const rarely = <T>(some: fc.Arbitrary<T[]>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant<T[]>([]) }, { weight: 1, arbitrary: some })
const anyPlan = fc.record({
  kind: fc.constantFrom(...planKinds),
  voucherKind: fc.constantFrom(null, null, ...voucherKinds),
  priority: fc.integer({ min: 4, max: 6 }),
  stacks: fc.boolean(),
  paidPercent: fc.integer({ min: 0, max: 99 }),
  amountFen: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 900 })),
  pieces: fc.integer({ min: 2, max: 3 }),
  leastFen: fc.integer({ min: 901, max: 3000 }),
  perOrder: maybe(fc.integer({ min: 1, max: 3 })),
  merchantIds: fc.constantFrom([1], [1, 2], [1, 2]),
  productIds: rarely(few(3)),
  categoryIds: rarely(few(3)),
  machineIds: rarely(few(2)),
  groupIds: rarely(few(2)),
  leftOutIds: rarely(few(1)),
  levels: rarely(few(3)),
  cardTypes: rarely(fc.constantFrom(['student' as const], ['staff' as const, 'gift' as const])),
  weekdays: rarely(few(7)),
  hours: maybe(fc.uniqueArray(fc.integer({ min: 0, max: 1439 }), { minLength: 2, maxLength: 2 })),
  startsOn: maybe(fc.constant('2026-11-20')),
  endsOn: maybe(fc.constant('2026-11-20')),
  isFirstPurchase: fc.constantFrom(false, false, true),
  room: fc.record({ uses: maybe(fc.integer({ min: 0, max: 2 })), fen: maybe(fc.integer({ min: 0, max: 900 })) }),
})
const anyPlans: fc.Arbitrary<LivePlan[]> = fc.array(anyPlan, { maxLength: 6 }).map((all) =>
  all.map(({ hours, ...values }, at) => ({
    ...values,
    paidPercent: values.kind === 'rate' ? Math.max(1, values.paidPercent) : values.paidPercent,
    planId: at + 1,
    versionId: at + 101,
    name: 'plan',
    fromMinute: hours?.[0] ?? null,
    toMinute: hours?.[1] ?? null,
  })),
)

test(
  'it is what a plain second way of pricing comes to, adds up, and never asks more than is shown',
  () =>
    fc.assert(
      fc.property(anyBasket, anyPlans, (basket, plans) => {
        const priced = priceBasket(basket, plans)
        expect(priced.items.map((each) => [each.askedFen, each.steps.map(({ reference }) => reference)])).toEqual(
          plainPrices(basket, plans),
        )
        let forgone = 0
        for (const [at, { askedFen: asked, steps }] of priced.items.entries()) {
          let fen = basket.items[at]?.listFen ?? 0
          for (const step of steps) {
            expect(step.beforeFen).toBe(fen)
            expect(step.afterFen).toBeLessThan(fen)
            if (step.kind !== 'markdown' && step.kind !== 'combination') forgone += step.beforeFen - step.afterFen
            fen = step.afterFen
          }
          expect(asked).toBe(fen)
        }
        expect(priced.uses.reduce((sum, { fen }) => sum + fen, 0)).toBe(forgone)
        for (const { planId, fen } of priced.uses) {
          expect(fen).toBeLessThanOrEqual(plans.find((plan) => plan.planId === planId)?.room.fen ?? Infinity)
        }
      }),
      { ...modelRuns, numRuns: Math.max(modelRuns.numRuns, 3000) },
    ),
  MODEL_TIMEOUT_MS,
)
