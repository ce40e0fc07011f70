import { paymentServiceState } from '@aisle/contract/payment/service'
import { sql } from 'kysely'
import type { CommandContext } from '../../../kernel/context'
import { refuseStale } from '../../../kernel/edit'
import { existing, refuse } from '../../../kernel/refuse'
import { platformRow } from '../../../kernel/scope'

type Asked = { id: number; version: number }
type Row = { isOn: boolean; note: string; version: number }

/** Takes effect with the commit: whoever looks for an account to collect with asks for services that are on. */
export async function turn(
  ctx: CommandContext,
  { id, version }: Asked,
  verb: 'switchOn' | 'switchOff',
  note: string,
): Promise<{ id: number }> {
  platformRow(ctx)
  const found = await sql<Row>`select is_on as "isOn", note, version from payment_service
    where id = ${id} for update`.execute(ctx.tx)
  const row = existing(found.rows[0])
  const state = row.isOn ? 'on' : 'off'
  const to = paymentServiceState.to(verb)
  refuseStale(ctx, { version }, row, { state }, { state: to })
  if (!paymentServiceState.can(state, verb)) refuse('paymentService.state')
  await sql`update payment_service set is_on = ${to === 'on'}, note = ${note}, changed_by = ${ctx.actor.userId},
    changed_at = ${ctx.now()}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await ctx.audit({
    merchantId: ctx.actor.merchantId,
    objectKind: 'paymentService',
    objectId: id,
    before: { state, note: row.note },
    after: { state: to, note },
  })
  return { id }
}
