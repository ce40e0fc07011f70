import { type CareTask, careState, type correctCare, type signCare } from '@aisle/contract/medicine/care'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { only } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { stateful } from '../../kernel/states'
import { measuredAt } from './care.measured'
import { careInSight } from './care.reads'
import { lockForCare } from './care.lock'

/** @throws Refusal care.state */
const careTasks = stateful('careTask', 'state', careState, {
  versioned: false,
  refuse: ({ id }) => refuse('care.state', { id }),
})

type Held = {
  id: number
  batchId: number
  batch: string
  machineId: number | null
  merchantId: number
  state: CareTask['state']
  since: string
}
type Said = Pick<InputOf<typeof signCare>, 'result' | 'measures'>

/** Whoever signs is who is signed in, at the time at which they do: neither can be typed. */
export async function sign(ctx: CommandContext, { id, ...said }: InputOf<typeof signCare>) {
  const task = await hold(ctx, id)
  const state = await careTasks.move(ctx.tx, task, 'sign', { endedAt: ctx.now() })
  return { id, state, isLocked: await write(ctx, task, said, null) }
}

export async function correct(ctx: CommandContext, input: InputOf<typeof correctCare>) {
  const { id, record, reason, ...said } = input
  const task = await hold(ctx, id)
  const found = await sql<Said & { isCorrected: boolean }>`select result, measures,
      exists (select from care_record c where c.corrects = r.id) as "isCorrected"
    from care_record r where r.id = ${record} and r.task_id = ${id}`.execute(ctx.tx)
  const { isCorrected, ...wrong } = existing(found.rows[0])
  if (isCorrected) refuse('care.corrected')
  return { id, state: task.state, isLocked: await write(ctx, task, said, { record, reason, wrong }) }
}

/** Locked. @throws Refusal for one out of sight */
async function hold(ctx: CommandContext, id: number): Promise<Held> {
  const found = await sql<Held>`
    select t.id, t.batch_id as "batchId", b.number as batch, t.machine_id as "machineId",
      coalesce(k.merchant_id, l.merchant_id) as "merchantId", t.state, to_char(t.since, 'YYYY-MM-DD') as since
    from care_task t join medicine_batch b on b.id = t.batch_id
    left join machine k on k.id = t.machine_id left join place l on l.id = t.place_id
    where t.id = ${id} and ${careInSight(sightOf(ctx.actor))} for update of t`.execute(ctx.tx)
  return existing(found.rows[0])
}

type Correction = { record: number; reason: string; wrong: Said }

/** @returns whether the batch is sold no longer because of it */
async function write(ctx: CommandContext, task: Held, said: Said, correction: Correction | null): Promise<boolean> {
  const { tx, actor } = ctx
  const measured = await measuredAt(tx, { ...task, until: ctx.now() })
  const made = await sql<{ id: number }>`
    insert into care_record (task_id, corrects, result, measures, reason, quantity, lowest_tenths, highest_tenths,
      lowest_humidity_tenths, highest_humidity_tenths, readings, signed_by, signer, signed_at)
    select t.id, ${correction?.record ?? null}::bigint, ${said.result}, ${said.measures}, ${correction?.reason ?? ''},
      coalesce((select sum(v.quantity) from medicine_batch b
        join batch_level v on v.product_id = b.product_id and v.batch = b.number and v.quantity > 0
        where b.id = t.batch_id and (v.place_id = t.place_id
          or v.place_id in (select s.place_id from slot s where s.machine_id = t.machine_id))), 0),
      ${measured.lowestTenths}::int, ${measured.highestTenths}::int, ${measured.lowestHumidityTenths}::int,
      ${measured.highestHumidityTenths}::int, ${measured.readings}, ${actor.userId}, ${actor.displayName},
      ${ctx.now()}
    from care_task t where t.id = ${task.id} returning id`.execute(tx)
  const after = { task: task.id, batch: task.batch, ...said, ...(correction && { reason: correction.reason }) }
  const { id: objectId } = only(made)
  const before = correction?.wrong ?? null
  await ctx.audit({ merchantId: task.merchantId, objectKind: 'careRecord', objectId, before, after })
  return said.result === 'ok' ? false : lockForCare(ctx, task.batchId, said.measures)
}
