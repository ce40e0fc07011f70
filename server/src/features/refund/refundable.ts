import type { getRefundable } from '@aisle/contract/refund/refund'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { refundSecondPerson } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { QueryContext } from '../../kernel/context'
import { sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { word } from '../../kernel/words'
import { findItems, findOrderInSight } from './order.store'
import { applyRefusal, paybackRouteOf } from './refund.rules'

type Refundable = OutputOf<typeof getRefundable>

/** What a person chooses from before asking for a refund; the command judges by the same rules. */
export async function refundable(ctx: QueryContext, orderNo: string): Promise<Refundable | undefined> {
  const order = await findOrderInSight(ctx.db, sightOf(ctx.actor), orderNo)
  if (!order) return undefined
  const items = (await findItems(ctx.db, [order])).get(order.id) ?? []
  const names = await sql<{ index: number; productName: string; slotCode: string }>`
    select i.index, p.name as "productName", s.code as "slotCode" from order_item i
    join product p on p.id = i.product_id join slot s on s.id = i.slot_id
    where i.merchant_id = ${order.merchantId} and i.occurred_at = ${order.occurredAt}
      and i.order_id = ${order.id}`.execute(ctx.db)
  const why = applyRefusal(order) ?? (order.heldFen >= order.paidFen ? 'refund.nothingLeft' : null)
  const nameOf = new Map(names.rows.map((row) => [row.index, row]))
  return {
    orderNo: order.orderNo,
    machineCode: order.machineCode,
    method: order.method,
    paidFen: order.paidFen,
    heldFen: order.heldFen,
    leftFen: order.paidFen - order.heldFen,
    limitFen: Math.max(0, (await settingOf(ctx.db, refundSecondPerson, order.merchantId)) - order.unseenFen),
    orderState: order.orderState,
    items: items.map(({ index, state, shareFen, isHeld }) => ({
      index,
      state,
      shareFen,
      isHeld,
      productName: nameOf.get(index)?.productName ?? '',
      slotCode: nameOf.get(index)?.slotCode ?? '',
    })),
    way: order.paidAt ? paybackRouteOf({ ...order, paidAt: order.paidAt }, ctx.now()) : 'reader',
    refusal: why && { code: why, msg: word(ctx.language, 'refund', `refusal.${why}`, {}) },
  }
}
