import {
  type addMarkdown,
  isMarkdownLawful,
  type markDownBatches,
  markdownState,
  type markdownOutcomes,
  type stopMarkdown,
} from '@aisle/contract/promotion/markdown'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { MedicineClass } from '@aisle/contract/catalog/product'
import { sql } from 'kysely'
import { addDays } from '../../kernel/businessDay'
import type { CommandContext } from '../../kernel/context'
import { only } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { markdowns, settleMarkdowns } from './markdown.settle'

type Owner = { merchantId: number; timeZone: string }
type Product = { id: number; code: string; medicineClass: MedicineClass | null }
type New = Owner & {
  product: Product
  batchId: number | null
  paidPercent: number
  machineIds: readonly number[] | null
  startsOn: string | null
  endsOn: string | null
  reason: string
}

export async function add(ctx: CommandContext, input: InputOf<typeof addMarkdown>) {
  const { productId, batch, machineCodes, ...rest } = input
  const product = await productOf(ctx, productId)
  if (!isMarkdownLawful(product.medicineClass)) refuse('markdown.notLawful')
  const owner = await ownerOf(ctx, product.merchantId)
  const batchId = batch ? await batchOf(ctx, productId, batch) : null
  const machineIds = await machinesOf(ctx, productId, machineCodes)
  const id = await insert(ctx, { ...owner, ...rest, product, batchId, machineIds })
  await settleMarkdowns(ctx.tx, ctx.now())
  const made = await sql<{ state: (typeof markdownState.states)[number] }>`select state from markdown
    where id = ${id}`.execute(ctx.tx)
  return { id, state: only(made).state }
}

/** Products of the own line: own, of merchants above, or of those in sight. */
async function productOf(ctx: CommandContext, id: number): Promise<Product & { merchantId: number }> {
  const found = await sql<Product & { merchantId: number }>`
    select p.id, p.code, p.medicine_class as "medicineClass", p.merchant_id as "merchantId"
    from product p join merchant own on own.id = ${ctx.actor.merchantId}
    where p.id = ${id} and (p.merchant_id = any(own.path)
      or ${merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)})`.execute(ctx.tx)
  return existing(found.rows[0])
}

/** The own merchant's; the platform marks down for whoever's the product is. */
async function ownerOf(ctx: CommandContext, productOwner: number): Promise<Owner> {
  const id = sightOf(ctx.actor).kind === 'all' ? productOwner : ctx.actor.merchantId
  const found = await sql<Owner>`select m.id as "merchantId", m.time_zone as "timeZone" from merchant m
    where m.id = ${id}`.execute(ctx.tx)
  return only(found)
}

async function batchOf(ctx: CommandContext, productId: number, number: string): Promise<number> {
  const found = await sql<{ id: number }>`select id from medicine_batch
    where product_id = ${productId} and number = ${number}`.execute(ctx.tx)
  return found.rows[0]?.id ?? refuse('markdown.batch', { batch: number })
}

/** Null is everywhere, which only those say who see all of the merchant. */
async function machinesOf(ctx: CommandContext, productId: number, codes: readonly string[]): Promise<number[] | null> {
  const sight = sightOf(ctx.actor)
  if (codes.length === 0 && sight.kind !== 'granted') return null
  const named = codes.length > 0 ? sql`a.code = any(${[...codes]}::text[])` : sql`true`
  const found = await sql<{ id: number }>`select a.id from machine a where ${named} and a.retired_at is null
    and exists (select from slot s where s.machine_id = a.id and s.product_id = ${productId})
    and ${machineInSight(sight, sql`a.id`)} limit 5000`.execute(ctx.tx)
  if (found.rows.length === 0) refuse('markdown.noMachine')
  return found.rows.map(({ id }) => id)
}

/** Days are the merchant's own; the last one is sold through. */
async function insert(ctx: CommandContext, markdown: New): Promise<number> {
  const { merchantId, timeZone, product, batchId, paidPercent, machineIds, startsOn, endsOn, reason } = markdown
  const now = ctx.now()
  const midnight = (day: string) => sql`${day}::date::timestamp at time zone ${timeZone}`
  const startsAt = startsOn ? sql`greatest(${now}::timestamptz, ${midnight(startsOn)})` : sql`${now}::timestamptz`
  const endsAt = endsOn ? midnight(addDays(endsOn, 1)) : sql`null::timestamptz`
  const made = await sql<{ id: number }>`
    insert into markdown (merchant_id, product_id, batch_id, paid_percent, is_everywhere, starts_at, ends_at, reason,
      created_by, created_at)
    select ${merchantId}, ${product.id}, ${batchId}::bigint, ${paidPercent}, ${machineIds === null}, t.starts_at,
      t.ends_at, ${reason}, ${ctx.actor.userId}, ${now}
    from (select ${startsAt} as starts_at, ${endsAt} as ends_at) t
    where t.ends_at is null or t.ends_at > t.starts_at returning id`.execute(ctx.tx)
  const id = made.rows[0]?.id ?? refuse('markdown.dates')
  await sql`insert into markdown_machine (markdown_id, machine_id)
    select ${id}, unnest(${[...(machineIds ?? [])]}::bigint[]) on conflict do nothing`.execute(ctx.tx)
  const after = { product: product.code, batchId, paidPercent, startsOn, endsOn, reason, machineIds }
  await ctx.audit({ merchantId, objectKind: 'markdown', objectId: id, before: null, after })
  return id
}

