import type { postCount } from '@aisle/contract/counting/count'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { writeOffSecondPerson } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { announce } from '../../kernel/announce'
import type { CommandContext } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'
import { must } from '../../kernel/must'
import { refuse } from '../../kernel/refuse'
import { settingOf } from '../../kernel/settings'
import { type Counted, holdCounted, type Move, noteCounted, outsidePlaces, recordMoves } from '../stock/public'
import { deltasOf } from './count.rules'
import {
  counts,
  findLines,
  type HeldCount,
  holdCount,
  type Judged,
  judge,
  keyOf,
  type LineRow,
  record,
} from './count.store'
import { clearDoubts } from './doubt.store'

/** The work is planogram's, which is built on this: it tells a machine what was counted in it. */
export const PUSH_COUNTS = 'planogram.pushCounts'

type Settled = Counted & { lines: LineRow[]; judged: Judged[] }

/**
 * The books follow by the difference at the moment of counting, so that what was sold and filled since is right:
 * nothing is set. Levels are held first, so that whoever moves goods meanwhile is either in the replay or finds the
 * count.
 */
export async function post(ctx: CommandContext, { id, costFen: shownFen }: InputOf<typeof postCount>) {
  const count = await holdCount(ctx, id, 'post')
  const lines = await findLines(ctx.tx, id)
  const newer = await holdCounted(ctx.tx, lines)
  const judged = (await judge(ctx.tx, lines)).filter(({ at, ...line }) => at > (newer.get(keyOf(line)) ?? new Date(0)))
  const costFen = judged.reduce((sum, line) => sum + line.costFen, 0)
  if (costFen !== shownFen) refuse('count.changed')
  await refuseUnsettled(ctx, count, judged)
  const settled = await settledOf(ctx, count, lines, judged)
  await recordMoves(
    ctx.tx,
    settled.flatMap((place) => movesOf(place, ctx.actor.userId)),
  )
  await noteCounted(ctx.tx, settled)
  await clearDoubts(ctx.tx, settled)
  await keepPosted(ctx, judged)
  const { userId } = ctx.actor
  const state = await counts.move(ctx.tx, count, 'post', { postedBy: userId, postedAt: ctx.now() })
  const differing = judged.filter(({ difference }) => difference !== 0)
  const after = {
    state,
    costFen,
    lines: Object.fromEntries(differing.map(({ slotCode, book, found }) => [slotCode, { book, found }])),
  }
  await record(ctx, count, { verb: 'post', note: String(differing.length), before: { state: count.state }, after })
  await addJob(ctx.tx, PUSH_COUNTS, { countId: id })
  await announce(ctx.tx, { topic: 'machines', machineIds: [count.machineId] })
  return { id, state }
}

async function refuseUnsettled(ctx: CommandContext, { merchantId }: HeldCount, judged: readonly Judged[]) {
  const silent = judged.filter(({ difference, reason }) => difference !== 0 && reason === null)
  if (silent.length > 0) refuse('count.reason', { slots: silent.map(({ slotCode }) => slotCode).join(' ') })
  const costFen = judged.reduce((sum, line) => sum + Math.abs(line.costFen), 0)
  if (costFen <= (await settingOf(ctx.tx, writeOffSecondPerson, merchantId))) return
  const { userId } = ctx.actor
  const isOwn = judged.some((line) => (line.second === null ? line.countedBy : line.secondBy) === userId)
  if (isOwn) refuse('count.ownCount')
}

async function settledOf(
  ctx: CommandContext,
  { id, merchantId }: HeldCount,
  lines: readonly LineRow[],
  judged: readonly Judged[],
): Promise<Settled[]> {
  const scraps = await outsidePlaces(ctx.tx, 'scrap', [merchantId])
  const scrapPlaceId = must(scraps.get(merchantId), 'place of scrap')
  return [...new Set(judged.map(keyOf))].map((key) => {
    const own = judged.filter((line) => keyOf(line) === key)
    const first = must(own[0], 'a counted line')
    const at = new Date(Math.max(...own.map((line) => line.at.getTime())))
    const { placeId, productId } = first
    return {
      merchantId,
      placeId,
      productId,
      scrapPlaceId,
      at,
      reference: `count/${id}/${first.id}`,
      lines: lines.filter((line) => keyOf(line) === key),
      judged: own,
    }
  })
}

function movesOf(place: Settled, userId: number): Move[] {
  const { merchantId, placeId, productId, scrapPlaceId, at, reference, lines, judged } = place
  const byId = new Map(judged.map((line) => [line.id, line]))
  const parts = lines.map(({ id, batch }) => {
    const line = byId.get(id)
    return { batch, book: line?.book ?? 0, found: line?.found ?? null }
  })
  return deltasOf(parts, must(judged[0], 'a counted line').rest).map(({ batch, delta }) => ({
    merchantId,
    movedAt: at,
    productId,
    quantity: Math.abs(delta),
    fromPlaceId: delta > 0 ? scrapPlaceId : placeId,
    toPlaceId: delta > 0 ? placeId : scrapPlaceId,
    cause: 'count',
    reference,
    batch,
    userId,
  }))
}

async function keepPosted(ctx: CommandContext, judged: readonly Judged[]): Promise<void> {
  const given = rows(
    'w',
    judged.map(({ id, book, difference, costFen }) => ({ id, book, difference, costFen })),
    { id: 'bigint', book: 'int', difference: 'int', costFen: 'bigint' },
  )
  await sql`update stock_count_line l set book = w.book, delta = w.difference, cost_fen = w.cost_fen
    from ${given} where l.id = w.id`.execute(ctx.tx)
}
