import { screenOf } from '@aisle/contract/screens'
import { findSoldOrder } from '@aisle/contract/wallboard/replay'
import { call } from '../../../live/call'
import { CallFailure } from '../../../live/failure'
import { can, useSession } from '../../../live/session'
import type { Sale } from './sale.rules'

/** Whether the person may open the order of a sale. Rights come after the first sales. */
export const useMayOpenOrder = (): boolean => useSession() !== null && can(findSoldOrder.access)

/** Leaves the board for the order; why it can't be opened is told by the call itself. */
export async function openOrder({ at, lon, lat, amountFen }: Sale): Promise<void> {
  try {
    const place = { longitude: lon, latitude: lat }
    const { id } = await call(findSoldOrder, { at, ...place, amountFen: amountFen ?? undefined }, { errors: 'toast' })
    location.assign(`${screenOf('jygl/ddgl').path}?open=${id}`)
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
  }
}
