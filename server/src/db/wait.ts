import { setTimeout as delay } from 'node:timers/promises'

/** Asks again and again until there is an answer; undefined when `limitMs` went by without one. */
export async function waitUntil<T>(
  limitMs: number,
  pauseMs: number,
  ask: () => Promise<T | undefined> | T | undefined,
): Promise<T | undefined> {
  const startedMs = performance.now()
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() - startedMs > limitMs) return undefined
    await delay(pauseMs)
  }
}
