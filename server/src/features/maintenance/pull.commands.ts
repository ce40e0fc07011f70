import type { pullBatches, pullOutcomes } from '@aisle/contract/maintenance/pull'
import { repairOrderState } from '@aisle/contract/maintenance/repairOrder'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { CommandContext } from '../../kernel/context'
import { only } from '../../kernel/must'
import { refuse } from '../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { record } from './repairOrder.store'

type Outcome = (typeof pullOutcomes)[number]
type Lying = {
  id: number
  placeId: number
  productId: number
  productName: string
  batch: string
  quantity: number
  slotCode: string | null
  machineId: number | null
  machineCode: string | null
  merchantId: number
  isPulled: boolean
}
type Input = InputOf<typeof pullBatches>

/** As much as a title takes. */
const MOST_TEXT = 200

/** What is asked for already is not asked for twice; what lies in no machine is taken by hand. */
export async function pull(ctx: CommandContext, input: Input) {
  const lying = await findLying(ctx, input.ids)
  if (lying.size === 0) refuse('request.notFound')
  const outcomes = new Map(input.ids.map((id): [number, Outcome] => [id, outcomeOf(lying.get(id))]))
  const machines = new Map<number, Lying[]>()
  for (const row of lying.values()) {
    if (outcomes.get(row.id) !== 'done' || row.machineId === null) continue
    machines.set(row.machineId, [...(machines.get(row.machineId) ?? []), row])
  }
  for (const [machineId, items] of machines) await open(ctx, machineId, items, input)
  if (machines.size === 0) {
    const { merchantId } = ctx.actor
    const after = { asked: input.ids.length }
    await ctx.audit({ merchantId, objectKind: 'repairOrder', objectId: 'none', before: null, after })
  }
  return { outcomes: [...outcomes].map(([id, outcome]) => ({ id, outcome })) }
}

function outcomeOf(row: Lying | undefined): Outcome {
  if (!row) return 'notFound'
  if (row.machineId === null) return 'place'
  if (row.quantity <= 0) return 'gone'
  return row.isPulled ? 'pulledAlready' : 'done'
}

async function findLying(ctx: CommandContext, ids: readonly number[]): Promise<Map<number, Lying>> {
  const sight = sightOf(ctx.actor)
  const found = await sql<Lying>`
    select l.id, l.place_id as "placeId", l.product_id as "productId", p.name as "productName", l.batch, l.quantity,
      s.code as "slotCode", k.id as "machineId", k.code as "machineCode",
      coalesce(k.merchant_id, o.merchant_id) as "merchantId", exists (
        select from pull_item i join repair_order r on r.id = i.order_id
        where i.place_id = l.place_id and i.product_id = l.product_id and i.batch = l.batch and r.closed_at is null)
        as "isPulled"
    from batch_level l join product p on p.id = l.product_id join place o on o.id = l.place_id
    left join slot s on s.place_id = l.place_id left join machine k on k.id = s.machine_id
    where l.id = any(${[...ids]}::bigint[]) and case when k.id is null
      then ${merchantInSight(sight, sql`o.merchant_id`)} else ${machineInSight(sight, sql`k.id`)} end
    order by l.id for update of l`.execute(ctx.tx)
  return new Map(found.rows.map((row) => [row.id, row]))
}

async function open(ctx: CommandContext, machineId: number, items: readonly Lying[], { dueOn, note }: Input) {
  const [first] = items
  if (!first) return
  const words = items.map(({ slotCode, productName, batch, quantity }) =>
    [slotCode, productName, batch, `× ${quantity}`].filter(Boolean).join(' '),
  )
  const problem = [note, ...words].filter(Boolean).join('; ').slice(0, MOST_TEXT)
  const { merchantId, machineCode } = first
  const made = await sql<{ id: number }>`
    insert into repair_order (merchant_id, machine_id, source, kind, problem, state, due_on, created_by, created_at)
    values (${merchantId}, ${machineId}, 'person', 'maintenance', ${problem}, ${repairOrderState.initial},
      ${dueOn}::date, ${ctx.actor.userId}, ${ctx.now()}) returning id`.execute(ctx.tx)
  const { id } = only(made)
  const pulled = items.map(({ placeId, productId, batch, quantity }) => ({ placeId, productId, batch, quantity }))
  await sql`insert into pull_item (order_id, place_id, product_id, batch, quantity)
    select ${id}, place_id, product_id, batch, quantity from ${rows('i', pulled, {
      placeId: 'bigint',
      productId: 'bigint',
      batch: 'text',
      quantity: 'int',
    })}`.execute(ctx.tx)
  const after = { machineCode, kind: 'maintenance', problem, dueOn, pulls: words }
  await record(ctx, { id, merchantId }, { verb: 'add', note: problem, before: null, after })
}
