import { testSlotState, testState, type TestSlotState, type TestState } from '@aisle/contract/device/machineTest'
import { expect, test } from 'vitest'
import type { Ended } from '../command/command.store'
import { slotStateOf, testAfter, turnedIn } from './machineTest.rules'

const good = { ok: true, motorCode: '100', sensorCode: '01', durationMs: 3_100 }
const ends: [Ended['state'], Record<string, unknown> | null, TestSlotState][] = [
  ['done', good, 'passed'],
  ['done', { ...good, ok: false, sensorCode: '03' }, 'failed'],
  ['failed', { ...good, ok: false, motorCode: '101' }, 'failed'],
  ['failed', null, 'failed'],
  ['refused', null, 'skipped'],
  ['expired', null, 'skipped'],
  ['cancelled', null, 'skipped'],
  ['done', null, 'skipped'],
]
test.each(ends)('a command that ends %s with %j leaves its slot %s', (state, result, slot) => {
  expect(slotStateOf({ state, result })).toBe(slot)
})

const tests: [TestSlotState[], TestState][] = [
  [['passed', 'waiting'], 'running'],
  [['failed', 'waiting'], 'running'],
  [['passed', 'skipped', 'waiting'], 'stopped'],
  [['passed', 'passed'], 'passed'],
  [['passed', 'failed'], 'failed'],
]
test.each(tests)('with its slots %j a test is %s', (slots, state) => {
  expect(testAfter(slots)).toBe(state)
})

test('what a machine says of a motor is taken as it is, and nonsense is not', () => {
  expect(turnedIn(good)).toEqual(good)
  expect(turnedIn({ ok: 'yes' })).toBeNull()
  expect(turnedIn({ ok: true, motorCode: 100, durationMs: -5 })).toEqual({
    ok: true,
    motorCode: null,
    sensorCode: null,
    durationMs: null,
  })
})

test('every state of a test and of its slots is reached', () => {
  expect([...testState.unreachable(), ...testSlotState.unreachable()]).toEqual([])
})
