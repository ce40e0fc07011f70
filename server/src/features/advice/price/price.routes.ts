import * as contract from '@aisle/contract/advice/price'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { detail, listIn } from './price.store'
import { start, undo } from './trial.commands'

export const routes: Route[] = [
  ...listOf(contract.listPriceAdvice, listIn),
  query(contract.getPriceAdvice, (ctx, { id }) => detail(ctx, id)),
  command(contract.startPriceTrial, start),
  command(contract.undoPriceTrial, undo),
]
