import { stateTable } from '@aisle/contract/kernel/states'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Reader, Tx } from '../../../kernel/context'
import type { Incoming } from './decode'
import { stateTo } from '../../../kernel/states'

/** What became of a message, as its sender is told again if it asks again. */
export const receiptState = stateTable({
  initial: 'processed',
  states: ['processed', 'refused'],
  moves: { refuse: { from: ['processed'], to: 'refused' } },
})
type ReceiptState = (typeof receiptState.states)[number]

export type Identified = { machineId: number; message: Incoming }
type Known = { machine_id: number; msg_id: string; content_hash: Buffer; state: ReceiptState; reason: string | null }

/** Claims message ids; a message that isn't among the claimed was taken before and is looked up. */
export async function claim(tx: Tx, messages: readonly Identified[]): Promise<Set<string>> {
  if (messages.length === 0) return new Set()
  const claimed = await sql<{ machine_id: number; msg_id: string }>`
    insert into device_message (machine_id, msg_id, type, content_hash, state, received_at)
    select machine_id, msg_id, type, hash, ${sql.lit(receiptState.initial)}, received_at
    from ${rows('m', messages.map(identity), {
      machineId: 'bigint',
      msgId: 'text',
      type: 'text',
      hash: 'bytea',
      receivedAt: 'timestamptz',
    })}
    on conflict (machine_id, msg_id) do nothing returning machine_id, msg_id`.execute(tx)
  return new Set(claimed.rows.map((row) => idOf(row.machine_id, row.msg_id)))
}

export async function findTaken(tx: Tx, messages: readonly Identified[]): Promise<Map<string, Known>> {
  if (messages.length === 0) return new Map()
  const found = await sql<Known>`select d.machine_id, d.msg_id, d.content_hash, d.state, d.reason
    from ${rows('m', messages.map(identity), { machineId: 'bigint', msgId: 'text' })}
    join device_message d on d.machine_id = m.machine_id and d.msg_id = m.msg_id`.execute(tx)
  return new Map(found.rows.map((row) => [idOf(row.machine_id, row.msg_id), row]))
}

const identity = ({ machineId, message }: Identified) => ({
  machineId,
  msgId: message.envelope.msgId,
  type: message.type,
  hash: message.hash,
  receivedAt: message.receivedAt,
})

export const idOf = (machineId: number, msgId: string) => `${machineId}/${msgId}`

export async function markRefused(
  tx: Tx,
  refused: readonly { machineId: number; msgId: string; reason: string }[],
): Promise<void> {
  if (refused.length === 0) return
  await sql`update device_message d set state = ${stateTo(receiptState, 'refuse')}, reason = r.reason
    from ${rows('r', refused, { machineId: 'bigint', msgId: 'text', reason: 'text' })}
    where d.machine_id = r.machine_id and d.msg_id = r.msg_id`.execute(tx)
}

export type RefusalNote = {
  machineId: number | null
  machineCode: string
  reason: string
  type: string | null
  detail: string
  at: Date
}

/** One row for each machine, reason and type: a machine that repeats itself raises a count, not a heap of rows. */
export async function noteRefusals(db: Reader, notes: readonly RefusalNote[]): Promise<void> {
  const distinct = new Map<string, RefusalNote & { fingerprint: string; count: number }>()
  for (const note of notes) {
    const fingerprint = `${note.reason}/${note.type ?? ''}`
    const key = `${note.machineCode}/${fingerprint}`
    distinct.set(key, { ...note, fingerprint, count: (distinct.get(key)?.count ?? 0) + 1 })
  }
  if (distinct.size === 0) return
  await sql`insert into device_refusal as r
      (machine_id, machine_code, reason, type, fingerprint, detail, count, first_at, last_at)
    select machine_id, machine_code, reason, type, fingerprint, detail, count, at, at
    from ${rows('n', [...distinct.values()], {
      machineId: 'bigint',
      machineCode: 'text',
      reason: 'text',
      type: 'text',
      fingerprint: 'text',
      detail: 'text',
      count: 'bigint',
      at: 'timestamptz',
    })}
    on conflict (machine_code, fingerprint) do update
      set count = r.count + excluded.count, last_at = excluded.last_at, detail = excluded.detail`.execute(db)
}

/** Critical messages that parts yet to come will read: kept whole. */
export async function keepEvents(
  tx: Tx,
  events: readonly { merchantId: number; machineId: number; message: Incoming; occurredAt: Date }[],
): Promise<void> {
  if (events.length === 0) return
  const kept = events.map(({ merchantId, machineId, message, occurredAt }) => ({
    merchantId,
    machineId,
    msgId: message.envelope.msgId,
    type: message.type,
    occurredAt,
    receivedAt: message.receivedAt,
    data: JSON.stringify(message.data),
  }))
  await sql`insert into device_event (merchant_id, machine_id, msg_id, type, occurred_at, received_at, data)
    select * from ${rows('e', kept, {
      merchantId: 'bigint',
      machineId: 'bigint',
      msgId: 'text',
      type: 'text',
      occurredAt: 'timestamptz',
      receivedAt: 'timestamptz',
      data: 'jsonb',
    })}`.execute(tx)
}
