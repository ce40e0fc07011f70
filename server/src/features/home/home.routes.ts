import { arrangements, getArrangement, getSalesNow, listRunningOut } from '@aisle/contract/home/dashboard'
import { addDays, businessTime } from '../../kernel/businessDay'
import { query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { type Hour, salesByHour, soldUntil } from '../trade/public'
import { dutyOf } from './duty'
import { findFilling, findZone } from './home.reads'
import { countShortages, findRunningOut } from './stock.reads'

const WEEK_MS = 7 * 86_400_000

const sumOf = (hours: readonly Hour[], what: 'fen' | 'orders') => hours.reduce((sum, each) => sum + each[what], 0)

export const routes: Route[] = [
  query(getArrangement, async (ctx) => {
    const duty = await dutyOf(ctx)
    return { duty, panels: [...arrangements[duty]], filling: await findFilling(ctx.db) }
  }),
  query(getSalesNow, async (ctx) => {
    const now = ctx.now()
    const sight = sightOf(ctx.actor)
    const zone = await findZone(ctx.db, ctx.actor.merchantId)
    const { day, hour } = businessTime(now, zone)
    const lastWeekDay = addDays(day, -7)
    const [today, then] = await Promise.all([salesByHour(ctx.db, sight, day), salesByHour(ctx.db, sight, lastWeekDay)])
    const until = new Date(now.getTime() - WEEK_MS)
    const sameTime = await soldUntil(ctx.db, sight, { day: lastWeekDay, until, zone, hours: then })
    const fenOf = (hours: readonly Hour[], at: number) => hours.find((each) => each.hour === at)?.fen ?? 0
    return {
      day,
      lastWeekDay,
      at: now.toISOString(),
      hour,
      todayFen: sumOf(today, 'fen'),
      todayOrders: sumOf(today, 'orders'),
      sameTimeFen: sameTime.fen,
      sameTimeOrders: sameTime.orders,
      lastWeekFen: sumOf(then, 'fen'),
      hours: Array.from({ length: 24 }, (_, at) => ({ fen: fenOf(today, at), lastWeekFen: fenOf(then, at) })),
    }
  }),
  query(listRunningOut, async (ctx) => {
    const sight = sightOf(ctx.actor)
    const [counts, items] = await Promise.all([countShortages(ctx.db, sight), findRunningOut(ctx.db, sight)])
    return { ...counts, items }
  }),
]
