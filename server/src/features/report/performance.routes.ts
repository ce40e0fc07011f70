import { listPerformance } from '@aisle/contract/report/performance'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import { refuse } from '../../kernel/refuse'
import { listOf, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { word } from '../../kernel/words'
import { listPerformanceIn } from './performance.reads'
import { periodOf } from './period.rules'

export const routes: Route[] = [
  ...listOf(listPerformance, (ctx, input) => {
    const now = ctx.now()
    const period = periodOf(input, businessTime(now, PLATFORM_TIME_ZONE).day)
    const msg = word(ctx.language, 'report', 'rule.period')
    if (!period) return refuse('request.invalid', {}, [{ path: 'from', reason: 'invalid', msg }])
    return listPerformanceIn(sightOf(ctx.actor), input, period, now)
  }),
]
