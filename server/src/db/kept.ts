import pg from 'pg'

const FIRST_RETRY_MS = 100
/** Short: who waits for the database to come back is a machine with a customer in front of it. */
const LAST_RETRY_MS = 1_000
const CONNECT_WITHIN_MS = 5_000

export type Keeping = {
  /** What makes a new connection of use, such as listening or waiting for a lock; until then it doesn't count. */
  begin: (client: pg.Client) => Promise<unknown>
  /** @param isAgain it was up before, and what was said to it meanwhile is lost */
  up: (isAgain: boolean) => unknown
  /** Once each time that it is lost. */
  down: () => unknown
}

export type Kept = {
  isUp: () => boolean
  /** The outcome of the first attempt; whoever ignores it is told by `up` when a later one succeeds. */
  first: Promise<void>
  stop: () => Promise<void>
}

/** One connection apart from the pool that is opened again, and begun again, whenever it ends. */
export function keepClient(url: string, { begin, up, down }: Keeping): Kept {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let retryMs = FIRST_RETRY_MS
  let isUp = false
  let wasUp = false
  let isStopped = false

  const lost = (which: pg.Client) => {
    if (client !== which || isStopped) return
    client = null
    timer = setTimeout(() => void open().catch(() => undefined), someOf(retryMs))
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
    which.end().catch(() => undefined)
    if (isUp) down()
    isUp = false
  }
  const open = async () => {
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
    })
    client = fresh
    fresh.on('error', () => lost(fresh))
    fresh.on('end', () => lost(fresh))
    try {
      await fresh.connect()
      await begin(fresh)
    } catch (cause) {
      lost(fresh)
      throw cause
    }
    if (client !== fresh || isStopped) return
    const isAgain = wasUp
    isUp = true
    wasUp = true
    retryMs = FIRST_RETRY_MS
    up(isAgain)
  }

  const first = open()
  // Whoever only wants to know by `up` need not catch it.
  first.catch(() => undefined)
  return {
    isUp: () => isUp,
    first,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await client?.end()
    },
  }
}

/** Half of it to all of it, so that processes that lost the same database do not come back as one. */
const someOf = (ms: number) => ms * (0.5 + Math.random() / 2)
