import { deliveryState, webhookState } from '@aisle/contract/events/states'
import { type EventKind } from '@aisle/contract/events/kinds'
import { MOST_REPLAYED, type previewReplay, type replayWebhook } from '@aisle/contract/events/webhook'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { allOf } from '../../kernel/list'
import { withinDays } from '../../kernel/platformDays'
import { existing, refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { stateTo } from '../../kernel/states'
import { integrationInSight } from '../merchant/public'
import { webhooksOf } from './log.store'
import { audit, load } from './webhook.commands'

type Scope = { scope: 'dead' | 'all'; from?: string | null | undefined; to?: string | null | undefined }

/** Events that a webhook would be told again: what is before it and died, or all of the log that is for it. */
function chosen(id: number, { scope, from = null, to = null }: Scope): RawBuilder<unknown> {
  const days = (at: string) => allOf(withinDays(sql.ref(at), { from: from ?? undefined, to: to ?? undefined }))
  if (scope === 'dead') {
    return sql`select d.number, d.numbered_at, d.kind, d.object from webhook_delivery d
      where d.endpoint_id = ${id} and d.state = 'dead' and ${days('d.numbered_at')}`
  }
  return sql`select l.number, l.numbered_at, l.kind, l.object from event_log l ${webhooksOf('l')}
    left join webhook_delivery d on d.endpoint_id = e.id and d.number = l.number
    where e.id = ${id} and ${days('l.numbered_at')} and d.state is distinct from 'waiting'`
}

type Preview = OutputOf<typeof previewReplay>
type Counted = { kind: EventKind; count: number; first: string; last: string }

export async function preview(ctx: QueryContext, input: InputOf<typeof previewReplay>): Promise<Preview> {
  const { id, ...scope } = input
  const seen = await sql`select from webhook_endpoint e join integration_config i on i.id = e.config_id
    where e.id = ${id} and ${integrationInSight(sightOf(ctx.actor))}`.execute(ctx.db)
  existing(seen.rows[0])
  const found = await sql<Counted>`select kind, count(*)::int as count, to_json(min(numbered_at)) #>> '{}' as first,
      to_json(max(numbered_at)) #>> '{}' as last
    from (${chosen(id, scope)} limit ${sql.lit(MOST_REPLAYED + 1)}) one group by kind order by kind`.execute(ctx.db)
  const count = found.rows.reduce((sum, row) => sum + row.count, 0)
  if (count > MOST_REPLAYED) refuse('webhook.tooFar', { most: MOST_REPLAYED })
  return {
    count,
    kinds: found.rows.map((row) => ({ kind: row.kind, count: row.count })),
    first: found.rows.map(({ first }) => first).sort()[0] ?? null,
    last:
      found.rows
        .map(({ last }) => last)
        .sort()
        .at(-1) ?? null,
  }
}

/** Each under its own id: the receiver knows what it has taken already. */
export async function replay(ctx: CommandContext, input: InputOf<typeof replayWebhook>) {
  const { id, ...scope } = input
  const row = await load(ctx, id)
  if (webhookState.is(row.state, 'disabled')) refuse('webhook.state')
  const put = await putBack(ctx, id, sql`(${chosen(id, scope)} limit ${sql.lit(MOST_REPLAYED + 1)})`)
  if (put === 0) refuse('webhook.nothing')
  if (put > MOST_REPLAYED) refuse('webhook.tooFar', { most: MOST_REPLAYED })
  await audit(ctx, row, null, { replayed: put, ...scope })
  return { id, count: put }
}

type One = { webhookId: number; number: number; state: (typeof deliveryState.states)[number] }

export async function replayOne(ctx: CommandContext, id: number): Promise<{ id: number }> {
  const found = await sql<One>`select d.endpoint_id as "webhookId", d.number, d.state
    from webhook_delivery d where d.id = ${id}`.execute(ctx.tx)
  const one = existing(found.rows[0])
  const row = await load(ctx, one.webhookId)
  if (webhookState.is(row.state, 'disabled')) refuse('webhook.state')
  if (!deliveryState.can(one.state, 'replay')) refuse('delivery.waiting')
  await putBack(ctx, row.id, sql`(select number, numbered_at, kind, object from webhook_delivery where id = ${id})`)
  await audit(ctx, row, null, { replayed: `evt_${one.number}` })
  return { id }
}

async function putBack(ctx: CommandContext, endpointId: number, events: RawBuilder<unknown>): Promise<number> {
  const state = stateTo(deliveryState, 'replay')
  const put = await sql`insert into webhook_delivery as d
      (endpoint_id, number, numbered_at, kind, object, state, next_try_at, asked_by)
    select ${endpointId}, number, numbered_at, kind, object, ${state}, ${ctx.now()}, ${ctx.actor.userId}
    from ${events} one order by number
    on conflict (endpoint_id, number) do update set state = ${state}, tries = 0, next_try_at = ${ctx.now()},
      asked_by = excluded.asked_by where d.state <> 'waiting'`.execute(ctx.tx)
  await announce(ctx.tx, { topic: 'events', webhookId: endpointId })
  return Number(put.numAffectedRows ?? 0n)
}
