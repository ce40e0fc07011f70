import { remoteShipState } from '@aisle/contract/device/remoteShip'
import type { addClaim, passClaim, rejectClaim } from '@aisle/contract/lottery/claim'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { claimState, type ClaimState, prizeState, type PrizeState } from '@aisle/contract/lottery/states'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { must, only } from '../../kernel/must'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { machineInSight, sightOf } from '../../kernel/scope'
import { outsidePlaces, recordMoves } from '../stock/public'
import { statesIn } from '../../kernel/states'

type Changed = { id: number }

/** Somebody stands at the counter with a prize that the machine kept; what proves it is kept with the claim. */
export async function add(ctx: CommandContext, input: InputOf<typeof addClaim>): Promise<Changed> {
  const { orderNo, claimant, phone, note, pictures } = input
  const found = await sql<{ id: number; merchantId: number; prizeState: PrizeState }>`
    select p.id, p.merchant_id as "merchantId", p.prize_state as "prizeState" from lottery_play p
    where p.order_no = ${orderNo} and ${machineInSight(sightOf(ctx.actor), sql`p.machine_id`)}
    for update of p`.execute(ctx.tx)
  const play = found.rows[0] ?? refuse('claim.noPlay', { orderNo })
  if (!prizeState.can(play.prizeState, 'collect')) refuse('claim.notOwed', { orderNo })
  const made = await refusedBy(
    'lottery_claim_one',
    sql<{ id: number }>`insert into lottery_claim
        (merchant_id, play_id, claimant, phone, note, pictures, created_by, created_at)
      values (${play.merchantId}, ${play.id}, ${claimant}, ${phone}, ${note}, ${pictures}::text[],
        ${ctx.actor.userId}, ${ctx.now()}) returning id`.execute(ctx.tx),
    () => refusal('claim.open', { orderNo }),
  )
  const id = only(made).id
  await audit(ctx, { id, merchantId: play.merchantId }, null, { orderNo, claimant, note })
  return { id }
}

type Held = {
  id: number
  merchantId: number
  playId: number
  productId: number
  state: ClaimState
  prizeState: PrizeState
  createdBy: number
}

/** The prize is handed over: it leaves the stock it was taken from, and nothing is owed any more. */
export async function pass(ctx: CommandContext, input: InputOf<typeof passClaim>): Promise<Changed> {
  const { id, placeId, reviewNote } = input
  await lockOrder(ctx, id)
  const claim = await hold(ctx, id, 'pass')
  // It may have come out meanwhile: the machine's word is heard late.
  if (!prizeState.can(claim.prizeState, 'collect')) refuse('claim.notOwed')
  await refuseShipping(ctx, claim)
  await bookOut(ctx, claim, placeId)
  await sql`update lottery_play set prize_state = ${prizeState.to('collect')} where id = ${claim.playId}`.execute(
    ctx.tx,
  )
  await decide(ctx, claim, { state: claimState.to('pass'), reviewNote, placeId })
  return { id }
}

export async function reject(ctx: CommandContext, input: InputOf<typeof rejectClaim>): Promise<Changed> {
  const { id, reviewNote } = input
  const claim = await hold(ctx, id, 'reject')
  await decide(ctx, claim, { state: claimState.to('reject'), reviewNote, placeId: null })
  return { id }
}

/** Before its play, as everybody does: who ships the prize from afar holds the order. */
async function lockOrder(ctx: CommandContext, claimId: number): Promise<void> {
  await sql`select 1 from lottery_claim k join order_number n on n.order_id = k.play_id
    join orders o on o.merchant_id = n.merchant_id and o.occurred_at = n.occurred_at and o.id = n.order_id
    where k.id = ${claimId} for update of o`.execute(ctx.tx)
}

/** A prize that a machine is about to let out, or may have, is not handed over beside it. */
async function refuseShipping(ctx: CommandContext, { playId }: Held): Promise<void> {
  const found = await sql`select 1 from remote_ship
    where order_id = ${playId} and state in ${statesIn(remoteShipState, 'underWay')}`.execute(ctx.tx)
  if (found.rows.length > 0) refuse('claim.notOwed')
}

/** Locked with its play. @throws Refusal for one's own, and for one that is decided */
async function hold(ctx: CommandContext, id: number, verb: 'pass' | 'reject'): Promise<Held> {
  const found = await sql<Held>`
    select k.id, k.merchant_id as "merchantId", k.play_id as "playId", p.product_id as "productId", k.state,
      p.prize_state as "prizeState", k.created_by as "createdBy"
    from lottery_claim k join lottery_play p on p.id = k.play_id
    where k.id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`p.machine_id`)} for update of k, p`.execute(ctx.tx)
  const claim = existing(found.rows[0])
  if (!claimState.can(claim.state, verb)) refuse('claim.state')
  if (claim.createdBy === ctx.actor.userId) refuse('claim.ownClaim')
  return claim
}

async function bookOut(ctx: CommandContext, claim: Held, placeId: number | null): Promise<void> {
  const { merchantId, productId } = claim
  const customers = await outsidePlaces(ctx.tx, 'customer', [merchantId])
  const suppliers = await outsidePlaces(ctx.tx, 'supplier', [merchantId])
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
      fromPlaceId: placeId ?? must(suppliers.get(merchantId), 'place of suppliers'),
      toPlaceId: must(customers.get(merchantId), 'place of customers'),
      cause: 'free',
      reference: `claim/${claim.id}`,
      batch: null,
      userId: ctx.actor.userId,
    },
  ])
}

async function decide(
  ctx: CommandContext,
  claim: Held,
  to: { state: ClaimState; reviewNote: string; placeId: number | null },
): Promise<void> {
  await sql`update lottery_claim set state = ${to.state}, review_note = ${to.reviewNote}, place_id = ${to.placeId},
    reviewed_by = ${ctx.actor.userId}, reviewed_at = ${ctx.now()} where id = ${claim.id}`.execute(ctx.tx)
  await audit(ctx, claim, { state: claim.state }, to)
}

const audit = auditAs('prizeClaim')
