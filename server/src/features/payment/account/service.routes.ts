import {
  getPaymentService,
  listPaymentServices,
  switchServiceOff,
  switchServiceOn,
} from '@aisle/contract/payment/service'
import { existing } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import { turn } from './service.commands'
import { findPaymentServiceDetail, listPaymentServicesIn } from './service.reads'

export const routes: Route[] = [
  ...listOf(listPaymentServices, (ctx, input) => listPaymentServicesIn(sightOf(ctx.actor), input, ctx.now())),
  query(getPaymentService, async (ctx, { id }) => {
    const found = await findPaymentServiceDetail(ctx.db, sightOf(ctx.actor), id, ctx.now())
    return existing(found)
  }),
  command(switchServiceOff, (ctx, input) => turn(ctx, input, 'switchOff', input.reason)),
  command(switchServiceOn, (ctx, input) => turn(ctx, input, 'switchOn', '')),
]
