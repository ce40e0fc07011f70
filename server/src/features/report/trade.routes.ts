import { getCompleteness, getOverview } from '@aisle/contract/report/overview'
import { listCrossSummary, listMedicineSales, listProductSales } from '@aisle/contract/report/goods'
import { getPayments, listPayments } from '@aisle/contract/report/payments'
import { rankGoods, rankMachines, rankProducts, rankRunners } from '@aisle/contract/report/ranking'
import { listBusinessTypeSales, listSalesSummary } from '@aisle/contract/report/sales'
import { listPointTrade } from '@aisle/contract/report/statistics/point'
import { listPurchaseStatistics } from '@aisle/contract/report/statistics/purchase'
import {
  listMerchantPayments,
  listPaymentSettlement,
  listSubMerchantTrade,
} from '@aisle/contract/report/statistics/settled'
import { listHospitalTrade, listMachineTrade, listProductTrade } from '@aisle/contract/report/statistics/trade'
import { listVoucherStatistics } from '@aisle/contract/report/statistics/voucher'
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
import { listPointsIn } from './statistics/point.reads'
import { listPurchasesIn } from './statistics/purchase.reads'
import { listSettledIn } from './statistics/settled.reads'
import { listTradeIn } from './statistics/trade.reads'
import { listVouchersIn } from './statistics/voucher.reads'

const todayOf = (ctx: QueryContext) => businessTime(ctx.now(), PLATFORM_TIME_ZONE).day

function periodIn(ctx: QueryContext, input: Parameters<typeof periodOf>[0]): Period {
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
  ...listOf(listProductTrade, (ctx, input) => listProductsIn(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input))),
  ...listOf(listMachineTrade, (ctx, input) =>
    listTradeIn(ctx.db, sightOf(ctx.actor), input, { period: periodIn(ctx, input), now: ctx.now() }),
  ),
  ...listOf(listHospitalTrade, (ctx, input) => {
    const filter = { ...input, isAtHospital: true }
    return listTradeIn(ctx.db, sightOf(ctx.actor), filter, { period: periodIn(ctx, input), now: ctx.now() })
  }),
  ...listOf(listMedicineSales, (ctx, input) =>
    listMedicinesIn(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input), (key) =>
      word(ctx.language, 'report', `class.${key}`),
    ),
  ),
  ...listOf(listCrossSummary, (ctx, input) =>
    cross.listCrossIn(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input)),
  ),
  ...listOf(listPurchaseStatistics, (ctx, input) => listPurchasesIn(sightOf(ctx.actor), input, periodIn(ctx, input))),
  ...listOf(listVoucherStatistics, (ctx, input) => listVouchersIn(sightOf(ctx.actor), input, periodIn(ctx, input))),
  ...listOf(listPointTrade, (ctx, input) =>
    listPointsIn(sightOf(ctx.actor), input, periodIn(ctx, input), (kind) =>
      word(ctx.language, 'fleet', `pointKind.${kind}`),
    ),
  ),
  ...[listPaymentSettlement, listMerchantPayments, listSubMerchantTrade].flatMap((each) =>
    listOf(each, (ctx, input) =>
      listSettledIn(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input), {
        wordOf: (method) => wordsIn(ctx)('method', method),
        ownId: ctx.actor.merchantId,
      }),
    ),
  ),
  query(getOverview, (ctx, input) => overview(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input))),
  query(getPayments, (ctx, input) => payments(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input))),
  ...listOf(listPayments, (ctx, input) =>
    listPaymentsIn(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input), (method) => wordsIn(ctx)('method', method)),
  ),
  ...listOf(rankProducts, (ctx, input) => productRanking(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input))),
  ...listOf(rankGoods, (ctx, input) => goodsRanking(ctx.db, sightOf(ctx.actor), input, periodIn(ctx, input))),
  ...listOf(rankMachines, (ctx, input) => {
    const when = { period: periodIn(ctx, input), now: ctx.now() }
    return machineRanking(sightOf(ctx.actor), input, when)
  }),
  ...listOf(rankRunners, (ctx, input) => {
    const nobody = word(ctx.language, 'report', `nobody.${input.by}`)
    return runnerRanking(sightOf(ctx.actor), input, { period: periodIn(ctx, input), nobody })
  }),
  query(getCompleteness, (ctx, input) =>
    completeness(ctx.db, sightOf(ctx.actor), input, {
      period: periodIn(ctx, input),
      today: todayOf(ctx),
      now: ctx.now(),
    }),
  ),
]
