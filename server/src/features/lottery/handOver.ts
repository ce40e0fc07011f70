import { remoteShipState } from '@aisle/contract/device/remoteShip'
import { prizeState, type PrizeState } from '@aisle/contract/lottery/states'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { must, only } from '../../kernel/must'
import { refuse } from '../../kernel/refuse'
import { statesIn } from '../../kernel/states'
import { outsidePlaces, recordMoves } from '../stock/public'

type Prize = { merchantId: number; productId: number; prizeState: PrizeState }
/** `placeId` null: from outside the stock that is kept here. `reference` names what it is handed over for. */
type HandOver = { playId: number; placeId: number | null; reference: string }

/**
 * A prize leaves the stock with its winner, and nothing is owed any more. Its order is held already.
 * @throws Refusal claim.notOwed, claim.noStock
 */
export async function handOver(ctx: CommandContext, { playId, placeId, reference }: HandOver): Promise<void> {
  const prize = only(
    await sql<Prize>`select merchant_id as "merchantId", product_id as "productId", prize_state as "prizeState"
      from lottery_play where id = ${playId} for update`.execute(ctx.tx),
  )
  // It may have come out meanwhile: the machine's word is heard late.
  if (!prizeState.can(prize.prizeState, 'collect')) refuse('claim.notOwed')
  await refuseShipping(ctx, playId)
  await bookOut(ctx, prize, placeId, reference)
  await sql`update lottery_play set prize_state = ${prizeState.to('collect')} where id = ${playId}`.execute(ctx.tx)
}

/** Before its play, as everybody does: who ships the prize from afar holds the order. */
export async function lockOrderOf(ctx: CommandContext, playId: number): Promise<void> {
  await sql`select 1 from lottery_play p join order_number n on n.order_no = p.order_no
    join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
    where p.id = ${playId} for update of o`.execute(ctx.tx)
}

/** A prize that a machine is about to let out, or may have, is not handed over beside it. */
async function refuseShipping(ctx: CommandContext, playId: number): Promise<void> {
  const found = await sql`select 1 from remote_ship
    where order_id = ${playId} and state in ${statesIn(remoteShipState, 'underWay')}`.execute(ctx.tx)
  if (found.rows.length > 0) refuse('claim.notOwed')
}

async function bookOut(
  ctx: CommandContext,
  { merchantId, productId }: Prize,
  placeId: number | null,
  reference: string,
): Promise<void> {
  const customers = await outsidePlaces(ctx.tx, 'customer', [merchantId])
  const unbooked = await outsidePlaces(ctx.tx, 'unbooked', [merchantId])
  if (placeId !== null) {
    const held = await sql`select 1 from stock_level l join place p on p.id = l.place_id
      where p.id = ${placeId} and p.merchant_id = ${merchantId} and p.kind in ('warehouse', 'replenisher')
        and l.product_id = ${productId} and l.quantity > 0 for update of l`.execute(ctx.tx)
    if (held.rows.length === 0) refuse('claim.noStock')
  }
  await recordMoves(ctx.tx, [
    {
      merchantId,
      movedAt: ctx.now(),
      productId,
      quantity: 1,
      // Bought for the winner, or taken from another shelf than ours: it came from outside and left at once.
      fromPlaceId: placeId ?? must(unbooked.get(merchantId), 'place outside the books'),
      toPlaceId: must(customers.get(merchantId), 'place of customers'),
      cause: 'free',
      reference,
      batch: null,
      userId: ctx.actor.userId,
    },
  ])
}
