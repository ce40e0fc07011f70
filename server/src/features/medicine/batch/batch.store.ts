import { type BatchState, batchState } from '@aisle/contract/medicine/batchState'
import { type RawBuilder, sql } from 'kysely'
import type { CommandContext, QueryContext } from '../../../kernel/context'
import { existing, refuse } from '../../../kernel/refuse'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { stateful } from '../../../kernel/states'

/** @throws Refusal medicineBatch.state */
export const batches = stateful('medicineBatch', 'state', batchState, {
  versioned: true,
  refuse: ({ number }: HeldBatch) => refuse('medicineBatch.state', { number }),
})

export type HeldBatch = {
  id: number
  merchantId: number
  productId: number
  number: string
  producedOn: string | null
  expiresOn: string
  state: BatchState
  version: number
}

/** Locked. @param isOfLine also one of a merchant above @throws Refusal for one out of sight */
export async function holdBatch(ctx: CommandContext, id: number, isOfLine = false): Promise<HeldBatch> {
  const inSight = isOfLine ? ofLine(ctx, sql`p.merchant_id`) : merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)
  const found = await sql<HeldBatch>`
    select b.id, p.merchant_id as "merchantId", b.product_id as "productId", b.number,
      to_char(b.produced_on, 'YYYY-MM-DD') as "producedOn", to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn", b.state,
      b.version
    from medicine_batch b join product p on p.id = b.product_id
    where b.id = ${id} and ${inSight} for update of b`.execute(ctx.tx)
  return existing(found.rows[0])
}

/** A merchant's own, those of all below it, and what merchants above made for it to sell. */
export const ofLine = (ctx: QueryContext, merchantId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  (${merchantInSight(sightOf(ctx.actor), merchantId)} or ${merchantId} = any(
    (select path from merchant where id = ${ctx.actor.merchantId})::bigint[]))`

type Facts = Record<string, unknown> | null
type Deed = { verb: string; note: string; before: Facts; after: Facts }

/** The row itself is moved by the caller; here its story and the audit. */
export async function recordBatch(
  ctx: CommandContext,
  { id, merchantId }: Pick<HeldBatch, 'id' | 'merchantId'>,
  { verb, note, before, after }: Deed,
): Promise<void> {
  await sql`insert into medicine_batch_event (batch_id, at, verb, user_id, note)
    values (${id}, ${ctx.now()}, ${verb}, ${ctx.actor.userId}, ${note})`.execute(ctx.tx)
  await ctx.audit({ merchantId, objectKind: 'medicineBatch', objectId: id, before, after })
}

/**
 * The rule `sellable` for statements over many rows, columns of a batch that may be missing.
 * @param firstDay the day, with the margin added
 */
export const sellableRow = (alias: string, firstDay: string): RawBuilder<boolean> => sql<boolean>`
  (coalesce(${sql.ref(`${alias}.state`)}, 'available') = 'available'
    and coalesce(${sql.ref(`${alias}.expires_on`)} >= ${firstDay}::date, true))`
