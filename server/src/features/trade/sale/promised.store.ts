import { sql } from 'kysely'
import type { Tx } from '../../../kernel/context'
import type { Promised } from './choice'

export type PromisedPiece = { orderNo: string; slotId: number; pieces: number }

/**
 * What is paid for and not out yet, and where a machine keeps stock for its orders also what is asked for: it still
 * lies in stock and is nobody else's. Until the transaction ends nobody else promises anything of these machines, so
 * that the last piece is promised once.
 */
export async function holdPromised(tx: Tx, machineIds: readonly number[]): Promise<PromisedPiece[]> {
  if (machineIds.length === 0) return []
  const ids = [...new Set(machineIds)].sort((one, other) => one - other)
  await sql`select pg_advisory_xact_lock(hashtextextended('promised/' || id, 0))
    from unnest(${ids}::bigint[]) with ordinality as w (id, nth) order by nth`.execute(tx)
  const found = await sql<PromisedPiece>`
    select o.order_no as "orderNo", i.slot_id as "slotId", count(*)::int as pieces
    from orders o join machine m on m.id = o.machine_id
    join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
    where o.order_state = 'open' and o.machine_id = any(${ids}::bigint[]) and i.state = 'waiting'
      and (o.payment_state = 'paid' or m.locks_stock and o.payment_state = 'unpaid')
    group by o.order_no, i.slot_id`.execute(tx)
  return found.rows
}

/** @param orderNo whose own pieces are no hindrance to it; undefined: of an order that is not there yet */
export function promisedBeside(pieces: readonly PromisedPiece[], orderNo?: string): Promised {
  const sums = new Map<number, number>()
  for (const each of pieces) {
    if (each.orderNo !== orderNo) sums.set(each.slotId, (sums.get(each.slotId) ?? 0) + each.pieces)
  }
  return sums
}
