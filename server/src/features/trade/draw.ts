import { shipState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { AuthKeys, Tx } from '../../kernel/context'
import { drawPlays } from '../lottery/public'
import type { Drawn, PaidSale, ToShip } from './trade.types'

/**
 * Of orders that have just been paid, what ships. Plays are drawn with their money: who won is shipped like everybody
 * else, who lost is through, and nothing is ever due back (specification §9).
 * @param ships for each of `paid`, in the same order
 */
export async function shipOrDraw(
  tx: Tx,
  keys: AuthKeys,
  { paid, ships, at }: { paid: readonly PaidSale[]; ships: readonly ToShip[]; at: Date },
): Promise<{ toShip: ToShip[]; drawn: Drawn[] }> {
  const plays = paid.filter(({ businessType }) => businessType === 'lottery')
  if (plays.length === 0) return { toShip: [...ships], drawn: [] }
  const results = await drawPlays(
    tx,
    keys,
    plays.map(({ orderId }) => orderId),
    at,
  )
  const isLost = ({ orderId }: PaidSale) => results.get(orderId)?.result === 'lost'
  await markLost(tx, plays.filter(isLost), at)
  const drawn = ships.flatMap(({ machine, machineOrderNo, orderNo }, i): Drawn[] => {
    const result = results.get(paid[i]?.orderId ?? 0)
    return result ? [{ machine, machineOrderNo, orderNo, ...result }] : []
  })
  const toShip = ships.filter((_, i) => {
    const sale = paid[i]
    return sale !== undefined && !isLost(sale)
  })
  return { toShip, drawn }
}

async function markLost(tx: Tx, lost: readonly PaidSale[], at: Date): Promise<void> {
  if (lost.length === 0) return
  const keys = lost.map(({ orderId: id, machine, occurredAt }) => ({ id, merchantId: machine.merchantId, occurredAt }))
  await sql`update orders o set ship_state = ${shipState.to('lose')}, order_state = 'done', finished_at = ${at}
    from ${rows('k', keys, { merchantId: 'bigint', occurredAt: 'timestamptz', id: 'bigint' })}
    where o.merchant_id = k.merchant_id and o.occurred_at = k.occurred_at and o.id = k.id
      and o.ship_state = any(${[...shipState.from('lose')]}::text[])`.execute(tx)
}
