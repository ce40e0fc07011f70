import type {
  addBatch,
  editBatch,
  lockBatch,
  rejectBatch,
  releaseBatch,
  scrapBatch,
} from '@aisle/contract/medicine/batch'
import { type BatchState, batchState } from '@aisle/contract/medicine/batchState'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext } from '../../../kernel/context'
import { refuseStale } from '../../../kernel/edit'
import { addJob } from '../../../kernel/jobs'
import { only } from '../../../kernel/must'
import { refusal, refuse } from '../../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../../kernel/scope'
import { FREE_SLOTS, writeOffPieces } from '../../stock/public'
import { lastDayOfBatch } from './batch.dates'
import { batches, type HeldBatch, holdBatch, recordBatch } from './batch.store'

export async function add(
  ctx: CommandContext,
  { productId, number, ...typed }: InputOf<typeof addBatch>,
): Promise<OutputOf<typeof addBatch>> {
  const found = await sql<{ merchantId: number; shelfLifeDays: number | null }>`
    select merchant_id as "merchantId", shelf_life_days as "shelfLifeDays" from product
    where id = ${productId} and kind = 'medicine'
      and ${merchantInSight(sightOf(ctx.actor), sql`merchant_id`)}`.execute(ctx.tx)
  const product = found.rows[0] ?? refuse('medicineBatch.product')
  const { producedOn } = typed
  const expiresOn = lastDayOfBatch(typed, product.shelfLifeDays) ?? refuse('medicineBatch.dates')
  const made = sql<{ id: number }>`insert into medicine_batch
      (product_id, number, produced_on, expires_on, changed_by, changed_at, created_by, created_at)
    values (${productId}, ${number}, ${producedOn}::date, ${expiresOn}::date, ${ctx.actor.userId}, ${ctx.now()},
      ${ctx.actor.userId}, ${ctx.now()}) returning id`.execute(ctx.tx)
  const taken = () => refusal('medicineBatch.numberTaken', { number })
  const { id } = only(await refusedBy('medicine_batch_product_id_number_key', made, taken))
  const after = { productId, number, producedOn, expiresOn }
  await recordBatch(ctx, { id, merchantId: product.merchantId }, { verb: 'add', note: '', before: null, after })
  return { id, expiresOn }
}

type Changed = { id: number; state: BatchState }

export async function edit(ctx: CommandContext, input: InputOf<typeof editBatch>): Promise<Changed> {
  const { id, version, reason, producedOn } = input
  const batch = await holdBatch(ctx, id)
  const expiresOn = lastDayOfBatch(input, null) ?? refuse('medicineBatch.dates')
  const before = { producedOn: batch.producedOn, expiresOn: batch.expiresOn }
  const after = { producedOn, expiresOn }
  refuseStale(ctx, { version }, batch, before, after)
  if (batchState.is(batch.state, 'rejected')) refuse('medicineBatch.state', { number: batch.number })
  await sql`update medicine_batch set produced_on = ${producedOn}::date, expires_on = ${expiresOn}::date,
    changed_by = ${ctx.actor.userId}, changed_at = ${ctx.now()}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await recordBatch(ctx, batch, { verb: 'edit', note: reason, before, after })
  return { id, state: batch.state }
}

type Decided = { id: number; reason: string }

export const lock = async (ctx: CommandContext, input: InputOf<typeof lockBatch>): Promise<Changed> =>
  move(ctx, await holdBatch(ctx, input.id), input, 'lock')
export async function release(ctx: CommandContext, input: InputOf<typeof releaseBatch>): Promise<Changed> {
  const batch = await holdBatch(ctx, input.id)
  const released = await move(ctx, batch, input, 'release')
  await freeWhereItStands(ctx, batch)
  return released
}

/** What is being recalled gets its end by its recall. */
export async function reject(ctx: CommandContext, input: InputOf<typeof rejectBatch>): Promise<Changed> {
  const active =
    await sql`select from recall where batch_id = ${input.id} and state = 'active' and not is_drill`.execute(ctx.tx)
  const batch = await holdBatch(ctx, input.id)
  if (active.rows.length > 0) refuse('medicineBatch.recalled', { number: batch.number })
  return move(ctx, batch, input, 'reject')
}

/** What a recall of another batch had stopped may wait for this one alone by now. */
async function freeWhereItStands(ctx: CommandContext, { productId, number }: HeldBatch): Promise<void> {
  const found = await sql<{ placeId: number }>`select distinct place_id as "placeId" from slot_layer
    where product_id = ${productId} and batch = ${number}`.execute(ctx.tx)
  if (found.rows.length > 0)
    await addJob(ctx.tx, FREE_SLOTS, { placeIds: found.rows.map(({ placeId }) => placeId).join() })
}

async function move(
  ctx: CommandContext,
  batch: HeldBatch,
  { id, reason }: Decided,
  verb: 'lock' | 'release' | 'reject',
): Promise<Changed> {
  const change = { reason, changedBy: ctx.actor.userId, changedAt: ctx.now() }
  const state = await batches.move(ctx.tx, batch, verb, change)
  await recordBatch(ctx, batch, { verb, note: reason, before: { state: batch.state }, after: { state, reason } })
  return { id, state }
}

type Lying = { quantity: number; name: string }
const nothing: Lying = { quantity: 0, name: '' }

/** A write-off as any other, with its limit and its loss; the batch's story keeps it. */
export async function scrap(
  ctx: CommandContext,
  input: InputOf<typeof scrapBatch>,
): Promise<OutputOf<typeof scrapBatch>> {
  const { id, placeId, quantity, reason } = input
  // Whoever has the goods throws them away, whoever's product they are.
  const batch = await holdBatch(ctx, id, true)
  const { productId, number } = batch
  const sight = sightOf(ctx.actor)
  const found = await sql<Lying>`
    select l.quantity, coalesce(m.code || ' ' || s.code, p.name) as name
    from batch_level l join place p on p.id = l.place_id
    left join slot s on s.place_id = p.id left join machine m on m.id = s.machine_id
    where l.place_id = ${placeId} and l.product_id = ${productId} and l.batch = ${number}
      and p.kind <> 'transit' and case when p.kind = 'slot' then ${machineInSight(sight, sql`s.machine_id`)}
        else ${merchantInSight(sight, sql`p.merchant_id`)} end
    for update of l`.execute(ctx.tx)
  const { quantity: there, name } = found.rows[0] ?? nothing
  if (quantity > there) refuse('medicineBatch.quantity', { there })
  const lines = [{ placeId, productId, batch: number, quantity }]
  const { waiting } = await writeOffPieces(ctx, { lines, why: 'other', note: reason, pictures: [] })
  const waits = waiting > 0
  const note = `${name} × ${quantity}: ${reason}`.slice(0, 500)
  await recordBatch(ctx, batch, { verb: 'scrap', note, before: { there }, after: { placeId, quantity, reason, waits } })
  return { id, state: batch.state, waits }
}
