import type { MachineSelection } from '@aisle/contract/sight/authorisation'
import { type RawBuilder, sql } from 'kysely'
import { announce } from '../../kernel/announce'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { CommandContext } from '../../kernel/context'
import { allOf } from '../../kernel/list'
import { endOf } from '../../kernel/platformDays'
import { refuse } from '../../kernel/refuse'
import { merchantGrants, type Sight, sightOf, userGrants } from '../../kernel/scope'
import { type Granted, grantMachines, revokeMachines } from '../fleet/public'
import { filterOf, grantable } from './grantable.reads'
import type { FoundGrantee } from './grantee.store'

/** @param untilDay the last day on which it holds, by the platform's calendar; null for good */
export async function authorise(
  ctx: CommandContext,
  grantee: FoundGrantee,
  machines: MachineSelection,
  untilDay: string | null,
): Promise<number> {
  if (grantee.isAdministrator) refuse('authorisation.needless')
  if (!grantee.isActive) refuse('authorisation.stopped')
  if (untilDay && untilDay < businessTime(ctx.now(), PLATFORM_TIME_ZONE).day) refuse('authorisation.past')
  const endsAt = untilDay ? endOf(untilDay) : sql`null::timestamptz`
  const chosen = await chosenBy(ctx, grantee, machines)
  const given = sql`select chosen.id as machine_id, ${noLongerThanOwn(sightOf(ctx.actor), endsAt)} as ends_at
    from (${chosen}) chosen`
  return note(ctx, grantee, 'grant', await grantMachines(ctx.tx, grantee, given, endsAt, byOf(ctx)))
}

export async function withdraw(
  ctx: CommandContext,
  grantee: FoundGrantee,
  machines: MachineSelection,
): Promise<number> {
  const chosen = await chosenBy(ctx, grantee, machines)
  const taken = sql`select chosen.id as machine_id from (${chosen}) chosen`
  return note(ctx, grantee, 'revoke', await revokeMachines(ctx.tx, grantee, taken, byOf(ctx)))
}

const byOf = (ctx: CommandContext) => ({ userId: ctx.actor.userId, at: ctx.now() })

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

async function note(
  ctx: CommandContext,
  { kind, label, merchantId }: FoundGrantee,
  action: 'grant' | 'revoke',
  { changed, first, hash }: Granted,
): Promise<number> {
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
  if (changed > 0) await announce(ctx.tx, { topic: 'sight' })
  return changed
}
