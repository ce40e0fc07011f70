import type { Ack, MessageData, messageData } from '@aisle/contract/device/messages'
import { upTopic } from '@aisle/contract/device/topics'
import { encodeMessage, seal } from './envelope'
import type { Message, Stored } from './outbox'
import { between, chance, spread } from '../random'
import { type Machine, steadyMs, wallMs } from '../world'

const MOST_ON_THE_WAY = 50
const LONGEST_RESEND_MS = 600_000

/** Of a door the protocol says no more than that it is kept. */
type Data = { [T in keyof typeof messageData]: MessageData<T> } & { door: Record<string, unknown> }

/** Stamps a message with the machine's own clock, its place in the count and whether the link was away. */
export const compose = <T extends keyof Data & string>(machine: Machine, type: T, data: Data[T]): Message =>
  seal(machine.boot, wallMs(machine), {
    code: machine.code,
    timeZone: machine.timeZone,
    type,
    data,
    offline: !machine.isUp,
  })

/** Not critical: may be lost, merged or asked again. */
export type Sayable =
  | 'presence'
  | 'heartbeat'
  | 'snapshot'
  | 'log'
  | 'ad.play'
  | 'order.request'
  | 'pickup.check'
  | 'card.check'

/** Says something that may be lost: sent now or, without a link, not at all. */
export function say<T extends Sayable>(machine: Machine, type: T, data: Data[T]): Message | null {
  if (!machine.isUp) return null
  const message = compose(machine, type, data)
  transmit(machine, message)
  return message
}

/**
 * Critical messages, together with what the machine must remember of the same event: one change on disk, then sent.
 * Settles when it is on disk.
 */
export async function record(machine: Machine, put: Message[], remember?: Record<string, unknown>): Promise<void> {
  await machine.world.outbox.commit(machine.code, { put, remember })
  pump(machine)
}

/** The link is back: what just happened goes out at once, older messages wait for the machine's turn, oldest first. */
export function resume(machine: Machine): void {
  const { freshMs, replayWithinMs, replayBatch, replayBatchMs } = machine.world.settings
  const nowMs = steadyMs(machine)
  const startMs = nowMs + spread(machine.code, replayWithinMs)
  let older = 0
  for (const stored of machine.world.outbox.pending(machine.code).values()) {
    stored.sendings = 0
    stored.isBacklog = nowMs - stored.storedMs > freshMs
    stored.dueMs = stored.isBacklog ? startMs + Math.floor(older / replayBatch) * replayBatchMs : nowMs
    if (stored.isBacklog) older += 1
  }
  pump(machine)
}

export function takeAcks(machine: Machine, acks: readonly Ack[]): void {
  const { outbox, count } = machine.world
  const before = outbox.pending(machine.code).size
  outbox.settle(machine.code, acks)
  count('acknowledged', before - outbox.pending(machine.code).size)
  count('rejected', acks.filter((ack) => ack.state === 'refused' || ack.state === 'conflict').length)
  if (outbox.pending(machine.code).size > 0) pump(machine)
}

/** Sends what is due and sets one wait for what is due next. */
function pump(machine: Machine): void {
  machine.world.wheel.cancel(machine.tickets.pump)
  machine.tickets.pump = null
  if (!machine.isUp) return
  const nowMs = steadyMs(machine)
  let onTheWay = 0
  let nextMs = Number.POSITIVE_INFINITY
  for (const stored of machine.world.outbox.pending(machine.code).values()) {
    if (!stored.isDurable) continue
    // A server that does not keep up gets no more of the past; acknowledgements make room.
    const mayGo = stored.dueMs <= nowMs && (!stored.isBacklog || onTheWay < MOST_ON_THE_WAY)
    if (mayGo) sendStored(machine, stored, nowMs)
    if (stored.sendings > 0) onTheWay += 1
    if (stored.dueMs > nowMs) nextMs = Math.min(nextMs, stored.dueMs)
  }
  if (nextMs === Number.POSITIVE_INFINITY) return
  machine.tickets.pump = machine.world.wheel.after(nextMs - nowMs, () => pump(machine))
}

function sendStored(machine: Machine, stored: Stored, nowMs: number): void {
  const waitMs = Math.min(machine.world.settings.resendMs * 2 ** stored.sendings, LONGEST_RESEND_MS)
  stored.sendings += 1
  // Resends of many machines drift apart.
  stored.dueMs = nowMs + waitMs * (1 + machine.random() / 4)
  transmit(machine, stored.message)
}

/** To the wire, with the mischief of mobile networks when it is asked for: held back or sent twice. */
function transmit(machine: Machine, message: Message): void {
  const { wheel, settings } = machine.world
  // A goodbye that is held back is never said.
  if (message.type === 'presence') return publish(machine, message)
  const holdMs = chance(machine.random, settings.reorderShare) ? between(machine.random, settings.mischiefMs) : 0
  if (holdMs === 0) publish(machine, message)
  if (holdMs > 0) wheel.after(holdMs, () => publish(machine, message))
  if (!chance(machine.random, settings.duplicateShare)) return
  wheel.after(holdMs + between(machine.random, settings.mischiefMs), () => publish(machine, message))
}

function publish(machine: Machine, message: Message): void {
  if (!machine.isUp || !machine.link) return
  machine.world.count('sent')
  machine.link.publish(upTopic(machine.code, message.type), encodeMessage(message, wallMs(machine), machine.timeZone))
}
