import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as goodsCalls from './goods'
import * as keptCalls from './kept'
import * as overviewCalls from './overview'
import * as paymentsCalls from './payments'
import * as performanceCalls from './performance'
import * as rankingCalls from './ranking'
import * as requestCalls from './request'
import * as salesCalls from './sales'
import * as pointCalls from './statistics/point'
import * as purchaseCalls from './statistics/purchase'
import * as settledCalls from './statistics/settled'
import * as tradeCalls from './statistics/trade'
import * as voucherCalls from './statistics/voucher'

export const report: Manifest = {
  endpoints: endpointsIn([
    goodsCalls,
    keptCalls,
    overviewCalls,
    paymentsCalls,
    performanceCalls,
    rankingCalls,
    requestCalls,
    salesCalls,
    pointCalls,
    purchaseCalls,
    settledCalls,
    tradeCalls,
    voucherCalls,
  ]),
  exports: [
    exportable(salesCalls.listSalesSummary, salesCalls.salesFields, 'report', 'jygl/jyhz'),
    exportable(salesCalls.listBusinessTypeSales, salesCalls.salesFields, 'report', 'jygl/ywlxtj'),
    exportable(goodsCalls.listProductSales, goodsCalls.productSalesFields, 'report', 'jygl/sptj'),
    exportable(goodsCalls.listMedicineSales, goodsCalls.medicineSalesFields, 'report', 'jygl/ypxstj'),
    exportable(goodsCalls.listCrossSummary, goodsCalls.crossFields, 'report', 'jygl/sjhz'),
    exportable(paymentsCalls.listPayments, paymentsCalls.paymentRowFields, 'report', 'home/syzfqq'),
    exportable(rankingCalls.rankProducts, rankingCalls.productRankingFields, 'report', 'home/syspxlpm'),
    exportable(rankingCalls.rankGoods, rankingCalls.goodsRankingFields, 'report', 'spgl/spxsph'),
    exportable(rankingCalls.rankMachines, rankingCalls.machineRankingFields, 'report', 'home/syjqpm'),
    exportable(rankingCalls.rankRunners, rankingCalls.runnerRankingFields, 'report', 'home/syyyxlpm'),
    exportable(tradeCalls.listMachineTrade, tradeCalls.machineTradeFields, 'report', 'tjfx/jqjytj'),
    exportable(tradeCalls.listHospitalTrade, tradeCalls.hospitalTradeFields, 'report', 'tjfx/yyjytj'),
    exportable(tradeCalls.listProductTrade, tradeCalls.productTradeFields, 'report', 'tjfx/spjytj'),
    exportable(settledCalls.listPaymentSettlement, settledCalls.paymentSettlementFields, 'report', 'tjfx/zfjstj'),
    exportable(settledCalls.listMerchantPayments, settledCalls.merchantPaymentFields, 'report', 'tjfx/shzftj'),
    exportable(settledCalls.listSubMerchantTrade, settledCalls.subMerchantFields, 'report', 'cfgl/zshjy'),
    exportable(purchaseCalls.listPurchaseStatistics, purchaseCalls.purchaseStatisticsFields, 'report', 'tjfx/cgtj'),
    exportable(voucherCalls.listVoucherStatistics, voucherCalls.voucherStatisticsFields, 'report', 'tjfx/yhqtj'),
    exportable(pointCalls.listPointTrade, pointCalls.pointTradeFields, 'report', 'tjfx/dwjytj'),
    exportable(performanceCalls.listPerformance, performanceCalls.performanceFields, 'report', 'xtgl/jxkp'),
    exportable(keptCalls.listKeptReports, keptCalls.keptReportFields, 'report', 'tjfx/bbdc'),
    exportable(requestCalls.listReportRequests, requestCalls.reportFields, 'report', 'tjfx/bbdc'),
  ],
}
