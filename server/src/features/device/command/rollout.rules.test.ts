import { rolloutState, usualWaves } from '@aisle/contract/device/software'
import { expect, test } from 'vitest'
import { areWaves, stepOf, type WaveCounts, wavesOf } from './rollout.rules'

const counts = (changes: Partial<WaveCounts>): WaveCounts => ({
  machines: 100,
  open: 0,
  done: 0,
  failed: 0,
  missed: 0,
  ...changes,
})

const cases: [string, Partial<WaveCounts>, { limit?: number; forgiven?: number; isLast?: boolean }, string][] = [
  ['is asked', { open: 100 }, {}, 'wait'],
  ['is half done', { open: 50, done: 50 }, {}, 'wait'],
  ['is done', { done: 100 }, {}, 'advance'],
  ['is done and the last', { done: 100 }, { isLast: true }, 'finish'],
  ['failed within the limit', { done: 95, failed: 5 }, {}, 'advance'],
  ['failed beyond it, with others still open', { open: 60, done: 34, failed: 6 }, {}, 'stop'],
  ['failed once where nothing may fail', { open: 99, failed: 1 }, { limit: 0 }, 'stop'],
  ['was missed by some', { done: 60, missed: 40 }, {}, 'advance'],
  ['was missed by all', { missed: 100 }, {}, 'stop'],
  ['was missed by all, and a person goes on', { missed: 100 }, { forgiven: 0 }, 'advance'],
  ['failed, and a person goes on', { open: 50, done: 40, failed: 10 }, { forgiven: 10 }, 'wait'],
  ['failed, a person went on, and it failed further', { open: 40, done: 44, failed: 16 }, { forgiven: 10 }, 'stop'],
]
test.each(cases)('a wave that %s', (_, some, { limit = 5, forgiven, isLast = false }, step) => {
  expect(stepOf({ isLast, limitPercent: limit, counts: counts(some), forgiven: forgiven ?? null })).toBe(step)
})

test('a wave of one machine that fails stops everything', () => {
  expect(stepOf({ isLast: false, limitPercent: 50, counts: counts({ machines: 1, failed: 1 }), forgiven: null })).toBe(
    'stop',
  )
})

test('machines are spread over the waves, one at least in the first', () => {
  const sizes = (count: number) => {
    const waves = wavesOf(count, usualWaves)
    return [1, 2, 3, 4].map((wave) => waves.filter((each) => each === wave).length)
  }
  expect(sizes(1000)).toEqual([10, 90, 400, 500])
  expect(sizes(30)).toEqual([1, 2, 12, 15])
  expect(sizes(1)).toEqual([1, 0, 0, 0])
})

test('waves rise to all machines', () => {
  expect([[100], [1, 10, 100], [10, 10, 100], [50, 20, 100], [10, 90]].map(areWaves)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

test('every state of an update is reached', () => {
  expect(rolloutState.unreachable()).toEqual([])
})
