import { batchState, type BatchState, disputeState, type DisputeState } from '@aisle/contract/settlement/states'
import { type RawBuilder, sql } from 'kysely'
import type { CommandContext, Reader } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { isOfPlatform, isPlatformsOwn, merchantInSight, type Sight, sightOf } from '../../../kernel/scope'
import { stateful, statesFrom } from '../../../kernel/states'

/** @throws Refusal settlement.state */
export const batches = stateful('settlement', 'state', batchState, {
  versioned: true,
  refuse: () => refuse('settlement.state'),
})
/** @throws Refusal settlementDispute.state */
export const disputes = stateful('settlementDispute', 'state', disputeState, {
  versioned: true,
  refuse: () => refuse('settlementDispute.state'),
})

const waits = sql`d.state in ${statesFrom(disputeState, 'accept')}`

/** Of settlement `s`. */
export const waitingDisputes = sql`(select count(*) from settlement_dispute d
  where d.settlement_id = s.id and ${waits})`

/** A merchant's settlements are seen by who sees the merchant, and by the platform's people, who settle and answer. */
export const settledInSight = (sight: Sight, merchantId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${merchantInSight(sight, merchantId)} or ${isOfPlatform(sight)})`

export type Batch = { id: number; merchantId: number; state: BatchState; disputes: number; isOfPlatform: boolean }

/** Locked. @throws Refusal for one out of sight */
export async function holdBatch(ctx: CommandContext, id: number): Promise<Batch> {
  await sql`select 1 from settlement where id = ${id} for update`.execute(ctx.tx)
  const found = await sql<Omit<Batch, 'isOfPlatform'>>`select s.id, s.merchant_id as "merchantId", s.state,
      ${waitingDisputes}::int as disputes
    from settlement s where s.id = ${id} and ${settledInSight(sightOf(ctx.actor), sql`s.merchant_id`)}`.execute(ctx.tx)
  return { ...existing(found.rows[0]), isOfPlatform: await isPlatformsOwn(ctx.tx, ctx.actor) }
}

export type Dispute = {
  id: number
  settlementId: number
  merchantId: number
  orderNo: string
  state: DisputeState
  raisedBy: number
}

/** Locked, after its settlement. @throws Refusal for one out of sight */
export async function holdDispute(ctx: CommandContext, id: number): Promise<Dispute> {
  await sql`select 1 from settlement where id = (select settlement_id from settlement_dispute where id = ${id})
    for update`.execute(ctx.tx)
  const found = await sql<Dispute>`select d.id, d.settlement_id as "settlementId", d.merchant_id as "merchantId",
      d.order_no as "orderNo", d.state, d.raised_by as "raisedBy"
    from settlement_dispute d
    where d.id = ${id} and ${settledInSight(sightOf(ctx.actor), sql`d.merchant_id`)} for update`.execute(ctx.tx)
  return existing(found.rows[0])
}

/** The order of a settlement; null for one that is not in it. */
export async function orderIn(ctx: CommandContext, settlementId: number, orderNo: string): Promise<number | null> {
  const found = await sql<{ id: number }>`select n.order_id as id from order_number n
    join settled_item i on i.kind = 'order' and i.reference = n.order_id and i.settlement_id = ${settlementId}
    where n.order_no = ${orderNo}`.execute(ctx.tx)
  return found.rows[0]?.id ?? null
}

type New = { settlementId: number; merchantId: number; orderId: number; orderNo: string; reason: string }

/** @returns nothing where the order is disputed already */
export async function insertDispute(ctx: CommandContext, made: New): Promise<number | undefined> {
  const { settlementId, merchantId, orderId, orderNo, reason } = made
  const found = await sql<{ id: number }>`insert into settlement_dispute
      (settlement_id, merchant_id, order_id, order_no, reason, raised_by, raised_at)
    values (${settlementId}, ${merchantId}, ${orderId}, ${orderNo}, ${reason}, ${ctx.actor.userId}, ${ctx.now()})
    on conflict (settlement_id, order_id) where state = 'waiting' do nothing returning id`.execute(ctx.tx)
  return found.rows[0]?.id
}

/** Of dispute `d`: the platform's people are asked, and nobody else. */
export const toAnswer = (sight: Sight) => sql`(${waits} and ${isOfPlatform(sight)})`

export async function countWaitingDisputes(db: Reader, sight: Sight): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from settlement_dispute d
    where ${toAnswer(sight)}`.execute(db)
  return found.rows[0]?.count ?? 0
}
