import { type codeRefusals } from '@aisle/contract/pickup/pickupCode'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'

export type NewRefusal = {
  codeId: number
  machineId: number
  /** The machine's number for the order that there was none of; '' where it only asked what the code gives. */
  orderNo: string
  reason: string
}

/**
 * Keeps that a code of ours gave nothing, for whoever is asked why. What a customer tries again and again within a
 * minute is one refusal. Reasons that say nothing of the code itself are passed over.
 */
export async function keepRefusals(tx: Tx, refused: readonly NewRefusal[], now: Date): Promise<void> {
  const told = refused.filter(({ reason }) => kept.has(reason))
  if (told.length === 0) return
  await sql`insert into pickup_refusal (code_id, machine_id, order_no, reason, refused_at)
    select r.code_id, r.machine_id, max(r.order_no), r.reason, ${now}
    from ${rows('r', told, { codeId: 'bigint', machineId: 'bigint', orderNo: 'text', reason: 'text' })}
    where not exists (select 1 from pickup_refusal before where before.code_id = r.code_id
      and before.machine_id = r.machine_id and before.reason = r.reason
      and before.refused_at > ${new Date(now.getTime() - MINUTE_MS)})
    group by r.code_id, r.machine_id, r.reason`.execute(tx)
}

const MINUTE_MS = 60_000
const reasons: Record<(typeof codeRefusals)[number], true> = {
  codeSpent: true,
  codeExpired: true,
  codeElsewhere: true,
  codeInvalid: true,
  contentDiffers: true,
}
const kept: ReadonlySet<string> = new Set(Object.keys(reasons))
