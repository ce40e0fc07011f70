import * as contract from '@aisle/contract/fleet/flowCard'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { add, bind, edit, release, remove, setLimit } from './flowCard.commands'
import { importAll, preview, writeTemplate } from './flowCard.import'
import { findDetail, page, summary } from './flowCard.reads'

export const routes: Route[] = [
  query(contract.listFlowCards, (ctx, input) => page(ctx.db, sightOf(ctx.actor), input, ctx.now())),
  query(contract.summariseFlowCards, (ctx) => summary(ctx.db, sightOf(ctx.actor), ctx.now())),
  query(contract.getFlowCard, async (ctx, { id }) => {
    const found = await findDetail(ctx.db, sightOf(ctx.actor), id, ctx.now())
    return found ?? refuse('request.notFound')
  }),
  query(contract.getFlowCardTemplate, async (ctx) => ({
    name: 'aisle-sim-cards.xlsx',
    dataBase64: Buffer.from(await writeTemplate(ctx.language)).toString('base64'),
  })),
  query(contract.previewFlowCards, preview),
  command(contract.addFlowCard, add),
  command(contract.editFlowCard, edit),
  command(contract.bindFlowCard, bind),
  command(contract.releaseFlowCard, (ctx, { id }) => release(ctx, id)),
  command(contract.setFlowLimit, setLimit),
  command(contract.removeFlowCard, (ctx, { id }) => remove(ctx, id)),
  command(contract.importFlowCards, importAll),
]
