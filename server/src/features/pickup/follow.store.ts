import { pickupCodeState } from '@aisle/contract/pickup/states'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'
import { living } from './batch.reads'
import { makingState } from './make.store'
import { statesFrom, statesIn, stateTo } from '../../kernel/states'

/** A statement's worth, so that machines wait for no long one. */
const PORTION = 5_000

export async function cancelWhole(
  tx: Tx,
  batchId: number,
  { reason, userId, at }: { reason: string; userId: number; at: Date },
): Promise<void> {
  await sql`update pickup_batch set cancelled_at = ${at}, cancelled_by = ${userId}, cancel_reason = ${reason},
    is_due = true,
    state = case when state in ${statesFrom(makingState, 'stop')} then ${stateTo(makingState, 'stop')}
      else state end
    where id = ${batchId}`.execute(tx)
}

export async function extendWhole(tx: Tx, batchId: number, expiresAt: Date): Promise<void> {
  await sql`update pickup_batch set expires_at = ${expiresAt}, is_due = true where id = ${batchId}`.execute(tx)
}

/**
 * Brings the next codes of a batch to what was decided about it: cancelled, or good until later. What a machine has in
 * hand is left and follows once it is free, so a batch stays due until nothing of it is in use.
 * @returns whether more may be left for a next portion
 */
export async function followBatch(tx: Tx, batchId: number): Promise<boolean> {
  const found = await sql<{ cancelledAt: Date | null }>`select cancelled_at as "cancelledAt" from pickup_batch
    where id = ${batchId} and is_due for update`.execute(tx)
  const [batch] = found.rows
  if (!batch) return false
  const changed = batch.cancelledAt ? await cancelSome(tx, batchId) : await prolongSome(tx, batchId)
  if (changed === PORTION) return true
  await sql`update pickup_batch b set is_due = false where b.id = ${batchId}
    and (b.cancelled_at is null or not exists (${living}))`.execute(tx)
  return false
}

async function cancelSome(tx: Tx, batchId: number): Promise<number> {
  const done = await sql`with next as (
      select id from pickup_code where batch_id = ${batchId}
        and state = any(${[...pickupCodeState.from('cancel')]}::text[]) order by id
        limit ${sql.lit(PORTION)} for update)
    update pickup_code c set state = ${pickupCodeState.to('cancel')}, ended_at = b.cancelled_at,
      ended_by = b.cancelled_by, reason = b.cancel_reason
    from next, pickup_batch b where c.id = next.id and b.id = ${batchId}`.execute(tx)
  return Number(done.numAffectedRows ?? 0)
}

async function prolongSome(tx: Tx, batchId: number): Promise<number> {
  const done = await sql`with next as (
      select c.id from pickup_code c join pickup_batch b on b.id = c.batch_id
      where c.batch_id = ${batchId} and c.expires_at <> b.expires_at
        and c.state in ${statesIn(pickupCodeState, 'living')} order by c.id limit ${sql.lit(PORTION)} for update of c)
    update pickup_code c set expires_at = b.expires_at
    from next, pickup_batch b where c.id = next.id and b.id = ${batchId}`.execute(tx)
  return Number(done.numAffectedRows ?? 0)
}

/** Batches of which codes still have to follow. */
export async function findDue(db: Reader): Promise<number[]> {
  const found = await sql<{ id: number }>`select id from pickup_batch where is_due order by id`.execute(db)
  return found.rows.map(({ id }) => id)
}
