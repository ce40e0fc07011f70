import type { Client } from 'pg'
import { keepClient } from './kept'

export type Turn = { taken: () => void; lost: () => void }

/** Who has not been heard for so long has lost its turn. */
const SILENT_MS = 2_000
const SAYS_EVERY_MS = 500

/**
 * Of all processes on a database that ask for the same key one has its turn; the next one takes it when the first ends,
 * is stopped, or can't be reached: a network that was cut ends no connection. Waiting costs one connection that sleeps
 * in the database.
 * @param key any fixed number that nothing else locks
 */
export function takeTurns(url: string, key: number, turn: Turn): { stop: () => Promise<void> } {
  return keepClient(url, {
    begin: async (client) => {
      await client.query('select pg_advisory_lock($1)', [key])
      await client.query(`set idle_session_timeout = ${SILENT_MS}`)
      sayAlive(client)
    },
    up: turn.taken,
    down: turn.lost,
  })
}

/** Ends the connection when nothing comes back: by then another may have its turn. */
function sayAlive(client: Client): void {
  let unanswered = 0
  const timer = setInterval(() => {
    if (unanswered * SAYS_EVERY_MS >= SILENT_MS) return void client.end()
    unanswered += 1
    const answered = () => {
      unanswered = 0
    }
    // One at a time: those that come after it would only stand in line.
    if (unanswered === 1) client.query('select 1').then(answered, () => undefined)
  }, SAYS_EVERY_MS)
  client.once('end', () => clearInterval(timer))
}
