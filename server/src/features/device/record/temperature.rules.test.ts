import { expect, test } from 'vitest'
import { brokenAt, CHAIN_BEGIN, chained, type Reading, silences } from './temperature.rules'

const reading = (minute: number, celsiusTenths: number): Reading => ({
  machineId: 7,
  merchantId: 1,
  day: '2026-11-20',
  at: new Date(Date.UTC(2026, 10, 20, 4, minute)),
  receivedAt: new Date(Date.UTC(2026, 10, 20, 4, minute, 1)),
  msgId: `m-${minute}`,
  probe: 0,
  celsiusTenths,
  humidityTenths: null,
  mode: 'cooling',
  compressor: true,
})

type Kept = Reading & { place: number; hash: Buffer }
function chain(readings: readonly Reading[]): Kept[] {
  let previous = CHAIN_BEGIN
  return readings.map((each, at) => {
    previous = chained(previous, each)
    return { ...each, place: at + 1, hash: previous }
  })
}

const kept = chain([reading(0, 45), reading(1, 46), reading(2, 81), reading(3, 47)])
const changed = (at: number, change: Partial<Kept>) => kept.map((each, i) => (i === at ? { ...each, ...change } : each))

test.each<[string, Kept[], number | null]>([
  ['a whole chain', kept, null],
  ['an empty one', [], null],
  ['a value made better', changed(2, { celsiusTenths: 45 }), 3],
  ['a time moved', changed(1, { at: new Date(0) }), 2],
  ['one left out', kept.filter((_, i) => i !== 1), 2],
  [
    'one left out and the rest numbered anew',
    kept.filter((_, i) => i !== 1).map((e, i) => ({ ...e, place: i + 1 })),
    2,
  ],
  ['one put in', [...kept.slice(0, 2), { ...reading(9, 40), place: 3, hash: Buffer.alloc(32) }, ...kept.slice(2)], 3],
  ['two swapped', [kept[1], kept[0], kept[2], kept[3]].flatMap((each) => each ?? []), 1],
])('%s breaks at %s', (_, records, place) => {
  expect(brokenAt(records)).toBe(place)
})

const limits = { minC: 2, maxC: 8 }
const minute = (at: number) => new Date(Date.UTC(2026, 10, 20, 4, at))
test.each<[string, [number, number][], number, [number, number][]]>([
  [
    'a value each half hour is enough in range',
    [
      [0, 45],
      [30, 45],
    ],
    59,
    [],
  ],
  [
    'an hour is not',
    [
      [0, 45],
      [60, 45],
    ],
    61,
    [[0, 60]],
  ],
  [
    'out of range two minutes are',
    [
      [0, 95],
      [2, 95],
      [4, 45],
    ],
    20,
    [],
  ],
  [
    'out of range three are not',
    [
      [0, 95],
      [3, 45],
    ],
    20,
    [[0, 3]],
  ],
  ['what is silent now counts', [[0, 45]], 40, [[0, 40]]],
  ['without a record nothing can be silent', [], 40, []],
])('%s', (_, points, until, found) => {
  const given = points.map(([at, celsiusTenths]) => ({ at: minute(at), celsiusTenths }))
  const expected = found.map(([from, to]) => ({ from: minute(from), to: minute(to) }))
  expect(silences(given, limits, minute(until))).toEqual(expected)
})
