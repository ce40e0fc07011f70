import type { CommandType } from '@aisle/contract/device/commands'
import { commandTtlMs } from '@aisle/contract/device/commands'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'

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
    expiresAt: new Date(now.getTime() + commandTtlMs[command.type]),
  }))
  await sql`insert into device_command
      (id, merchant_id, machine_id, type, data, reason, created_by, batch_id, created_at, expires_at)
    select id, merchant_id, machine_id, type, data, reason, created_by, batch_id, ${now}, expires_at
    from ${rows('c', queued, {
      id: 'uuid',
      merchantId: 'bigint',
      machineId: 'bigint',
      type: 'text',
      data: 'jsonb',
      reason: 'text',
      createdBy: 'bigint',
      batchId: 'uuid',
      expiresAt: 'timestamptz',
    })}`.execute(tx)
}

/**
 * What waits for these machines: queued, and when a machine has just come back (`again`) also what was sent and never
 * received. The machine executes each once, by its id. @param machineIds null: every machine
 */
export async function takeForSending(
  tx: Tx,
  machineIds: readonly number[] | null,
  again: boolean,
  now: Date,
): Promise<Dispatch[]> {
  const states = again ? ['queued', 'sent'] : ['queued']
  const which = machineIds ? sql`c.machine_id = any(${[...machineIds]}::bigint[])` : sql`true`
  const taken = await sql<Dispatch & { created_at: Date }>`
    update device_command c set state = 'sent', sent_at = coalesce(sent_at, ${now})
    from machine m where m.id = c.machine_id and ${which}
      and c.state = any(${states}::text[]) and c.expires_at > ${now}
    returning c.id, m.code as "machineCode", c.type, c.data, c.expires_at as "expiresAt", c.created_at`.execute(tx)
  return taken.rows.sort((a, b) => a.created_at.getTime() - b.created_at.getTime())
}

export type CommandAnswer = { machineId: number; cmdId: string; state: string; detail: string | null; at: Date }

/** queued/sent → received → done, failed or refused; answers again or late change nothing. @returns known ids */
export async function answerCommands(tx: Tx, answers: readonly CommandAnswer[]): Promise<Set<string>> {
  if (answers.length === 0) return new Set()
  const given = rows('a', answers, {
    machineId: 'bigint',
    cmdId: 'uuid',
    state: 'text',
    detail: 'text',
    at: 'timestamptz',
  })
  const known = await sql<{ id: string }>`select c.id from ${given}
    join device_command c on c.id = a.cmd_id and c.machine_id = a.machine_id`.execute(tx)
  for (const step of [['received'], ['done', 'failed', 'refused']]) {
    const from = step[0] === 'received' ? ['queued', 'sent'] : ['queued', 'sent', 'received']
    await sql`update device_command c set state = a.state, detail = coalesce(a.detail, c.detail),
        received_at = coalesce(c.received_at, a.at),
        finished_at = case when a.state = 'received' then null else a.at end
      from ${given} where c.id = a.cmd_id and c.machine_id = a.machine_id and a.state = any(${step}::text[])
        and c.state = any(${from}::text[])`.execute(tx)
  }
  return new Set(known.rows.map((row) => row.id))
}

export async function expireCommands(db: Reader, now: Date): Promise<void> {
  await sql`update device_command set state = 'expired', finished_at = ${now}
    where state in ('queued', 'sent') and expires_at < ${now}`.execute(db)
}

/** The machines that a command waits for which no gateway has sent yet. */
export async function findWaiting(db: Reader): Promise<number[]> {
  const found = await sql<{ id: number }>`select distinct machine_id as id from device_command
    where state = 'queued'`.execute(db)
  return found.rows.map((row) => row.id)
}
