import { createHash } from 'node:crypto'
import {
  classOf,
  type Envelope,
  envelope,
  MAX_MESSAGE_BYTES,
  type MessageClass,
  messageData,
  type MessageRefusal,
} from '@aisle/contract/device/messages'
import { parseUpTopic } from '@aisle/contract/device/topics'
import type { RawMessage } from '../../../kernel/machineLink'
import { isStorable } from '../../../kernel/files/storable'

/** A message of the right shape from the machine it says it is from. `data` fits the schema of `type`. */
export type Incoming = {
  machineCode: string
  type: string
  class: MessageClass
  envelope: Envelope
  data: unknown
  /** Of what was said, not of when it was sent: the same event resent has the same hash. */
  hash: Buffer
  receivedAt: Date
}

export type Unreadable = {
  machineCode: string
  type: string | null
  msgId: string | null
  reason: MessageRefusal
  detail: string
  receivedAt: Date
}

export type Decoded = { ok: true; message: Incoming } | { ok: false; unreadable: Unreadable }

const NUL = '\u0000'
/** Levels of arrays and objects; the deepest real message has five. */
const DEEPEST = 32

export function decode(raw: RawMessage, receivedAt: Date): Decoded {
  const address = parseUpTopic(raw.topic)
  const machineCode = raw.sender ?? address?.machineCode ?? ''
  // Any other word is the sender's own: noting each would fill the table.
  const type = address && classOf(address.type) ? address.type : null
  const bad = (reason: MessageRefusal, detail: string, msgId: string | null = null): Decoded => ({
    ok: false,
    unreadable: { machineCode, type, msgId, reason, detail: detail.replaceAll(NUL, '').slice(0, 2_000), receivedAt },
  })
  if (!address) return bad('forbiddenTopic', raw.topic)
  if (address.machineCode !== machineCode) return bad('wrongMachine', raw.topic)
  if (raw.payload.length > MAX_MESSAGE_BYTES) return bad('tooLarge', `${raw.payload.length} bytes`)
  const text = raw.payload.toString('utf8')
  const json = parse(text)
  if (json === undefined) return bad('notJson', text)
  if (!isKeepable(json, DEEPEST)) return bad('malformed', 'a text or a nesting that can not be kept', msgIdOf(json))
  const read = envelope.safeParse(json)
  if (!read.success) return bad('malformed', read.error.message, msgIdOf(json))
  const said = read.data
  if (said.machineId !== machineCode) return bad('wrongMachine', `envelope of ${said.machineId}`, said.msgId)
  const kind = classOf(said.type)
  if (said.type !== type || kind === undefined) return bad('unknownType', said.type, said.msgId)
  const schema = Object.hasOwn(messageData, type) ? messageData[type as keyof typeof messageData] : undefined
  const data = schema ? schema.safeParse(said.data) : { success: true as const, data: said.data }
  if (!data.success) return bad('malformed', data.error.message, said.msgId)
  const hash = createHash('sha256')
    .update(said.type)
    .update(said.occurredAt)
    .update(JSON.stringify(nameless(said.data)))
    .digest()
  return { ok: true, message: { machineCode, type, class: kind, envelope: said, data: data.data, hash, receivedAt } }
}

/** A hash that anybody can make of a document's number tells the number. */
function nameless({ person: _, ...data }: Envelope['data']): Envelope['data'] {
  return data
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What PostgreSQL and the stack can hold; no real message comes near. */
function isKeepable(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  return Object.entries(value).every(([key, part]) => isStorable(key) && isKeepable(part, levels - 1))
}

/** Good enough to acknowledge a refusal by, so that the machine stops sending it. */
function msgIdOf(json: unknown): string | null {
  const id = typeof json === 'object' && json !== null && 'msgId' in json ? json.msgId : null
  return typeof id === 'string' && id.length <= 64 && isStorable(id) ? id : null
}
