import { isOutOfStock } from '@aisle/contract/alarm/stockRule'
import { expect, test } from 'vitest'
import {
  HUMIDITY_BAND,
  isClockOff,
  isFailingRepeatedly,
  isJam,
  isOutside,
  isSilent,
  isSilentInSales,
  lasting,
  TEMPERATURE_BAND_C,
  temperatureDelayMs,
} from './watch.rules'

const MINUTE = 60_000
const DOOR = 5 * MINUTE

test.each([
  ['nothing is and nothing was', false, false, null, 'keep'],
  ['it begins', true, false, null, 'wait'],
  ['it goes on, not yet long enough', true, false, DOOR - 1, 'wait'],
  ['it has lasted', true, false, DOOR, 'raise'],
  ['it ends before it was an alarm', false, false, 60_000, 'clear'],
  ['it is an alarm and goes on', true, true, null, 'raise'],
  ['it is an alarm and ends', false, true, null, 'clear'],
] as const)('a door: %s', (_, isTrue, isOpen, waitingMs, expected) => {
  expect(lasting(isTrue, { isOpen, waitingMs, delayMs: DOOR })).toBe(expected)
})

test('what has no time to lose is an alarm with its first measurement', () => {
  expect(temperatureDelayMs(true)).toBe(0)
  expect(lasting(true, { isOpen: false, waitingMs: null, delayMs: temperatureDelayMs(true) })).toBe('raise')
  expect(lasting(true, { isOpen: false, waitingMs: null, delayMs: temperatureDelayMs(false) })).toBe('wait')
})

test.each([
  [8, false, false],
  [8.1, false, true],
  [7.8, true, true],
  [7.5, true, false],
  [2, false, false],
  [1.9, false, true],
  [2.4, true, true],
  [2.5, true, false],
])('%d °C in a cabinet of 2 to 8 °C, alarm open: %s, is outside: %s', (value, isOpen, expected) => {
  expect(isOutside(value, { min: 2, max: 8 }, isOpen, TEMPERATURE_BAND_C)).toBe(expected)
})

test('a cabinet without limits, or with narrow ones, can be well again', () => {
  expect(isOutside(90, { min: null, max: null }, true, TEMPERATURE_BAND_C)).toBe(false)
  expect(isOutside(4.2, { min: 4, max: 4.4 }, true, TEMPERATURE_BAND_C)).toBe(false)
  expect(isOutside(74, { min: null, max: 75 }, true, HUMIDITY_BAND)).toBe(true)
  expect(isOutside(73, { min: null, max: 75 }, true, HUMIDITY_BAND)).toBe(false)
})

test.each([
  [5 * MINUTE, false, false],
  [5 * MINUTE + 1, false, true],
  [-6 * MINUTE, false, true],
  [4 * MINUTE, true, true],
  [3 * MINUTE, true, false],
])('a clock %d ms off, alarm open: %s, is off: %s', (skewMs, isOpen, expected) => {
  expect(isClockOff(skewMs, isOpen)).toBe(expected)
})

test('a machine is offline from the minutes on that its merchant has set', () => {
  expect([isSilent(10 * MINUTE, 10), isSilent(10 * MINUTE + 1, 10)]).toEqual([false, true])
})

const vends = (text: string) => [...text].map((each) => each === '+')
test.each([
  ['--', false, false],
  ['---', false, true],
  ['-+-+-', false, true],
  ['+---', false, false],
  ['-+++++++--', false, true],
  ['-++++++++--', false, false],
  ['++-', true, true],
  ['+++-', true, false],
  ['+', true, true],
])('the last vends %s (newest first), alarm open: %s, fail repeatedly: %s', (text, isOpen, expected) => {
  expect(isFailingRepeatedly(vends(text), isOpen)).toBe(expected)
})

test.each([
  [{ ok: false, motorCode: '103' }, true],
  [{ ok: false, motorCode: '100', sensorCode: '03' }, true],
  [{ ok: false, motorCode: '101' }, false],
  [{ ok: true, motorCode: '103' }, false],
])('a vend %j is a jam: %s', (vend, expected) => {
  expect(isJam(vend)).toBe(expected)
})

test.each([
  [7.9, 30, false],
  [8, 3.9, false],
  [8, 4, true],
])('%d orders missed in %d hours is an alarm: %s', (expected, silentHours, isAlarm) => {
  expect(isSilentInSales({ expected, silentHours }, 4)).toBe(isAlarm)
})

test.each([
  [{ empty: 5, slots: 60 }, { empty: 5, ofSlots: 60 }, true],
  [{ empty: 4, slots: 60 }, { empty: 5, ofSlots: 60 }, false],
  [{ empty: 1, slots: 12 }, { empty: 5, ofSlots: 60 }, true],
  [{ empty: 2, slots: 25 }, { empty: 5, ofSlots: 60 }, false],
  [{ empty: 3, slots: 100 }, { empty: 3, ofSlots: null }, true],
  [{ empty: 2, slots: 4 }, { empty: 3, ofSlots: null }, false],
  [{ empty: 4, slots: 4 }, { empty: 0, ofSlots: 60 }, false],
  [{ empty: 0, slots: 0 }, { empty: 1, ofSlots: null }, false],
])('%j by the rule %j is short: %s', (machine, rule, expected) => {
  expect(isOutOfStock(machine, rule)).toBe(expected)
})
