import { type AlarmCause, alarmCauses, type AlarmLevel } from '@aisle/contract/alarm/states'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'

export type Raised = {
  machineId: number
  merchantId: number
  cause: AlarmCause
  /** Left out for the whole machine. */
  slot?: string
  /** Left out: as bad as the cause is. */
  level?: AlarmLevel
  /** Figures that the words of the cause name. */
  facts?: Record<string, string | number>
  at: Date
}

/**
 * Causes that hold: a new alarm for each that has none, else the one that lasts is seen again; never two at once.
 * @returns the machines whose alarms are new
 */
export async function raiseAlarms(tx: Tx, raised: readonly Raised[]): Promise<number[]> {
  if (raised.length === 0) return []
  const last = new Map(raised.map((each) => [`${each.machineId}/${each.cause}/${each.slot ?? ''}`, each]))
  const held = [...last.values()].map(({ machineId, merchantId, cause, slot, level, facts, at }) => ({
    machineId,
    merchantId,
    cause,
    slot: slot ?? '',
    level: level ?? alarmCauses[cause],
    facts: JSON.stringify(facts ?? {}),
    at,
  }))
  // In one order for every writer, so that two batches never wait for each other in a ring.
  const saved = await sql<{ machineId: number; isNew: boolean }>`
    insert into alarm as a (machine_id, merchant_id, cause, slot_code, level, facts, opened_at, seen_at)
    select machine_id, merchant_id, cause, slot, level, facts, at, at from ${rows('r', held, {
      machineId: 'bigint',
      merchantId: 'bigint',
      cause: 'text',
      slot: 'text',
      level: 'text',
      facts: 'jsonb',
      at: 'timestamptz',
    })} order by machine_id, cause, slot
    on conflict (machine_id, cause, slot_code) where state <> 'closed' do update
      set seen_at = greatest(a.seen_at, excluded.seen_at), count = a.count + 1, facts = excluded.facts,
        level = excluded.level
    returning machine_id as "machineId", xmax = 0 as "isNew"`.execute(tx)
  return [...new Set(saved.rows.filter(({ isNew }) => isNew).map(({ machineId }) => machineId))]
}

export type Cleared = { machineId: number; cause: AlarmCause; slot?: string; at: Date }

/** Causes that hold no longer. @returns the machines on which an alarm was closed by it */
export async function clearAlarms(tx: Tx, cleared: readonly Cleared[]): Promise<number[]> {
  if (cleared.length === 0) return []
  const ended = cleared.map(({ machineId, cause, slot, at }) => ({ machineId, cause, slot: slot ?? '', at }))
  const closed = await sql<{ machineId: number }>`
    update alarm a set state = 'closed', closed_at = greatest(a.opened_at, c.at), version = a.version + 1
    from ${rows('c', ended, { machineId: 'bigint', cause: 'text', slot: 'text', at: 'timestamptz' })}
    where a.machine_id = c.machine_id and a.cause = c.cause and a.slot_code = c.slot and a.state <> 'closed'
    returning a.machine_id as "machineId"`.execute(tx)
  return [...new Set(closed.rows.map(({ machineId }) => machineId))]
}
