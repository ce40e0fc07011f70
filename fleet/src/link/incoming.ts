import type { Command } from '@aisle/contract/device/commands'
import type { Ack, Answer } from '@aisle/contract/device/messages'

type Json = Record<string, unknown>

/** What the server says is read by hand: a machine has no room for a schema library. Null: not readable. */
const ackStates: Record<Ack['state'], true> = { processed: true, duplicate: true, refused: true, conflict: true }

export function readAcks(payload: Buffer): Ack[] | null {
  const { acks } = readObject(payload) ?? {}
  return Array.isArray(acks) && acks.every(isAck) ? acks : null
}

export function readAnswer(payload: Buffer): Answer | null {
  const answer = readObject(payload)
  if (!answer || typeof answer.msgId !== 'string') return null
  if (typeof answer.refused === 'string' || isChecked(answer)) return answer as Answer
  if (typeof answer.orderNo !== 'string') return null
  const isPriced = Number.isSafeInteger(answer.amountFen) && typeof answer.expiresAt === 'string'
  const isDrawn = answer.drawn === 'won' || answer.drawn === 'lost'
  return isPriced || isDrawn ? (answer as Answer) : null
}

/** What a prescription, a code or a card gives. */
const isChecked = ({ medicines, content, mostFen }: Json): boolean =>
  Array.isArray(medicines) || Array.isArray(content) || Number.isSafeInteger(mostFen)

export function readCommand(payload: Buffer): Command | null {
  const command = readObject(payload)
  if (!command || typeof command.cmdId !== 'string' || typeof command.type !== 'string') return null
  if (typeof command.expiresAt !== 'string' || !isObject(command.data)) return null
  return command as Command
}

export type ShipOrder = { orderNo: string; items: { index: number; slot: string }[] }

export function readShipOrder(data: Json): ShipOrder | null {
  const { orderNo, items } = data
  if (typeof orderNo !== 'string' || !Array.isArray(items) || items.length === 0) return null
  return items.every(isShipItem) ? { orderNo, items } : null
}

const isShipItem = (item: unknown): item is ShipOrder['items'][number] =>
  isObject(item) && Number.isSafeInteger(item.index) && typeof item.slot === 'string'

const isAck = (ack: unknown): ack is Ack =>
  isObject(ack) && typeof ack.msgId === 'string' && typeof ack.state === 'string' && ack.state in ackStates

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

function readObject(payload: Buffer): Json | null {
  try {
    const value: unknown = JSON.parse(payload.toString('utf8'))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
