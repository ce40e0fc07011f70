import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { must } from '../../kernel/must'
import { bagsOf } from './bag.store'
import { loseExpired } from './expired.commands'
import { takeSaid } from './said.store'
import { FREE_SLOTS, type Move, outsidePlaces, recordMoves } from './stock.store'

/** Pieces that somebody took out of a slot, as the machine or a phone tells it. */
export type Pulled = {
  machineId: number
  merchantId: number
  placeId: number
  productId: number
  quantity: number
  batch: string | null
  at: Date
  reference: string
  /** Whom the machine names, or the account of whose phone it is. */
  replenisher: string | null
  /** Null where the machine says it. */
  userId: number | null
  /** Nobody brings it back to be sold. */
  isExpired: boolean
}

/**
 * What was taken out is carried by whoever did it, to bring it back or have it written off; where nobody knows who that
 * was it goes back where fills come from, and what has expired is lost. What machine and phone both tell of is booked
 * once.
 * @returns of each how many pieces are new, and what the books have in the slot after all of them
 */
export async function pullOut<P extends Pulled>(
  tx: Tx,
  pulled: readonly P[],
  now: Date,
): Promise<Map<P, { pieces: number; left: number }>> {
  if (pulled.length === 0) return new Map()
  const bags = await bagsOf(tx, pulled)
  const fresh = await takeSaid(
    tx,
    'out',
    pulled.map(({ placeId, productId, quantity, userId }, n) => {
      const serviceId = bags.get(n)?.serviceId ?? null
      return { serviceId, placeId, productId, quantity, witness: userId === null ? 'machine' : 'phone' }
    }),
  )
  const unbooked = await outsidePlaces(
    tx,
    'unbooked',
    pulled.map(({ merchantId }) => merchantId),
  )
  const booked = pulled
    .map((each, n) => ({ ...each, pieces: fresh[n] ?? 0, bag: bags.get(n)?.placeId ?? null }))
    .filter(({ pieces }) => pieces > 0)
  const isLost = ({ bag, isExpired }: (typeof booked)[number]) => bag === null && isExpired
  await loseExpired(tx, booked.filter(isLost), now)
  const moves = booked
    .filter((each) => !isLost(each))
    .map((each): Move => {
      const { merchantId, placeId: fromPlaceId, productId, batch, at: movedAt, reference, userId, replenisher } = each
      const toPlaceId = each.bag ?? must(unbooked.get(merchantId), 'place outside the books')
      const of = { merchantId, movedAt, productId, fromPlaceId, toPlaceId, reference, batch, userId }
      return { ...of, quantity: each.pieces, cause: 'remove', ...(replenisher !== null && { replenisher }) }
    })
  await recordMoves(tx, moves)
  const places = [...new Set(pulled.map(({ placeId }) => placeId))]
  if (places.length > 0) await addJob(tx, FREE_SLOTS, { placeIds: places.join(',') })
  const left = await levelsOf(tx, pulled)
  return new Map(pulled.map((each, n) => [each, { pieces: fresh[n] ?? 0, left: left.get(keyOf(each)) ?? 0 }]))
}

const keyOf = ({ placeId, productId }: Pick<Pulled, 'placeId' | 'productId'>) => `${placeId}/${productId}`

async function levelsOf(tx: Tx, pulled: readonly Pulled[]): Promise<Map<string, number>> {
  const found = await sql<{ placeId: number; productId: number; quantity: number }>`
    select l.place_id as "placeId", l.product_id as "productId", l.quantity
    from (select distinct place_id, product_id from ${rows('w', pulled, { placeId: 'bigint', productId: 'bigint' })}) w
    join stock_level l on l.place_id = w.place_id and l.product_id = w.product_id`.execute(tx)
  return new Map(found.rows.map((level) => [keyOf(level), level.quantity]))
}
