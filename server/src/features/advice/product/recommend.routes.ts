import * as contract from '@aisle/contract/advice/recommendation'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { accept, acceptInto, ignore } from './recommend.commands'
import { detail, listIn } from './recommend.store'

export const routes: Route[] = [
  ...listOf(contract.listRecommendations, listIn),
  query(contract.getRecommendation, (ctx, { id }) => detail(ctx, id)),
  command(contract.acceptRecommendation, accept),
  command(contract.acceptIntoTemplate, acceptInto),
  command(contract.ignoreRecommendation, ignore),
]
