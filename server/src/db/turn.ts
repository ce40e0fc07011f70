import { keepClient } from './kept'

export type Turn = { taken: () => void; lost: () => void }

/**
 * Of all processes on a database that ask for the same key one has its turn; the next one takes it when the first ends
 * or loses its connection. Waiting costs one connection that sleeps in the database.
 * @param key any fixed number that nothing else locks
 */
export function takeTurns(url: string, key: number, turn: Turn): { stop: () => Promise<void> } {
  return keepClient(url, {
    begin: (client) => client.query('select pg_advisory_lock($1)', [key]),
    up: turn.taken,
    down: turn.lost,
  })
}
