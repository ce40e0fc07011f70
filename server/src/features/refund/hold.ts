import type { RefundState } from '@aisle/contract/refund/states'
import { refundState } from '@aisle/contract/refund/states'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { machineInSight, sightOf } from '../../kernel/scope'
import { itemsUnderWay, lockOrders } from './order.store'
import { findRefunds, lockRefunds, appendEvents } from './refund.store'
import type { RefundOrder, RefundRow } from './refund.types'

type Verb = keyof typeof refundState.moves

/**
 * A refund in sight, with its order, both locked: the order first, as everybody does.
 * @throws Refusal for one out of sight, and for a state from which the verb does not lead
 */
export async function hold(
  ctx: CommandContext,
  id: number,
  verb: Verb | null,
): Promise<{ refund: RefundRow; order: RefundOrder }> {
  const mine = sql`r.id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`r.machine_id`)}`
  const [seen] = await findRefunds(ctx.tx, mine)
  if (!seen) refuse('request.notFound')
  const [order] = await lockOrders(ctx.tx, [seen.orderId])
  const [refund] = await lockRefunds(ctx.tx, sql`r.id = ${id}`)
  if (!order || !refund) refuse('request.notFound')
  if (verb && !refundState.can(refund.state, verb)) refuse('refund.state', { no: refund.refundNo })
  return { refund, order }
}

/** Goods that are on their way come out or do not: until that is known, no money goes back for them. */
export async function refuseUnderWay(ctx: CommandContext, refund: RefundRow): Promise<void> {
  const underWay = await itemsUnderWay(ctx.tx, refund.orderId)
  if (underWay.length === 0) return
  const found = await sql`select 1 from refund_item where refund_id = ${refund.id}
    and item_index = any(${underWay}::smallint[])`.execute(ctx.tx)
  if (found.rows.length > 0) refuse('refund.underWay')
}

/** Somebody has handed the money over: until another agrees or it is dropped, no other way pays it a second time. */
export function refusePayBackAsked({ payBackWay }: RefundRow): void {
  if (payBackWay !== null) refuse('refund.payBackAsked')
}

export const changed = ({ id, state }: { id: number; state: RefundState }) => ({ id, state })

type Facts = Record<string, unknown> | null

/** Its story and the audit; the row itself is moved by the caller. */
export async function record(
  ctx: CommandContext,
  { id, merchantId }: Pick<RefundRow, 'id' | 'merchantId'>,
  { verb, note = '', before, after }: { verb: string; note?: string; before: Facts; after: Facts },
): Promise<void> {
  await appendEvents(ctx.tx, [{ refundId: id, verb, userId: ctx.actor.userId, note }], ctx.now())
  await ctx.audit({ merchantId, objectKind: 'refund', objectId: id, before, after })
}
