import type { Logger } from 'pino'
import { keepClient } from '../../db/kept'
import { type Announcement, type Bus, LIVE_CHANNEL } from '../../kernel/announce'

export type RunningBus = Bus & { isConnected: () => boolean; stop: () => Promise<void> }

/**
 * One connection that listens, apart from the pool. What was announced while it was away is lost to PostgreSQL, so
 * after a reconnection everybody hears that anything may have changed.
 */
export async function startBus(url: string, log: Logger): Promise<RunningBus> {
  const listeners = new Set<(announcement: Announcement) => void>()
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
  const tellAll = () => {
    for (const topic of ['orders', 'machines', 'commands'] as const) tell({ topic, machineIds: [] })
    tell({ topic: 'boards', reason: 'asked' })
    tell({ topic: 'events' })
    tell({ topic: 'messages', userIds: [] })
    tell({ topic: 'rights', userIds: [] })
    tell({ topic: 'changes', kinds: [], merchantIds: [], above: [] })
  }
  const kept = keepClient(url, {
    begin: async (client) => {
      client.on('notification', ({ payload }) => tell(JSON.parse(payload ?? '') as Announcement))
      await client.query(`listen ${LIVE_CHANNEL}`)
    },
    up: (isAgain) => isAgain && tellAll(),
    down: () => log.warn('live bus lost its connection'),
  })
  try {
    await kept.first
  } catch (cause) {
    await kept.stop()
    throw cause
  }

  return {
    hear: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isConnected: kept.isUp,
    stop: kept.stop,
  }
}
