import {
  type approveWriteOff,
  type refuseWriteOff,
  type reverseWriteOff,
  type writeOffBatches,
  type writeOffGoods,
  type writeOffOutcomes,
  writeOffState,
  type writeOffWholeBatch,
  type WriteOff,
} from '@aisle/contract/stock/writeOff'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { writeOffSecondPerson } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import type { CommandContext } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { must, only } from '../../kernel/must'
import { dayAt } from '../../kernel/platformDays'
import { refuse } from '../../kernel/refuse'
import { settingOf } from '../../kernel/settings'
import { lossPostings, postTransfers } from '../ledger/public'
import { FREE_SLOTS, type Move, outsidePlaces, recordMoves } from './stock.store'
import { costOfPart, faultOfAsked, totalsOf } from './writeOff.rules'
import { type Held, holdLying, holdWriteOff, type Lying, type Spot, spotOf, spotsOf, writeOffs } from './writeOff.store'

const audit = auditAs('writeOff')

type Outcome = (typeof writeOffOutcomes)[number]
type Said = Pick<InputOf<typeof writeOffBatches>, 'why' | 'note' | 'pictures'>

/** All that the books have of each batch where it lies; dear ones wait, of a whole choice together. */
export async function writeOff(ctx: CommandContext, { ids, ...said }: InputOf<typeof writeOffBatches>) {
  refuseFaulty(said)
  const spots = await spotsOf(ctx.tx, sql`b.id = any(${[...ids]}::bigint[])`)
  const found = await holdLying(ctx, spots)
  if (found.length === 0) refuse('request.notFound')
  const asked = await askAll(ctx, found, said)
  if (asked.size === 0) {
    const { merchantId } = ctx.actor
    await audit(ctx, { id: 'none', merchantId }, null, { asked: ids.length })
  }
  const there = new Map(found.map((row) => [spotOf(row), row]))
  const outcomeOf = (spot: Spot): Outcome => {
    const row = there.get(spotOf(spot))
    if (!row) return 'notFound'
    // What is on its way is a transfer's, which would come out wrong when it is taken in.
    return asked.get(spotOf(spot)) ?? (row.isOnWay ? 'onWay' : 'gone')
  }
  const known = new Map(spots.map((spot) => [spot.id, outcomeOf(spot)]))
  return { outcomes: ids.map((id) => ({ id, outcome: known.get(id) ?? ('notFound' as const) })) }
}

/** So many pieces where they lie; all lines or none. */
export async function writeOffPieces(ctx: CommandContext, { lines, ...said }: InputOf<typeof writeOffGoods>) {
  refuseFaulty(said, lines)
  const there = new Map((await holdLying(ctx, lines)).map((row) => [spotOf(row), row]))
  const wanted = lines.map((line) => {
    const row = there.get(spotOf(line))
    if (!row || row.isOnWay) refuse('request.notFound')
    const { quantity: left } = row
    if (left < line.quantity) refuse('writeOff.less', { left, wanted: line.quantity })
    return { ...row, quantity: line.quantity, costFen: costOfPart(row, line.quantity) }
  })
  return counted(await askAll(ctx, wanted, said))
}

/** Wherever it lies, but for what is on its way: as after a recall. */
export async function writeOffAll(
  ctx: CommandContext,
  { productId, batch, ...said }: InputOf<typeof writeOffWholeBatch>,
) {
  refuseFaulty(said)
  const spots = await spotsOf(ctx.tx, sql`b.product_id = ${productId} and b.batch = ${batch} and b.quantity > 0`)
  const found = (await holdLying(ctx, spots)).filter(isThere)
  if (found.length === 0) refuse('request.notFound')
  return counted(await askAll(ctx, found, said))
}

function refuseFaulty(said: Said, lines?: InputOf<typeof writeOffGoods>['lines']): void {
  const fault = faultOfAsked(said, lines)
  if (fault) refuse(fault)
}

/** @throws Refusal writeOff.waits where some of it waits for another person */
function counted(outcomes: ReadonlyMap<string, Outcome>): { done: number; waiting: number } {
  const count = (of: Outcome) => [...outcomes.values()].filter((each) => each === of).length
  if (count('waitsAlready') > 0) refuse('writeOff.waits', { count: count('waitsAlready') })
  return { done: count('done'), waiting: count('waiting') }
}

const isThere = ({ quantity, isOnWay }: Lying) => quantity > 0 && !isOnWay

/** @returns what came of each that is there */
async function askAll(ctx: CommandContext, found: readonly Lying[], said: Said): Promise<Map<string, Outcome>> {
  const able = found.filter(isThere)
  const isDear = await needsSecond(ctx, able)
  const outcomes = new Map<string, Outcome>()
  for (const row of able) outcomes.set(spotOf(row), await ask(ctx, row, { ...said, waits: isDear(row) }))
  return outcomes
}

async function needsSecond(ctx: CommandContext, asked: readonly Lying[]): Promise<(row: Lying) => boolean> {
  const dear = new Set<number>()
  for (const [merchantId, costFen] of totalsOf(asked)) {
    const limitFen = await settingOf(ctx.tx, writeOffSecondPerson, merchantId)
    const today = await sql<{ fen: number }>`select coalesce(sum(cost_fen), 0)::bigint as fen from write_off
      where merchant_id = ${merchantId} and asked_by = ${ctx.actor.userId} and state = 'done' and decided_by = asked_by
        and asked_at > ${ctx.now()}::timestamptz - interval '1 day'`.execute(ctx.tx)
    if (costFen + only(today).fen > limitFen) dear.add(merchantId)
  }
  return ({ merchantId }) => dear.has(merchantId)
}

