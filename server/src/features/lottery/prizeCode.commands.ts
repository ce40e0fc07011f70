import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { redeemPrize } from '@aisle/contract/lottery/prizeCode'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import type { CommandContext } from '../../kernel/context'
import { only } from '../../kernel/must'
import { refuse } from '../../kernel/refuse'
import { machineInSight, sightOf } from '../../kernel/scope'
import { handOver, lockOrderOf } from './handOver'
import { prizeDigestOf } from './prizeCode.secret'

/** Who has the code is the winner: no second person, no photos. What is claimed with photos is decided there. */
export async function redeem(ctx: CommandContext, { code, placeId }: InputOf<typeof redeemPrize>) {
  const found = await sql<{ playId: number; merchantId: number; orderNo: string }>`
    select p.id as "playId", p.merchant_id as "merchantId", p.order_no as "orderNo" from lottery_play p
    where p.prize_code_digest = ${prizeDigestOf(ctx.services.keys)(code)}
      and ${machineInSight(sightOf(ctx.actor), sql`p.machine_id`)} order by p.id limit 1`.execute(ctx.tx)
  const { playId, merchantId, orderNo } = found.rows[0] ?? refuse('prizeCode.unknown')
  await lockOrderOf(ctx, playId)
  const claimed = await sql`select 1 from lottery_claim where play_id = ${playId} and state = 'pending'`.execute(ctx.tx)
  if (claimed.rows.length > 0) refuse('claim.open', { orderNo })
  await handOver(ctx, { playId, placeId, reference: `prizeCode/${playId}` })
  const made = await sql<{ id: number }>`
    insert into lottery_redemption (play_id, merchant_id, redeemed_by, redeemed_at, place_id)
    values (${playId}, ${merchantId}, ${ctx.actor.userId}, ${ctx.now()}, ${placeId}) returning id`.execute(ctx.tx)
  const { id } = only(made)
  await audit(ctx, { id, merchantId }, null, { orderNo, placeId })
  return { id }
}

const audit = auditAs('prizeRedemption')
