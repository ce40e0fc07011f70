import type { FundsMode, Provider } from '@aisle/contract/payment/states'
import {
  type Decision,
  type DifferenceKind,
  differenceState,
  type DifferenceState,
  runState,
} from '@aisle/contract/settlement/states'
import { sql } from 'kysely'
import type { CommandContext, Tx } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { countDifferences } from './run.store'

export type Held = {
  id: number
  runId: number
  channelId: number
  merchantId: number
  provider: Provider
  fundsMode: FundsMode
  day: string
  kind: DifferenceKind
  state: DifferenceState
  ourFen: number | null
  theirFen: number | null
  lineId: number | null
  orderId: number | null
  orderMerchantId: number | null
  decision: Decision | null
  reason: string | null
  proposedBy: number | null
}

/** Locked, after its run. @throws Refusal for one out of sight, and for a state that does not allow it */
export async function holdDifference(
  ctx: CommandContext,
  id: number,
  verb: keyof typeof differenceState.moves | null,
): Promise<Held> {
  await sql`select 1 from settlement_run where id = (select run_id from settlement_difference where id = ${id})
    for update`.execute(ctx.tx)
  const found = await sql<Held>`
    select d.id, d.run_id as "runId", d.channel_id as "channelId", d.merchant_id as "merchantId", r.provider,
      r.funds_mode as "fundsMode", to_char(r.day, 'YYYY-MM-DD') as day, d.kind, d.state, d.our_fen as "ourFen",
      d.their_fen as "theirFen",
      d.line_id as "lineId", d.order_id as "orderId", d.order_merchant_id as "orderMerchantId", d.decision, d.reason,
      d.proposed_by as "proposedBy"
    from settlement_difference d join settlement_run r on r.id = d.run_id
    where d.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`d.merchant_id`)} for update of d`.execute(ctx.tx)
  const held = existing(found.rows[0])
  if (verb && !differenceState.can(held.state, verb)) refuse('settlementDifference.state', { id })
  return held
}

type Told = { verb: string; note?: string; after: Record<string, unknown> }

/** The row itself is moved by the caller; here its story and the audit. */
export async function record(ctx: CommandContext, held: Held, { verb, note = '', after }: Told): Promise<void> {
  await appendEvent(ctx.tx, held.id, { verb, note, by: ctx.actor.userId, at: ctx.now() })
  const { state, decision, kind } = held
  await ctx.audit({
    merchantId: held.merchantId,
    objectKind: 'settlementDifference',
    objectId: held.id,
    before: { kind, state, decision },
    after,
  })
}

/** What was decided did not happen: it is a difference as before, and its day waits for it. */
export async function reopenDifference(tx: Tx, id: number, at: Date): Promise<void> {
  const moved = await sql<{ channelId: number; runId: number }>`update settlement_difference
    set state = ${differenceState.to('reopen')}, decision = null, reason = null, proposed_by = null,
      proposed_at = null, approved_by = null, decided_at = null, version = version + 1
    where id = ${id} and state = any(${[...differenceState.from('reopen')]}::text[])
    returning channel_id as "channelId", run_id as "runId"`.execute(tx)
  const [difference] = moved.rows
  if (!difference) return
  await sql`update settlement_run set state = ${runState.to('refuseClose')}, asked_by = null, asked_at = null,
    version = version + 1 where id = ${difference.runId} and state = any(${[...runState.from('refuseClose')]}::text[])
  `.execute(tx)
  await appendEvent(tx, id, { verb: 'reopen', note: '', by: null, at })
  await countDifferences(tx, difference.channelId)
}

type Event = { verb: string; note: string; by: number | null; at: Date }

export async function appendEvent(tx: Tx, id: number, { verb, note, by, at }: Event): Promise<void> {
  await sql`insert into settlement_difference_event (difference_id, at, verb, user_id, note)
    values (${id}, ${at}, ${verb}, ${by}, ${note})`.execute(tx)
}