async function ask(ctx: CommandContext, row: Lying, said: Said & { waits: boolean }): Promise<Outcome> {
  const { merchantId, placeId, productId, batch, quantity, costFen } = row
  const { why, note, pictures, waits } = said
  const { userId, displayName } = ctx.actor
  const made = await sql<{ id: number }>`
    insert into write_off (merchant_id, place_id, product_id, batch, quantity, cost_fen, why, note, pictures, asked_by,
      asker, asked_at)
    values (${merchantId}, ${placeId}, ${productId}, ${batch}, ${quantity}, ${costFen}, ${why}, ${note},
      ${[...pictures]}::text[], ${userId}, ${displayName}, ${ctx.now()})
    on conflict do nothing returning id`.execute(ctx.tx)
  const id = made.rows[0]?.id
  const after = { batch, quantity, costFen, why, note, pictures: pictures.length, waits }
  await audit(ctx, { id: id ?? 'waiting', merchantId }, null, id ? after : null)
  if (id === undefined) return 'waitsAlready'
  if (waits) return 'waiting'
  await scrap(ctx, { ...row, id, state: writeOffState.initial, askedBy: userId, isToday: true })
  return 'done'
}

async function scrap(ctx: CommandContext, held: Held): Promise<WriteOff['state']> {
  await moveScrap(ctx, held, 'scrap')
  await addJob(ctx.tx, FREE_SLOTS, { placeIds: held.placeId })
  await post(ctx, held, 'loss')
  return decide(ctx, held, 'approve')
}

/** Out of where it lies, or back to there at what it had left at. */
async function moveScrap(ctx: CommandContext, held: Held, cause: 'scrap' | 'return'): Promise<void> {
  const { merchantId, placeId, productId, batch, quantity, id } = held
  const scraps = await outsidePlaces(ctx.tx, 'scrap', [merchantId])
  const scrapId = must(scraps.get(merchantId), 'place of scrap')
  const reference = `writeOff/${id}`
  const [fromPlaceId, toPlaceId] = cause === 'scrap' ? [placeId, scrapId] : [scrapId, placeId]
  const about = { merchantId, movedAt: ctx.now(), productId, quantity, fromPlaceId, toPlaceId, cause, reference }
  const move: Move = { ...about, batch: batch || null, userId: ctx.actor.userId }
  await recordMoves(ctx.tx, [{ ...move, costFen: cause === 'return' ? await leftAt(ctx, held, reference) : null }])
}

/** What a store's pieces left at; null where nobody keeps their value. */
async function leftAt(ctx: CommandContext, { placeId, productId }: Held, reference: string): Promise<number | null> {
  const found = await sql<{ fen: number }>`select -cost_fen as fen from stock_cost where product_id = ${productId}
    and place_id = ${placeId} and reference = ${reference} and quantity < 0`.execute(ctx.tx)
  return found.rows[0]?.fen ?? null
}

/** What came in is lost, or after all is not. */
async function post(ctx: CommandContext, { id, merchantId, costFen }: Held, kind: 'loss' | 'reversal'): Promise<void> {
  if (costFen === 0) return
  const today = await sql<{ day: string }>`select to_char(${dayAt(ctx.now(), sql`m.time_zone`)}, 'YYYY-MM-DD') as day
    from merchant m where m.id = ${merchantId}`.execute(ctx.tx)
  const amountFen = kind === 'loss' ? costFen : -costFen
  const postings = lossPostings({ merchantId, amountFen, key: 'written_off_stock' })
  const about = { kind, reference: `write_off/${id}`, merchantId, businessDay: only(today).day }
  await postTransfers(ctx.tx, [{ ...about, postedAt: ctx.now(), postings }])
}

const decide = (ctx: CommandContext, held: Held, verb: 'approve' | 'refuse', endReason = '') =>
  writeOffs.move(ctx.tx, held, verb, {
    decidedBy: ctx.actor.userId,
    decider: ctx.actor.displayName,
    decidedAt: ctx.now(),
    endReason,
  })

export async function approve(ctx: CommandContext, { id }: InputOf<typeof approveWriteOff>) {
  const held = await holdWriteOff(ctx, id, 'approve')
  if (held.askedBy === ctx.actor.userId) refuse('writeOff.ownRequest')
  const [there] = await holdLying(ctx, [held])
  const left = there?.quantity ?? 0
  if (left < held.quantity) refuse('writeOff.less', { left, wanted: held.quantity })
  const state = await scrap(ctx, held)
  await audit(ctx, held, { state: held.state }, { state })
  return { id, state }
}

export async function turnDown(ctx: CommandContext, { id, reason }: InputOf<typeof refuseWriteOff>) {
  const held = await holdWriteOff(ctx, id, 'refuse')
  const state = await decide(ctx, held, 'refuse', reason)
  await audit(ctx, held, { state: held.state }, { state, reason })
  return { id, state }
}

/** By another person than who wrote it off, and on the same day: later it is what it was. */
export async function reverse(ctx: CommandContext, { id, reason }: InputOf<typeof reverseWriteOff>) {
  const held = await holdWriteOff(ctx, id, 'reverse')
  if (held.askedBy === ctx.actor.userId) refuse('writeOff.ownRequest')
  if (!held.isToday) refuse('writeOff.day')
  await moveScrap(ctx, held, 'return')
  await post(ctx, held, 'reversal')
  const by = { reversedBy: ctx.actor.userId, reversedAt: ctx.now(), endReason: reason }
  const state = await writeOffs.move(ctx.tx, held, 'reverse', by)
  await audit(ctx, held, { state: held.state }, { state, reason })
  return { id, state }
}
