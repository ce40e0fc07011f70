import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'

type Known = { placeId: number; productId: number; at: Date }

/** Somebody has seen what stands there: what the machine said before puts its order in doubt no longer. */
export async function clearDoubts(tx: Tx, counted: readonly Known[]): Promise<void> {
  const given = rows('w', counted, { placeId: 'bigint', productId: 'bigint', at: 'timestamptz' })
  await sql`delete from layer_doubt d using ${given}
    where d.place_id = w.place_id and d.product_id = w.product_id and d.since <= w.at`.execute(tx)
}
