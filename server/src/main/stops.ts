import type { Logger } from 'pino'

export type Stops = {
  /** What was started last is stopped first. */
  add: (name: string, stop: () => Promise<unknown> | unknown) => void
  run: () => Promise<void>
}

const ALL_WITHIN_MS = 5_000
const EACH_WITHIN_MS = 2_000

/** Everything that was started, to be ended in order; what is too slow is left to the process's own end. */
export function stopList(log: Logger): Stops {
  const stops: { name: string; stop: () => Promise<unknown> | unknown }[] = []
  let running: Promise<void> | null = null

  const runAll = async () => {
    const startedMs = performance.now()
    for (const { name, stop } of stops.reverse()) {
      const leftMs = ALL_WITHIN_MS - (performance.now() - startedMs)
      const outcome = await within(Math.max(100, Math.min(EACH_WITHIN_MS, leftMs)), stop)
      if (outcome !== 'done') log.warn({ part: name, err: outcome }, 'did not stop in order')
    }
  }
  return {
    add: (name, stop) => void stops.push({ name, stop }),
    run: () => {
      running ??= runAll()
      return running
    },
  }
}

async function within(limitMs: number, stop: () => Promise<unknown> | unknown): Promise<'done' | unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((done) => {
    timer = setTimeout(done, limitMs, 'too slow')
  })
  try {
    return await Promise.race([Promise.resolve(stop()).then(() => 'done'), late])
  } catch (cause) {
    return cause
  } finally {
    clearTimeout(timer)
  }
}
