import pg from 'pg'

const RETRY_MS = 1_000

export type Turn = { taken: () => void; lost: () => void }

/**
 * Of all processes on a database that ask for the same key one has its turn; the next one takes it when the first ends
 * or loses its connection. Waiting costs one connection that sleeps in the database.
 * @param key any fixed number that nothing else locks
 */
export function takeTurns(url: string, key: number, turn: Turn): { stop: () => Promise<void> } {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const again = (which: pg.Client) => {
    if (client !== which || isStopped) return
    client = null
    turn.lost()
    timer = setTimeout(() => void wait(), RETRY_MS)
  }
  const wait = async () => {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 })
    client = fresh
    fresh.on('error', () => again(fresh))
    fresh.on('end', () => again(fresh))
    try {
      await fresh.connect()
      await fresh.query('select pg_advisory_lock($1)', [key])
      if (client === fresh && !isStopped) turn.taken()
    } catch {
      again(fresh)
    }
  }

  void wait()
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await client?.end()
    },
  }
}
