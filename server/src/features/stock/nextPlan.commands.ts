import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { beginPlans, raisePlans } from '../fleet/public'
import { takeOutContents } from './count.commands'
import { endStockOuts, type Move } from './stock.store'

/** Tells a machine what should stand in it; the work is planogram's, which is built on this. */
export const PUSH_AFTER_SERVICE = 'planogram.pushAfterService'

type Waiting = { machine_id: number; place_id: number; product_id: number }

/**
 * A slot that waited for another product has it as soon as a filler has put it in. What the books still hold of the one
 * before went out with the same service, and is booked so.
 */
export async function beginNextPlans(tx: Tx, fills: readonly Move[]): Promise<void> {
  if (fills.length === 0) return
  const given = rows('f', fills, { toPlaceId: 'bigint', productId: 'bigint' })
  const begun = await sql<Waiting>`select s.machine_id, s.place_id, s.next_product_id as product_id
    from slot s where s.machine_id is not null and s.next_product_id is not null
      and (s.place_id, s.next_product_id) in (select f.to_place_id, f.product_id from ${given})
    order by s.id for update`.execute(tx)
  if (begun.rows.length === 0) return
  await takeOutOthers(tx, fills, begun.rows)
  await beginPlans(
    tx,
    begun.rows.map((slot) => slot.place_id),
  )
  const began = begun.rows.flatMap(({ place_id: placeId, product_id: productId }) => {
    const fill = fills.find((each) => each.toPlaceId === placeId && each.productId === productId)
    return fill ? [{ placeId, at: fill.movedAt }] : []
  })
  await endStockOuts(tx, began)
  const machineIds = [...new Set(begun.rows.map((slot) => slot.machine_id))].sort((a, b) => a - b)
  await raisePlans(tx, machineIds)
  for (const machineId of machineIds) await addJob(tx, PUSH_AFTER_SERVICE, { machineId })
}

async function takeOutOthers(tx: Tx, fills: readonly Move[], begun: readonly Waiting[]): Promise<void> {
  const others = await sql<{ place_id: number; product_id: number; quantity: number }>`
    select l.place_id, l.product_id, l.quantity
    from ${rows('b', begun, { place_id: 'bigint', product_id: 'bigint' })}
    join stock_level l on l.place_id = b.place_id and l.product_id <> b.product_id
    where l.quantity <> 0 order by l.place_id, l.product_id`.execute(tx)
  const fillAt = new Map(fills.map((fill) => [fill.toPlaceId, fill]))
  const contents = others.rows.flatMap(({ place_id: placeId, product_id: productId, quantity }) => {
    const fill = fillAt.get(placeId)
    if (!fill) return []
    const { merchantId, reference, movedAt: at } = fill
    return [{ merchantId, placeId, productId, quantity, reference, userId: null, at }]
  })
  await takeOutContents(tx, contents)
}
