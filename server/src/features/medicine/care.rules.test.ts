import type { StorageClass } from '@aisle/contract/medicine/medicine'
import { expect, test } from 'vitest'
import { type Cycle, dueOn, keyReasonsOf, type Kept, planOf } from './care.rules'
import { daysBetween } from '../../kernel/businessDay'
import { addMonths, nearFrom } from './expiry.rules'

const cycle: Cycle = { months: 3, keyMonths: 1, nearMonths: 6 }
const kept = (more: Partial<Kept> = {}): Kept => ({
  storage: 'room',
  isLimited: false,
  producedOn: '2026-01-01',
  expiresOn: '2028-12-31',
  shelfLifeDays: null,
  ...more,
})

test.each<[string, number, string]>([
  ['2026-01-31', 1, '2026-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2026-11-30', 3, '2027-02-28'],
  ['2026-08-31', -6, '2026-02-28'],
  ['2026-12-15', 1, '2027-01-15'],
  ['2026-01-15', -1, '2025-12-15'],
])('%s and %i months is %s', (day, months, expected) => expect(addMonths(day, months)).toBe(expected))

test.each<[string | null, string, number | null, number, string]>([
  // Of two years, six months before.
  ['2025-01-01', '2027-01-01', null, 6, '2026-07-01'],
  // Of a year, half of it; of a day more than that, the months again.
  ['2026-01-01', '2027-01-01', null, 6, '2026-07-03'],
  ['2026-01-01', '2027-01-02', null, 3, '2026-07-03'],
  ['2026-01-01', '2027-01-03', null, 3, '2026-10-03'],
  ['2026-11-01', '2026-12-01', null, 6, '2026-11-16'],
  // Who made it when is not known: as the product keeps, or not known at all.
  [null, '2026-12-31', 30, 6, '2026-12-16'],
  [null, '2026-12-31', 730, 2, '2026-10-31'],
  [null, '2026-12-31', null, 1, '2026-11-30'],
])(
  'made on %s, good until %s (%s days), near in %i months: from %s',
  (producedOn, expiresOn, shelfLifeDays, months, from) =>
    expect(nearFrom({ producedOn, expiresOn, shelfLifeDays }, months)).toBe(from),
)

test.each<[Partial<Kept>, string, boolean, string[]]>([
  [{}, '2026-11-25', false, []],
  [{ storage: 'cool' }, '2026-11-25', false, []],
  [{ storage: 'cold' }, '2026-11-25', false, ['cold']],
  [{ isLimited: true }, '2026-11-25', false, ['limited']],
  [{ expiresOn: '2027-05-25' }, '2026-11-24', false, []],
  [{ expiresOn: '2027-05-25' }, '2026-11-25', false, ['nearExpiry']],
  [{ expiresOn: '2027-05-25', storage: 'cold' as StorageClass }, '2026-11-25', false, ['cold', 'nearExpiry']],
  [{}, '2026-11-25', true, ['missed']],
])('of %j on %s, missed before: %s, key because %j', (more, day, isAfterMissed, reasons) =>
  expect(keyReasonsOf(kept(more), day, cycle, isAfterMissed)).toEqual(reasons),
)

test.each<[string, boolean, string, string]>([
  ['2026-10-01', false, '2026-11-25', '2027-01-01'],
  ['2026-10-31', true, '2026-11-25', '2026-11-30'],
  ['2026-10-01', true, '2026-11-25', '2026-11-25'],
  ['2025-01-01', false, '2026-11-25', '2026-11-25'],
])('last seen to on %s, key %s, planned on %s: due on %s', (since, isKey, today, due) =>
  expect(dueOn(since, isKey, today, cycle)).toBe(due),
)

test('a key medicine is never looked at less often than others', () =>
  expect(dueOn('2026-11-01', true, '2026-11-25', { ...cycle, keyMonths: 6 })).toBe('2027-02-01'))

test('days count both ways', () => {
  expect(daysBetween('2026-11-25', '2026-11-25')).toBe(0)
  expect(daysBetween('2026-11-25', '2026-12-01')).toBe(6)
  expect(daysBetween('2026-12-01', '2026-11-25')).toBe(-6)
})

const stand = (more: Partial<Parameters<typeof planOf>[0]> = {}) => ({
  ...kept(),
  ...cycle,
  batchId: 1,
  machineId: 2,
  placeId: null,
  today: '2026-11-25',
  cameOn: '2026-10-01',
  last: null,
  open: null,
  ...more,
})
const over = (state: 'done' | 'missed', since: string, due: string, endedOn: string) => ({
  state,
  since,
  dueOn: due,
  endedOn,
})

test.each<[string, Partial<Parameters<typeof planOf>[0]>, object]>([
  ['from when it came', {}, { kind: 'normal', since: '2026-10-01', dueOn: '2027-01-01' }],
  ['from today where nobody knows', { cameOn: null }, { since: '2026-11-25', dueOn: '2027-02-25' }],
  ['from today where it is to come', { cameOn: '2026-12-01' }, { since: '2026-11-25', dueOn: '2027-02-25' }],
  [
    'from the last care',
    { last: over('done', '2026-07-01', '2026-10-01', '2026-09-28'), cameOn: null },
    { kind: 'normal', since: '2026-09-28', dueOn: '2026-12-28' },
  ],
  [
    'within a month of what was missed, and the period goes on',
    { last: over('missed', '2026-08-10', '2026-11-10', '2026-11-18') },
    { kind: 'key', reasons: 'missed', since: '2026-08-10', dueOn: '2026-12-10' },
  ],
  [
    'today where even that is over',
    { last: over('missed', '2026-01-10', '2026-04-10', '2026-04-18') },
    { kind: 'key', since: '2026-01-10', dueOn: '2026-11-25' },
  ],
  ['monthly in the cold', { storage: 'cold', isLimited: true }, { kind: 'key', reasons: 'cold,limited' }],
])('a task is made %s', (_, more, expected) => expect(planOf(stand(more)).task).toMatchObject(expected))

test.each<[string, Partial<Parameters<typeof planOf>[0]>, object]>([
  ['stays as it is', {}, {}],
  [
    'is brought forward once the batch is near its expiry',
    { expiresOn: '2027-02-01' },
    { change: { id: 9, reasons: 'nearExpiry', dueOn: '2026-11-25' } },
  ],
])('an open task %s', (_, more, expected) => {
  const open = { id: 9, kind: 'normal' as const, since: '2026-10-01', dueOn: '2027-01-01' }
  expect(planOf(stand({ open, ...more }))).toEqual(expected)
  expect(planOf(stand({ open: { ...open, kind: 'key' }, ...more }))).toEqual({})
})
