import * as contract from '@aisle/contract/stock/outbound'
import { command, listOf, query, type Route } from '../../../kernel/route'
import * as outbounds from './outbound.commands'
import { findOutbound, listCarriedIn, listOutboundsIn, listReplenishersIn, summarise } from './outbound.reads'

export const routes: Route[] = [
  ...listOf(contract.listOutboundOrders, listOutboundsIn),
  ...listOf(contract.listCarriedGoods, listCarriedIn),
  ...listOf(contract.listReplenishers, listReplenishersIn),
  query(contract.summariseOutboundOrders, (ctx) => summarise(ctx)),
  query(contract.getOutboundOrder, findOutbound),
  command(contract.addOutboundOrder, outbounds.add),
  command(contract.editOutboundOrder, outbounds.edit),
  command(contract.pickOutboundOrder, outbounds.pick),
  command(contract.putBackOutboundOrder, outbounds.putBack),
  command(contract.loadOutboundOrder, outbounds.load),
  command(contract.closeOutboundOrder, outbounds.close),
  command(contract.cancelOutboundOrder, outbounds.cancel),
]
