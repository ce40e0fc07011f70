import { describe, expect, test } from 'vitest'
import {
  afterFailure,
  afterSuccess,
  type Counter,
  type CounterKind,
  freshCounter,
  isBlocked,
  isUnderAttack,
  mustType,
  recentFailures,
  type Suspicion,
} from './throttle.rules'

const start = new Date('2026-03-02T08:00:00Z')
const at = (s: number) => new Date(start.getTime() + s * 1000)
const MINUTE = 60
const DAY = 24 * 3600

/** The wait in seconds after each of so many failures, each as soon as it may be tried. */
function waits(kind: CounterKind, count: number): number[] {
  let counter = freshCounter('k', start)
  let now = start
  return Array.from({ length: count }, () => {
    counter = afterFailure(counter, now, kind)
    const wait = counter.blockedUntil ? (counter.blockedUntil.getTime() - now.getTime()) / 1000 : 0
    now = new Date(now.getTime() + wait * 1000)
    return wait
  })
}

/** How many guesses get through when each is made as soon as it may be, pausing whenever that pays. */
function guessesInADay(kind: CounterKind, pauseS: (failures: number) => number): number {
  let counter = freshCounter('k', start)
  let guesses = 0
  for (let s = 0; s < DAY; s += 1) {
    if (isBlocked(counter, at(s))) continue
    counter = afterFailure(counter, at(s), kind)
    guesses += 1
    s += pauseS(counter.failures)
  }
  return guesses
}

describe('waits after failures', () => {
  test.each<[CounterKind, number[]]>([
    ['account', [0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900]],
    ['device', [0, 0, 0, 0, 0, 0, 0, 0, 0, 30, 60]],
    ['address', Array<number>(11).fill(0)],
    ['subnet', Array<number>(11).fill(0)],
  ])('of %s', (kind, expected) => {
    expect(waits(kind, expected.length)).toEqual(expected)
  })

  test('a subnet waits 5 s from its 30th failure on, and no longer', () => {
    expect(waits('subnet', 33).slice(28)).toEqual([0, 5, 5, 5, 5])
  })
})

test('a quarter of an hour without a failure gives the free tries back, sitting out a wait does not', () => {
  const four = [0, 1, 2, 3].reduce((counter, s) => afterFailure(counter, at(s), 'account'), freshCounter('k', start))
  expect(recentFailures(four, at(3 + 15 * MINUTE - 1))).toBe(4)
  expect(recentFailures(four, at(3 + 15 * MINUTE))).toBe(0)
  const blocked = afterFailure(four, at(4), 'account')
  expect(isBlocked(blocked, at(33))).toBe(true)
  expect(isBlocked(blocked, at(34))).toBe(false)
  expect(afterFailure(blocked, at(34 + 14 * MINUTE), 'account').failures).toBe(6)
})

describe('no more than 100 guesses at an account in the 24 hours from the first', () => {
  test.each<[string, (failures: number) => number]>([
    ['as fast as may be', () => 0],
    ['always pausing before the first wait', (failures) => (failures === 4 ? 15 * MINUTE : 0)],
    ['one every second', () => 1],
    ['one every eight minutes', () => 8 * MINUTE],
  ])('%s', (_, pause) => {
    const guesses = guessesInADay('account', pause)
    expect(guesses).toBeLessThanOrEqual(100)
    expect(guesses).toBeGreaterThan(50)
  })

  test('after the hundredth it opens again when the day is over', () => {
    const nearly: Counter = { ...freshCounter('k', start), failuresToday: 99 }
    const full = afterFailure(nearly, at(3600), 'account')
    expect(full.blockedUntil).toEqual(at(DAY))
    expect(afterFailure(full, at(DAY), 'account')).toMatchObject({ failuresToday: 1, dayEndsAt: at(2 * DAY) })
  })
})

test('a success forgets the failures but not the day’s count', () => {
  const failed = afterFailure({ ...freshCounter('k', start), failures: 9 }, start, 'account')
  const after = afterSuccess(failed)
  expect([recentFailures(after, start), isBlocked(after, start), after.failuresToday]).toEqual([0, false, 1])
})

describe('a code must be typed', () => {
  const clean: Suspicion = {
    account: undefined,
    device: undefined,
    address: undefined,
    subnet: undefined,
    system: undefined,
    sprayedAccounts: 0,
    isTrustedDevice: false,
  }
  const failed = (count: number): Counter => ({ ...freshCounter('k', start), failures: count })
  const attacked: Counter = { ...freshCounter('system', start), blockedUntil: at(60) }
  const trusted = { ...clean, isTrustedDevice: true }

  test.each<[string, boolean, Suspicion]>([
    ['never on a clean first attempt', false, clean],
    ['after one failure of the account', true, { ...clean, account: failed(1) }],
    ['after one failure of the address', true, { ...clean, address: failed(1) }],
    ['not for 29 failures of neighbours', false, { ...clean, subnet: failed(29) }],
    ['for 30 failures of neighbours', true, { ...clean, subnet: failed(30) }],
    ['not for 20 accounts tried from the subnet', false, { ...clean, sprayedAccounts: 20 }],
    ['for 21 accounts tried from the subnet', true, { ...clean, sprayedAccounts: 21 }],
    ['while the platform is under attack', true, { ...clean, system: attacked }],
    [
      'not on a device that signed in before, whatever others do',
      false,
      { ...trusted, account: failed(9), address: failed(9), subnet: failed(99), sprayedAccounts: 99, system: attacked },
    ],
    ['on such a device after its own failure', true, { ...trusted, device: failed(1) }],
  ])('%s', (_, expected, seen) => {
    expect(mustType(seen, at(1))).toBe(expected)
  })

  test('no longer than a quarter of an hour', () => {
    expect(mustType({ ...clean, account: failed(1) }, at(15 * MINUTE))).toBe(false)
  })
})

test.each([
  [{ tries: 60, failures: 49 }, 0.01, false],
  [{ tries: 100, failures: 50 }, 0.1, false],
  [{ tries: 100, failures: 51 }, 0.1, true],
  [{ tries: 50, failures: 50 }, 0, true],
])('%o with a usual share of %d is an attack: %s', (recent, usual, expected) => {
  expect(isUnderAttack(recent, usual)).toBe(expected)
})
