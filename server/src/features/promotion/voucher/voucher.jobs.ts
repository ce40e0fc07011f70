import { voucherState } from '@aisle/contract/promotion/voucher'
import { sql } from 'kysely'
import type { Services, Tx } from '../../../kernel/context'
import { addJob, type Job } from '../../../kernel/jobs'
import { statesFrom, stateTo } from '../../../kernel/states'
import { MAKE_JOB } from './issue.commands'
import { makeVouchers } from './make.store'
import { drawVoucher } from './secret'

export const jobs: Job[] = [
  { name: MAKE_JOB, run: (services, { batchId }) => makeBatch(services, Number(batchId)) },
  { name: 'promotion.resumeVouchers', cron: '*/5 * * * *', run: resume },
  { name: 'promotion.expireVouchers', cron: '* * * * *', run: expire },
]

/** A chunk a transaction: what is made stays made. Started twice it makes no more. */
async function makeBatch({ db, keys, clock }: Services, batchId: number): Promise<void> {
  const making = { keys, draw: drawVoucher, now: clock.now() }
  for (let missing: number | null = 1; missing; ) {
    missing = await db.transaction().execute((tx) => makeVouchers(tx, batchId, making))
  }
}

/** A process that died left a batch half made. */
async function resume({ db }: Services): Promise<void> {
  const found = await sql<{ id: number }>`select id from voucher_batch where state = 'making'`.execute(db)
  for (const { id } of found.rows) await addJob(db, MAKE_JOB, { batchId: id })
}

/** Plan by plan, so that nobody who sells waits for long. Done again, it finds nothing to do. */
export async function expire({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const due = await sql<{ planId: number }>`select distinct plan_id as "planId" from voucher
    where state in ${statesFrom(voucherState, 'expire')} and expires_at <= ${now}`.execute(db)
  for (const { planId } of due.rows) await db.transaction().execute((tx) => expireSome(tx, planId, now))
}

const PORTION = 20_000

async function expireSome(tx: Tx, planId: number, now: Date): Promise<void> {
  await sql`with due as (
      select id from voucher where plan_id = ${planId} and state in ${statesFrom(voucherState, 'expire')}
        and expires_at <= ${now} order by id limit ${sql.lit(PORTION)} for update skip locked)
    update voucher w set state = ${stateTo(voucherState, 'expire')}, ended_at = w.expires_at
    from due where w.id = due.id`.execute(tx)
}
