import { CUSTOMER_FORGOTTEN_AFTER_DAYS, customerState } from '@aisle/contract/support/customer'
import { sql } from 'kysely'
import type { Services, Tx } from '../../../kernel/context'
import type { Job } from '../../../kernel/jobs'
import { holdAlarms } from '../../alarm/public'
import { isGoneBack } from '../../refund/public'
import { forgetCalls } from './call.store'
import { announceCases, type Held, inTurnAt, lockCases } from './customer.store'
import { judge, toldPaidBack } from './judge'
import { MACHINE_CASES, MACHINE_WITHIN_MS } from './payBack.rules'

export const jobs: Job[] = [
  { name: 'support.followCustomerCases', cron: '* * * * *', run: follow },
  { name: 'support.forgetCustomers', cron: '40 3 * * *', run: forget },
]

/** How long a machine may take to say what became of an order. */
const AGAIN_MS = 3600_000
const AT_ONCE = 200
const DAY_MS = 24 * 3600_000

/** What the facts say by now: run twice it finds nothing left to do. */
export async function follow(services: Services): Promise<void> {
  const { db } = services
  await db.transaction().execute((tx) => noteMoney(tx, services.clock.now()))
  await judgeAgain(services)
  await db.transaction().execute((tx) => watchMachines(tx, services.clock.now()))
}

/** Money that went back by whichever way is told to the customer. */
async function noteMoney(tx: Tx, now: Date): Promise<void> {
  const due = await lockCases(
    tx,
    sql`c.closed_at is null and exists (select 1 from refund r where r.order_id = c.order_id and ${isGoneBack}
      and coalesce(r.decided_at, r.requested_at) > c.open_since)`,
  )
  for (const held of due) await toldPaidBack(tx, held, now)
  await announceCases(
    tx,
    due.map(({ merchantId }) => merchantId),
  )
}

/** Orders that came late, or whose machine was still at it when the customer complained. */
async function judgeAgain({ db, clock }: Services): Promise<void> {
  const since = new Date(clock.now().getTime() - AGAIN_MS)
  const found = await sql<Pick<Held, 'id' | 'machineId' | 'phoneHash'>>`select id, machine_id as "machineId",
      phone_hash as "phoneHash" from customer_case
    where created_at > ${since} and state = ${sql.lit(customerState.initial)} and held in ('untold', 'nothingFound')
    order by id limit ${sql.lit(AT_ONCE)}`.execute(db)
  for (const { id, machineId, phoneHash } of found.rows) {
    await db.transaction().execute(async (tx) => {
      await inTurnAt(tx, machineId, phoneHash)
      const [held] = await lockCases(tx, sql`c.id = ${id} and c.state = ${sql.lit(customerState.initial)}`)
      if (held) await judge(tx, held, clock.now())
    })
  }
}

/** So many customers don't err: somebody should go and look. Over once fewer have complained for a day. */
async function watchMachines(tx: Tx, now: Date): Promise<void> {
  const found = await sql<{ machineId: number; merchantId: number; count: number }>`
    select c.machine_id as "machineId", m.merchant_id as "merchantId", count(*)::int as count
    from customer_case c join machine m on m.id = c.machine_id
    where c.created_at > ${new Date(now.getTime() - MACHINE_WITHIN_MS)} and m.retired_at is null
    group by c.machine_id, m.merchant_id having count(*) > ${sql.lit(MACHINE_CASES)} order by 1`.execute(tx)
  const raised = found.rows.map(({ machineId, merchantId, count }) => {
    return { machineId, merchantId, cause: 'complaints' as const, facts: { count } }
  })
  await holdAlarms(tx, ['complaints'], raised, now)
}

/** The number and the picture of whoever complained long ago; first the row, so that nothing shows a hole. */
export async function forget(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  const before = new Date(now.getTime() - CUSTOMER_FORGOTTEN_AFTER_DAYS * DAY_MS)
  const due = await sql<{ picture: string | null }>`
    with due as (select id, picture from customer_case where forgotten_at is null and created_at < ${before}
      order by created_at limit 1000 for update),
    gone as (update customer_case c set phone = null, phone_hash = null, phone_end = '', picture = null,
      forgotten_at = ${now}, version = version + 1 from due where c.id = due.id returning c.id)
    select due.picture from due join gone using (id)`.execute(db)
  for (const { picture } of due.rows) if (picture) await services.files.remove('pictures', picture)
  await forgetCalls(db, now)
}
