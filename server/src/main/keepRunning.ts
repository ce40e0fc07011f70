import { setTimeout as delay } from 'node:timers/promises'

export type Running = { promise: Promise<void>; stop: () => Promise<void> }

/**
 * Something that ends when the database does, started again until it is told to stop: also when the database goes away
 * during the first start.
 * @param onEnded told each time that it ended or could not be started, with the cause if there was one
 */
export async function keepRunning(
  start: () => Promise<Running>,
  onEnded: (cause: unknown) => void,
  retryMs = 1_000,
): Promise<{ stop: () => Promise<void> }> {
  const stopping = new AbortController()
  let current = await start().catch(failed)
  const watching = watch()

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (current) {
        const cause = await endOf(current)
        if (stopping.signal.aborted) return
        onEnded(cause)
      }
      current = null
      await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (!stopping.signal.aborted) current = await start().catch((error: unknown) => failed(error))
    }
  }

  function failed(cause: unknown): null {
    onEnded(cause)
    return null
  }

  return {
    stop: async () => {
      stopping.abort()
      // One that is just being started is stopped once it runs.
      const running = current
      await running?.stop().catch(() => undefined)
      await watching
      if (current !== running) await current?.stop().catch(() => undefined)
    },
  }
}

/** @returns why it ended; undefined when it ended in good order */
const endOf = ({ promise }: Running): Promise<unknown> =>
  promise.then(
    () => undefined,
    (cause: unknown) => cause,
  )
