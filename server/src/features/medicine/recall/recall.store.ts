import { type RecallState, recallState, type TargetState, targetState } from '@aisle/contract/medicine/recall'
import { sql } from 'kysely'
import type { CommandContext, Tx } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { stateful } from '../../../kernel/states'
import { placeInSight, recallNo } from '../batch/batch.reads'

/** @throws Refusal recall.state */
export const recalls = stateful('recall', 'state', recallState, {
  versioned: true,
  refuse: ({ no }: HeldRecall) => refuse('recall.state', { no }),
})

export type HeldRecall = {
  id: number
  no: string
  merchantId: number
  batchId: number
  class: 'i' | 'ii' | 'iii'
  isDrill: boolean
  state: RecallState
  createdBy: number | null
  startedBy: number | null
  spreadAt: Date | null
}

/** Locked. @throws Refusal for one out of sight */
export async function holdRecall(ctx: CommandContext, id: number): Promise<HeldRecall> {
  const found = await sql<HeldRecall>`
    select id, ${recallNo} as no, merchant_id as "merchantId", batch_id as "batchId", class,
      is_drill as "isDrill", state, created_by as "createdBy", started_by as "startedBy", spread_at as "spreadAt"
    from recall where id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`merchant_id`)} for update`.execute(
    ctx.tx,
  )
  return existing(found.rows[0])
}

type Facts = Record<string, unknown> | null
type Deed = { verb: string; note?: string; quantity?: number; before: Facts; after: Facts }

/** The row itself is moved by the caller; here its story and the audit. */
export async function recordRecall(
  ctx: CommandContext,
  { id, merchantId }: Pick<HeldRecall, 'id' | 'merchantId'>,
  { verb, note = '', quantity = 0, before, after }: Deed,
): Promise<void> {
  await noteEvent(ctx.tx, { recallId: id, at: ctx.now(), verb, userId: ctx.actor.userId, note, quantity })
  await ctx.audit({ merchantId, objectKind: 'recall', objectId: id, before, after })
}

type Event = { recallId: number; at: Date; verb: string; userId: number | null; note: string; quantity?: number }

export async function noteEvent(tx: Tx, { recallId, at, verb, userId, note, quantity = 0 }: Event): Promise<void> {
  await sql`insert into recall_event (recall_id, at, verb, user_id, note, quantity)
    values (${recallId}, ${at}, ${verb}, ${userId}, ${note}, ${quantity})`.execute(tx)
}

/** @throws Refusal recall.target */
export const targets = stateful('recallTarget', 'state', targetState, {
  versioned: true,
  refuse: ({ name }: HeldTarget) => refuse('recall.target', { name }),
})

export type HeldTarget = {
  id: number
  recallId: number
  placeId: number
  merchantId: number
  productId: number
  batch: string
  isDrill: boolean
  recallState: RecallState
  recallNo: string
  recallMerchantId: number
  name: string
  state: TargetState
  /** What lies there by the books now. */
  there: number
}

/** Locked, with what of the batch lies there. @throws Refusal for one out of sight, and of a recall that is over */
export async function holdTarget(ctx: CommandContext, id: number): Promise<HeldTarget> {
  const found = await sql<HeldTarget>`
    select t.id, t.recall_id as "recallId", t.place_id as "placeId", t.merchant_id as "merchantId",
      b.product_id as "productId", b.number as batch, r.is_drill as "isDrill", r.state as "recallState",
      ${recallNumber} as "recallNo", r.merchant_id as "recallMerchantId",
      coalesce(m.code || ' ' || t.slot_code, p.name) as name, t.state, coalesce(l.quantity, 0) as there
    from recall_target t join recall r on r.id = t.recall_id join medicine_batch b on b.id = r.batch_id
    join place p on p.id = t.place_id left join slot s on s.place_id = p.id left join machine m on m.id = t.machine_id
    left join batch_level l on l.place_id = t.place_id and l.product_id = b.product_id and l.batch = b.number
    where t.id = ${id} and ${placeInSight(sightOf(ctx.actor))} for update of t`.execute(ctx.tx)
  const target = existing(found.rows[0])
  if (!recallState.is(target.recallState, 'active')) refuse('recall.state', { no: target.recallNo })
  return target
}

const recallNumber = sql<string>`'ZH' || to_char(r.created_at at time zone 'Asia/Shanghai', 'YYYYMMDD') || '-' || r.id`
