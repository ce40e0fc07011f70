import { traceState } from '@aisle/contract/medicine/trace.states'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../../kernel/context'
import { statesFrom, stateTo } from '../../../kernel/states'

/** What a person names when codes are bound: a product of the merchant or one above, and what its codes look like. */
export type Bindable = {
  id: number
  isMedicine: boolean
  prefixes: { level: string; prefix: string }[]
  gtins: string[]
}

export async function findBindable(db: Reader, merchantId: number, code: string): Promise<Bindable | undefined> {
  const found = await sql<Bindable>`select p.id, p.kind = 'medicine' as "isMedicine",
      coalesce((select json_agg(json_build_object('level', level, 'prefix', upper(prefix)))
        from medicine_trace_prefix where product_id = p.id), '[]') as prefixes,
      coalesce((select json_agg(lpad(code, 14, '0')) from product_barcode where product_id = p.id), '[]') as gtins
    from merchant own join product p on p.code = ${code} and p.merchant_id = any(own.path)
    where own.id = ${merchantId} order by array_position(own.path, p.merchant_id) desc limit 1`.execute(db)
  return found.rows[0]
}

export async function isBatchKnown(db: Reader, productId: number, number: string): Promise<boolean> {
  const found = await sql`select from medicine_batch where product_id = ${productId} and number = ${number}`.execute(db)
  return found.rows.length > 0
}

export type SlotPlace = { placeId: number | null }

/** @returns undefined where no such machine of the merchant is; its place is null where it has no such slot */
export async function findSlotPlace(
  db: Reader,
  merchantId: number,
  { machineCode, slotCode }: { machineCode: string; slotCode: string },
): Promise<SlotPlace | undefined> {
  const found = await sql<SlotPlace>`select s.place_id as "placeId" from machine m
    left join slot s on s.machine_id = m.id and s.code = ${slotCode}
    where m.code = ${machineCode} and m.merchant_id = ${merchantId}`.execute(db)
  return found.rows[0]
}

/** Of these merchants, those that are in sight. */
export async function merchantsSeen(db: Reader, ids: readonly number[], inSight: ReturnType<typeof sql>) {
  const found = await sql<{ id: number }>`select id from merchant
    where id = any(${[...new Set(ids)]}::bigint[]) and ${inSight}`.execute(db)
  return new Set(found.rows.map(({ id }) => id))
}

export async function hangBelow(tx: Tx, parent: { id: number; level: number }, ids: readonly number[]): Promise<void> {
  await sql`update trace_code set parent_id = ${parent.id}, parent_level = ${parent.level}
    where id = any(${[...ids]}::bigint[]) and level < ${parent.level}`.execute(tx)
}

export async function markReturned(tx: Tx, ids: readonly number[], at: Date): Promise<void> {
  await sql`update trace_sale set ended_at = ${at}
    where trace_code_id = any(${[...ids]}::bigint[]) and counts and ended_at is null`.execute(tx)
  await sql`update trace_code set state = ${stateTo(traceState, 'takeBack')}, changed_at = ${at}
    where id = any(${[...ids]}::bigint[]) and state in ${statesFrom(traceState, 'takeBack')}`.execute(tx)
}

export async function markDestroyed(tx: Tx, ids: readonly number[], at: Date): Promise<void> {
  await sql`update trace_code set state = ${stateTo(traceState, 'destroy')}, place_id = null, changed_at = ${at}
    where id = any(${[...ids]}::bigint[]) and state in ${statesFrom(traceState, 'destroy')}`.execute(tx)
}
