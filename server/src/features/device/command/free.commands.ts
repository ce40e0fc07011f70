import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import { businessTime } from '../../../kernel/businessDay'
import type { Services, Tx } from '../../../kernel/context'
import { blockOf, queueKey, queuesOf } from '../../medicine/public'
import { queueCommands } from './command.store'

type Held = {
  placeId: number
  productId: number | null
  slot: string
  machineId: number
  merchantId: number
  timeZone: string
}

/**
 * Slots that a recall locked in their machines, once what was recalled is gone and nothing else holds them: neither a
 * person, nor a warm cabinet, nor a batch in front that may not be sold. Run again it finds them told.
 */
export async function freeSlots({ db, clock }: Services, placeIds: readonly number[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const held = await findHeldByRecall(tx, placeIds)
    const queues = await queuesOf(
      tx,
      held.map(({ placeId }) => placeId),
    )
    const isFree = ({ placeId, productId, timeZone }: Held) => {
      const queue = productId === null ? undefined : queues.get(queueKey(placeId, productId))
      return !queue || blockOf(queue, businessTime(clock.now(), timeZone).day) === null
    }
    const machines = new Map<number, { merchantId: number; slots: string[] }>()
    for (const { machineId, merchantId, slot } of held.filter(isFree)) {
      machines.set(machineId, { merchantId, slots: [...(machines.get(machineId)?.slots ?? []), slot] })
    }
    if (machines.size === 0) return
    const commands = [...machines].map(([machineId, { merchantId, slots }]) => ({
      id: randomUUID(),
      merchantId,
      machineId,
      type: 'unlock_slot' as const,
      data: { slots },
      reason: 'recall',
      createdBy: null,
    }))
    await queueCommands(tx, commands, clock.now())
    await announce(tx, { topic: 'commands', machineIds: [...machines.keys()] })
  })
}

/** By the last word to their machines about them. Held, so that of two who look at the same time one tells. */
async function findHeldByRecall(tx: Tx, placeIds: readonly number[]): Promise<Held[]> {
  const found = await sql<Held>`
    select s.place_id as "placeId", s.product_id as "productId", s.code as slot, m.id as "machineId",
      m.merchant_id as "merchantId", m.time_zone as "timeZone"
    from slot s join machine m on m.id = s.machine_id and m.retired_at is null
    where s.place_id = any(${[...placeIds]}::bigint[]) and not s.is_locked and (
      select c.type from device_command c
      where c.machine_id = m.id and c.type in ('recall_batch', 'lock_slot', 'unlock_slot')
        and c.data -> 'drill' is null and c.data -> 'slots' ? s.code
      order by c.seq desc limit 1) = 'recall_batch'
    order by s.id for update of s`.execute(tx)
  return found.rows
}
