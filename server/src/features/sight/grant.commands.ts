import type { MachineSelection } from '@aisle/contract/sight/authorisation'
import { type RawBuilder, sql } from 'kysely'
import { announce } from '../../kernel/announce'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { CommandContext } from '../../kernel/context'
import { allOf } from '../../kernel/list'
import { endOf } from '../../kernel/platformDays'
import { refuse } from '../../kernel/refuse'
import { merchantGrants, type Sight, sightOf, userGrants } from '../../kernel/scope'
import { filterOf, grantable } from './grantable.reads'
import { type FoundGrantee, grantTables } from './grantee.store'

/** How many machines an audit row names; all of them are in the history of authorisations. */
const MOST_IN_AUDIT = 200

/** @param untilDay the last day on which it holds, by the platform's calendar; null for good */
export async function grantMachines(
  ctx: CommandContext,
  grantee: FoundGrantee,
  machines: MachineSelection,
  untilDay: string | null,
): Promise<number> {
  if (grantee.isAdministrator) refuse('authorisation.needless')
  if (!grantee.isActive) refuse('authorisation.stopped')
  if (untilDay && untilDay < businessTime(ctx.now(), PLATFORM_TIME_ZONE).day) refuse('authorisation.past')
  const sight = sightOf(ctx.actor)
  const { table, column } = grantTables[grantee.kind]
  const endsAt = untilDay ? endOf(untilDay) : sql`null::timestamptz`
  return change(ctx, grantee, machines, 'grant', {
    endsAt,
    statement: (chosen) => sql`
      insert into ${table} as g (machine_id, ${column}, granted_at, granted_by, ends_at)
      select chosen.id, ${grantee.id}, ${ctx.now()}, ${ctx.actor.userId}, ${noLongerThanOwn(sight, endsAt)}
      from (${chosen}) chosen
      on conflict (${column}, machine_id) do update
        set granted_at = excluded.granted_at, granted_by = excluded.granted_by, ends_at = excluded.ends_at
        where g.ends_at is distinct from excluded.ends_at
      returning machine_id`,
  })
}

export async function revokeMachines(
  ctx: CommandContext,
  grantee: FoundGrantee,
  machines: MachineSelection,
): Promise<number> {
  const { table, column } = grantTables[grantee.kind]
  return change(ctx, grantee, machines, 'revoke', {
    endsAt: sql`null::timestamptz`,
    statement: (chosen) => sql`
      delete from ${table} g using (${chosen}) chosen
      where g.machine_id = chosen.id and g.${column} = ${grantee.id} returning g.machine_id`,
  })
}

/** Who sees a machine for a time passes it on for that time at most; `least` takes "for good" (null) as the latest. */
function noLongerThanOwn(sight: Sight, endsAt: RawBuilder<unknown>): RawBuilder<unknown> {
  if (sight.kind === 'all') return endsAt
  if (sight.kind === 'subtree') {
    return sql`least(${endsAt}, (select given.ends_at from (${merchantGrants}) given
      join machine on machine.id = given.machine_id join merchant owner on owner.id = machine.merchant_id
      where given.merchant_id = ${sight.merchantId} and given.machine_id = chosen.id
        and not owner.path @> array[${sight.merchantId}]::bigint[]))`
  }
  return sql`least(${endsAt}, (
    select case when bool_or(own.ends_at is null) then null else max(own.ends_at) end
    from (${userGrants}) own where own.user_id = ${sight.userId} and own.machine_id = chosen.id))`
}

type Change = { endsAt: RawBuilder<unknown>; statement: (chosen: RawBuilder<unknown>) => RawBuilder<unknown> }
type Logged = { changed: number; first: number[]; hash: string }

/** One statement whatever the number of machines: choose, change, and write the history of what did change. */
async function change(
  ctx: CommandContext,
  grantee: FoundGrantee,
  machines: MachineSelection,
  action: 'grant' | 'revoke',
  { endsAt, statement }: Change,
): Promise<number> {
  const chosen = await chosenBy(ctx, grantee, machines)
  const logged = await sql<Logged>`
    with changed as (${statement(chosen)})
    insert into machine_grant_log (at, by_user_id, action, grantee, grantee_id, ends_at, machine_ids)
    select ${ctx.now()}, ${ctx.actor.userId}, ${action}, ${grantee.kind}, ${grantee.id}, ${endsAt},
      array_agg(machine_id order by machine_id)
    from changed having count(*) > 0
    returning cardinality(machine_ids) as changed, machine_ids[1:${sql.lit(MOST_IN_AUDIT)}] as first,
      encode(sha256(array_to_string(machine_ids, ',')::bytea), 'hex') as hash`.execute(ctx.tx)
  const done = logged.rows[0] ?? { changed: 0, first: [], hash: '' }
  await audit(ctx, grantee, action, done)
  if (done.changed > 0) await announce(ctx.tx, { topic: 'sight' })
  return done.changed
}

/** @throws Refusal where a machine is not one that may be changed, or the filter finds others than the person saw */
async function chosenBy(
  ctx: CommandContext,
  grantee: FoundGrantee,
  machines: MachineSelection,
): Promise<RawBuilder<unknown>> {
  const isNamed = 'machineIds' in machines
  const ids = isNamed ? [...new Set(machines.machineIds)] : []
  const which = isNamed ? sql`id = any(${ids}::bigint[])` : filterOf(machines.filter)
  const chosen = sql`select id from (${grantable(sightOf(ctx.actor), grantee)}) seen
    where ${allOf([sql`"mayChange"`, which])}`
  const found = await sql<{ count: number }>`select count(*) as count from (${chosen}) chosen`.execute(ctx.tx)
  const count = found.rows[0]?.count ?? 0
  if (isNamed && count < ids.length) refuse('request.notFound')
  if (!isNamed && count !== machines.count) {
    refuse('authorisation.changed', { now: count, seen: machines.count })
  }
  return chosen
}

async function audit(
  ctx: CommandContext,
  { kind, label, merchantId }: FoundGrantee,
  action: 'grant' | 'revoke',
  { changed, first, hash }: Logged,
): Promise<void> {
  const named = await sql<{ code: string }>`
    select code from machine where id = any(${first}::bigint[]) order by code`.execute(ctx.tx)
  const codes = named.rows.map(({ code }) => code)
  const all = { machines: changed, codes, ...(changed > first.length ? { sha256OfIds: hash } : {}) }
  await ctx.audit({
    merchantId,
    objectKind: kind,
    objectId: label,
    before: action === 'revoke' ? { granted: all } : null,
    after: action === 'grant' ? { granted: all } : null,
  })
}