export async function stop(ctx: CommandContext, { id }: InputOf<typeof stopMarkdown>) {
  const found = await sql<{ id: number; merchantId: number; state: (typeof markdownState.states)[number] }>`
    select k.id, k.merchant_id as "merchantId", k.state from markdown k
    where k.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`k.merchant_id`)} for update`.execute(ctx.tx)
  const markdown = existing(found.rows[0])
  const state = await markdowns.move(ctx.tx, markdown, 'stop', { endedAt: ctx.now() })
  const { merchantId, state: before } = markdown
  await ctx.audit({ merchantId, objectKind: 'markdown', objectId: id, before: { state: before }, after: { state } })
  await settleMarkdowns(ctx.tx, ctx.now())
  return { id, state }
}

type Lying = Product & {
  levelId: number
  batchId: number
  machineId: number | null
  quantity: number
  place: 'slot' | 'other'
}
type Outcome = (typeof markdownOutcomes)[number]

/** One markdown a batch, at the machines where its rows lie. */
export async function markDown(ctx: CommandContext, input: InputOf<typeof markDownBatches>) {
  const { ids, paidPercent, endsOn, reason } = input
  const lying = await findLying(ctx, ids)
  if (lying.size === 0) refuse('request.notFound')
  const outcomes = new Map(ids.map((id): [number, Outcome] => [id, outcomeOf(lying.get(id))]))
  const batches = new Map<number, Lying[]>()
  for (const row of lying.values()) {
    if (outcomes.get(row.levelId) === 'done') batches.set(row.batchId, [...(batches.get(row.batchId) ?? []), row])
  }
  const owner = await ownerOf(ctx, ctx.actor.merchantId)
  for (const [batchId, rows] of batches) {
    const [product] = rows
    if (!product) continue
    const machineIds = [...new Set(rows.flatMap(({ machineId }) => machineId ?? []))]
    await insert(ctx, { ...owner, product, batchId, paidPercent, machineIds, startsOn: null, endsOn, reason })
  }
  await settleMarkdowns(ctx.tx, ctx.now())
  if (batches.size === 0) await noted(ctx, owner, [...outcomes.values()])
  return { outcomes: [...outcomes].map(([id, outcome]) => ({ id, outcome })) }
}

/** Nothing could be done, which is an answer too: who asked stays in the log. */
const noted = (ctx: CommandContext, { merchantId }: Owner, outcomes: readonly Outcome[]) =>
  ctx.audit({ merchantId, objectKind: 'markdown', objectId: 'none', before: null, after: { outcomes } })

function outcomeOf(row: Lying | undefined): Outcome {
  if (!row) return 'notFound'
  if (!isMarkdownLawful(row.medicineClass)) return 'notLawful'
  if (row.place !== 'slot') return 'place'
  return row.quantity > 0 ? 'done' : 'gone'
}

async function findLying(ctx: CommandContext, ids: readonly number[]): Promise<Map<number, Lying>> {
  const found = await sql<Lying>`
    select l.id as "levelId", p.id, p.code, p.medicine_class as "medicineClass", b.id as "batchId",
      s.machine_id as "machineId", l.quantity, case when s.machine_id is null then 'other' else 'slot' end as place
    from batch_level l join product p on p.id = l.product_id
    join medicine_batch b on b.product_id = l.product_id and b.number = l.batch
    join place o on o.id = l.place_id left join slot s on s.place_id = l.place_id
    where l.id = any(${[...ids]}::bigint[]) and case when s.machine_id is null
      then ${merchantInSight(sightOf(ctx.actor), sql`o.merchant_id`)}
      else ${machineInSight(sightOf(ctx.actor), sql`s.machine_id`)} end`.execute(ctx.tx)
  return new Map(found.rows.map((row) => [row.levelId, row]))
}
