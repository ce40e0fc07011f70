import type { Actor } from '../../kernel/context'
import type { LiveSocket } from '../../kernel/socket'

export type Topic = 'orders' | 'machines' | 'commands' | 'messages' | 'changes' | 'rights'

export type Listener = {
  socket: LiveSocket
  actor: Actor
  /** null: every machine */
  machines: ReadonlySet<number> | null
  /** Their own, and whose machines they see; empty where they see all. */
  merchants: ReadonlySet<number>
  waiting: Set<Topic>
  /** What has changed since the last frame of `changes`; `*` is anything. */
  kinds: Set<string>
  sentAtMs: Map<Topic, number>
}

/** At most one frame a topic in this time: a frame only says "look again". */
const FRAME_EVERY_MS = 1_000
/** A reader that lags by more than this gets nothing until it has caught up, and then one frame. */
const SLOW_BYTES = 1024 * 1024

export function offer(listener: Listener, topics: readonly Topic[], now: Date): void {
  for (const topic of topics) listener.waiting.add(topic)
  sendDue(listener, now)
}

export function sendDue({ socket, waiting, kinds, sentAtMs }: Listener, now: Date): void {
  if (waiting.size === 0 || socket.bufferedBytes() > SLOW_BYTES) return
  for (const topic of waiting) {
    if (now.getTime() - (sentAtMs.get(topic) ?? 0) < FRAME_EVERY_MS) continue
    waiting.delete(topic)
    sentAtMs.set(topic, now.getTime())
    const more = topic === 'changes' ? { kinds: kinds.has('*') ? [] : [...kinds] } : {}
    if (topic === 'changes') kinds.clear()
    socket.send(JSON.stringify({ topic, at: now.toISOString(), ...more }))
  }
}
