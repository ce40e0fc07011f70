import type { getSystemAlarm, listSystemAlarms, SystemAlarm, SystemAlarmKind } from '@aisle/contract/audit/systemAlarm'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows } from '../../kernel/list'
import { withinDays } from '../../kernel/platformDays'

type Filter = InputOf<typeof listSystemAlarms>
/** What is wrong now: one alarm a kind and cause. */
export type Condition = { kind: SystemAlarmKind; cause: string; facts: Record<string, unknown> }
const state = sql`case when a.closed_at is not null then 'closed'
  when a.acknowledged_at is not null then 'acknowledged' else 'open' end`
const rank = sql`case when a.closed_at is not null then 0 when a.acknowledged_at is not null then 1 else 2 end`
const columns = sql`a.id, a.kind, a.cause, ${state} as state, to_json(a.opened_at) #>> '{}' as "openedAt",
  to_json(a.seen_at) #>> '{}' as "seenAt", to_json(a.closed_at) #>> '{}' as "closedAt",
  coalesce(u.display_name, '') as "acknowledgedBy"`

/**
 * Open ones first, then those that somebody looks after, the newest first among equals.
 * @param seesAll they are about the platform as a whole: nobody else sees any
 */
export const listSystemAlarmsFor = (filter: Filter, seesAll: boolean): Listing<SystemAlarm> =>
  listRows({
    rows: sql`select ${columns}, ${rank} as rank, a.opened_at
        from system_alarm a left join app_user u on u.id = a.acknowledged_by`,
    where: allOf([!seesAll && sql`false`, filterOf(filter)]),
    order: { by: sql`rank`, type: 'bigint', newestFirst: true },
  })

const filterOf = (filter: Filter): RawBuilder<boolean> =>
  allOf([isAnyOf(sql`kind`, filter.kind), isAnyOf(sql`state`, filter.state), ...withinDays(sql`opened_at`, filter)])

export async function find(db: Reader, id: number): Promise<OutputOf<typeof getSystemAlarm> | undefined> {
  const found = await sql<OutputOf<typeof getSystemAlarm>>`
    select ${columns}, a.facts, coalesce(a.note, '') as note, to_json(a.acknowledged_at) #>> '{}' as "acknowledgedAt"
    from system_alarm a left join app_user u on u.id = a.acknowledged_by where a.id = ${id}`.execute(db)
  return found.rows[0]
}

/** @returns whether it was still open and nobody's */
export async function acknowledge(
  tx: Tx,
  alarm: { id: number; userId: number; note: string; now: Date },
): Promise<boolean> {
  const moved = await sql`update system_alarm
    set acknowledged_at = ${alarm.now}, acknowledged_by = ${alarm.userId}, note = ${alarm.note}
    where id = ${alarm.id} and acknowledged_at is null and closed_at is null`.execute(tx)
  return moved.numAffectedRows === 1n
}

/** Opens what began, keeps what lasts, closes what ended. @returns what began now */
export async function settle(tx: Tx, conditions: readonly Condition[], now: Date): Promise<Condition[]> {
  const given = conditions.map((each) => ({ ...each, facts: JSON.stringify(each.facts) }))
  const now_ = rows('c', given, { kind: 'text', cause: 'text', facts: 'jsonb' })
  await sql`update system_alarm a set closed_at = ${now} where a.closed_at is null
    and not exists (select from ${now_} where c.kind = a.kind and c.cause = a.cause)`.execute(tx)
  const opened = await sql<{ kind: SystemAlarmKind; cause: string; isNew: boolean }>`
    insert into system_alarm (kind, cause, facts, opened_at, seen_at)
    select c.kind, c.cause, c.facts, ${now}, ${now} from ${now_}
    on conflict (kind, cause) where closed_at is null do update set seen_at = excluded.seen_at, facts = excluded.facts
    returning kind, cause, opened_at = seen_at as "isNew"`.execute(tx)
  const began = new Set(opened.rows.filter(({ isNew }) => isNew).map(({ kind, cause }) => `${kind} ${cause}`))
  return conditions.filter(({ kind, cause }) => began.has(`${kind} ${cause}`))
}
