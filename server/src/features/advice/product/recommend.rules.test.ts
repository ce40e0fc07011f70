import { expect, test } from 'vitest'
import { adviseMachine, groupFor, groupsOf, type Held, levelFen, levelOf, type Machine } from './recommend.rules'

const held = (productId: number, marginFen: number, more: Partial<Held> = {}): Held => ({
  productId,
  slotId: productId,
  slots: 1,
  priceFen: 500,
  pieces: Math.round(marginFen / 100),
  marginFen,
  outDays: 0,
  lossFen: 0,
  expiringPieces: 0,
  costFen: 200,
  stoodSince: '2026-10-01',
  isSettled: true,
  isOld: false,
  ...more,
})

const machine = (id: number, more: Partial<Machine> = {}): Machine => ({
  id,
  merchantId: 2,
  path: [1, 2],
  placeKind: 'office',
  days: 28,
  salesFen: 280_000,
  emptySlots: [],
  coming: new Set(),
  held: [held(1, 28_000), held(2, 2_800)],
  ...more,
})

/** Four others of the same merchant that sell product 9 for a good hundred yuan. */
const others = [10, 11, 12, 13].map((id) => machine(id, { held: [held(1, 28_000), held(9, 11_200 + id * 100)] }))
const anyPrice = () => 500
const adviceFor = (
  own: Machine,
  all: readonly Machine[] = others,
  priceFor: (id: number) => number | null = anyPrice,
) => adviseMachine(own, groupFor(groupsOf([own, ...all]), own), priceFor)

test.each([
  ['nothing sold', { salesFen: 0, days: 28 }, 0],
  ['three yuan a day', { salesFen: 8_400, days: 28 }, 1],
  ['a hundred yuan a day', { salesFen: 280_000, days: 28 }, 6],
  ['the same on fewer days', { salesFen: 140_000, days: 14 }, 6],
])('%s is its level', (_, sold, level) => {
  expect(levelOf(sold)).toBe(level)
  const { from, to } = levelFen(level)
  expect(sold.salesFen / sold.days).toBeGreaterThanOrEqual(from)
  expect(sold.salesFen / sold.days).toBeLessThan(to)
})

test('what similar machines sell takes the place of what earns least, and says what is to be expected', () => {
  const [best, ...more] = adviceFor(machine(3))
  expect(more).toEqual([])
  expect(best).toMatchObject({ kind: 'add', slotId: 2, incomingId: 9, outgoingId: 2, machines: 5, machinesWith: 4 })
  // 30 days of about 12,350 in 28, drawn a third towards the usual 16,500 of a slot; less the 3,000 it earned.
  expect(best?.incomingFen).toBe(14_321)
  expect(best?.gainFen).toBe(14_321 - 3_000)
  expect(best?.lowFen).toBeGreaterThan(0)
  expect(best?.highFen).toBeGreaterThan(best?.gainFen ?? 0)
})

test.each([
  ['too few machines sell it', machine(3), others.slice(2), anyPrice],
  ['they are at another kind of place', machine(3, { placeKind: 'campus' }), others, anyPrice],
  ['they sell much more', machine(3, { salesFen: 28_000 }), others, anyPrice],
  ['they are another merchant’s', machine(3, { merchantId: 5, path: [1, 5] }), others, anyPrice],
  ['it may not stand there', machine(3), others, (id: number) => (id === 9 ? null : 500)],
  ['it is planned already', machine(3, { coming: new Set([9]) }), others, anyPrice],
  ['the machine is new', machine(3, { days: 6, salesFen: 60_000 }), others, anyPrice],
  ['its slots are taken for something', machine(3, { held: [held(1, 28_000, { slotId: null })] }), others, anyPrice],
  [
    'what stands there has not had its chance',
    machine(3, { held: [held(2, 0, { isSettled: false })] }),
    others,
    anyPrice,
  ],
] as const)('nothing is said where %s', (_, own, all, priceFor) => {
  expect(adviceFor(own, all, priceFor)).toEqual([])
})

test('a merchant above learns from machines below, not the other way round', () => {
  const above = machine(3, { merchantId: 1, path: [1] })
  expect(adviceFor(above)).toMatchObject([{ incomingId: 9, machines: 5 }])
})

test('an empty slot is filled first', () => {
  expect(adviceFor(machine(3, { emptySlots: [77] }))[0]).toMatchObject({ slotId: 77, outgoingId: null })
})

test('what sells and is always empty gets another slot, for what that can catch of what was missed', () => {
  const own = machine(3, { held: [held(1, 14_000, { outDays: 14 }), held(2, 2_800)] })
  // Empty half of the time: twice as long with two slots, so 15,000 more in 30 days.
  expect(adviceFor(own, [])).toMatchObject([
    { kind: 'widen', incomingId: 1, outgoingId: 2, emptyPermille: 500, incomingFen: 15_000, gainFen: 12_000 },
  ])
  const seldom = machine(3, { held: [held(1, 14_000, { outDays: 4 }), held(2, 2_800)] })
  expect(adviceFor(seldom, [])).toEqual([])
})

test.each([
  ['was never sold', held(2, 0, { isOld: true }), 'replace'],
  ['sold, yet more of it was thrown away', held(2, 900, { lossFen: 8_400 }), 'replace'],
  ['expires before it can be sold', held(2, 900, { expiringPieces: 30 }), 'replace'],
  ['came only lately', held(2, 0), 'add'],
  ['earns a little', held(2, 900), 'add'],
])('what %s makes it a case of %s', (_, weak, kind) => {
  expect(adviceFor(machine(3, { held: [held(1, 28_000), weak] }))[0]).toMatchObject({ kind, outgoingId: 2 })
})

test('what costs more than it earns is taken out even if nothing better is known', () => {
  const own = machine(3, { held: [held(1, 28_000), held(2, 0, { lossFen: 8_400, isOld: true })] })
  expect(adviceFor(own, [])).toMatchObject([{ kind: 'replace', incomingId: null, outgoingId: 2, gainFen: 3_000 }])
})
