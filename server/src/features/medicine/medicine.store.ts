import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { medicineTyped, type addMedicine } from '@aisle/contract/medicine/medicine'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'

type Added = InputOf<typeof addMedicine>
export type MedicineTyped = Pick<Added, keyof typeof medicineTyped>

export const medicineNames = Object.keys(medicineTyped) as (keyof MedicineTyped)[]

/** What of a medicine is more than a product, in the place of what was known. */
export async function putMedicine(tx: Tx, productId: number, typed: MedicineTyped): Promise<void> {
  const { medicineClass: _, tracePrefixes, ingredients, ...kept } = typed
  const values = { ...kept, ingredients: [...new Set(ingredients)] }
  await tx
    .insertInto('medicine')
    .values({ productId, ...values })
    .onConflict((taken) => taken.column('productId').doUpdateSet(values))
    .execute()
  await sql`delete from medicine_trace_prefix where product_id = ${productId}`.execute(tx)
  await sql`insert into medicine_trace_prefix (product_id, level, prefix) select ${productId}, p.level, p.prefix
    from ${rows('p', tracePrefixes, { level: 'text', prefix: 'text' })} on conflict do nothing`.execute(tx)
}
