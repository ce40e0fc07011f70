import {
  commandState,
  type CommandState,
  commandTtlMs,
  type CommandType,
  lateState,
  SILENT,
  SILENT_AFTER_MS,
} from '@aisle/contract/device/commands'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Reader, Tx } from '../../../kernel/context'
import { statesFrom, statesIn, stateTo } from '../../../kernel/states'

export type NewCommand = {
  id: string
  merchantId: number
  machineId: number
  type: CommandType
  data: Record<string, unknown>
  reason: string | null
  createdBy: number | null
  /** Of the batch that it belongs to. */
  batchId?: string
  /** When it was asked for; else now. */
  at?: Date
}

export type Dispatch = {
  id: string
  machineCode: string
  type: CommandType
  data: Record<string, unknown>
  expiresAt: Date
}

export async function queueCommands(tx: Tx, commands: readonly NewCommand[], now: Date): Promise<void> {
  if (commands.length === 0) return
  const queued = commands.map((command) => ({
    ...command,
    data: JSON.stringify(command.data),
    batchId: command.batchId ?? null,
    at: command.at ?? now,
    expiresAt: new Date((command.at ?? now).getTime() + commandTtlMs[command.type]),
  }))
  await sql`insert into device_command
      (id, merchant_id, machine_id, type, data, reason, created_by, batch_id, created_at, expires_at)
    select id, merchant_id, machine_id, type, data, reason, created_by, batch_id, at, expires_at
    from ${rows('c', queued, {
      id: 'uuid',
      merchantId: 'bigint',
      machineId: 'bigint',
      type: 'text',
      data: 'jsonb',
      reason: 'text',
      createdBy: 'bigint',
      batchId: 'uuid',
      at: 'timestamptz',
      expiresAt: 'timestamptz',
    })}`.execute(tx)
}

/**
 * What waits for these machines, oldest first: queued, and when a machine has just come back (`again`) also what was
 * sent and never received. The machine executes each once, by its id. What another gateway is taking is left to it.
 * @param machineIds null: every machine
 * @param most no more than so many at once
 */
export async function takeForSending(
  tx: Tx,
  machineIds: readonly number[] | null,
  again: boolean,
  now: Date,
  most = 10_000,
): Promise<Dispatch[]> {
  const verb = again ? 'sendAgain' : 'send'
  const which = machineIds ? sql`w.machine_id = any(${[...machineIds]}::bigint[])` : sql`true`
  const taken = await sql<Dispatch & { seq: number }>`
    update device_command c set state = ${stateTo(commandState, verb)}, sent_at = coalesce(sent_at, ${now})
    from machine m where m.id = c.machine_id and c.id in (
      select w.id from device_command w
      where ${which} and w.state in ${statesFrom(commandState, verb)} and w.expires_at > ${now}
      order by w.seq limit ${sql.lit(most)} for update skip locked)
    returning c.id, m.code as "machineCode", c.type, c.data, c.expires_at as "expiresAt", c.seq`.execute(tx)
  return taken.rows.sort((a, b) => a.seq - b.seq)
}

export type CommandAnswer = {
  machineId: number
  cmdId: string
  state: string
  detail: string | null
  /** What came of it, as JSON. */
  result: string | null
  at: Date
}

/** A command whose life is over; `isLate`: its machine did it after it had been cancelled, expired or given up here. */
export type Ended = {
  id: string
  machineId: number
  merchantId: number
  type: CommandType
  state: Exclude<CommandState, 'queued' | 'sent' | 'received'>
  isLate: boolean
  detail: string | null
  data: Record<string, unknown>
  result: Record<string, unknown> | null
  at: Date
}

const ended = (state: string, isLate: boolean) =>
  sql`c.id, c.machine_id as "machineId", c.merchant_id as "merchantId", c.type, ${sql.raw(state)} as state,
    ${sql.lit(isLate)} as "isLate", c.detail, c.data, c.result`

/**
 * queued/sent → received → done, failed or refused; answers again change nothing. What was cancelled, expired or given
 * up stays so, and keeps beside it what its machine says all the same.
 */
