import type { Announcement } from '../../kernel/announce'
import type { Clock } from '../../kernel/clock'
import type { Topic } from './listener'

/** A page's list is read before its socket is let in, and a network comes back later than what happened meanwhile. */
const SLACK_MS = 1_000
const ALL: readonly Topic[] = ['orders', 'machines', 'commands', 'messages', 'changes', 'rights']

/** Which lists an announcement is news for. */
const CONCERNS: { [T in Announcement['topic']]?: readonly Topic[] } = {
  sales: ['orders', 'machines'],
  orders: ['orders'],
  machines: ['machines'],
  sight: ['machines'],
  commands: ['commands'],
  answers: ['commands'],
  messages: ['messages'],
  rights: ['rights'],
  changes: ['changes'],
}

export const concernedBy = ({ topic }: Announcement): readonly Topic[] => CONCERNS[topic] ?? []

export type Missed = ReturnType<typeof hearMissed>

/** When each topic was last news to anybody: who comes in may have missed it. */
export function hearMissed(clock: Clock) {
  const beganAtMs = clock.now().getTime()
  const lastAtMs = new Map<Topic, number>()
  return {
    note: (announcement: Announcement) => {
      for (const each of concernedBy(announcement)) lastAtMs.set(each, clock.now().getTime())
    },
    /** Everything, where this process is younger than that. */
    since: (unheardMs: number): readonly Topic[] => {
      if (unheardMs === 0) return []
      const fromMs = clock.now().getTime() - unheardMs - SLACK_MS
      return fromMs < beganAtMs ? ALL : ALL.filter((topic) => (lastAtMs.get(topic) ?? 0) >= fromMs)
    },
  }
}
