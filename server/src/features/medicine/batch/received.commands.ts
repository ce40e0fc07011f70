import { batchState } from '@aisle/contract/medicine/batchState'
import { sql } from 'kysely'
import type { CommandContext } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { recordBatch } from './batch.store'

export type CameIn = { productId: number; number: string; producedOn: string | null; expiresOn: string }
export type BatchFault = { number: string; fault: 'stopped' | 'otherDay'; expiresOn: string }

/**
 * Batches that came in are entered where nobody had heard of them.
 * @returns the first that may not be taken in so: it is stopped, or known with another last day
 */
export async function enterBatches(ctx: CommandContext, came: readonly CameIn[]): Promise<BatchFault | null> {
  for (const { productId, number, producedOn, expiresOn } of came) {
    const made = await sql<{ id: number }>`insert into medicine_batch
        (product_id, number, produced_on, expires_on, changed_by, changed_at, created_by, created_at)
      values (${productId}, ${number}, ${producedOn}::date, ${expiresOn}::date, ${ctx.actor.userId}, ${ctx.now()},
        ${ctx.actor.userId}, ${ctx.now()}) on conflict (product_id, number) do nothing returning id`.execute(ctx.tx)
    const found = await sql<{ merchantId: number; state: (typeof batchState.states)[number]; expiresOn: string }>`
      select p.merchant_id as "merchantId", b.state, to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn"
      from medicine_batch b join product p on p.id = b.product_id
      where b.product_id = ${productId} and b.number = ${number} for share of b`.execute(ctx.tx)
    const known = only(found)
    const id = made.rows[0]?.id
    if (id !== undefined) {
      const after = { productId, number, producedOn, expiresOn }
      await recordBatch(ctx, { id, merchantId: known.merchantId }, { verb: 'add', note: '', before: null, after })
    }
    if (batchState.is(known.state, 'stopped')) return { number, fault: 'stopped', expiresOn: known.expiresOn }
    if (known.expiresOn !== expiresOn) return { number, fault: 'otherDay', expiresOn: known.expiresOn }
  }
  return null
}
