import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'

/** Where goods come from and go to outside: one place of a kind a merchant. */
export type OutsidePlace = 'supplier' | 'customer' | 'scrap'

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
