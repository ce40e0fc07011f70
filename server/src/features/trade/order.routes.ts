import { listShippedItems, listShipResults, listSoldItems, sumSoldItems } from '@aisle/contract/trade/item'
import { getOrder, listOrders, sumOrders } from '@aisle/contract/trade/order'
import { readCursor, writeCursor } from '../../kernel/cursor'
import { exactly } from '../../kernel/exact'
import { refuse } from '../../kernel/refuse'
import { query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { shippedItems, shipResults, soldItems, sumSold } from './item.reads'
import { findDetail } from './order.detail'
import { isOrderKey, page, sums } from './order.reads'
import { wayOf } from './order.way'

export const routes: Route[] = [
  query(listOrders, async (ctx, input) => {
    const way = await wayOf(ctx.db, sightOf(ctx.actor), input)
    const after = readCursor(input.cursor, isOrderKey)
    const found = await page(ctx.db, way, input, after)
    const items = found.slice(0, input.pageSize)
    const last = items.at(-1)
    const more = found.length > input.pageSize && last
    // The sum belongs to the filter, not to the page: it is asked for once, with the first page.
    const summed = after ? null : await sums(ctx.db, way, input)
    return {
      items,
      total: summed?.count ?? null,
      nextCursor: more ? writeCursor({ at: last.occurredAt, id: last.id }) : null,
      ...(summed ? { sums: summed } : {}),
    }
  }),
  query(sumOrders, async (ctx, input) => {
    const filter = listOrders.input.parse(input)
    const way = await wayOf(ctx.db, sightOf(ctx.actor), filter)
    const summed = await exactly(ctx.db, (db) => sums(db, way, filter, Infinity))
    const { count, ...figures } = summed ?? { count: 0, paidFen: 0, discountFen: 0, refundedFen: 0 }
    return { total: count, at: ctx.now().toISOString(), sums: figures }
  }),
  query(getOrder, async (ctx, input) => {
    const found = await findDetail(ctx.db, sightOf(ctx.actor), input.id)
    return found ?? refuse('request.notFound')
  }),
  query(listSoldItems, async (ctx, input) => {
    const { priceFen, ...found } = await soldItems(ctx.db, sightOf(ctx.actor), input)
    return { ...found, ...(priceFen === null ? {} : { sums: { priceFen } }) }
  }),
  query(sumSoldItems, async (ctx, input) => {
    const { count, priceFen } = await exactly(ctx.db, (db) => sumSold(db, sightOf(ctx.actor), input))
    return { total: count, at: ctx.now().toISOString(), sums: { priceFen } }
  }),
  query(listShipResults, async (ctx, input) => {
    const { priceFen: _, ...found } = await shipResults(ctx.db, sightOf(ctx.actor), input)
    return found
  }),
  query(listShippedItems, async (ctx, input) => {
    const { priceFen: _, ...found } = await shippedItems(ctx.db, sightOf(ctx.actor), input)
    return found
  }),
]
