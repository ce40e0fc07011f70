import { getOrderPayments, getUnclaimedExchanges } from '@aisle/contract/payment/record'
import { existing } from '../../kernel/refuse'
import { query, type Route } from '../../kernel/route'
import { findOfOrder, findOfUnclaimed } from './record.reads'

export const routes: Route[] = [
  query(getOrderPayments, async (ctx, { id }) => existing(await findOfOrder(ctx, id))),
  query(getUnclaimedExchanges, async (ctx, { id }) => {
    return { exchanges: existing(await findOfUnclaimed(ctx, id)) }
  }),
]
