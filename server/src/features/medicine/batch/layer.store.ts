import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import type { Layer } from './batch.rules'

/** A slot's queue as the books have it, the front first. */
export type SlotQueue = { layers: (Layer & { batch: string | null })[]; isDoubtful: boolean }

export const queueKey = (placeId: number, productId: number): string => `${placeId}/${productId}`

/** What stands in these places; one of which no layer is known is missing. */
export async function queuesOf(db: Reader, placeIds: readonly number[]): Promise<Map<string, SlotQueue>> {
  if (placeIds.length === 0) return new Map()
  const found = await sql<SlotQueue['layers'][number] & { placeId: number; productId: number; isDoubtful: boolean }>`
    select l.place_id as "placeId", l.product_id as "productId", l.batch, l.quantity, b.state,
      b.expires_on::text as "expiresOn", d.place_id is not null as "isDoubtful"
    from slot_layer l
    left join medicine_batch b on b.product_id = l.product_id and b.number = l.batch
    left join layer_doubt d on d.place_id = l.place_id and d.product_id = l.product_id
    where l.place_id = any(${[...new Set(placeIds)]}::bigint[])
    order by l.place_id, l.product_id, l.sequence`.execute(db)
  const queues = new Map<string, SlotQueue>()
  for (const { placeId, productId, isDoubtful, ...layer } of found.rows) {
    const key = queueKey(placeId, productId)
    const known = queues.get(key) ?? { isDoubtful, layers: [] }
    known.layers.push(layer)
    queues.set(key, known)
  }
  return queues
}

/**
 * Pieces that open orders are still to take out of these slots. Asked only where the front of a slot is not all of it;
 * until the transaction ends no other counts them there, so that the last good piece is promised once.
 */
export async function lockAwaited(db: Reader, placeIds: readonly number[]): Promise<Map<number, number>> {
  const asked = [...new Set(placeIds)].sort((a, b) => a - b)
  if (asked.length === 0) return new Map()
  await sql`select pg_advisory_xact_lock(hashtextextended('front/' || id, 0))
    from unnest(${asked}::bigint[]) as id order by id`.execute(db)
  const found = await sql<{ placeId: number; pieces: number }>`
    select s.place_id as "placeId", count(*)::int as pieces
    from slot s join orders o on o.machine_id = s.machine_id and o.order_state = 'open'
    join order_item i on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
      and i.slot_id = s.id and i.state = 'waiting'
    where s.place_id = any(${asked}::bigint[]) group by 1`.execute(db)
  return new Map(found.rows.map(({ placeId, pieces }) => [placeId, pieces]))
}
