import {
  type approveWriteOff,
  type refuseWriteOff,
  type writeOffBatches,
  writeOffState,
  type writeOffOutcomes,
  type WriteOff,
} from '@aisle/contract/stock/writeOff'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { writeOffSecondPerson } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { must, only } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { type Sight, machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { settingOf } from '../../kernel/settings'
import { stateful } from '../../kernel/states'
import { FREE_SLOTS, outsidePlaces, recordMoves } from './stock.store'

/** @throws Refusal writeOff.state */
const writeOffs = stateful('writeOff', 'state', writeOffState, {
  versioned: false,
  refuse: () => refuse('writeOff.state'),
})

type Lying = {
  id: number
  merchantId: number
  placeId: number
  productId: number
  batch: string
  quantity: number
  costFen: number
  isOnWay: boolean
}
type Outcome = (typeof writeOffOutcomes)[number]

/** What lies at a place `o` of slot `s`: in sight by its machine, or by whose warehouse or bag it is. */
export const placeInSight = (sight: Sight) => sql<boolean>`case when s.machine_id is null
  then ${merchantInSight(sight, sql`o.merchant_id`)} else ${machineInSight(sight, sql`s.machine_id`)} end`

/** All that the books have of each batch where it lies; dear ones wait, of a whole choice together. */
export async function writeOff(ctx: CommandContext, { ids, why, note }: InputOf<typeof writeOffBatches>) {
  const found = await sql<Lying>`
    select l.id, coalesce(k.merchant_id, o.merchant_id) as "merchantId", l.place_id as "placeId",
      l.product_id as "productId", l.batch, l.quantity, (l.quantity * coalesce(p.cost_fen, 0))::bigint as "costFen",
      o.kind = 'transit' as "isOnWay"
    from batch_level l join product p on p.id = l.product_id join place o on o.id = l.place_id
    left join slot s on s.place_id = l.place_id left join machine k on k.id = s.machine_id
    where l.id = any(${[...ids]}::bigint[]) and ${placeInSight(sightOf(ctx.actor))}
    order by l.place_id, l.product_id, l.batch for update of l`.execute(ctx.tx)
  if (found.rows.length === 0) refuse('request.notFound')
  // What is on its way is a transfer's, which would come out wrong when it is taken in.
  const able = found.rows.filter(({ quantity, isOnWay }) => quantity > 0 && !isOnWay)
  const isDear = await needsSecond(ctx, able)
  const outcomes = new Map<number, Outcome>(found.rows.map(({ id, isOnWay }) => [id, isOnWay ? 'onWay' : 'gone']))
  for (const row of able) outcomes.set(row.id, await ask(ctx, row, { why, note, waits: isDear(row) }))
  if (able.length === 0) {
    const { merchantId } = ctx.actor
    await ctx.audit({
      merchantId,
      objectKind: 'writeOff',
      objectId: 'none',
      before: null,
      after: { asked: ids.length },
    })
  }
  return { outcomes: ids.map((id) => ({ id, outcome: outcomes.get(id) ?? ('notFound' as const) })) }
}

/** What one person asks for at once counts together, so that a dear heap is not written off piece by piece. */
async function needsSecond(ctx: CommandContext, rows: readonly Lying[]): Promise<(row: Lying) => boolean> {
  const totals = new Map<number, number>()
  for (const { merchantId, costFen } of rows) totals.set(merchantId, (totals.get(merchantId) ?? 0) + costFen)
  const dear = new Set<number>()
  for (const [merchantId, costFen] of totals) {
    const limitFen = await settingOf(ctx.tx, writeOffSecondPerson, merchantId)
    const today = await sql<{ fen: number }>`select coalesce(sum(cost_fen), 0)::bigint as fen from write_off
      where merchant_id = ${merchantId} and asked_by = ${ctx.actor.userId} and state = 'done' and decided_by = asked_by
        and asked_at > ${ctx.now()}::timestamptz - interval '1 day'`.execute(ctx.tx)
    if (costFen + only(today).fen > limitFen) dear.add(merchantId)
  }
  return ({ merchantId }) => dear.has(merchantId)
}

type Said = { why: WriteOff['why']; note: string; waits: boolean }

async function ask(ctx: CommandContext, row: Lying, { why, note, waits }: Said): Promise<Outcome> {
  const { merchantId, placeId, productId, batch, quantity, costFen } = row
  const { userId, displayName } = ctx.actor
  const made = await sql<{ id: number }>`
    insert into write_off (merchant_id, place_id, product_id, batch, quantity, cost_fen, why, note, asked_by, asker,
      asked_at)
    values (${merchantId}, ${placeId}, ${productId}, ${batch}, ${quantity}, ${costFen}, ${why}, ${note}, ${userId},
      ${displayName}, ${ctx.now()}) on conflict do nothing returning id`.execute(ctx.tx)
  const id = made.rows[0]?.id
  const after = { batch, quantity, costFen, why, note, waits }
  const objectId = id ?? 'waiting'
  await ctx.audit({ merchantId, objectKind: 'writeOff', objectId, before: null, after: id ? after : null })
  if (id === undefined) return 'waitsAlready'
  if (waits) return 'waiting'
  await scrap(ctx, { ...row, id, state: writeOffState.initial })
  return 'done'
}

type Held = Omit<Lying, 'id' | 'costFen' | 'isOnWay'> & { id: number; state: WriteOff['state'] }

async function scrap(ctx: CommandContext, held: Held): Promise<WriteOff['state']> {
  const { merchantId, placeId, productId, batch, quantity, id } = held
  const scraps = await outsidePlaces(ctx.tx, 'scrap', [merchantId])
  await recordMoves(ctx.tx, [
    {
      merchantId,
      movedAt: ctx.now(),
      productId,
      quantity,
      fromPlaceId: placeId,
      toPlaceId: must(scraps.get(merchantId), 'place of scrap'),
      cause: 'scrap',
      reference: `writeOff/${id}`,
      batch,
      userId: ctx.actor.userId,
    },
  ])
  await addJob(ctx.tx, FREE_SLOTS, { placeIds: placeId })
  return decide(ctx, held, 'approve')
}

const decide = (ctx: CommandContext, held: Held, verb: 'approve' | 'refuse') =>
  writeOffs.move(ctx.tx, held, verb, {
    decidedBy: ctx.actor.userId,
    decider: ctx.actor.displayName,
    decidedAt: ctx.now(),
  })

export async function approve(ctx: CommandContext, { id }: InputOf<typeof approveWriteOff>) {
  const held = await hold(ctx, id)
  writeOffs.must(held, 'approve')
  if (held.askedBy === ctx.actor.userId) refuse('writeOff.ownRequest')
  const there = await sql<{ quantity: number }>`select quantity from batch_level
    where place_id = ${held.placeId} and product_id = ${held.productId} and batch = ${held.batch}
    for update`.execute(ctx.tx)
  const left = there.rows[0]?.quantity ?? 0
  if (left < held.quantity) refuse('writeOff.less', { left, wanted: held.quantity })
  const state = await scrap(ctx, held)
  await noted(ctx, held, state)
  return { id, state }
}

export async function turnDown(ctx: CommandContext, { id }: InputOf<typeof refuseWriteOff>) {
  const held = await hold(ctx, id)
  const state = await decide(ctx, held, 'refuse')
  await noted(ctx, held, state)
  return { id, state }
}

async function hold(ctx: CommandContext, id: number): Promise<Held & { askedBy: number | null }> {
  const found = await sql<Held & { askedBy: number | null }>`
    select w.id, w.merchant_id as "merchantId", w.place_id as "placeId", w.product_id as "productId", w.batch,
      w.quantity, w.state, w.asked_by as "askedBy"
    from write_off w join place o on o.id = w.place_id left join slot s on s.place_id = w.place_id
    where w.id = ${id} and ${placeInSight(sightOf(ctx.actor))} for update of w`.execute(ctx.tx)
  return existing(found.rows[0])
}

const noted = (ctx: CommandContext, { id, merchantId, state: before }: Held, state: WriteOff['state']) =>
  ctx.audit({ merchantId, objectKind: 'writeOff', objectId: id, before: { state: before }, after: { state } })
