import { batchState } from '@aisle/contract/medicine/batchState'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { stateful } from '../../kernel/states'

const batches = stateful('medicineBatch', 'state', batchState, { versioned: true })

/** Sold no longer, at any place, until somebody releases it. @returns false where it was stopped before */
export async function lockForCare(ctx: CommandContext, batchId: number, reason: string): Promise<boolean> {
  const change = { reason, changedBy: ctx.actor.userId, changedAt: ctx.now() }
  const locked = await batches.moveAll(ctx.tx, sql`id = ${batchId}`, 'lock', change)
  return locked.length > 0
}
