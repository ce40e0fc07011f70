import { type BatchFacts, sellable } from '@aisle/contract/medicine/batchState'
import { medicineMarginDays } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Reader } from '../../../kernel/context'
import { settingOf } from '../../../kernel/settings'
import { reachable } from './batch.rules'
import { lockAwaited, queueKey, queuesOf } from './layer.store'

/** Of slot `s` of the statement: a piece in it is recalled, so that its machine holds it locked. */
export const holdsRecalled = sql<boolean>`exists (select from slot_layer y
  join medicine_batch b on b.product_id = y.product_id and b.number = y.batch and b.state = 'recalled'
  where y.place_id = s.place_id)`

type Wanted = { placeId: number; productId: number }
type Ask = { machine: { merchantId: number }; items: readonly Wanted[]; businessDay: string }

/** Which of these would have to hand out a piece of a batch that is expired, locked, recalled or rejected. */
export async function stoppedAsks<A extends Ask>(db: Reader, asks: readonly A[]): Promise<Set<A>> {
  const queues = await queuesOf(
    db,
    asks.flatMap(({ items }) => items.map(({ placeId }) => placeId)),
  )
  if (queues.size === 0) return new Set()
  const margins = await marginsOf(
    db,
    asks.map(({ machine }) => machine.merchantId),
  )
  const limited = asks.flatMap((ask) =>
    [...countsOf(ask.items)].flatMap(([key, { placeId, pieces }]) => {
      const queue = queues.get(key)
      const most = queue ? reachable(queue, ask.businessDay, margins.get(ask.machine.merchantId)) : pieces
      return queue && most !== Number.POSITIVE_INFINITY ? [{ ask, placeId, pieces, most }] : []
    }),
  )
  const awaited = await lockAwaited(
    db,
    limited.filter(({ most, pieces }) => most >= pieces).map(({ placeId }) => placeId),
  )
  const stopped = new Set<A>()
  for (const { ask, placeId, pieces, most } of limited) {
    const before = awaited.get(placeId) ?? 0
    if (before + pieces > most) stopped.add(ask)
    // Of the same batch of messages the next one stands behind this one.
    else awaited.set(placeId, before + pieces)
  }
  return stopped
}

/** Which of these would have to hand out a piece of a slot that sells nothing now: what was promised before is not. */
export async function blockedAsks<A extends Ask>(db: Reader, asks: readonly A[]): Promise<Set<A>> {
  const queues = await queuesOf(
    db,
    asks.flatMap(({ items }) => items.map(({ placeId }) => placeId)),
  )
  const blocked = ({ items, businessDay }: A) =>
    items.some(({ placeId, productId }) => {
      const queue = queues.get(queueKey(placeId, productId))
      return queue !== undefined && reachable(queue, businessDay) === 0
    })
  return new Set(asks.filter(blocked))
}

function countsOf(items: readonly Wanted[]): Map<string, { placeId: number; pieces: number }> {
  const counts = new Map<string, { placeId: number; pieces: number }>()
  for (const { placeId, productId } of items) {
    const key = queueKey(placeId, productId)
    counts.set(key, { placeId, pieces: (counts.get(key)?.pieces ?? 0) + 1 })
  }
  return counts
}

/** Days before its last that a merchant stops selling a medicine. */
export async function marginsOf(db: Reader, merchantIds: readonly number[]): Promise<Map<number, number>> {
  const margins = new Map<number, number>()
  for (const id of new Set(merchantIds)) margins.set(id, await settingOf(db, medicineMarginDays, id))
  return margins
}

type Named = { productId: number; batch: string | null; businessDay: string }

/** Which pieces are of a batch that is named and may not be sold by law; how long it must be good is our own rule. */
export async function stoppedBatches(db: Reader, pieces: readonly Named[]): Promise<(piece: Named) => boolean> {
  const named = pieces.flatMap(({ productId, batch }) => (batch === null ? [] : [{ productId, number: batch }]))
  if (named.length === 0) return () => false
  const found = await sql<BatchFacts & { productId: number; number: string }>`
    select b.product_id as "productId", b.number, b.state, b.expires_on::text as "expiresOn" from medicine_batch b
    where (b.product_id, b.number) in (select * from ${rows('n', named, { productId: 'bigint', number: 'text' })})
  `.execute(db)
  const known = new Map(found.rows.map((batch) => [`${batch.productId}/${batch.number}`, batch]))
  return ({ productId, batch, businessDay }) => {
    const stands = known.get(`${productId}/${batch}`)
    return stands !== undefined && !sellable(stands, businessDay)
  }
}
