import type { CommandState } from '@aisle/contract/device/commands'
import { expect, test } from 'vitest'
import { isOnItsWay, planogramData, priceData, type PushedSlot, slotsOfPush } from './push.rules'

const NOON = new Date('2026-11-20T04:00:00Z')
const later = (ms: number) => new Date(NOON.getTime() + ms)

test.each<[string, CommandState, Date | null, Date | null, boolean]>([
  ['waiting for its machine', 'queued', null, NOON, true],
  ['sent', 'sent', null, NOON, true],
  ['received', 'received', null, NOON, true],
  ['done after what the machine showed last', 'done', later(1), NOON, true],
  ['done as it showed it', 'done', NOON, NOON, false],
  ['done before', 'done', NOON, later(1), false],
  ['done by a machine that never showed anything', 'done', NOON, null, true],
  ['done, nobody knows when', 'done', null, null, false],
  ['failed', 'failed', later(1), NOON, false],
  ['too late', 'expired', later(1), null, false],
])('a push that is %s', (_, state, finishedAt, snapshotAt, isComing) =>
  expect(isOnItsWay({ state, finishedAt }, snapshotAt)).toBe(isComing),
)

test.each<[unknown, string[] | null]>([
  [{ slots: [{ code: 'A1', product: 'X' }, { code: 'A2' }] }, ['A1', 'A2']],
  [{ slots: ['B1'] }, ['B1']],
  [{ prices: [{ slot: 'C1', priceFen: 5 }] }, ['C1']],
  [{ templateId: 1 }, null],
  [{ slots: [1] }, null],
])('%j speaks of %j', (data, slots) => {
  const found = slotsOfPush({ data })
  expect(found && [...found]).toEqual(slots)
})

const slot = (more: Partial<PushedSlot> = {}): PushedSlot => ({
  code: 'A1',
  productCode: 'X',
  medicineClass: null,
  priceFen: 350,
  struckFen: null,
  memberFen: null,
  capacity: 10,
  choice: 'none',
  isLocked: false,
  isRecalled: false,
  isOffline: false,
  alarmThreshold: 2,
  ...more,
})
const plain = {
  code: 'A1',
  product: 'X',
  priceFen: 350,
  capacity: 10,
  choice: 'none',
  locked: false,
  alarmThreshold: 2,
}

test.each<[string, Partial<PushedSlot>, Record<string, unknown>]>([
  ['nothing special', {}, plain],
  ['what holders of cards pay', { memberFen: 300 }, { ...plain, memberFen: 300 }],
  ['a price struck through', { struckFen: 400 }, { ...plain, struckFen: 400 }],
  ['a medicine', { medicineClass: 'rx' }, { ...plain, medicine: true }],
  ['locked', { isLocked: true }, { ...plain, locked: true }],
  ['recalled', { isRecalled: true }, { ...plain, locked: true }],
  ['offline, whatever was chosen', { isOffline: true, choice: 'reserved_only' }, { ...plain, choice: 'stopped_sale' }],
  ['reserved', { choice: 'reserved_only' }, { ...plain, choice: 'reserved_only' }],
])('a slot is told: %s', (_, more, told) =>
  expect(planogramData([slot(more)], { version: 7, sets: [] })).toEqual({ version: 7, sets: [], slots: [told] }),
)

test('a slot that was counted is told its count, another is not', () => {
  const counts = new Map([['A1', { pieces: 3, at: NOON }]])
  const { slots } = planogramData([slot(), slot({ code: 'A2' })], { version: 1, sets: [], counts })
  const counted = { pieces: 3, at: '2026-11-20T04:00:00.000Z' }
  expect(slots).toEqual([
    { ...plain, counted },
    { ...plain, code: 'A2' },
  ])
})

test('prices are told alone, and the sets only where they are told', () => {
  const prices = [
    { slot: 'A1', priceFen: 350 },
    { slot: 'A2', priceFen: null, struckFen: 9 },
  ]
  const slots = [slot(), slot({ code: 'A2', priceFen: null, struckFen: 9 })]
  expect(priceData(slots)).toEqual({ prices })
  expect(priceData(slots, [])).toEqual({ prices, sets: [] })
})
