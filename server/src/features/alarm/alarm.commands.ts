import type { acknowledgeAlarms, assignAlarms, closeAlarms } from '@aisle/contract/alarm/alarm'
import { alarmState } from '@aisle/contract/alarm/states'
import type { UserKind } from '@aisle/contract/identity/permissions'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { lockMeant, type Meant } from './alarm.reads'
import { alarms } from './alarm.store'

type Outcomes = OutputOf<typeof acknowledgeAlarms>
type Verb = keyof typeof alarmState.moves
type Asked = { ids: number[]; wholeLine: boolean }

export function acknowledge(ctx: CommandContext, input: InputOf<typeof acknowledgeAlarms>): Promise<Outcomes> {
  return turn(ctx, input, 'acknowledge', { acknowledgedBy: ctx.actor.userId, acknowledgedAt: ctx.now() })
}

export async function assign(ctx: CommandContext, input: InputOf<typeof assignAlarms>): Promise<Outcomes> {
  const { assigneeId, note } = input
  const seers = await machinesSeenBy(ctx, assigneeId)
  // Whoever gives it away knows of it.
  const acknowledgedBy = sql`coalesce(acknowledged_by, ${ctx.actor.userId})`
  const acknowledgedAt = sql`coalesce(acknowledged_at, ${ctx.now()})`
  return turn(ctx, input, 'assign', { assigneeId, acknowledgedBy, acknowledgedAt }, { seers, assigneeId, note })
}

/** A cause that still holds opens a new alarm with its next sign, which says that closing did not help. */
export function close(ctx: CommandContext, input: InputOf<typeof closeAlarms>): Promise<Outcomes> {
  const closedAt = sql`greatest(opened_at, ${ctx.now()})`
  const change = { closedAt, closedBy: ctx.actor.userId, closedNote: input.note }
  return turn(ctx, input, 'close', change, { note: input.note })
}

type More = { seers?: (machineIds: readonly number[]) => Promise<Set<number>>; assigneeId?: number; note?: string }

async function turn(
  ctx: CommandContext,
  { ids, wholeLine }: Asked,
  verb: Verb,
  change: Parameters<typeof alarms.moveAll>[3],
  { seers, assigneeId, note = '' }: More = {},
): Promise<Outcomes> {
  const meant = await lockMeant(ctx, ids, wholeLine)
  const byId = new Map(meant.map((alarm) => [alarm.id, alarm]))
  // Not there and not yours are one answer; nothing happens to the others then.
  if (ids.some((id) => !byId.has(id))) refuse('request.notFound')
  const seen = await seers?.(meant.map(({ machineId }) => machineId))
  const outcomeOf = ({ state, machineId }: Meant): Outcomes['outcomes'][number]['outcome'] => {
    if (!alarmState.can(state, verb)) return 'state'
    return seen && !seen.has(machineId) ? 'doesNotSee' : 'done'
  }
  const outcomes = [...new Set(ids)].map((id) => {
    const alarm = existing(byId.get(id))
    return { id, outcome: outcomeOf(alarm) }
  })
  const done = meant.filter((alarm) => outcomeOf(alarm) === 'done')
  if (done.length === 0) refuse(outcomes[0]?.outcome === 'doesNotSee' ? 'alarm.assigneeDoesNotSee' : 'alarm.state')
  const doneIds = done.map(({ id }) => id)
  await alarms.moveAll(ctx.tx, sql`id = any(${doneIds}::bigint[])`, verb, change)
  await sql`insert into alarm_event (alarm_id, at, verb, user_id, assignee_id, note)
    select unnest(${doneIds}::bigint[]), ${ctx.now()}, ${verb}, ${ctx.actor.userId}, ${assigneeId ?? null}::bigint,
      ${note}`.execute(ctx.tx)
  for (const { id, merchantId, state } of done.slice(0, MOST_AUDITED)) {
    const after = { state: alarmState.to(verb), ...(assigneeId ? { assigneeId } : {}), ...(note ? { note } : {}) }
    await ctx.audit({ merchantId, objectKind: 'alarm', objectId: id, before: { state }, after })
  }
  return { outcomes, changed: done.length }
}

/** A line of a whole campus is one act: beyond this, each alarm's own story keeps what was done. */
const MOST_AUDITED = 200

/** Which machines the person sees to whom something is given. @throws Refusal for nobody in the caller's sight */
async function machinesSeenBy(ctx: CommandContext, userId: number) {
  const found = await sql<{ kind: UserKind; merchantId: number }>`
    select u.kind, u.merchant_id as "merchantId" from app_user u
    where u.id = ${userId} and u.state = 'active'
      and ${merchantInSight(sightOf(ctx.actor), sql`u.merchant_id`)}`.execute(ctx.tx)
  const { kind, merchantId } = existing(found.rows[0])
  return async (machineIds: readonly number[]): Promise<Set<number>> => {
    const seen = await sql<{ id: number }>`select m.id from machine m where m.id = any(${[...machineIds]}::bigint[])
      and ${machineInSight(sightOf({ kind, userId, merchantId }), sql`m.id`)}`.execute(ctx.tx)
    return new Set(seen.rows.map(({ id }) => id))
  }
}
