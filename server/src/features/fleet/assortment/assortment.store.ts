import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'

/** Which assortments hold for which machine: those that name it, and those of its groups. */
export const holding: RawBuilder<unknown> = sql`
  select held.machine_id, held.assortment_id from (
    select machine_id, assortment_id from assortment_machine
    union
    select b.machine_id, g.assortment_id from assortment_group g join machine_group_member b using (group_id)
  ) held`

/**
 * What each machine may sell by its active assortments, those without a product left aside. A machine that is missing
 * in the answer may sell everything; ask `mayPlace`.
 */
export async function allowedProducts(
  db: Reader,
  machineIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const found = await sql<{ machineId: number; productIds: number[] }>`
    select h.machine_id as "machineId", json_agg(distinct p.product_id) as "productIds"
    from (${holding}) h join assortment a on a.id = h.assortment_id and a.state = 'active'
    join assortment_product p on p.assortment_id = a.id
    where h.machine_id = any(${[...machineIds]}::bigint[]) group by h.machine_id`.execute(db)
  return new Map(found.rows.map(({ machineId, productIds }) => [machineId, new Set(productIds)]))
}

/** What is recommended for the slots of a machine; where two assortments differ, the newer one. */
export async function recommendedProducts(db: Reader, machineId: number): Promise<ReadonlyMap<string, number>> {
  const found = await sql<{ code: string; productId: number }>`
    select distinct on (s.slot_code) s.slot_code as code, s.product_id as "productId"
    from (${holding}) h join assortment a on a.id = h.assortment_id and a.state = 'active'
    join assortment_slot s on s.assortment_id = a.id
    where h.machine_id = ${machineId} order by s.slot_code, a.id desc`.execute(db)
  return new Map(found.rows.map(({ code, productId }) => [code, productId]))
}
