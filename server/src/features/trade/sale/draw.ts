import { orderState, shipState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { AuthKeys, Tx } from '../../../kernel/context'
import { drawPlays } from '../../lottery/public'
import type { Drawn, PaidSale, ToShip } from '../trade.types'
import { statesFrom, stateTo } from '../../../kernel/states'

/** An order whose money has just arrived, for the books and for its machine. */
export type Paid = { sale: PaidSale; ship: ToShip }

/**
 * Of orders that have just been paid, what ships. Plays are drawn with their money: who won is shipped like everybody
 * else, who lost is through, and nothing is ever due back (specification §9).
 */
export async function shipOrDraw(
  tx: Tx,
  keys: AuthKeys,
  paid: readonly Paid[],
  at: Date,
): Promise<{ toShip: ToShip[]; drawn: Drawn[] }> {
  const plays = paid.filter(({ sale }) => sale.businessType === 'lottery')
  if (plays.length === 0) return { toShip: paid.map(({ ship }) => ship), drawn: [] }
  const results = await drawPlays(
    tx,
    keys,
    plays.map(({ sale }) => sale.orderId),
    at,
  )
  const isLost = ({ sale }: Paid) => results.get(sale.orderId)?.result === 'lost'
  await markLost(
    tx,
    plays.filter(isLost).map(({ sale }) => sale),
    at,
  )
  const drawn = paid.flatMap(({ sale, ship: { machine, machineOrderNo, orderNo } }): Drawn[] => {
    const result = results.get(sale.orderId)
    return result ? [{ machine, machineOrderNo, orderNo, ...result }] : []
  })
  return { toShip: paid.filter((one) => !isLost(one)).map(({ ship }) => ship), drawn }
}

async function markLost(tx: Tx, lost: readonly PaidSale[], at: Date): Promise<void> {
  if (lost.length === 0) return
  const keys = lost.map(({ orderId: id, machine, occurredAt }) => ({ id, merchantId: machine.merchantId, occurredAt }))
  await sql`update orders o set ship_state = ${stateTo(shipState, 'lose')},
    order_state = ${stateTo(orderState, 'finish')},
      finished_at = ${at}
    from ${rows('k', keys, { merchantId: 'bigint', occurredAt: 'timestamptz', id: 'bigint' })}
    where o.merchant_id = k.merchant_id and o.occurred_at = k.occurred_at and o.id = k.id
      and o.ship_state in ${statesFrom(shipState, 'lose')}`.execute(tx)
}
