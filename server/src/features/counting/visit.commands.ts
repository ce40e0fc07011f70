import { countState } from '@aisle/contract/counting/count'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { Refusal } from '../../kernel/refuse'
import { addLine, finish, save } from './count.commands'
import { openSlots } from './open.commands'

/** What a phone tells of one slot, and when it was counted by the server's clock. */
export type VisitCount = {
  slotId: number
  slotCode: string
  placeId: number
  productId: number
  productCode: string
  batch: string | null
  counted: number
  at: Date
}
type Visit = { machineId: number; openedAt: Date; countId: number | null }

/**
 * Counts of one visit, made while nobody heard of them: each goes to the line that asks for it, and else to a count
 * that began when the visit did, however late it is told. Of two of one line the later stands.
 * @returns of each what hinders it, or null; and the count that they are in
 */
export async function takeVisitCounts<C extends VisitCount>(
  ctx: CommandContext,
  visit: Visit,
  counts: readonly C[],
): Promise<{ problems: Map<C, string | null>; countId: number | null }> {
  const known = await openLines(ctx, visit.machineId)
  const missing = counts.filter((each) => !known.has(keyOf(each)))
  const countId = missing.length === 0 ? visit.countId : await countOf(ctx, visit, missing)
  const opened = missing.length === 0 ? known : await openLines(ctx, visit.machineId)
  const unasked = missing.filter((each) => !opened.has(keyOf(each)))
  const problems = new Map<C, string | null>()
  for (const each of unasked) problems.set(each, await addUnasked(ctx, countId, each))
  const lines = unasked.length === 0 ? opened : await openLines(ctx, visit.machineId)
  const kept = new Map<number, { countId: number; said: C }>()
  for (const said of counts) {
    const line = lines.get(keyOf(said))
    if (problems.get(said) || !line) continue
    const isOthers = line.by !== null && line.by !== ctx.actor.userId
    problems.set(said, isOthers ? 'count.otherCounter' : null)
    // The phone may tell of one slot again, with another figure.
    const last = kept.get(line.id)?.said.at ?? line.at
    if (!isOthers && (last === null || last <= said.at)) kept.set(line.id, { countId: line.countId, said })
  }
  await saveAll(ctx, kept)
  return { problems, countId }
}

/** A visit's count is over when the visit is; where nothing was counted it is left to whoever began it. */
export async function finishVisitCount(ctx: CommandContext, id: number): Promise<void> {
  const found = await sql<{ isReady: boolean }>`select c.state = ${countState.initial} and exists (
      select from stock_count_line l where l.count_id = c.id and l.counted is not null) as "isReady"
    from stock_count c where c.id = ${id}`.execute(ctx.tx)
  if (found.rows[0]?.isReady) await finish(ctx, { id })
}

type Line = { id: number; countId: number; at: Date | null; by: number | null }
type Key = { placeId: number; productId: number; batch: string | null }
const keyOf = ({ placeId, productId, batch }: Key) => `${placeId}/${productId}/${batch ?? ''}`

/** Lines of the machine into which a first count may still be written. */
async function openLines(ctx: CommandContext, machineId: number): Promise<Map<string, Line>> {
  const found = await sql<Line & Key>`select l.id, l.count_id as "countId", l.place_id as "placeId",
      l.product_id as "productId", l.batch, l.counted_at as at, l.counted_by as by
    from stock_count c join stock_count_line l on l.count_id = c.id and l.is_open
    where c.machine_id = ${machineId} and c.state = ${countState.initial}`.execute(ctx.tx)
  return new Map(found.rows.map((line) => [keyOf(line), line]))
}

/** The visit's own, while it is counted; else a new one of the slots that no other count has. */
async function countOf(ctx: CommandContext, visit: Visit, missing: readonly VisitCount[]): Promise<number | null> {
  const own = await sql`select from stock_count where id = ${visit.countId} and state = ${countState.initial}`.execute(
    ctx.tx,
  )
  if (own.rows.length > 0) return visit.countId
  const ids = [...new Set(missing.map(({ slotId }) => slotId))]
  const { outcomes } = await openSlots({ ...ctx, now: () => visit.openedAt }, { ids })
  if (outcomes.every(({ outcome }) => outcome !== 'done')) return visit.countId
  const made = await sql<{ id: number }>`select max(id) as id from stock_count
    where machine_id = ${visit.machineId} and state = ${countState.initial}`.execute(ctx.tx)
  return made.rows[0]?.id ?? null
}

/** @returns why it can't be in the sheet, or null */
async function addUnasked(ctx: CommandContext, countId: number | null, said: VisitCount): Promise<string | null> {
  if (countId === null) return 'count.already'
  const { slotCode, productCode, batch } = said
  try {
    await addLine(ctx, { id: countId, slotCode, productCode, batch: batch ?? '' })
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

async function saveAll(ctx: CommandContext, kept: ReadonlyMap<number, { countId: number; said: VisitCount }>) {
  const sentAt = ctx.now().toISOString()
  const ids = new Set([...kept.values()].map(({ countId }) => countId))
  for (const id of ids) {
    const own = [...kept].filter(([, { countId }]) => countId === id)
    const lines = own.map(([line, { said }]) => ({
      id: line,
      counted: said.counted,
      countedAt: said.at.toISOString(),
    }))
    await save(ctx, { id, sentAt, lines })
  }
}
