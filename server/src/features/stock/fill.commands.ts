import type { Tx } from '../../kernel/context'
import { answers, must } from '../../kernel/must'
import { beginNextPlans } from './nextPlan.commands'
import { findProducts, findSlots, productKey, slotKey } from './slot.lookup'
import { type Move, outsidePlaces, recordMoves } from './stock.store'

/** What a replenisher put into a slot, as the machine reports it. `reference` names the message. */
export type Fill = {
  machineId: number
  merchantId: number
  slot: string
  product: string
  quantity: number
  occurredAt: Date
  batch: string | null
  reference: string
}

type Problem = 'unknownSlot' | 'itemUnknown'

/**
 * Goods enter slots; one that waited for this very product has it as its plan from now on. Until replenishers and
 * warehouses keep stock of their own they come from the supplier.
 * @returns for each fill what is wrong with it, or null where it was taken
 */
export async function takeFills<F extends Fill>(tx: Tx, fills: readonly F[]): Promise<Map<F, Problem | null>> {
  if (fills.length === 0) return new Map()
  const slots = await findSlots(
    tx,
    fills.map((fill) => ({ machineId: fill.machineId, code: fill.slot })),
  )
  const products = await findProducts(
    tx,
    fills.map(({ merchantId, product: code }) => ({ merchantId, code })),
  )
  const suppliers = await outsidePlaces(
    tx,
    'supplier',
    fills.map((fill) => fill.merchantId),
  )
  const moves: Move[] = []
  const problems = answers(fills, (fill): Problem | null => {
    const slot = slots.get(slotKey(fill.machineId, fill.slot))
    const productId = products.get(productKey({ merchantId: fill.merchantId, code: fill.product }))?.id
    if (!slot) return 'unknownSlot'
    if (productId === undefined) return 'itemUnknown'
    moves.push({
      merchantId: fill.merchantId,
      movedAt: fill.occurredAt,
      productId,
      quantity: fill.quantity,
      fromPlaceId: must(suppliers.get(fill.merchantId), 'place of suppliers'),
      toPlaceId: slot.place_id,
      cause: 'fill',
      reference: fill.reference,
      batch: fill.batch,
    })
    return null
  })
  await recordMoves(tx, moves)
  await beginNextPlans(tx, moves)
  return problems
}
