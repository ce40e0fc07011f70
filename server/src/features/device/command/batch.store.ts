import { isSaleLawful, type MedicineClass } from '@aisle/contract/catalog/product'
import type { CommandBatch, getBatch, listBatches } from '@aisle/contract/device/batch'
import { commandState, type CommandType } from '@aisle/contract/device/commands'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { rows } from '../../../db/rows'
import type { Reader } from '../../../kernel/context'
import { allOf, isAnyOf, type Listing, listRows, mapRows } from '../../../kernel/list'
import { only } from '../../../kernel/must'
import { machineInSight, type Sight } from '../../../kernel/scope'
import { iso } from './command.reads'
import { statesIn } from '../../../kernel/states'

/** Whoever sees one of its machines sees a batch, and of it those machines. */
const isSeen = (sight: Sight) => sql`exists (
  select 1 from device_command c where c.batch_id = b.id and ${machineInSight(sight, sql`c.machine_id`)})`

export async function findBatchId(db: Reader, batchId: string): Promise<number> {
  const found = await sql<{ id: number }>`select seq as id from command_batch where id = ${batchId}`.execute(db)
  return only(found).id
}

/** Counted from the commands, for the batches of a page: a statement whatever their number. */
const counted = (sight: Sight, which: RawBuilder<unknown>) => sql`
  select b.seq as id, b.type, b.reason, u.display_name as "createdBy", ${iso(sql`b.created_at`)} as "createdAt",
    ${iso(sql`b.cancelled_at`)} as "cancelledAt", ${iso(sql`n.expires_at`)} as "expiresAt",
    case when n.waiting > 0 then 'running' else 'over' end as progress,
    n.count, n.waiting, n.done, n.failed, n.expired, n.cancelled
  from command_batch b left join app_user u on u.id = b.created_by
  cross join lateral (
    select count(*) as count, max(c.expires_at) as expires_at,
      count(*) filter (where c.state in ${statesIn(commandState, 'waiting')}) as waiting,
      count(*) filter (where c.state = 'done') as done,
      count(*) filter (where c.state in ${statesIn(commandState, 'bad')}) as failed,
      count(*) filter (where c.state = 'expired') as expired,
      count(*) filter (where c.state = 'cancelled') as cancelled
    from device_command c where c.batch_id = b.id and ${machineInSight(sight, sql`c.machine_id`)}) n
  where ${which}`

export function listBatchesIn(sight: Sight, filter: InputOf<typeof listBatches>): Listing<CommandBatch> {
  const rows = sql<{
    id: number
    type: CommandBatch['type']
  }>`select b.seq as id, b.type from command_batch b where ${isSeen(sight)}`
  const order = { by: sql`id`, type: 'bigint', newestFirst: true } as const
  const where = allOf([isAnyOf(sql`type`, filter.type)])
  return mapRows(listRows({ rows, where, order }), async (found, db) => {
    const ids = found.map(({ id }) => id)
    const items = await sql<CommandBatch>`${counted(sight, sql`b.seq = any(${ids}::bigint[])`)}
      order by b.seq desc`.execute(db)
    return items.rows
  })
}

type Detail = OutputOf<typeof getBatch>
const MOST_MACHINES = 200

export async function findCommandBatchDetail(db: Reader, sight: Sight, id: number): Promise<Detail | undefined> {
  const found = await sql<CommandBatch>`${counted(sight, sql`b.seq = ${id} and ${isSeen(sight)}`)}`.execute(db)
  const [batch] = found.rows
  if (!batch) return undefined
  const more = await sql<{ data: Record<string, unknown>; leftOut: Record<string, number> }>`
    select data, left_out as "leftOut" from command_batch where seq = ${id}`.execute(db)
  const own = sql`c.batch_id = (select id from command_batch where seq = ${id})
    and ${machineInSight(sight, sql`c.machine_id`)}`
  const byState = await sql<Detail['byState'][number]>`
    select c.state, count(*) as count from device_command c where ${own} group by c.state`.execute(db)
  const machines = await sql<Detail['machines'][number]>`
    select c.seq as id, m.code as "machineCode", m.name as "machineName", c.state, c.detail,
      ${iso(sql`coalesce(c.finished_at, c.received_at, c.sent_at, c.created_at)`)} as at
    from device_command c join machine m on m.id = c.machine_id where ${own}
    order by case when c.state in ${statesIn(commandState, 'undone')} then 0
      when c.state in ${statesIn(commandState, 'waiting')} then 1 else 2 end, m.code
        limit ${sql.lit(MOST_MACHINES)}`.execute(db)
  const order = (state: string) => commandState.states.indexOf(state as (typeof commandState.states)[number])
  return {
    ...batch,
    data: more.rows[0]?.data ?? {},
    leftOut: Object.entries(more.rows[0]?.leftOut ?? {}).map(([block, count]) => ({
      block: block as Detail['leftOut'][number]['block'],
      count,
    })),
    byState: byState.rows.sort((a, b) => order(a.state) - order(b.state)),
    machines: machines.rows,
  }
}

