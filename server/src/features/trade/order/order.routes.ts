import { listShippedItems, listShipResults, listSoldItems } from '@aisle/contract/trade/item'
import { getOrder, listOrders } from '@aisle/contract/trade/order'
import { existing } from '../../../kernel/refuse'
import { listOf, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import { shippedItems, shipResults, soldItems } from './item.reads'
import { findOrderDetail } from './order.detail'
import { listOrdersIn } from './order.reads'

export const routes: Route[] = [
  ...listOf(listOrders, (ctx, input) => listOrdersIn(ctx.db, sightOf(ctx.actor), input)),
  query(getOrder, async (ctx, input) => {
    const found = await findOrderDetail(ctx.db, sightOf(ctx.actor), input.id)
    return existing(found)
  }),
  ...listOf(listSoldItems, (ctx, input) => soldItems(ctx.db, sightOf(ctx.actor), input)),
  ...listOf(listShipResults, (ctx, input) => shipResults(ctx.db, sightOf(ctx.actor), input)),
  ...listOf(listShippedItems, (ctx, input) => shippedItems(ctx.db, sightOf(ctx.actor), input)),
]
