import { sql } from 'kysely'
import type { Tx } from '../../../kernel/context'

/** Why a slot is locked that a warm cabinet keeps from selling; the pharmacist who releases it looks for the word. */
export const TEMPERATURE_LOCK = 'temperature'
/** The same of a slot that somebody had locked by hand before: released, it stays locked as it was. */
const TEMPERATURE_LOCK_BY_HAND = 'temperature_by_hand'
/** Of a slot that waits for the pharmacist, however it was locked. */
export const isHeldForTemperature = sql<boolean>`(is_locked
  and lock_reason in (${TEMPERATURE_LOCK}, ${TEMPERATURE_LOCK_BY_HAND}))`

type SlotOf = { machineId: number; slot: string }

/** Every slot of these machines that is not held already. @returns those that sold until now */
export async function lockForTemperature(tx: Tx, machineIds: readonly number[]): Promise<SlotOf[]> {
  if (machineIds.length === 0) return []
  const held = await sql<SlotOf & { wasLocked: boolean }>`update slot s
    set is_locked = true, lock_reason = case when was.is_locked then ${TEMPERATURE_LOCK_BY_HAND}
      else ${TEMPERATURE_LOCK} end, version = s.version + 1
    from (select id, is_locked from slot where machine_id = any(${[...machineIds]}::bigint[]) and lock_reason = ''
      order by id for update) was
    where s.id = was.id and s.machine_id is not null
    returning s.machine_id as "machineId", s.code as slot, was.is_locked as "wasLocked"`.execute(tx)
  return held.rows.flatMap(({ wasLocked, ...slot }) => (wasLocked ? [] : [slot]))
}

/** What somebody had locked by hand before stays locked by hand. */
export async function releaseForTemperature(
  tx: Tx,
  machineId: number,
): Promise<readonly { code: string; isLocked: boolean }[]> {
  const released = await sql<{ code: string; isLocked: boolean }>`update slot
    set is_locked = lock_reason = ${TEMPERATURE_LOCK_BY_HAND}, lock_reason = '', version = version + 1
    where machine_id = ${machineId} and ${isHeldForTemperature}
    returning code, is_locked as "isLocked"`.execute(tx)
  return released.rows
}
