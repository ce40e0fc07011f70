import { randomUUID } from 'node:crypto'
import type { Envelope } from '@aisle/contract/device/messages'
import { upTopic } from '@aisle/contract/device/topics'
import type { World } from '../../testing/world'
import { decode, type Incoming } from './link/decode'

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
