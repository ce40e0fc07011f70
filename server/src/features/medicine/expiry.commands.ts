import type { lockExpiring, lockOutcomes } from '@aisle/contract/medicine/expiry'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { lockForCare } from './care.lock'
import { levelInSight } from './expiry.reads'

type Outcome = (typeof lockOutcomes)[number]
type Lying = { id: number; batchId: number; batch: string; merchantId: number }

/** Batch by batch; rows of one batch have the same outcome. */
export async function lock(ctx: CommandContext, { ids, reason }: InputOf<typeof lockExpiring>) {
  const found = await sql<Lying>`
    select l.id, b.id as "batchId", b.number as batch, p.merchant_id as "merchantId"
    from batch_level l join medicine_batch b on b.product_id = l.product_id and b.number = l.batch
    join product p on p.id = b.product_id join place o on o.id = l.place_id left join slot s on s.place_id = l.place_id
    where l.id = any(${[...ids]}::bigint[]) and ${levelInSight(sightOf(ctx.actor))}`.execute(ctx.tx)
  if (found.rows.length === 0) refuse('request.notFound')
  const outcomes = new Map<number, Outcome>()
  for (const { batchId, batch, merchantId } of new Map(found.rows.map((row) => [row.batchId, row])).values()) {
    const isLocked = await lockForCare(ctx, batchId, reason)
    outcomes.set(batchId, isLocked ? 'done' : 'stoppedBefore')
    const after = isLocked ? { batch, state: 'locked', reason } : null
    await ctx.audit({ merchantId, objectKind: 'batch', objectId: batchId, before: null, after })
  }
  const batchOf = new Map(found.rows.map(({ id, batchId }) => [id, batchId]))
  const outcomeOf = (id: number): Outcome => outcomes.get(batchOf.get(id) ?? 0) ?? 'notFound'
  return { outcomes: ids.map((id) => ({ id, outcome: outcomeOf(id) })) }
}
