import {
  type addCountLine,
  type cancelCount,
  countState,
  type explainLines,
  type finishCount,
  type lineOutcomes,
  type recountLines,
  type saveCount,
} from '@aisle/contract/counting/count'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { countSecond } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { CommandContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { settingOf } from '../../kernel/settings'
import { findProducts, findSlots, productKey, slotKey } from '../stock/public'
import { countedTime, needsSecond, type SecondLimits } from './count.rules'
import { counts, findLines, type HeldCount, holdCount, judge, type LineRow, record } from './count.store'

type Said = InputOf<typeof saveCount>['lines'][number]
type Outcome = (typeof lineOutcomes)[number]
type Kept = Said & { line: LineRow; at: Date }

/**
 * What somebody found. The same said again changes nothing. Two who count one machine share its slots: what one has
 * counted another does not overwrite, and nobody counts a second time what they counted first.
 */
export async function save(ctx: CommandContext, { id, sentAt, lines }: InputOf<typeof saveCount>) {
  const count = await holdCount(ctx, id, 'finish')
  const isSecond = countState.is(count.state, 'recounting')
  const known = new Map((await findLines(ctx.tx, id)).map((line) => [line.id, line]))
  const bounds = { from: count.openedAt, now: ctx.now() }
  const kept: Kept[] = []
  const outcomes = lines.map((said): { id: number; outcome: Outcome } => {
    const line = known.get(said.id)
    if (!line || (isSecond && !line.needsSecond)) return { id: said.id, outcome: 'notFound' }
    refuseOthers(ctx, line, isSecond)
    if ((isSecond ? line.second : line.counted) === said.counted) return { id: said.id, outcome: 'same' }
    kept.push({ ...said, line, at: countedTime({ countedAt: said.countedAt, sentAt }, bounds) })
    return { id: said.id, outcome: 'kept' }
  })
  await writeCounts(ctx, kept, isSecond)
  await record(ctx, count, {
    verb: isSecond ? 'second' : 'count',
    note: String(kept.length),
    before: Object.fromEntries(kept.map(({ line }) => [keyIn(line), isSecond ? line.second : line.counted])),
    after: Object.fromEntries(kept.map(({ line, counted }) => [keyIn(line), counted])),
  })
  return { outcomes }
}

const keyIn = ({ slotCode, batch }: LineRow) => (batch === null ? slotCode : `${slotCode} ${batch}`)

function refuseOthers(ctx: CommandContext, line: LineRow, isSecond: boolean): void {
  const { userId } = ctx.actor
  if (isSecond && line.countedBy === userId) refuse('count.samePerson', { slot: line.slotCode })
  const who = isSecond ? line.secondBy : line.countedBy
  if (who !== null && who !== userId) refuse('count.otherCounter', { slot: line.slotCode })
}

async function writeCounts(ctx: CommandContext, kept: readonly Kept[], isSecond: boolean): Promise<void> {
  if (kept.length === 0) return
  const given = rows(
    'w',
    kept.map(({ id, counted, at }) => ({
      id,
      counted,
      at: counted === null ? null : at,
      userId: counted === null ? null : ctx.actor.userId,
    })),
    { id: 'bigint', counted: 'int', at: 'timestamptz', userId: 'bigint' },
  )
  const columns = isSecond
    ? sql`second = w.counted, second_at = w.at, second_by = w.user_id`
    : sql`counted = w.counted, counted_at = w.at, counted_by = w.user_id`
  await sql`update stock_count_line l set ${columns} from ${given} where l.id = w.id`.execute(ctx.tx)
}

/** Another batch, or another product, than the books have there. */
export async function addLine(ctx: CommandContext, input: InputOf<typeof addCountLine>) {
  const { id, slotCode, productCode, batch } = input
  const count = await holdCount(ctx, id, 'finish')
  const { machineId, merchantId, machineCode } = count
  const slots = await findSlots(ctx.tx, [{ machineId, code: slotCode }])
  const slot = slots.get(slotKey(machineId, slotCode)) ?? refuse('count.unknownSlot', { slot: slotCode, machineCode })
  const productId = productCode === '' ? slot.product_id : await productOf(ctx, { merchantId, code: productCode })
  if (productId === null) return refuse('count.unknownProduct', { code: productCode || '–' })
  const made = await sql<{ id: number }>`insert into stock_count_line (count_id, slot_code, place_id, product_id, batch)
    values (${id}, ${slotCode}, ${slot.place_id}, ${productId}, ${batch || null})
    on conflict do nothing returning id`.execute(ctx.tx)
  const line = made.rows[0] ?? refuse('count.already')
  const after = { slotCode, productId, batch }
  await record(ctx, count, { verb: 'found', note: [slotCode, batch].join(' ').trim(), before: null, after })
  return line
}

async function productOf(ctx: CommandContext, named: { merchantId: number; code: string }): Promise<number> {
  const product = (await findProducts(ctx.tx, [named])).get(productKey(named))
  return product?.id ?? refuse('count.unknownProduct', { code: named.code })
}

export async function finish(ctx: CommandContext, { id }: InputOf<typeof finishCount>) {
  const count = await holdCount(ctx, id, 'finish')
  const lines = await findLines(ctx.tx, id)
  if (lines.every(({ counted, second }) => counted === null && second === null)) refuse('count.nothing')
  const isFirst = countState.is(count.state, 'blind')
  const again = isFirst ? await differingMuch(ctx, count, lines) : []
  if (!isFirst && lines.some((line) => line.needsSecond && line.second === null)) refuse('count.secondMissing')
  if (again.length > 0) return askAgain(ctx, count, again)
  const state = await counts.move(ctx.tx, count, 'finish', { countedAt: ctx.now() })
  await record(ctx, count, { verb: 'finish', before: { state: count.state }, after: { state } })
  return { id, state }
}

async function differingMuch(ctx: CommandContext, { merchantId }: HeldCount, lines: readonly LineRow[]) {
  const limits: SecondLimits = {
    pieces: await settingOf(ctx.tx, countSecond.pieces, merchantId),
    percent: await settingOf(ctx.tx, countSecond.percent, merchantId),
    fen: await settingOf(ctx.tx, countSecond.fen, merchantId),
  }
  return (await judge(ctx.tx, lines)).filter((line) => needsSecond(line, limits)).map(({ id }) => id)
}

async function askAgain(ctx: CommandContext, count: HeldCount, lineIds: readonly number[]) {
  const asked = await sql`update stock_count_line
    set needs_second = true, second = null, second_at = null, second_by = null
    where count_id = ${count.id} and id = any(${[...lineIds]}::bigint[]) and counted is not null`.execute(ctx.tx)
  if (asked.numAffectedRows === 0n) refuse('count.nothing')
  const state = await counts.move(ctx.tx, count, 'askAgain')
  const lines = Number(asked.numAffectedRows)
  await record(ctx, count, {
    verb: 'askAgain',
    note: String(lines),
    before: { state: count.state },
    after: { state, lines },
  })
  return { id: count.id, state }
}

export async function recount(ctx: CommandContext, { id, lineIds }: InputOf<typeof recountLines>) {
  return askAgain(ctx, await holdCount(ctx, id, 'askAgain'), lineIds)
}

export async function explain(ctx: CommandContext, input: InputOf<typeof explainLines>) {
  const { id, lineIds, reason, note, pictures } = input
  const count = await holdCount(ctx, id, 'post')
  await sql`update stock_count_line set reason = ${reason}, note = ${note}, pictures = ${pictures}::text[]
    where count_id = ${id} and id = any(${[...lineIds]}::bigint[])`.execute(ctx.tx)
  const after = { lineIds, reason, note, pictures: pictures.length }
  await record(ctx, count, { verb: 'explain', note, before: null, after })
  return { id, state: count.state }
}

export async function cancel(ctx: CommandContext, { id, reason }: InputOf<typeof cancelCount>) {
  const count = await holdCount(ctx, id, 'cancel')
  const state = await counts.move(ctx.tx, count, 'cancel', { reason })
  await record(ctx, count, { verb: 'cancel', note: reason, before: { state: count.state }, after: { state, reason } })
  return { id, state }
}
