import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

const RETRY_MS = 1_000

/**
 * Makes what is asked through the pool itself, not through a connection lent from it, wait for the database instead of
 * failing. graphile-worker's clock asks so; when it fails, a promise that nobody holds (`cron.promise.finally` in its
 * runner) ends the whole process.
 * @param stopping after it nothing is waited for any more: the answer is empty
 */
export function waitForDatabase(pool: pg.Pool, stopping: AbortSignal, onWait: (cause: unknown) => void): void {
  const ask: (...call: unknown[]) => unknown = pool.query.bind(pool)
  const patient = async (...call: unknown[]) => {
    while (!stopping.aborted) {
      try {
        return await ask(...call)
      } catch (cause) {
        onWait(cause)
        await delay(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined)
      }
    }
    return { rows: [], rowCount: 0 }
  }
  pool.query = patient as typeof pool.query
}
