import { getOrderPayments, getUnclaimedExchanges } from '@aisle/contract/payment/record'
import { refuse } from '../../kernel/refuse'
import { query, type Route } from '../../kernel/route'
import { findOfOrder, findOfUnclaimed } from './record.reads'

export const routes: Route[] = [
  query(getOrderPayments, async (ctx, { id }) => (await findOfOrder(ctx, id)) ?? refuse('request.notFound')),
  query(getUnclaimedExchanges, async (ctx, { id }) => {
    return { exchanges: (await findOfUnclaimed(ctx, id)) ?? refuse('request.notFound') }
  }),
]
