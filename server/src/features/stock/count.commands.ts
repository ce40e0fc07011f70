import type { Tx } from '../../kernel/context'
import { must } from '../../kernel/must'
import { type Move, outsidePlaces, recordMoves } from './stock.store'

/** What lies at a place by the books. `reference` says what led to the move; `userId` who did it. */
export type Contents = {
  merchantId: number
  placeId: number
  productId: number
  quantity: number
  reference: string
  userId: number | null
  at: Date
}
export type Corrected = Contents & { counted: number }

/**
 * What a person counted: each difference is a move that corrects the books, from or to scrap, where losses and finds of
 * a merchant gather. Nothing is ever overwritten.
 */
export async function countContents(tx: Tx, counts: readonly Corrected[]): Promise<void> {
  const wrong = counts.filter(({ quantity, counted }) => quantity !== counted)
  if (wrong.length === 0) return
  const scraps = await outsidePlaces(
    tx,
    'scrap',
    wrong.map(({ merchantId }) => merchantId),
  )
  const moves = wrong.map((count): Move => {
    const { merchantId, placeId, quantity, counted } = count
    const scrapId = must(scraps.get(merchantId), 'place of scrap')
    const [fromPlaceId, toPlaceId] = counted > quantity ? [scrapId, placeId] : [placeId, scrapId]
    return { ...moved(count), quantity: Math.abs(counted - quantity), fromPlaceId, toPlaceId, cause: 'count' }
  })
  await recordMoves(tx, moves)
}

/** All that lies there goes out of the books; those below zero are set right first. */
export async function takeOutContents(tx: Tx, contents: readonly Contents[]): Promise<void> {
  const short = contents.filter(({ quantity }) => quantity < 0)
  await countContents(
    tx,
    short.map((each) => ({ ...each, counted: 0 })),
  )
  const held = contents.filter(({ quantity }) => quantity > 0)
  if (held.length === 0) return
  const unbooked = await outsidePlaces(
    tx,
    'unbooked',
    held.map(({ merchantId }) => merchantId),
  )
  const moves = held.map((each): Move => {
    const toPlaceId = must(unbooked.get(each.merchantId), 'place outside the books')
    return { ...moved(each), quantity: each.quantity, fromPlaceId: each.placeId, toPlaceId, cause: 'remove' }
  })
  await recordMoves(tx, moves)
}

const moved = ({ merchantId, productId, reference, userId, at }: Contents) => ({
  merchantId,
  movedAt: at,
  productId,
  reference,
  batch: null,
  userId,
})
