import {
  type AlarmCause,
  alarmCauseNames,
  alarmCauses,
  type AlarmLevel,
  alarmState,
  alarmStops,
} from '@aisle/contract/alarm/states'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { announce } from '../../kernel/announce'
import type { Tx } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { stateful, stateTo } from '../../kernel/states'

export const alarms = stateful('alarm', 'state', alarmState, { versioned: true })

/** The job of `notice` that tells people of new alarms: it stands above this domain. */
export const TELL_ALARMS = 'notice.tellAlarms'

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
    insert into alarm as a
      (machine_id, merchant_id, cause, slot_code, level, facts, opened_at, seen_at, usual_fen_hour)
    select machine_id, merchant_id, cause, slot, level, facts, at, at, ${usualOf} from ${rows('r', held, {
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
        level = excluded.level, usual_fen_hour = greatest(a.usual_fen_hour, excluded.usual_fen_hour)
    returning machine_id as "machineId", xmax = 0 as "isNew"`.execute(tx)
  const machineIds = [...new Set(saved.rows.filter(({ isNew }) => isNew).map(({ machineId }) => machineId))]
  if (machineIds.length > 0) await announceAlarms(tx, machineIds)
  // What is urgent is told now, the rest by the sweep of the minute, many of one cause together.
  const newIds = new Set(machineIds)
  if (held.some(({ level, machineId }) => level === 'critical' && newIds.has(machineId))) await addJob(tx, TELL_ALARMS)
  return machineIds
}

/** What the machine, or what of it stands still, usually sells in an hour; of a row `r` to be raised. */
const usualOf = sql`case
  when r.cause = any(${stopping('machine')}::text[])
    then (select round(sum(paid_fen) / 168)::bigint from usual_day u where u.machine_id = r.machine_id)
  when r.cause = 'out_of_stock' then (
    select sum(u.fen_hour)::bigint from slot s join usual_slot u on u.slot_id = s.id
      left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    where s.machine_id = r.machine_id and s.product_id is not null and coalesce(l.quantity, 0) <= 0)
  when r.cause = any(${stopping('slot')}::text[]) then (
    select u.fen_hour from slot s join usual_slot u on u.slot_id = s.id
    where s.machine_id = r.machine_id and s.code = r.slot) end`

function stopping(what: 'machine' | 'slot'): string[] {
  return alarmCauseNames.filter((cause) => alarmStops[cause] === what)
}

/** Pages that show alarms of these machines look again. */
export async function announceAlarms(tx: Tx, machineIds: readonly number[]): Promise<void> {
  const found = await sql<{ merchantIds: number[] | null; above: number[] | null }>`
    select json_agg(distinct m.merchant_id) as "merchantIds", json_agg(distinct one.above) as above
    from machine m join merchant c on c.id = m.merchant_id, unnest(c.path) as one(above)
    where m.id = any(${[...machineIds]}::bigint[])`.execute(tx)
  const { merchantIds, above } = found.rows[0] ?? {}
  await announce(tx, { topic: 'changes', kinds: ['alarm'], merchantIds: merchantIds ?? [], above: above ?? [] })
}

export type Cleared = { machineId: number; cause: AlarmCause; slot?: string; at: Date }

/** Causes that hold no longer. @returns the machines on which an alarm was closed by it */
export async function clearAlarms(tx: Tx, cleared: readonly Cleared[]): Promise<number[]> {
  if (cleared.length === 0) return []
  const ended = cleared.map(({ machineId, cause, slot, at }) => ({ machineId, cause, slot: slot ?? '', at }))
  const closed = await sql<{ machineId: number }>`
    update alarm a set state = ${stateTo(alarmState, 'close')}, closed_at = greatest(a.opened_at, c.at),
      version = a.version + 1
    from ${rows('c', ended, { machineId: 'bigint', cause: 'text', slot: 'text', at: 'timestamptz' })}
    where a.machine_id = c.machine_id and a.cause = c.cause and a.slot_code = c.slot and a.state <> 'closed'
    returning a.machine_id as "machineId"`.execute(tx)
  const machineIds = [...new Set(closed.rows.map(({ machineId }) => machineId))]
  if (machineIds.length > 0) await announceAlarms(tx, machineIds)
  return machineIds
}

/** These causes hold for what was found and for nothing else: the rest of their alarms is over. */
export async function holdAlarms(
  tx: Tx,
  causes: readonly AlarmCause[],
  found: readonly Omit<Raised, 'at' | 'slot'>[],
  at: Date,
): Promise<void> {
  const lasting = new Set(found.map(({ machineId, cause }) => `${machineId}/${cause}`))
  const open = await sql<{ machineId: number; cause: AlarmCause }>`select machine_id as "machineId", cause from alarm
    where cause = any(${[...causes]}::text[]) and state <> 'closed' order by machine_id`.execute(tx)
  const over = open.rows.filter(({ machineId, cause }) => !lasting.has(`${machineId}/${cause}`))
  await clearAlarms(
    tx,
    over.map((each) => ({ ...each, at })),
  )
  await raiseAlarms(
    tx,
    found.map((each) => ({ ...each, at })),
  )
}

/** The work that is on its way for an alarm. @returns false for one of another machine, or that is over */
export async function linkRepair(
  tx: Tx,
  link: { alarmId: number; order: { id: number; machineId: number }; userId: number; at: Date },
): Promise<boolean> {
  const { alarmId, order, userId, at } = link
  const linked = await sql`update alarm set repair_order_id = ${order.id}, version = version + 1
    where id = ${alarmId} and machine_id = ${order.machineId} and state <> 'closed'`.execute(tx)
  if (linked.numAffectedRows === 0n) return false
  await sql`insert into alarm_event (alarm_id, at, verb, user_id, note)
    values (${alarmId}, ${at}, 'repair', ${userId}, ${`#${order.id}`})`.execute(tx)
  return true
}

/**
 * What the work was for is over, unless it was seen again since the work was done.
 * @returns how many alarms were closed, and how many still hold
 */
export async function closeRepaired(
  tx: Tx,
  { repairOrderId, doneAt }: { repairOrderId: number; doneAt: Date },
  { userId, at, note }: { userId: number; at: Date; note: string },
): Promise<{ closedAlarms: number; stillHold: number }> {
  const closed = await alarms.moveAll(tx, sql`repair_order_id = ${repairOrderId} and seen_at <= ${doneAt}`, 'close', {
    closedAt: sql`greatest(opened_at, ${at})`,
    closedBy: userId,
    closedNote: note,
  })
  await sql`insert into alarm_event (alarm_id, at, verb, user_id, note)
    select unnest(${closed.map(({ id }) => id)}::bigint[]), ${at}, 'close', ${userId}, ${note}`.execute(tx)
  const left = await sql<{ count: number }>`select count(*)::int as count from alarm
    where repair_order_id = ${repairOrderId} and state <> 'closed'`.execute(tx)
  return { closedAlarms: closed.length, stillHold: left.rows[0]?.count ?? 0 }
}

/** The work that was on its way will not be done; alarms that are over keep their story. */
export async function unlinkRepair(tx: Tx, repairOrderId: number): Promise<void> {
  await sql`update alarm set repair_order_id = null where repair_order_id = ${repairOrderId}
    and state <> 'closed'`.execute(tx)
}
