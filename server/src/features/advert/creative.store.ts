import { type Advertised, isForbidden, needsApproval } from '@aisle/contract/advert/law'
import { creativeState, type CreativeState } from '@aisle/contract/advert/creative'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { stateful } from '../../kernel/states'

/** @throws Refusal creative.state */
export const creatives = stateful('creative', 'state', creativeState, {
  versioned: false,
  refuse: ({ id }) => refuse('creative.state', { id }),
})

export type Held = {
  id: number
  merchantId: number
  name: string
  state: CreativeState
  advertised: Advertised
  approvalNo: string
  createdBy: number | null
}

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function hold(ctx: CommandContext, id: number, verb: keyof typeof creativeState.moves): Promise<Held> {
  const found = await sql<Held>`select id, merchant_id as "merchantId", name, state, advertised,
      approval_no as "approvalNo", created_by as "createdBy" from creative
    where id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`merchant_id`)} for update`.execute(ctx.tx)
  const held = existing(found.rows[0])
  creatives.must(held, verb)
  return held
}

/** @throws Refusal creative.rx, creative.tobacco, creative.approvalMissing */
export function refuseUnlawful({ advertised, approvalNo }: Pick<Held, 'advertised' | 'approvalNo'>): void {
  if (isForbidden(advertised)) refuse(`creative.${advertised}`)
  if (needsApproval(advertised) && approvalNo === '') refuse('creative.approvalMissing')
}