/** The commands of a batch that are in sight, as a condition on `device_command c`; undefined where none is. */
export async function inBatch(db: Reader, sight: Sight, id: number): Promise<RawBuilder<unknown> | undefined> {
  const found = await sql<{ id: string }>`select b.id from command_batch b
    where b.seq = ${id} and ${isSeen(sight)}`.execute(db)
  const [batch] = found.rows
  return batch && sql`c.batch_id = ${batch.id} and ${machineInSight(sight, sql`c.machine_id`)}`
}

type Repeatable = {
  type: CommandType
  data: Record<string, unknown>
  machines: { id: number; merchantId: number; data: Record<string, unknown> }[]
}

/** What did not come to a good end, newest command of each machine. */
export async function findRepeatable(db: Reader, sight: Sight, id: number): Promise<Repeatable | undefined> {
  const which = await inBatch(db, sight, id)
  if (!which) return undefined
  const batch = await sql<Omit<Repeatable, 'machines'>>`select type, data from command_batch
    where seq = ${id}`.execute(db)
  const machines = await sql<Repeatable['machines'][number]>`
    select c.machine_id as id, c.merchant_id as "merchantId", c.data from device_command c
    where ${which} and c.state in ${statesIn(commandState, 'undone')} and c.late_state is distinct from 'done'`.execute(
    db,
  )
  const [about] = batch.rows
  return about && { ...about, machines: machines.rows }
}

/**
 * Of old plans, those that the law forbids by now: a machine's licence mode or a medicine's class may have changed
 * since they were sent. @returns ids of machines
 */
export async function findForbidden(db: Reader, machines: Repeatable['machines']): Promise<ReadonlySet<number>> {
  const planned = machines.flatMap(({ id, data }) =>
    zPlan.parse(data).slots.flatMap(({ product }) => (product ? [{ id, product }] : [])),
  )
  if (planned.length === 0) return new Set()
  const found = await sql<{ id: number; mode: 'none' | 'retail' | 'hospital'; medicineClass: MedicineClass | null }>`
    select distinct m.id, m.licence_mode as mode, p.medicine_class as "medicineClass"
    from ${rows('w', planned, { id: 'bigint', product: 'text' })}
    join machine m on m.id = w.id join merchant c on c.id = m.merchant_id
    join product p on p.code = w.product and p.merchant_id = any(c.path)`.execute(db)
  const forbidden = found.rows.filter(({ mode, medicineClass }) => !isSaleLawful(mode, medicineClass))
  return new Set(forbidden.map(({ id }) => id))
}

/** Of old plans, those that are not the plan of their machine any more: sent again, they would undo what came after. */
export async function findChanged(db: Reader, machines: Repeatable['machines']): Promise<ReadonlySet<number>> {
  const planned = machines.flatMap(({ id, data }) => {
    const plan = zTold.safeParse(data)
    return plan.success ? [{ id, version: plan.data.version }] : []
  })
  if (planned.length === 0) return new Set()
  const found = await sql<{ id: number }>`select m.id from ${rows('w', planned, { id: 'bigint', version: 'bigint' })}
    join machine m on m.id = w.id where m.plan_version > w.version`.execute(db)
  return new Set(found.rows.map(({ id }) => id))
}

/** The data of a command that tells a plan, and which one. */
const zTold = z.object({ version: z.int(), slots: z.array(z.unknown()) })

/** The part of a command's data that names products; of other commands there is none. */
const zPlan = z.object({ slots: z.array(z.object({ product: z.string().nullish() })).catch([]) }).catch({ slots: [] })
