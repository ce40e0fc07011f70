import pg from 'pg'
import type { Logger } from 'pino'
import { type Announcement, type Bus, LIVE_CHANNEL } from '../../kernel/announce'

export type RunningBus = Bus & { isConnected: () => boolean; stop: () => Promise<void> }

const FIRST_RETRY_MS = 200
const LAST_RETRY_MS = 5_000

/**
 * One connection that listens, apart from the pool. What was announced while it was away is lost to PostgreSQL, so
 * after a reconnection everybody hears that anything may have changed.
 */
export async function startBus(url: string, log: Logger): Promise<RunningBus> {
  const listeners = new Set<(announcement: Announcement) => void>()
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let retryMs = FIRST_RETRY_MS
  let isStopped = false

  const tell = (announcement: Announcement) => {
    for (const listener of listeners) {
      try {
        listener(announcement)
      } catch (err) {
        // One listener's mistake must not keep the news from the others, nor end the process.
        log.error({ err, topic: announcement.topic }, 'bug in a listener')
      }
    }
  }
  const lost = (which: pg.Client) => {
    if (client !== which || isStopped) return
    client = null
    log.warn('live bus lost its connection')
    timer = setTimeout(() => void again(), retryMs)
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
  }
  const connect = async () => {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 })
    client = fresh
    fresh.on('error', () => lost(fresh))
    fresh.on('end', () => lost(fresh))
    fresh.on('notification', ({ payload }) => tell(JSON.parse(payload ?? '') as Announcement))
    await fresh.connect()
    await fresh.query(`listen ${LIVE_CHANNEL}`)
    retryMs = FIRST_RETRY_MS
  }
  const again = async () => {
    try {
      await connect()
      for (const topic of ['orders', 'machines', 'commands'] as const) tell({ topic, machineIds: [] })
      tell({ topic: 'messages', userIds: [] })
      tell({ topic: 'rights', userIds: [] })
      tell({ topic: 'changes', kinds: [], merchantIds: [], above: [] })
    } catch {
      if (client) lost(client)
    }
  }

  await connect()
  return {
    hear: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isConnected: () => client !== null,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await client?.end()
    },
  }
}
