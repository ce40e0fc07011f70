import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { announce } from '../../kernel/announce'
import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { PULL_RECALL } from '../medicine/public'
import { openPulling } from './recall.store'
import { findDue } from './plan.store'

export const jobs: Job[] = [
  { name: 'maintenance.plan', cron: '5 * * * *', run: openPlanned },
  { name: PULL_RECALL, run: (services, { recallId }) => openPulling(services, Number(recallId)) },
]

/** Opens the order of each plan that is due; one a plan at a time, which its index keeps. */
export async function openPlanned({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const due = await findDue(db, now)
  if (due.length === 0) return
  const orders = due.map(({ id, merchantId, machineId, name, dueOn, today }) => ({
    planId: id,
    merchantId,
    machineId,
    problem: name,
    // By orders it is due when they are reached, which is now.
    dueOn: dueOn ?? today,
  }))
  await db.transaction().execute(async (tx) => {
    await sql`with made as (
        insert into repair_order (plan_id, merchant_id, machine_id, source, kind, problem, due_on, created_at)
        select plan_id, merchant_id, machine_id, 'plan', 'maintenance', problem, due_on, ${now}
        from ${rows('o', orders, {
          planId: 'bigint',
          merchantId: 'bigint',
          machineId: 'bigint',
          problem: 'text',
          dueOn: 'date',
        })} on conflict (plan_id) where plan_id is not null and closed_at is null do nothing
        returning id, problem)
      insert into repair_event (order_id, at, verb, note) select id, ${now}, 'add', problem from made`.execute(tx)
    const merchantIds = [...new Set(due.map(({ merchantId }) => merchantId))]
    await announce(tx, { topic: 'changes', kinds: ['repairOrder'], merchantIds, above: [] })
  })
}
