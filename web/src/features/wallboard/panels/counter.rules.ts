import { COUNTER_ANIMATION_MS } from '@aisle/contract/wallboard/board'

const STEPS = 30
export const COUNTER_STEP_MS = COUNTER_ANIMATION_MS / STEPS

/** What a counter shows on its way to a pushed value, in whole fen or whole sales. Zero is set directly (spec §4). */
export function counterAt(from: number, to: number, elapsedMs: number): number {
  if (to === 0 || elapsedMs >= COUNTER_ANIMATION_MS) return to
  const step = Math.max(0, Math.floor(elapsedMs / COUNTER_STEP_MS))
  return from + Math.round((to - from) * easeOut(step / STEPS))
}

/** Fast at first, so that the first digits of a large number are right soon. */
const easeOut = (share: number) => 1 - (1 - share) ** 3
