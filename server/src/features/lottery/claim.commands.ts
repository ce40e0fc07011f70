import type { addClaim, passClaim, rejectClaim } from '@aisle/contract/lottery/claim'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { claimState, type ClaimState, prizeState, type PrizeState } from '@aisle/contract/lottery/states'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { only } from '../../kernel/must'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { machineInSight, sightOf } from '../../kernel/scope'
import { handOver, lockOrderOf } from './handOver'

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

type Held = { id: number; merchantId: number; playId: number; state: ClaimState; createdBy: number }

/** The prize is handed over: it leaves the stock it was taken from. */
export async function pass(ctx: CommandContext, input: InputOf<typeof passClaim>): Promise<Changed> {
  const { id, placeId, reviewNote } = input
  const of = await sql<{ playId: number }>`select play_id as "playId" from lottery_claim where id = ${id}`.execute(
    ctx.tx,
  )
  await lockOrderOf(ctx, existing(of.rows[0]).playId)
  const claim = await hold(ctx, id, 'pass')
  await handOver(ctx, { playId: claim.playId, placeId, reference: `claim/${id}` })
  await decide(ctx, claim, { state: claimState.to('pass'), reviewNote, placeId })
  return { id }
}

export async function reject(ctx: CommandContext, input: InputOf<typeof rejectClaim>): Promise<Changed> {
  const { id, reviewNote } = input
  const claim = await hold(ctx, id, 'reject')
  await decide(ctx, claim, { state: claimState.to('reject'), reviewNote, placeId: null })
  return { id }
}

/** Locked with its play. @throws Refusal for one's own, and for one that is decided */
async function hold(ctx: CommandContext, id: number, verb: 'pass' | 'reject'): Promise<Held> {
  const found = await sql<Held>`
    select k.id, k.merchant_id as "merchantId", k.play_id as "playId", k.state, k.created_by as "createdBy"
    from lottery_claim k join lottery_play p on p.id = k.play_id
    where k.id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`p.machine_id`)} for update of k, p`.execute(ctx.tx)
  const claim = existing(found.rows[0])
  if (!claimState.can(claim.state, verb)) refuse('claim.state')
  if (claim.createdBy === ctx.actor.userId) refuse('claim.ownClaim')
  return claim
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
