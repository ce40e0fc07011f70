import { getCompleteness, getOverview } from '@aisle/contract/report/overview'
import { listCrossSummary, listMedicineSales, listProductSales } from '@aisle/contract/report/goods'
import { getPayments, listPayments } from '@aisle/contract/report/payments'
import { rankGoods, rankMachines, rankProducts, rankRunners } from '@aisle/contract/report/ranking'
import { listBusinessTypeSales, listSalesSummary } from '@aisle/contract/report/sales'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { QueryContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { word } from '../../kernel/words'
import { completeness } from './completeness.reads'
import * as cross from './cross.reads'
import { listMedicinesIn, listProductsIn } from './goods.reads'
import { overview } from './overview.reads'
import { payments, listPaymentsIn } from './payments.reads'
import { type Period, periodOf } from './period.rules'
import { goodsRanking, machineRanking, productRanking, runnerRanking } from './ranking.lists'
import * as sales from './sales.reads'

const todayOf = (ctx: QueryContext) => businessTime(ctx.now(), PLATFORM_TIME_ZONE).day

function periodIn(ctx: QueryContext, input: { from?: string | undefined; to?: string | undefined }): Period {
  const period = periodOf(input, todayOf(ctx))
  if (period) return period
  const msg = word(ctx.language, 'report', 'rule.period')
  return refuse('request.invalid', {}, [{ path: 'from', reason: 'invalid', msg }])
}

const wordsIn = (ctx: QueryContext) => (kind: 'method' | 'businessType', key: string) =>
  word(ctx.language, 'trade', `${kind}.${key}`)

export const routes: Route[] = [
  ...listOf(listSalesSummary, (ctx, input) =>
    sales.listSalesIn(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input), wordsIn(ctx)),
  ),
  ...listOf(listBusinessTypeSales, (ctx, input) =>
    sales.listSalesIn(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input), wordsIn(ctx)),
  ),
  ...listOf(listProductSales, (ctx, input) => listProductsIn(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input))),
  ...listOf(listMedicineSales, (ctx, input) =>
    listMedicinesIn(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input), (key) =>
      word(ctx.language, 'report', `class.${key}`),
    ),
  ),
  ...listOf(listCrossSummary, (ctx, input) =>
    cross.listCrossIn(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input)),
  ),
  query(getOverview, (ctx, input) => overview(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input))),
  query(getPayments, (ctx, input) => payments(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input))),
  ...listOf(listPayments, (ctx, input) =>
    listPaymentsIn(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input), (method) => wordsIn(ctx)('method', method)),
  ),
  ...listOf(rankProducts, (ctx, input) => productRanking(sightOf(ctx.actor), input, periodIn(ctx, input))),
  ...listOf(rankGoods, (ctx, input) => goodsRanking(sightOf(ctx.actor), input, periodIn(ctx, input))),
  ...listOf(rankMachines, (ctx, input) => {
    const when = { period: periodIn(ctx, input), now: ctx.now() }
    return machineRanking(sightOf(ctx.actor), input, when)
  }),
  ...listOf(rankRunners, (ctx, input) => {
    const nobody = word(ctx.language, 'report', `nobody.${input.by}`)
    return runnerRanking(sightOf(ctx.actor), input, { period: periodIn(ctx, input), nobody })
  }),
  query(getCompleteness, (ctx, input) =>
    completeness(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input), todayOf(ctx)),
  ),
]
