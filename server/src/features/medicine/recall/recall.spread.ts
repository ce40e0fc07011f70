import { targetState } from '@aisle/contract/medicine/recall'
import { sql } from 'kysely'
import type { Services, Tx } from '../../../kernel/context'
import { addJob } from '../../../kernel/jobs'
import { rows } from '../../../db/rows'
import { recallNo } from '../batch/batch.reads'
import { noteEvent, targets } from './recall.store'

/** Sends `recall_batch` to the machines of a recall; the work is device's, which is built on this. */
export const TELL_RECALL = 'medicine.tellRecall'
/** Opens the work orders to pull it; the work is maintenance's. */
export const PULL_RECALL = 'medicine.pullRecall'

/** Tells the keepers of warehouses and bags; the work is notice's. */
export const NOTICE_RECALL = 'medicine.noticeRecall'

/**
 * Each place that holds the batch now; what is on its way is waited for where it goes. Run again it finds them written
 * down.
 */
export async function spreadRecall({ db, clock }: Services, recallId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const found = await sql<{ spreadAt: Date | null }>`select spread_at as "spreadAt" from recall
      where id = ${recallId} and state = 'active' for update`.execute(tx)
    if (found.rows[0]?.spreadAt !== null) return
    const now = clock.now()
    const made = await sql<{ places: number; pieces: number }>`
      with made as (
        insert into recall_target (recall_id, place_id, kind, machine_id, slot_code, merchant_id, book)
        select r.id, p.id, p.kind, s.machine_id, s.code, p.merchant_id, l.quantity
        from recall r join medicine_batch b on b.id = r.batch_id
        cross join lateral (
          select place_id, sum(quantity)::int as quantity from (
            select l.place_id, l.quantity from batch_level l join place own on own.id = l.place_id
            where l.product_id = b.product_id and l.batch = b.number and own.kind <> 'transit'
            union all select w.place_id, n.quantity from transfer_line n
            join transfer t on t.id = n.transfer_id and t.ended_at is null join warehouse w on w.id = t.to_id
            where n.product_id = b.product_id and n.batch = b.number) lying group by 1) l
        join place p on p.id = l.place_id left join slot s on s.place_id = p.id
        where r.id = ${recallId} and l.quantity > 0 order by s.machine_id, p.id
        on conflict do nothing returning book)
      select count(*)::int as places, coalesce(sum(book), 0)::int as pieces from made`.execute(tx)
    const { places = 0, pieces = 0 } = made.rows[0] ?? {}
    await sql`update recall set spread_at = ${now} where id = ${recallId}`.execute(tx)
    await noteEvent(tx, { recallId, at: now, verb: 'spread', userId: null, note: String(places), quantity: pieces })
    await addJob(tx, TELL_RECALL, { recallId })
    await addJob(tx, PULL_RECALL, { recallId })
    await addJob(tx, NOTICE_RECALL, { recallId })
  })
}

export type RecallOfMachines = {
  id: number
  no: string
  number: string
  productCode: string
  productName: string
  isDrill: boolean
  startedBy: number | null
  dueOn: string
  machines: { id: number; merchantId: number; slots: string[] }[]
}

/** What an active recall asks of machines. @param isUntold only of those that nobody has told yet */
export async function recallOfMachines(tx: Tx, recallId: number, isUntold: boolean): Promise<RecallOfMachines | null> {
  const head = await sql<Omit<RecallOfMachines, 'machines'>>`
    select r.id, r.no, b.number, p.code as "productCode", p.name as "productName", r.is_drill as "isDrill",
      r.started_by as "startedBy", to_char(r.due_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as "dueOn"
    from (select *, ${recallNo} as no from recall where id = ${recallId} and state = 'active' for update) r
    join medicine_batch b on b.id = r.batch_id join product p on p.id = b.product_id`.execute(tx)
  const [recall] = head.rows
  if (!recall) return null
  const machines = await sql<RecallOfMachines['machines'][number]>`
    select t.machine_id as id, m.merchant_id as "merchantId", array_agg(t.slot_code order by t.slot_code) as slots
    from recall_target t join machine m on m.id = t.machine_id
    where t.recall_id = ${recallId} and t.machine_id is not null and ${isUntold ? sql`t.state = 'pending'` : sql`true`}
    group by 1, 2 order by 1`.execute(tx)
  return { ...recall, machines: machines.rows }
}

/** Their machines have it among their commands. */
export const markTold = (tx: Tx, recallId: number, now: Date) =>
  targets.moveAll(tx, sql`recall_id = ${recallId} and machine_id is not null`, 'notify', { notifiedAt: now })

type Keeper = {
  merchantId: number
  count: number
  pieces: number
  places: { name: string; pieces: number }[]
  /** Who answers for these warehouses, where somebody was named. */
  keeperIds: number[]
}

export type RecallNews = {
  id: number
  no: string
  number: string
  productName: string
  isDrill: boolean
  dueOn: string
  /** Of each merchant that keeps some: in how many places, the fullest named with their pieces. */
  keepers: Keeper[]
}

const MOST_NAMED = 10

/** What keepers of warehouses and bags have to be told of a recall; of each merchant once. */
export async function takeRecallNews(tx: Tx, recallId: number, now: Date): Promise<RecallNews | null> {
  const recall = await recallOfMachines(tx, recallId, true)
  if (!recall) return null
  const keepers = await sql<Keeper>`
    select merchant_id as "merchantId", count(*)::int as count, sum(book)::int as pieces,
      json_agg(json_build_object('name', name, 'pieces', book) order by nth)
        filter (where nth <= ${sql.lit(MOST_NAMED)}) as places,
      array_remove(array_agg(distinct keeper_id), null) as "keeperIds"
    from (
      select t.merchant_id, t.book, coalesce(w.name, p.name) as name, w.keeper_id,
        row_number() over (partition by t.merchant_id order by t.book desc, t.id) as nth
      from recall_target t join place p on p.id = t.place_id left join warehouse w on w.place_id = p.id
      where t.recall_id = ${recallId} and t.machine_id is null and t.state = 'pending') kept
    group by 1 order by 1`.execute(tx)
  await targets.moveAll(tx, sql`recall_id = ${recallId} and machine_id is null`, 'notify', { notifiedAt: now })
  const { id, no, number, productName, isDrill, dueOn } = recall
  return { id, no, number, productName, isDrill, dueOn, keepers: keepers.rows }
}

export type RecallAnswer = { machineId: number; recallId: number; at: Date }

/** Machines that say that they sell none of it any more. */
export async function takeRecallAnswers(tx: Tx, answers: readonly RecallAnswer[]): Promise<void> {
  if (answers.length === 0) return
  const given = rows('a', answers, { machineId: 'bigint', recallId: 'bigint' })
  const which = sql`(recall_id, machine_id) in (select a.recall_id, a.machine_id from ${given})
    and state in (${sql.join(targetState.from('acknowledge').map((state) => sql.lit(state)))})`
  const at = answers.reduce((last, each) => (each.at > last ? each.at : last), new Date(0))
  await targets.moveAll(tx, which, 'acknowledge', { acknowledgedAt: at })
}
