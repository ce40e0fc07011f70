import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import { only } from '../../../kernel/must'

/**
 * Where goods come from and go to, and where they are between warehouses: one place of a kind a merchant. Of a supplier
 * are those that a document says were bought; what is found or taken without one is `unbooked`.
 */
export type OutsidePlace = 'supplier' | 'unbooked' | 'transit' | 'customer' | 'scrap'

/** For those merchants that have none of the kind yet. */
export async function addOutsidePlaces(tx: Tx, kind: OutsidePlace, merchantIds: readonly number[]): Promise<void> {
  const wanted = merchantIds.map((merchantId) => ({ merchantId }))
  await sql`insert into place (merchant_id, kind) select merchant_id, ${kind}
    from ${rows('w', wanted, { merchantId: 'bigint' })} on conflict do nothing`.execute(tx)
}

/** Goods in machines go along with them; the moves that filled their places stay facts. */
export async function handOverPlaces(tx: Tx, machineIds: readonly number[], merchantId: number): Promise<void> {
  await sql`update place set merchant_id = ${merchantId}
    from slot where slot.place_id = place.id and slot.machine_id = any(${[...machineIds]}::bigint[])`.execute(tx)
}

/** Where the stock of a warehouse lies, or what a replenisher carries. */
export async function addPlace(
  tx: Tx,
  kind: 'warehouse' | 'replenisher',
  { merchantId, name }: { merchantId: number; name: string },
): Promise<number> {
  const made = await sql<{ id: number }>`insert into place (merchant_id, kind, name)
    values (${merchantId}, ${kind}, ${name}) returning id`.execute(tx)
  return only(made).id
}

export async function namePlace(tx: Tx, placeId: number, name: string): Promise<void> {
  await sql`update place set name = ${name} where id = ${placeId}`.execute(tx)
}
