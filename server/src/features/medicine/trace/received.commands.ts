import { traceState } from '@aisle/contract/medicine/trace.states'
import { readTrace } from '@aisle/contract/medicine/traceCode'
import { sql } from 'kysely'
import type { CommandContext, Reader } from '../../../kernel/context'
import { must } from '../../../kernel/must'
import { merchantInSight, sightOf } from '../../../kernel/scope'
import { judgeLines } from './traceDesk.rules'
import { findBindable, merchantsSeen } from './traceDesk.store'
import { appendTraceEvents, lockKnown, lockTraces, markBound, markWithdrawn, withContents } from './trace.store'

export type TracedGoods = {
  merchantId: number
  productId: number
  productCode: string
  batch: string
  codes: readonly string[]
}

/** @returns the first code that can't be of these goods: unreadable, doubled, of another product or batch */
export async function faultyTrace(db: Reader, goods: TracedGoods): Promise<string | null> {
  const { merchantId, productCode, batch, codes } = goods
  if (codes.length === 0) return null
  const product = must(await findBindable(db, merchantId, productCode), productCode)
  return judgeLines(codes, { ...product, level: 'pack', batch }).find(({ fault }) => fault !== null)?.typed ?? null
}

/**
 * Packs that were put away somewhere.
 * @returns the first that was sold or destroyed before, by the books, or is with somebody out of sight
 */
export async function receiveTraces(
  ctx: CommandContext,
  goods: TracedGoods & { placeId: number; reference: string },
): Promise<string | null> {
  const { merchantId, productId, batch, codes, placeId, reference } = goods
  const at = ctx.now()
  const about = { merchantId, productId, batch, at }
  const seen = codes.flatMap((code) => readTrace(code) ?? []).map((trace) => ({ ...trace, ...about }))
  const known = await lockTraces(ctx.tx, seen)
  const rows = seen.flatMap(({ code }) => withContents(known, code))
  const inSight = await merchantsSeen(
    ctx.tx,
    rows.map((row) => row.merchantId),
    merchantInSight(sightOf(ctx.actor), sql`merchant.id`),
  )
  const foreign = rows.find((row) => traceState.is(row.state, 'gone') || !inSight.has(row.merchantId))
  if (foreign) return foreign.code
  await markBound(
    ctx.tx,
    rows.map(({ id }) => ({ ...about, id, placeId })),
  )
  await appendTraceEvents(
    ctx.tx,
    rows.map(({ id }) => ({
      ...about,
      traceCodeId: id,
      verb: 'receive' as const,
      heardAt: at,
      placeId,
      reference,
      userId: ctx.actor.userId,
    })),
  )
  return null
}

/** Packs that go back to who brought them: those that are there by the books are in stock no longer. */
export async function withdrawTraces(
  ctx: CommandContext,
  { codes, placeId, reference }: { codes: readonly string[]; placeId: number; reference: string },
): Promise<void> {
  const read = codes.flatMap((code) => readTrace(code)?.code ?? [])
  const known = await lockKnown(ctx.tx, read)
  const rows = read.flatMap((code) => withContents(known, code))
  const there = rows.filter((row) => row.placeId === placeId && traceState.can(row.state, 'withdraw'))
  const at = ctx.now()
  await markWithdrawn(ctx.tx, there, at)
  await appendTraceEvents(
    ctx.tx,
    there.map(({ id, merchantId, productId, batch }) => ({
      traceCodeId: id,
      merchantId,
      productId,
      batch,
      verb: 'withdraw' as const,
      at,
      heardAt: at,
      placeId,
      reference,
      userId: ctx.actor.userId,
    })),
  )
}
