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
  /** As the machine counts, and whom it knows. */
  counted?: Pick<Move, 'beforePieces' | 'afterPieces' | 'replenisher'>
  /** The codes of pieces that were scanned, and when that was heard. */
  scanned?: { codes: readonly string[]; heardAt: Date }
  reference: string
}

type Problem = 'unknownSlot' | 'itemUnknown'

/** Codes that were put into a slot with a fill. */
type Scanned = NonNullable<Fill['scanned']> & ReturnType<typeof loadOf>

/**
 * Goods enter slots; one that waited for this very product has it as its plan from now on. Until replenishers and
 * warehouses keep stock of their own they come from the supplier.
 * @returns for each fill what is wrong with it, or null where it was taken; and the codes that were put in with them
 */
export async function takeFills<F extends Fill>(
  tx: Tx,
  fills: readonly F[],
): Promise<{ problems: Map<F, Problem | null>; loads: Scanned[] }> {
  if (fills.length === 0) return { problems: new Map(), loads: [] }
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
  const loads: Scanned[] = []
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
      ...fill.counted,
    })
    if (fill.scanned) loads.push({ ...loadOf(fill, slot.place_id, productId), ...fill.scanned })
    return null
  })
  await recordMoves(tx, moves)
  await beginNextPlans(tx, moves)
  return { problems, loads }
}

function loadOf({ merchantId, batch, occurredAt: at, reference }: Fill, placeId: number, productId: number) {
  return { merchantId, placeId, productId, batch, at, reference }
}
