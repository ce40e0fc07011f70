import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Ack, Envelope } from '@aisle/contract/device/messages'
import { type Journal, openJournal } from './journal'

/** A message as it is kept: the time of sending is written at each sending, all else stays as it happened. */
export type Message = Omit<Envelope, 'sentAt'>

/** A message that waits for its acknowledgement. All but the message is a note of the delivery, never on disk. */
export type Stored = {
  readonly message: Message
  /** Steady time at which this process stored it; what an earlier process stored is older than everything. */
  readonly storedMs: number
  /** Only what the disk has may be sent. */
  isDurable: boolean
  isBacklog: boolean
  /** On the present connection. */
  sendings: number
  dueMs: number
}

export type Change = { put?: Message[]; remember?: Record<string, unknown> }

export type Outbox = {
  /** Oldest first. Changes as messages are stored and acknowledged. */
  pending(code: string): ReadonlyMap<string, Stored>
  /** What the machine wrote down for itself, such as orders shipped and stock left. */
  memory(code: string): ReadonlyMap<string, unknown>
  /** One change, whole or not at all; settles when it is on disk. Null forgets a key. */
  commit(code: string, change: Change): Promise<void>
  /** Deletes what the server has taken; what it refused for good is moved aside for a person to read. */
  settle(code: string, acks: readonly Ack[]): void
  count(): number
  durable(): Promise<void>
  close(): Promise<void>
  readonly damagedLines: number
}

type Line = { m: string; put?: Message[]; mem?: Record<string, unknown>; del?: string[] }
type Box = { pending: Map<string, Stored>; memory: Map<string, unknown> }

const LONG_AGO_MS = Number.NEGATIVE_INFINITY
const REJECTED_FILE_BYTES = 8 * 1024 * 1024
const nothing: ReadonlyMap<string, never> = new Map<string, never>()

/** One log for all machines of a folder: `outbox.log`, and `rejected.jsonl` beside it. */
export async function openOutbox(options: {
  folder: string
  steadyMs: () => number
  compactAtBytes?: number
}): Promise<Outbox> {
  const boxes = new Map<string, Box>()
  mkdirSync(options.folder, { recursive: true })
  const journal: Journal = await openJournal({
    path: join(options.folder, 'outbox.log'),
    compactAtBytes: options.compactAtBytes,
    replay: (line) => apply(boxes, line as Line, LONG_AGO_MS),
    live: () => linesOf(boxes),
  })

  return {
    pending: (code) => boxes.get(code)?.pending ?? nothing,
    memory: (code) => boxes.get(code)?.memory ?? nothing,
    async commit(code, change) {
      const line: Line = { m: code, put: change.put, mem: change.remember }
      apply(boxes, line, options.steadyMs())
      journal.append(line)
      await journal.durable()
      const pending = boxes.get(code)?.pending
      for (const { msgId } of change.put ?? []) {
        const stored = pending?.get(msgId)
        if (stored) stored.isDurable = true
      }
    },
    settle(code, acks) {
      const pending = boxes.get(code)?.pending
      const known = acks.filter((ack) => pending?.has(ack.msgId))
      if (!pending || known.length === 0) return
      for (const ack of known) {
        if (isForGood(ack)) continue
        setAside(options.folder, { ack, message: pending.get(ack.msgId)!.message })
      }
      const line: Line = { m: code, del: known.map((ack) => ack.msgId) }
      apply(boxes, line, 0)
      journal.append(line)
    },
    count: () => [...boxes.values()].reduce((sum, box) => sum + box.pending.size, 0),
    durable: journal.durable,
    close: journal.close,
    damagedLines: journal.damagedLines,
  }
}

const isForGood = (ack: Ack) => ack.state === 'processed' || ack.state === 'duplicate'

function apply(boxes: Map<string, Box>, line: Line, storedMs: number): void {
  let box = boxes.get(line.m)
  if (!box) {
    box = { pending: new Map(), memory: new Map() }
    boxes.set(line.m, box)
  }
  for (const message of line.put ?? []) {
    const isDurable = storedMs === LONG_AGO_MS
    box.pending.set(message.msgId, { message, storedMs, isDurable, isBacklog: false, sendings: 0, dueMs: 0 })
  }
  for (const [key, value] of Object.entries(line.mem ?? {})) {
    if (value === null) box.memory.delete(key)
    else box.memory.set(key, value)
  }
  for (const msgId of line.del ?? []) box.pending.delete(msgId)
}

function* linesOf(boxes: Map<string, Box>): Generator<Line> {
  for (const [code, box] of boxes) {
    if (box.memory.size > 0) yield { m: code, mem: Object.fromEntries(box.memory) }
    for (const stored of box.pending.values()) yield { m: code, put: [stored.message] }
  }
}

/** Written before the message leaves the outbox: at worst it is refused and noted twice, never lost. */
function setAside(folder: string, rejected: { ack: Ack; message: Message }): void {
  const path = join(folder, 'rejected.jsonl')
  appendFileSync(path, `${JSON.stringify(rejected)}\n`)
  if (statSync(path).size > REJECTED_FILE_BYTES) renameSync(path, join(folder, 'rejected.old.jsonl'))
}
