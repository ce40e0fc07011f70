import type { Tx } from '../../kernel/context'
import { answers, must } from '../../kernel/must'
import { bagsOf, holdLots, lotsKey } from './bag.store'
import { countsOf, partsOfFill } from './fill.rules'
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

/** A fill whose slot and product are known. */
type Known<F> = { fill: F; slotPlaceId: number; productId: number }

/**
 * Goods enter slots; one that waited for this very product has it as its plan from now on. They come out of the bag of
 * who filled, as far as that holds them, and from the supplier else (`fill.rules.ts`).
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
  const known: Known<F>[] = []
  const problems = answers(fills, (fill): Problem | null => {
    const slot = slots.get(slotKey(fill.machineId, fill.slot))
    const productId = products.get(productKey({ merchantId: fill.merchantId, code: fill.product }))?.id
    if (!slot) return 'unknownSlot'
    if (productId === undefined) return 'itemUnknown'
    known.push({ fill, slotPlaceId: slot.place_id, productId })
    return null
  })
  const moves = await movesOf(tx, known)
  await recordMoves(tx, moves)
  await beginNextPlans(tx, moves)
  const loads = known.flatMap(({ fill, slotPlaceId, productId }) =>
    fill.scanned ? [{ ...loadOf(fill, slotPlaceId, productId), ...fill.scanned }] : [],
  )
  return { problems, loads }
}

async function movesOf(tx: Tx, known: readonly Known<Fill>[]): Promise<Move[]> {
  if (known.length === 0) return []
  const suppliers = await outsidePlaces(
    tx,
    'supplier',
    known.map(({ fill }) => fill.merchantId),
  )
  const bags = await bagsOf(
    tx,
    known.map(({ fill: { merchantId, machineId, occurredAt: at, counted } }) => {
      return { merchantId, machineId, at, replenisher: counted?.replenisher ?? null }
    }),
  )
  const lots = await holdLots(
    tx,
    known.flatMap(({ productId }, n) => {
      const placeId = bags.get(n)
      return placeId === undefined ? [] : [{ placeId, productId }]
    }),
  )
  return known.flatMap(({ fill, slotPlaceId, productId }, n) => {
    const { merchantId, occurredAt: movedAt, reference, counted } = fill
    const supplierId = must(suppliers.get(merchantId), 'place of suppliers')
    const bagId = bags.get(n)
    const held = bagId === undefined ? [] : (lots.get(lotsKey({ placeId: bagId, productId })) ?? [])
    const parts = partsOfFill(fill.quantity, fill.batch, held)
    const counts = countsOf(parts, counted ?? {})
    return parts.map(({ from, batch, quantity }, at): Move => {
      const fromPlaceId = from === 'bag' ? must(bagId, 'bag') : supplierId
      const about = { merchantId, movedAt, productId, toPlaceId: slotPlaceId, cause: 'fill' as const, reference }
      return { ...about, fromPlaceId, batch, quantity, ...counted, ...counts[at] }
    })
  })
}

function loadOf({ merchantId, batch, occurredAt: at, reference }: Fill, placeId: number, productId: number) {
  return { merchantId, placeId, productId, batch, at, reference }
}
