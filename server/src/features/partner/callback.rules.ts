/** After each try that was not heard: a minute first, half a day last; three days in all. */
const waits = [1, 2, 5, 15, 60, 180, 360, 720, 1440, 1440]
const MINUTE_MS = 60_000

/** @param tries made so far. @returns null when it is tried no more */
export function nextTryAt(tries: number, now: Date): Date | null {
  const wait = waits[tries - 1]
  return wait === undefined || tries >= waits.length ? null : new Date(now.getTime() + wait * MINUTE_MS)
}

/** Heard is what is answered with 2xx; a redirect would lead past the address that was allowed. */
export const isHeard = (status: number | null): boolean => status !== null && status >= 200 && status < 300
