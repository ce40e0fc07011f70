import {
  getPaymentService,
  listPaymentServices,
  switchServiceOff,
  switchServiceOn,
} from '@aisle/contract/payment/service'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { turn } from './service.commands'
import { findDetail, page, withInterface } from './service.reads'

export const routes: Route[] = [
  query(listPaymentServices, async (ctx, input) => {
    const found = await page(ctx.db, sightOf(ctx.actor), input, ctx.now())
    return { ...found, items: found.items.map(withInterface) }
  }),
  query(getPaymentService, async (ctx, { id }) => {
    const found = await findDetail(ctx.db, sightOf(ctx.actor), id, ctx.now())
    return found ?? refuse('request.notFound')
  }),
  command(switchServiceOff, (ctx, input) => turn(ctx, input, 'switchOff', input.reason)),
  command(switchServiceOn, (ctx, input) => turn(ctx, input, 'switchOn', '')),
]
