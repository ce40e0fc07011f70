import { voucherState } from '@aisle/contract/promotion/voucher'
import { sql } from 'kysely'
import type { Services, Tx } from '../../../kernel/context'
import { addJob, type Job } from '../../../kernel/jobs'
import { statesFrom, stateTo } from '../../../kernel/states'
import { MAKE_JOB } from './issue.commands'
import { makeVouchers } from './make.store'
import { announceVouchers, END_JOB } from './voucher.commands'
import { drawVoucher } from './secret'

/** Of which a statement ends as many: a second's work at most. */
const PORTION = 20_000

export const jobs: Job[] = [
  { name: MAKE_JOB, run: (services, { batchId }) => makeBatch(services, Number(batchId)) },
  { name: END_JOB, run: (services, { batchId }) => endBatch(services, Number(batchId)) },
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

/** A portion a transaction, so that nobody who sells waits for long. Started twice it ends no more. */
async function endBatch({ db }: Services, batchId: number): Promise<void> {
  for (let isMore = true; isMore; ) isMore = await db.transaction().execute((tx) => endSome(tx, batchId))
}

async function endSome(tx: Tx, batchId: number): Promise<boolean> {
  const ended = await sql`with due as (
      select id from voucher where batch_id = ${batchId} and state in ${statesFrom(voucherState, 'cancel')}
        order by id limit ${sql.lit(PORTION)} for update)
    update voucher w set state = ${stateTo(voucherState, 'cancel')}, ended_at = b.cancelled_at,
      ended_by = b.cancelled_by, end_reason = b.cancel_reason
    from due, voucher_batch b where w.id = due.id and b.id = ${batchId} and b.cancelled_at is not null`.execute(tx)
  if (Number(ended.numAffectedRows ?? 0) === PORTION) return true
  const over = await sql<{ merchantId: number }>`update voucher_batch set is_ended = true
    where id = ${batchId} and cancelled_at is not null and not is_ended
    returning merchant_id as "merchantId"`.execute(tx)
  for (const { merchantId } of over.rows) await announceVouchers(tx, merchantId)
  return false
}

/** A process that died left a batch half made, or half ended. */
async function resume({ db }: Services): Promise<void> {
  const found = await sql<{ id: number }>`select id from voucher_batch where state = 'making'`.execute(db)
  for (const { id } of found.rows) await addJob(db, MAKE_JOB, { batchId: id })
  const ending = await sql<{ id: number }>`select id from voucher_batch
    where cancelled_at is not null and not is_ended`.execute(db)
  for (const { id } of ending.rows) await addJob(db, END_JOB, { batchId: id })
}

/** Plan by plan, in portions. Done again, it finds nothing to do. */
export async function expire({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const due = await sql<{ planId: number }>`select distinct plan_id as "planId" from voucher
    where state in ${statesFrom(voucherState, 'expire')} and expires_at <= ${now}`.execute(db)
  for (const { planId } of due.rows) await db.transaction().execute((tx) => expireSome(tx, planId, now))
}

async function expireSome(tx: Tx, planId: number, now: Date): Promise<void> {
  await sql`with due as (
      select id from voucher where plan_id = ${planId} and state in ${statesFrom(voucherState, 'expire')}
        and expires_at <= ${now} order by id limit ${sql.lit(PORTION)} for update skip locked)
    update voucher w set state = ${stateTo(voucherState, 'expire')}, ended_at = w.expires_at
    from due where w.id = due.id`.execute(tx)
}
