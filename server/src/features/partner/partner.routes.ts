import { callAgain, getShipment, listShipments, summariseShipments } from '@aisle/contract/partner/shipment'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import * as callbacks from './callback.commands'
import { findShipmentDetail, listShipmentsIn, summary } from './shipment.reads'

export const routes: Route[] = [
  ...listOf(listShipments, (ctx, input) => listShipmentsIn(sightOf(ctx.actor), input)),
  query(summariseShipments, (ctx) => summary(ctx.db, sightOf(ctx.actor), ctx.now())),
  query(getShipment, async (ctx, { id }) => {
    const found = await findShipmentDetail(ctx.db, sightOf(ctx.actor), id)
    return existing(found)
  }),
  command(callAgain, (ctx, { id }) => callbacks.callAgain(ctx, id)),
]
