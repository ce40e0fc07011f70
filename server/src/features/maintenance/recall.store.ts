import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { announce } from '../../kernel/announce'
import type { Services } from '../../kernel/context'
import { recallOfMachines } from '../medicine/public'

const MOST_TEXT = 200

/** A work order for each machine that holds the batch: one a machine and recall, which its index keeps. */
export async function openPulling({ db, clock }: Services, recallId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const recall = await recallOfMachines(tx, recallId, false)
    if (!recall || recall.machines.length === 0) return
    const now = clock.now()
    const orders = recall.machines.map(({ id: machineId, merchantId, slots }) => ({
      merchantId,
      machineId,
      problem: `${recall.no} ${recall.productName} ${recall.number}: ${slots.join(', ')}`.slice(0, MOST_TEXT),
    }))
    await sql`with made as (
        insert into repair_order (recall_id, merchant_id, machine_id, source, kind, problem, due_on, created_at)
        select ${recallId}, merchant_id, machine_id, ${recall.isDrill ? 'recall_drill' : 'recall'}, 'maintenance',
          problem, ${recall.dueOn}::date, ${now}
        from ${rows('o', orders, { merchantId: 'bigint', machineId: 'bigint', problem: 'text' })}
        on conflict (recall_id, machine_id) where recall_id is not null do nothing returning id, problem)
      insert into repair_event (order_id, at, verb, note) select id, ${now}, 'add', problem from made`.execute(tx)
    const merchantIds = [...new Set(orders.map(({ merchantId }) => merchantId))]
    await announce(tx, { topic: 'changes', kinds: ['repairOrder', 'recall'], merchantIds, above: [] })
  })
}
