import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 10

/** Work on many things, a slice of time at once: between slices others are answered. */
export async function inSlices<T>(all: readonly T[], work: (each: T) => void): Promise<void> {
  let sinceMs = performance.now()
  for (const each of all) {
    work(each)
    if (performance.now() - sinceMs < SLICE_MS) continue
    await setImmediate()
    sinceMs = performance.now()
  }
}
