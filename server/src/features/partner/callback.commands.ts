import { callbackState } from '@aisle/contract/partner/states'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { refuse } from '../../kernel/refuse'
import { machineInSight, sightOf } from '../../kernel/scope'
import { CALL_BACK } from './callback.jobs'

type Held = { id: number; merchantId: number; state: (typeof callbackState.states)[number] }

/** Says the last thing once more, word for word, under the same event id; the other side knows whether it is new. */
export async function callAgain(ctx: CommandContext, id: number): Promise<{ id: number }> {
  const seen = await sql<{ merchantId: number }>`select r.merchant_id as "merchantId" from partner_request r
    where r.id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`r.machine_id`)}`.execute(ctx.tx)
  if (seen.rows.length === 0) refuse('request.notFound')
  const found = await sql<Held>`select k.id, r.merchant_id as "merchantId", k.state
    from partner_callback k join partner_request r on r.id = k.request_id
    where r.id = ${id} order by k.id desc limit 1 for update of k`.execute(ctx.tx)
  const callback = found.rows[0] ?? refuse('partnerCallback.none')
  if (!callbackState.can(callback.state, 'again')) refuse('partnerCallback.waiting')
  await sql`update partner_callback set state = ${callbackState.to('again')}, tries = 0, next_try_at = ${ctx.now()},
    delivered_at = null, asked_by = ${ctx.actor.userId} where id = ${callback.id}`.execute(ctx.tx)
  await ctx.audit({
    merchantId: callback.merchantId,
    objectKind: 'partnerShipment',
    objectId: id,
    before: { callback: callback.state },
    after: { callback: callbackState.to('again') },
  })
  await addJob(ctx.tx, CALL_BACK)
  return { id }
}
