import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Reader } from '../../../kernel/context'
import { type FillFault, fillFault } from './fill.rules'
import { queueKey, queuesOf } from './layer.store'

export type Filled = { machineId: number; merchantId: number; slot: string; at: Date }
export type FilledFault = Filled & { product: string; fault: FillFault | null }

/** How slots of medicine stand that were just filled: with what is wrong, and those that are in order again. */
export async function judgeFills(db: Reader, fills: readonly Filled[]): Promise<FilledFault[]> {
  if (fills.length === 0) return []
  const found = await sql<{ machineId: number; slot: string; placeId: number; productId: number; product: string }>`
    select s.machine_id as "machineId", s.code as slot, s.place_id as "placeId", p.id as "productId", p.code as product
    from ${rows('f', fills, { machineId: 'bigint', slot: 'text' })}
    join slot s on s.machine_id is not null and s.machine_id = f.machine_id and s.code = f.slot
    join product p on p.id = s.product_id and p.kind = 'medicine'`.execute(db)
  const queues = await queuesOf(
    db,
    found.rows.map(({ placeId }) => placeId),
  )
  const slots = new Map(found.rows.map((slot) => [`${slot.machineId}/${slot.slot}`, slot]))
  return [...new Map(fills.map((fill) => [`${fill.machineId}/${fill.slot}`, fill]))].flatMap(([key, fill]) => {
    const slot = slots.get(key)
    if (!slot) return []
    const queue = queues.get(queueKey(slot.placeId, slot.productId))
    return [{ ...fill, product: slot.product, fault: fillFault(queue?.layers ?? []) }]
  })
}
