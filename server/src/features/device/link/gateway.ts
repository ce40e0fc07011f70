import { ackState, type MessageData } from '@aisle/contract/device/messages'
import type { Bus } from '../../../kernel/announce'
import type { Services } from '../../../kernel/context'
import type { MachineLink } from '../../../kernel/machineLink'
import { traced } from '../../../db/trace'
import { findMachines } from '../../trade/public'
import { decode, type Incoming, type Unreadable } from './decode'
import { type Ingested, ingest } from './ingest'
import { sendCommands, sendDown, startSender, tellMachine } from './outbound'
import { noteUnreadable, refuseUnreadable } from './refusals'

/** One transaction's worth; more waits for the next one. */
const BATCH = 1_000
/** Beyond this, heartbeats are dropped; beyond ten times this, machines keep their critical messages and resend. */
const BUSY = 5_000
const RETRY_MS = 500

export type Gateway = { stop: () => Promise<void>; depth: () => number }

/**
 * Takes what machines say, at its own pace: messages queue, and one batch after another is ingested; only what is
 * durable is acknowledged. While the database is away the queue waits, and so do the machines.
 */
export function startGateway(services: Services, link: MachineLink, bus: Bus): Gateway {
  const queue: Incoming[] = []
  let unreadable: Unreadable[] = []
  let running: Promise<void> | null = null
  let stopped = false

  link.onMessage((raw) => {
    if (stopped) return
    const decoded = decode(raw, services.clock.now())
    if (!decoded.ok) unreadable.push(decoded.unreadable)
    if (decoded.ok && hasRoom(queue.length, decoded.message)) queue.push(decoded.message)
    wake()
  })
  const sender = startSender(services, link)
  const deaf = bus.hear((announcement) => {
    if (announcement.topic === 'secrets') link.drop(announcement.machineCode)
    if (announcement.topic === 'commands') sender.send(announcement.machineIds)
    if (announcement.topic === 'tell') tellMachine(link, announcement.machineCode, announcement.answer)
  })

  function wake(): void {
    running ??= drain().finally(() => {
      running = null
    })
  }

  async function drain(): Promise<void> {
    while (!stopped && (queue.length > 0 || unreadable.length > 0)) {
      // A turn of the event loop first, so that a burst becomes one batch.
      await new Promise(setImmediate)
      const batch = queue.slice(0, BATCH)
      const odd = unreadable
      unreadable = []
      try {
        if (odd.length > 0) await refuseUnreadable(services, link, odd)
        if (batch.length > 0) await take(batch)
        queue.splice(0, batch.length)
      } catch (error) {
        services.log.error({ error }, 'batch not taken; trying again')
        unreadable = [...odd, ...unreadable].slice(-BUSY)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  async function take(batch: readonly Incoming[]): Promise<void> {
    const what = { kind: 'work', name: 'device.ingest', facts: { 'aisle.messages': batch.length } } as const
    const ingested = await traced(services, what, () => ingestOrSplit(services, batch))
    sendDown(link, ingested)
    // Whoever repeats itself has not heard our answer, nor perhaps the command that went with it.
    const unheard = ingested.replies.filter((reply) => ackState.is(reply.ack?.state, 'duplicate'))
    const back = [...batch.filter(isBack), ...unheard].map(({ machineCode }) => machineCode)
    if (back.length === 0) return
    const machines = await findMachines(services.db, back)
    const machineIds = [...machines.values()].map((machine) => machine.id)
    await sendCommands(services, link, machineIds, true)
  }

  return {
    depth: () => queue.length,
    stop: async () => {
      stopped = true
      deaf()
      await sender.stop()
      await running
    },
  }
}

const hasRoom = (depth: number, message: Incoming): boolean =>
  depth < BUSY || (message.class !== 'droppable' && depth < 10 * BUSY)

const isBack = (message: Incoming): boolean =>
  message.type === 'presence' && (message.data as MessageData<'presence'>).online

/**
 * One message that the database won't have must not hold up the others: the batch is halved until it stands alone, and
 * then it is noted as not understood and left unacknowledged. A database that is away fails all alike and throws.
 */
async function ingestOrSplit(services: Services, batch: readonly Incoming[]): Promise<Ingested> {
  try {
    return await ingest(services, batch)
  } catch (error) {
    if (!isAboutData(error)) throw error
    const [only] = batch
    if (batch.length > 1 || !only) {
      const half = Math.ceil(batch.length / 2)
      const first = await ingestOrSplit(services, batch.slice(0, half))
      const second = await ingestOrSplit(services, batch.slice(half))
      return { replies: [...first.replies, ...second.replies], dispatches: [...first.dispatches, ...second.dispatches] }
    }
    services.log.error({ error, machine: only.machineCode, type: only.type }, 'message not understood')
    await noteUnreadable(services, [
      { ...only, msgId: only.envelope.msgId, reason: 'notUnderstood', detail: JSON.stringify(only.envelope) },
    ])
    return { replies: [], dispatches: [] }
  }
}

/**
 * PostgreSQL's classes 22, 23 and 54 (data, constraints, too big) and our own mistakes; deadlocks and lost connections
 * are tried again.
 */
function isAboutData(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(2[23]|54)/.test(code) || error instanceof TypeError || error instanceof RangeError
}
