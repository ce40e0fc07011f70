import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { must } from '../../kernel/must'
import { dayAt } from '../../kernel/platformDays'
import { lossPostings, postTransfers } from '../ledger/public'
import { type Move, outsidePlaces, recordMoves } from './stock.store'

type Expired = {
  machineId: number
  merchantId: number
  placeId: number
  productId: number
  pieces: number
  batch: string | null
  at: Date
  reference: string
}
type Lost = { id: number; n: number; costFen: number; day: string }

/**
 * Expired pieces that somebody took out of a slot and nobody carries: written off as the machine says, at what the
 * product's card says, and a loss in the ledger. What is out is out, so there is nobody to ask.
 */
export async function loseExpired(tx: Tx, expired: readonly Expired[], now: Date): Promise<void> {
  if (expired.length === 0) return
  const numbered = expired.map((each, n) => ({ ...each, n }))
  const made = await sql<Lost>`
    with given as (
      select w.*, m.code, coalesce(p.cost_fen, 0) * w.pieces as cost_fen,
        to_char(${dayAt(now, sql`c.time_zone`)}, 'YYYY-MM-DD') as day,
        nextval(pg_get_serial_sequence('write_off', 'id')) as id
      from ${rows('w', numbered, {
        n: 'int',
        machineId: 'bigint',
        merchantId: 'bigint',
        placeId: 'bigint',
        productId: 'bigint',
        pieces: 'int',
        batch: 'text',
        reference: 'text',
      })} join machine m on m.id = w.machine_id join merchant c on c.id = w.merchant_id
      join product p on p.id = w.product_id),
    written as (
      insert into write_off (id, merchant_id, place_id, product_id, batch, quantity, cost_fen, why, note, state, asker,
        asked_at, decider, decided_at)
      overriding system value
      select id, merchant_id, place_id, product_id, coalesce(batch, ''), pieces, cost_fen, 'expired', reference, 'done',
        code, ${now}, code, ${now} from given)
    select id::int, n, cost_fen::bigint as "costFen", day from given order by n`.execute(tx)
  const scraps = await outsidePlaces(
    tx,
    'scrap',
    expired.map(({ merchantId }) => merchantId),
  )
  const lost = made.rows.map((row) => ({ ...row, ...must(expired[row.n], 'what has expired') }))
  await recordMoves(
    tx,
    lost.map(({ id, merchantId, placeId: fromPlaceId, productId, pieces: quantity, batch, at: movedAt }): Move => {
      const toPlaceId = must(scraps.get(merchantId), 'place of scrap')
      const reference = `writeOff/${id}`
      return { merchantId, movedAt, productId, quantity, fromPlaceId, toPlaceId, cause: 'scrap', reference, batch }
    }),
  )
  await postTransfers(
    tx,
    lost
      .filter(({ costFen }) => costFen > 0)
      .map(({ id, merchantId, costFen: amountFen, day: businessDay }) => ({
        kind: 'loss' as const,
        reference: `write_off/${id}`,
        merchantId,
        businessDay,
        postedAt: now,
        postings: lossPostings({ merchantId, amountFen, key: 'written_off_stock' }),
      })),
  )
}
