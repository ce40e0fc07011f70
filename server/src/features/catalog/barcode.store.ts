import type { zBarcode } from '@aisle/contract/catalog/product'
import { sql } from 'kysely'
import type { z } from 'zod'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { type FieldProblem, refuse } from '../../kernel/refuse'

type Barcode = z.output<typeof zBarcode>
type Bearer = { id: number; merchantId: number }

/** The codes of a product, in the place of those that it had. */
export async function noteUnlessTaken(tx: Tx, bearer: Bearer, barcodes: readonly Barcode[]): Promise<void> {
  const { id, merchantId } = bearer
  const codes = barcodes.map(({ code }) => code)
  await sql`delete from product_barcode where product_id = ${id}`.execute(tx)
  if (codes.length === 0) return
  const made = await sql<{ code: string }>`
    insert into product_barcode (merchant_id, code, product_id, pack_units)
    select ${merchantId}, code, ${id}, pack_units
    from ${rows('b', barcodes, { code: 'text', packUnits: 'int' })} on conflict do nothing returning code`.execute(tx)
  if (made.rows.length === codes.length) return
  const taken = await sql<Omit<FieldProblem, 'now'>>`select b.code as path, 'taken' as reason,
      p.code || ' ' || p.name as msg
    from product_barcode b join product p on p.id = b.product_id
    where b.merchant_id = ${merchantId} and b.code = any(${codes}::text[])
      and b.product_id <> ${id} order by 1`.execute(tx)
  refuse('product.barcodeTaken', { code: taken.rows[0]?.path ?? '', name: taken.rows[0]?.msg ?? '' }, taken.rows)
}
