import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { only } from '../../kernel/must'
import { bagOf } from './outbound/outbound.store'
import { FREE_SLOTS, type Move, recordMoves } from './stock.store'

export type Pulled = {
  placeId: number
  productId: number
  quantity: number
  batch: string | null
  at: Date
  reference: string
}

/**
 * What somebody took out of slots and carries now, to bring it back or have it written off.
 * @throws Refusal outbound.replenisher for who carries nothing of this merchant
 */
export async function pullIntoBag(
  ctx: CommandContext,
  { merchantId, userId }: { merchantId: number; userId: number },
  pulled: readonly Pulled[],
): Promise<void> {
  const bagId = await bagOf(ctx, merchantId, userId)
  const bag = await sql<{ placeId: number }>`select place_id as "placeId" from bag where id = ${bagId}`.execute(ctx.tx)
  const toPlaceId = only(bag).placeId
  const moves = pulled.map(({ placeId, at, ...goods }): Move => {
    return { ...goods, merchantId, userId, movedAt: at, fromPlaceId: placeId, toPlaceId, cause: 'remove' }
  })
  await recordMoves(ctx.tx, moves)
  await addJob(ctx.tx, FREE_SLOTS, { placeIds: [...new Set(pulled.map(({ placeId }) => placeId))].join(',') })
}
