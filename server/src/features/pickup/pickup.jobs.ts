import { pickupCodeState } from '@aisle/contract/pickup/states'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { Reader, Services, Tx } from '../../kernel/context'
import { addJob, type Job } from '../../kernel/jobs'
import { findDue, followBatch } from './follow.store'
import { FOLLOW_JOB, MAKE_JOB } from './job.names'
import { makeCodes } from './make.store'
import { statesFrom, stateTo } from '../../kernel/states'

export const jobs: Job[] = [
  { name: MAKE_JOB, run: (services, { batchId }) => makeBatch(services, Number(batchId)) },
  { name: FOLLOW_JOB, run: (services, { batchId }) => follow(services, Number(batchId)) },
  { name: 'pickup.resume', cron: '*/5 * * * *', run: resume },
  {
    name: 'pickup.sweep',
    cron: '* * * * *',
    run: async (services) => {
      const { db, clock } = services
      for (const id of await findDue(db)) await follow(services, id)
      await db.transaction().execute((tx) => sweep(tx, clock.now()))
    },
  },
]

/** A chunk a transaction: what is made stays made, and who looks on sees it grow. Started twice it makes no more. */
async function makeBatch(services: Services, batchId: number): Promise<void> {
  for (let missing: number | null = 1; missing; ) {
    missing = await services.db.transaction().execute(async (tx) => {
      const left = await makeCodes(tx, services.keys, batchId, services.clock.now())
      await announceBatches(tx, [batchId])
      return left
    })
  }
}

/** A portion a transaction, until all codes of a batch have followed what was decided about it. */
async function follow(services: Services, batchId: number): Promise<void> {
  for (let isMore = true; isMore; ) {
    isMore = await services.db.transaction().execute(async (tx) => {
      const more = await followBatch(tx, batchId)
      await announceBatches(tx, [batchId])
      return more
    })
  }
}

/** A process that died left a batch half made. */
async function resume({ db }: Services): Promise<void> {
  const found = await sql<{ id: number }>`select id from pickup_batch where state = 'making'`.execute(db)
  for (const { id } of found.rows) await addJob(db, MAKE_JOB, { batchId: id })
}

/** At most so many codes a run: a batch of a hundred thousand that expires at once is done within some minutes. */
const PORTION = 20_000

/**
 * Codes follow what happened to them: past their day they are expired; while a product of the content is out of sale,
 * or no machine of the scope is left, they are invalid, and good again when it is back. What a machine has in hand is
 * left.
 */
export async function sweep(tx: Tx, now: Date): Promise<void> {
  const expired = await sql<{ id: number }>`with due as (
      select id from pickup_code c where state in ${statesFrom(pickupCodeState, 'expire')} and expires_at <= ${now}
        and exists (select 1 from pickup_batch b where b.id = c.batch_id and b.expires_at <= ${now})
      order by id limit ${sql.lit(PORTION)} for update skip locked),
    ended as (update pickup_code c set state = ${stateTo(pickupCodeState, 'expire')}, ended_at = c.expires_at
      from due where c.id = due.id returning c.batch_id)
    select distinct batch_id as id from ended`.execute(tx)
  const turned = await turnBatches(tx, now)
  await sql`with off as (
      select c.id from pickup_code c join pickup_batch b on b.id = c.batch_id
      where c.batch_id = any(${turned}::bigint[]) and not b.is_valid and
        c.state in ${statesFrom(pickupCodeState, 'invalidate')}
      order by c.id for update of c skip locked)
    update pickup_code c set state = ${stateTo(pickupCodeState, 'invalidate')} from off where c.id = off.id`.execute(tx)
  await sql`with back as (
      select c.id from pickup_code c join pickup_batch b on b.id = c.batch_id
      where c.batch_id = any(${turned}::bigint[]) and b.is_valid and c.state in ${statesFrom(pickupCodeState, 'revive')}
      order by c.id for update of c skip locked)
    update pickup_code c set state = case when c.shipped > 0 then ${stateTo(pickupCodeState, 'reviveRest')}
      else ${stateTo(pickupCodeState, 'revive')} end
    from back where c.id = back.id`.execute(tx)
  await announceBatches(tx, [...expired.rows.map(({ id }) => id), ...turned])
}

/** @returns the batches whose validity changed, or whose codes do not say so yet */
async function turnBatches(tx: Tx, now: Date): Promise<number[]> {
  const found = await sql<{ id: number }>`
    with stand as (
      select b.id, b.is_valid as was,
        not exists (select 1 from pickup_content k join product p on p.id = k.product_id
          where k.batch_id = b.id and p.state = 'offline')
        and exists (select 1 from machine m join merchant o on o.id = m.merchant_id
          where m.retired_at is null and b.merchant_id = any(o.path) and (b.scope = 'all' or exists (
            select 1 from pickup_place l where l.batch_id = b.id and (l.machine_id = m.id or l.point_id = m.point_id
              or l.group_id in (select group_id from machine_group_member where machine_id = m.id))))) as is
      from pickup_batch b where b.expires_at > ${now} and b.cancelled_at is null),
    turned as (update pickup_batch b set is_valid = stand.is from stand
      where b.id = stand.id and stand.was <> stand.is returning b.id)
    select id from turned
    union select c.batch_id from pickup_code c join stand s on s.id = c.batch_id
      where not s.is and c.state in ${statesFrom(pickupCodeState, 'invalidate')}`.execute(tx)
  return found.rows.map(({ id }) => id)
}

async function announceBatches(db: Reader, batchIds: readonly number[]): Promise<void> {
  if (batchIds.length === 0) return
  const found = await sql<{ own: number[]; above: number[] }>`
    select array_agg(distinct b.merchant_id) as own, array_agg(distinct one.above) as above
    from pickup_batch b join merchant m on m.id = b.merchant_id, unnest(m.path) as one(above)
    where b.id = any(${[...new Set(batchIds)]}::bigint[])`.execute(db)
  const { own, above } = found.rows[0] ?? { own: [], above: [] }
  await announce(db, { topic: 'changes', kinds: ['pickupBatch'], merchantIds: own, above })
}
