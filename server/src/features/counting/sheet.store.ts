import type { countScopes } from '@aisle/contract/counting/count'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { only } from '../../kernel/must'
import { nextNo } from '../stock/public'

type Machine = { id: number; merchantId: number }
type Slot = { code: string; placeId: number; productId: number; stock: number }

/**
 * A count with a line for each batch that stands there by the books, and one where none does. What is empty by the
 * books stands first: it is looked at, and done.
 */
export async function putSheet(
  tx: Tx,
  { id: machineId, merchantId }: Machine,
  scope: (typeof countScopes)[number],
  opened: { by: number | null; at: Date },
  slots: readonly Slot[],
): Promise<number> {
  const no = await nextNo(tx, merchantId, 'PD', opened.at)
  const made = await sql<{ id: number }>`
    insert into stock_count (merchant_id, no, machine_id, scope, opened_by, opened_at)
    values (${merchantId}, ${no}, ${machineId}, ${scope}, ${opened.by}, ${opened.at}) returning id`.execute(tx)
  const { id } = only(made)
  const sorted = [...slots].sort((a, b) => Number(a.stock > 0) - Number(b.stock > 0))
  const lines = sorted.map(({ code, placeId, productId }, turn) => ({ code, placeId, productId, turn }))
  await sql`insert into stock_count_line (count_id, slot_code, place_id, product_id, batch)
    select ${id}, w.code, w.place_id, w.product_id, y.batch
    from ${rows('w', lines, { code: 'text', placeId: 'bigint', productId: 'bigint', turn: 'int' })}
    left join lateral (
      select batch, min(sequence) as sequence from slot_layer
      where place_id = w.place_id and product_id = w.product_id group by batch
    ) y on true order by w.turn, y.sequence`.execute(tx)
  return id
}
