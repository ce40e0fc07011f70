import { expect, test } from 'vitest'
import { adviceOf, type Facts, type Failure } from './diagnosis.rules'

const fails = (slot: string, motorCode: string, sensorCode: string, count: number): Failure => ({
  slot,
  motorCode,
  sensorCode,
  count,
  of: 40,
})
const nothing: Facts = {
  failures: [],
  offlineSpans: 0,
  offlineHours: 0,
  temperature: { min: 2, max: 8, points: [] },
  alarms: {},
}
const warm = (hours: number, all: number) =>
  Array.from({ length: all }, (_, hour) => ({ celsius: hour < hours ? 9 : 5 }))

test.each<[string, Partial<Facts>, string[]]>([
  ['nothing failed', {}, []],
  ['twice is chance', { failures: [fails('A1', '100', '03', 2)] }, []],
  [
    'the motor ran and nothing fell, often, on one slot',
    { failures: [fails('A1', '100', '03', 3)] },
    ['product_hangs A1'],
  ],
  ['one motor times out', { failures: [fails('A1', '103', '00', 4)] }, ['slot_motor A1']],
  [
    'over-current and time-out of one motor count together',
    { failures: [fails('A1', '102', '00', 2), fails('A1', '103', '00', 1)] },
    ['slot_motor A1'],
  ],
  [
    'motors of many slots time out',
    { failures: ['A1', 'A2', 'B3'].map((slot) => fails(slot, '103', '00', 1)) },
    ['power_or_board'],
  ],
  ['one wire is broken', { failures: [fails('C1', '101', '00', 3)] }, ['slot_wire C1']],
  ['many wires are', { failures: ['A1', 'A2', 'B3'].map((slot) => fails(slot, '101', '00', 1)) }, ['board_wires']],
  [
    'the light curtain fails',
    { failures: [fails('A1', '100', '02', 2), fails('A2', '100', '02', 1)] },
    ['light_curtain'],
  ],
  ['the lift fails', { failures: [fails('A1', '100', '04', 5)] }, ['lift']],
  ['silent five times', { offlineSpans: 5, offlineHours: 2 }, ['network']],
  ['silent a day in all', { offlineSpans: 1, offlineHours: 30 }, ['network']],
  ['warm for a tenth of the time', { temperature: { min: 2, max: 8, points: warm(10, 100) } }, ['cooling']],
  ['warm while it was filled', { temperature: { min: 2, max: 8, points: warm(3, 100) } }, []],
  ['a cooler without limits', { temperature: { min: null, max: null, points: warm(90, 100) } }, []],
  ['the door stays open', { alarms: { door_open: 3 } }, ['door_latch']],
  [
    'the most frequent stands first',
    { failures: [fails('A1', '100', '03', 3), fails('B1', '103', '00', 9)] },
    ['slot_motor B1', 'product_hangs A1'],
  ],
])('%s', (_, facts, expected) => {
  const said = adviceOf({ ...nothing, ...facts }).map(({ finding, slot }) => [finding, slot].filter(Boolean).join(' '))
  expect(said).toEqual(expected)
})
