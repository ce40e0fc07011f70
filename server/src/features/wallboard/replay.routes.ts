import { findSoldOrder, getReplayDay, getReplaySpan } from '@aisle/contract/wallboard/replay'
import { addDays } from '../../kernel/businessDay'
import { existing } from '../../kernel/refuse'
import { query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { pointsOfSpan, secondsOfSpan, soldOrder, spansOfDay } from './replay.reads'

export const routes: Route[] = [
  query(getReplayDay, async (ctx, { day }) => {
    const sight = sightOf(ctx.actor)
    const spans = await spansOfDay(ctx.db, sight, day)
    return { day, spans, weekBefore: await spansOfDay(ctx.db, sight, addDays(day, -7)) }
  }),
  query(getReplaySpan, async (ctx, { day, span }) => {
    const sight = sightOf(ctx.actor)
    const { points, orders } = await pointsOfSpan(ctx.db, sight, day, span)
    return { seconds: await secondsOfSpan(ctx.db, sight, day, span), points, orders }
  }),
  query(findSoldOrder, async (ctx, point) => {
    const id = await soldOrder(ctx.db, sightOf(ctx.actor), point)
    return { id: existing(id) }
  }),
]
