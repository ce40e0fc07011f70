import { COUNTER_ANIMATION_MS } from '@aisle/contract/wallboard/board'
import { expect, test } from 'vitest'
import { COUNTER_STEP_MS, counterAt } from './counter.rules'

const cases: [fact: string, from: number, to: number, elapsedMs: number, shown: number][] = [
  ['starts at the old value', 100, 200, 0, 100],
  ['stands still within a step', 100, 200, COUNTER_STEP_MS - 1, 100],
  ['has moved after the first step', 0, 30_000, COUNTER_STEP_MS, 2_901],
  ['has arrived after a second and a half', 100, 200, COUNTER_ANIMATION_MS, 200],
  ['stays there', 100, 200, 60_000, 200],
  ['is set to zero directly', 100, 0, 0, 0],
  ['counts down too, when a sale was taken back', 200, 100, COUNTER_ANIMATION_MS, 100],
  ['bears a clock that goes backwards', 100, 200, -5, 100],
]

test.each(cases)('a counter %s', (_, from, to, elapsedMs, shown) => {
  expect(counterAt(from, to, elapsedMs)).toBe(shown)
})

test('every step on the way is whole and none goes back', () => {
  let before = 0
  for (let ms = 0; ms <= COUNTER_ANIMATION_MS; ms += 10) {
    const shown = counterAt(0, 12_345_678_901, ms)
    expect(Number.isSafeInteger(shown)).toBe(true)
    expect(shown).toBeGreaterThanOrEqual(before)
    before = shown
  }
})
