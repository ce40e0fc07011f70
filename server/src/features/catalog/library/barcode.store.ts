import type { zBarcode } from '@aisle/contract/catalog/product'
import { sql } from 'kysely'
import type { z } from 'zod'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'

/** The codes of an item, in the place of those that it had. A number is one item's in the whole library. */
export async function noteGtins(tx: Tx, itemId: number, barcodes: readonly z.output<typeof zBarcode>[]): Promise<void> {
  const codes = barcodes.map(({ code }) => code)
  if (new Set(codes.map((code) => code.padStart(14, '0'))).size < codes.length) refuse('product.barcodeTwice')
  await sql`delete from library_barcode where item_id = ${itemId}`.execute(tx)
  const made = await sql<{ code: string }>`insert into library_barcode (code, item_id, pack_units)
    select code, ${itemId}, pack_units from ${rows('b', barcodes, { code: 'text', packUnits: 'int' })}
    on conflict do nothing returning code`.execute(tx)
  if (made.rows.length === codes.length) return
  const taken = await sql<{ code: string; name: string }>`select b.code, i.name
    from unnest(${codes}::text[]) as w(code) join library_barcode b on b.gtin = lpad(w.code, 14, '0')
    join library_item i on i.id = b.item_id where b.item_id <> ${itemId} order by 1 limit 1`.execute(tx)
  const [first] = taken.rows
  refuse('library.barcodeTaken', { code: first?.code ?? '', name: first?.name ?? '' })
}