export async function answerCommands(
  tx: Tx,
  answers: readonly CommandAnswer[],
): Promise<{ known: Set<string>; ended: Ended[] }> {
  if (answers.length === 0) return { known: new Set(), ended: [] }
  const given = rows('a', answers, {
    machineId: 'bigint',
    cmdId: 'uuid',
    state: 'text',
    detail: 'text',
    result: 'jsonb',
    at: 'timestamptz',
  })
  const same = sql`c.id = a.cmd_id and c.machine_id = a.machine_id`
  const known = await sql<{ id: string }>`select c.id from ${given} join device_command c on ${same}`.execute(tx)
  await sql`update device_command c set state = ${stateTo(commandState, 'receive')},
      received_at = coalesce(c.received_at, a.at)
    from ${given} where ${same} and a.state = 'received' and c.state in ${statesFrom(commandState, 'receive')}`.execute(
    tx,
  )
  const final = await sql<Ended>`update device_command c
    set state = a.state, detail = coalesce(a.detail, c.detail), result = coalesce(a.result, c.result),
      received_at = coalesce(c.received_at, a.at), finished_at = a.at
    from ${given} where ${same} and a.state <> 'received' and c.state in ${statesIn(commandState, 'waiting')}
    returning ${ended('a.state', false)}, a.at`.execute(tx)
  const over = sql`(c.state in ${statesIn(commandState, 'unanswered')} or (c.state = 'failed'
    and c.detail = ${SILENT}))`
  await sql`update device_command c set late_state = ${sql.lit(lateState.initial)},
    received_at = coalesce(c.received_at, a.at)
    from ${given} where ${same} and a.state = 'received' and ${over} and c.late_state is null`.execute(tx)
  const late = await sql<Ended>`update device_command c
    set late_state = a.state, result = coalesce(a.result, c.result), received_at = coalesce(c.received_at, a.at)
    from ${given} where ${same} and a.state <> 'received' and ${over}
      and coalesce(c.late_state, 'received') = 'received'
    returning ${ended('a.state', true)}, a.at`.execute(tx)
  return { known: new Set(known.rows.map((row) => row.id)), ended: [...final.rows, ...late.rows] }
}

/** What no machine took in time, and what a machine took and never said a word about again. */
export async function expireCommands(tx: Tx, now: Date): Promise<Ended[]> {
  const expired =
    await sql<Ended>`update device_command c set state = ${stateTo(commandState, 'expire')}, finished_at = ${now}
    where c.state in ${statesFrom(commandState, 'expire')} and c.expires_at < ${now}
    returning ${ended('c.state', false)}, ${now}::timestamptz as at`.execute(tx)
  const silent =
    await sql<Ended>`update device_command c set state = ${stateTo(commandState, 'giveUp')}, detail = ${SILENT},
      finished_at = ${now}
    where c.state in ${statesFrom(commandState, 'giveUp')}
      and c.expires_at < ${new Date(now.getTime() - SILENT_AFTER_MS)}
    returning ${ended('c.state', false)}, ${now}::timestamptz as at`.execute(tx)
  return [...expired.rows, ...silent.rows]
}

/** Those of these that no machine has taken; the others are left. @param which on `device_command c` */
export async function cancelCommands(tx: Tx, which: RawBuilder<unknown>, now: Date): Promise<Ended[]> {
  const cancelled =
    await sql<Ended>`update device_command c set state = ${stateTo(commandState, 'cancel')}, finished_at = ${now}
    where ${which} and c.state in ${statesFrom(commandState, 'cancel')}
    returning ${ended('c.state', false)}, ${now}::timestamptz as at`.execute(tx)
  return cancelled.rows
}

/** Some of the machines that a command waits for which no gateway has sent yet. */
export async function findWaiting(db: Reader): Promise<number[]> {
  const found = await sql<{ id: number }>`select distinct machine_id as id from device_command
    where state = 'queued' limit 1000`.execute(db)
  return found.rows.map((row) => row.id)
}
