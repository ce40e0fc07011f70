import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Tx } from '../../kernel/context'
import { answers, must } from '../../kernel/must'
import { bagsOf, holdLots, lotsKey } from './bag.store'
import { countsOf, partsOfFill } from './fill.rules'
import { beginNextPlans } from './nextPlan.commands'
import { takeSaid } from './said.store'
import { findProducts, findSlots, productKey, slotKey } from './slot.lookup'
import { type Move, outsidePlaces, recordMoves } from './stock.store'

/** What a replenisher put into a slot, as the machine or a phone tells it. `reference` names the message. */
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
  /** The machine, unless a person says it. */
  by?: { userId: number }
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
 * who filled, as far as that holds them, and from outside the books else (`fill.rules.ts`).
 * @returns for each fill what is wrong with it, or null where it was taken; the codes that were put in with them; and
 * what the books had too little of in the bag
 */
export async function takeFills<F extends Fill>(
  tx: Tx,
  fills: readonly F[],
): Promise<{ problems: Map<F, Problem | null>; loads: Scanned[]; outside: Map<F, number> }> {
  if (fills.length === 0) return { problems: new Map(), loads: [], outside: new Map() }
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
  const parted = await partsOf(tx, known)
  const moves = parted.flatMap((each) => each.moves)
  await recordMoves(tx, moves)
  await beginNextPlans(tx, moves)
  const loads = known.flatMap(({ fill, slotPlaceId, productId }) =>
    fill.scanned ? [{ ...loadOf(fill, slotPlaceId, productId), ...fill.scanned }] : [],
  )
  return { problems, loads, outside: new Map(parted.map(({ fill, outside }) => [fill, outside])) }
}

type Parted<F> = { fill: F; moves: Move[]; outside: number }

async function partsOf<F extends Fill>(tx: Tx, known: readonly Known<F>[]): Promise<Parted<F>[]> {
  if (known.length === 0) return []
  const unbooked = await outsidePlaces(
    tx,
    'unbooked',
    known.map(({ fill }) => fill.merchantId),
  )
  const bags = await bagsOf(
    tx,
    known.map(({ fill: { merchantId, machineId, occurredAt: at, counted } }) => {
      return { merchantId, machineId, at, replenisher: counted?.replenisher ?? null }
    }),
  )
  const fresh = await takeSaid(
    tx,
    'in',
    known.map(({ fill, slotPlaceId: placeId, productId }, n) => {
      const serviceId = bags.get(n)?.serviceId ?? null
      return { serviceId, placeId, productId, witness: fill.by ? 'phone' : 'machine', quantity: fill.quantity }
    }),
  )
  const lots = await holdLots(
    tx,
    known.flatMap(({ productId }, n) => {
      const bag = bags.get(n)
      return bag ? [{ placeId: bag.placeId, productId }] : []
    }),
  )
  return known.map(({ fill, slotPlaceId, productId }, n) => {
    const { merchantId, occurredAt: movedAt, reference, counted, by } = fill
    const unbookedId = must(unbooked.get(merchantId), 'place outside the books')
    const bagId = bags.get(n)?.placeId
    const held = bagId === undefined ? [] : (lots.get(lotsKey({ placeId: bagId, productId })) ?? [])
    const quantity = fresh[n] ?? 0
    const parts = partsOfFill(quantity, fill.batch, held, businessTime(movedAt, PLATFORM_TIME_ZONE).day)
    // Of what is partly booked already, what the machine counted before and after says nothing of the rest.
    const counts = quantity < fill.quantity ? [] : countsOf(parts, counted ?? {})
    const replenisher = counted?.replenisher
    const moves = parts.map(({ from, batch, quantity }, at): Move => {
      const fromPlaceId = from === 'bag' ? must(bagId, 'bag') : unbookedId
      const about = { merchantId, movedAt, productId, toPlaceId: slotPlaceId, cause: 'fill' as const, reference }
      return {
        ...about,
        fromPlaceId,
        batch,
        quantity,
        userId: by?.userId ?? null,
        ...(replenisher !== undefined && { replenisher }),
        ...counts[at],
      }
    })
    const outside = parts.reduce((sum, { from, quantity }) => sum + (from === 'bag' ? 0 : quantity), 0)
    return { fill, moves, outside }
  })
}

function loadOf({ merchantId, batch, occurredAt: at, reference }: Fill, placeId: number, productId: number) {
  return { merchantId, placeId, productId, batch, at, reference }
}
