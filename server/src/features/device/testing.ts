import { randomUUID } from 'node:crypto'
import type { Envelope } from '@aisle/contract/device/messages'
import { upTopic } from '@aisle/contract/device/topics'
import type { World } from '../../testing/world'
import { decode, type Incoming } from './link/decode'
import { type Ingested, ingest } from './link/ingest'

/** What a machine says now, read as the gateway reads it. @param said overrides of the envelope */
export function spoken(
  { services }: World,
  machineCode: string,
  seq: number,
  type: string,
  data: Record<string, unknown>,
  said: Partial<Envelope> = {},
): Incoming {
  const at = services.clock.now()
  const base = { v: 1, machineId: machineCode, msgId: randomUUID(), bootId: 'boot-1', seq, offline: false }
  const times = { occurredAt: at.toISOString(), sentAt: at.toISOString() }
  const payload = Buffer.from(JSON.stringify({ ...base, ...times, type, data, ...said }))
  const decoded = decode({ topic: upTopic(machineCode, type), payload, sender: machineCode }, at)
  if (!decoded.ok) throw new Error(`not readable: ${decoded.unreadable.reason} ${decoded.unreadable.detail}`)
  return decoded.message
}

type Waiting = { message: Incoming; done: (came: Ingested) => void; failed: (cause: unknown) => void }

/** What is said while others are heard is heard together next, as a gateway does. @returns what came of a message */
export function hearing({ services }: World): (message: Incoming) => Promise<Ingested> {
  let waiting: Waiting[] = []
  let isHearing = false
  const hear = async () => {
    isHearing = true
    // Whoever is about to speak does.
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        const came = await ingest(
          services,
          batch.map(({ message }) => message),
        )
        for (const { message, done } of batch) done(ofMessage(message, came))
      } catch (cause) {
        for (const { failed } of batch) failed(cause)
      }
      await Promise.resolve()
    }
    isHearing = false
  }
  return (message) =>
    new Promise((done, failed) => {
      waiting.push({ message, done, failed })
      if (!isHearing) void hear()
    })
}

const ofMessage = ({ machineCode, envelope: { msgId } }: Incoming, { replies, dispatches }: Ingested): Ingested => ({
  replies: replies.filter(({ ack, answer }) => (ack ?? answer)?.msgId === msgId),
  dispatches: dispatches.filter((sent) => sent.machineCode === machineCode),
})
