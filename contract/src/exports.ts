import { alarmFields, listAlarms } from './alarm/alarm'
import { listLogs, logFields } from './audit/log'
import { listSystemAlarms, systemAlarmFields } from './audit/systemAlarm'
import { assortmentFields, listAssortments } from './fleet/assortment'
import { flowCardFields, listFlowCards } from './fleet/flowCard'
import { listMachineGroups, machineGroup } from './fleet/group'
import { commandFields, listCommands } from './device/command'
import { listRemoteShips, remoteShipFields } from './device/remoteShip'
import { checkFields, listSelfChecks } from './device/selfCheck'
import { hospital, listHospitals } from './fleet/hospital'
import { listMachines, machineFields } from './fleet/machine'
import { hospitalStatusFields, listHospitalStatus, listMachineStatus, statusFields } from './fleet/machineStatus'
import { listOfficialAccounts, officialAccountFields } from './fleet/officialAccount'
import { listPoints, pointFields } from './fleet/point'
import { listRoutes, routeFields } from './fleet/route'
import type { Fields } from './kernel/field'
import type { Endpoint } from './kernel/endpoint'
import { claimFields, listClaims } from './lottery/claim'
import { listPlays, playFields } from './lottery/play'
import { listWins, winFields } from './lottery/statistics'
import { listRepairOrders, repairOrderFields } from './maintenance/repairOrder'
import { listMembers, memberFields } from './member/member'
import { bankAccountFields, listBankAccounts } from './merchant/bankAccount'
import { integrationFields, listIntegrations } from './merchant/integration'
import { licenceFields, listLicences } from './merchant/licence'
import { listMerchantTree, merchantFields } from './merchant/merchant'
import { alarmLogFields, listAlarmLog } from './notice/alarmLog'
import { listMessageTypes, messageTypeFields } from './notice/messageType'
import { listNotifications, notificationFields } from './notice/notice'
import { listPushMessages, pushMessageFields } from './notice/push'
import { listPaymentAccounts, paymentAccountFields } from './payment/account'
import { collectionFields, listCollections } from './payment/collection'
import { listProviderAccounts, providerAccountFields } from './payment/provider'
import { listPaymentServices, paymentServiceFields } from './payment/service'
import { listShipments, shipmentFields } from './partner/shipment'
import { doctorFields, listDoctors } from './people/doctor'
import { listUsers, userFields } from './people/user'
import { listPrescriptions, prescriptionFields } from './pharmacy/prescription'
import { listPrescriptionSales, prescriptionSaleFields } from './pharmacy/sales'
import { batchFields as pickupBatchFields, listBatches, listReleased, releasedFields } from './pickup/batch'
import { codeFields, listPickupCodes } from './pickup/pickupCode'
import { listTemplates, templateFields } from './planogram/template'
import {
  crossFields,
  listCrossSummary,
  listMedicineSales,
  listProductSales,
  medicineSalesFields,
  productSalesFields,
} from './report/goods'
import { listPayments, paymentRowFields } from './report/payments'
import { listPerformance, performanceFields } from './report/performance'
import {
  machineRankingFields,
  productRankingFields,
  rankMachines,
  rankProducts,
  rankRunners,
  runnerRankingFields,
} from './report/ranking'
import { listProblems, problemFields } from './refund/problem'
import { listRefunds, refundFields } from './refund/refund'
import { listUnclaimed, unclaimedFields } from './refund/unclaimed'
import { listReportRequests, reportFields } from './report/request'
import { listBusinessTypeSales, listSalesSummary, salesFields } from './report/sales'
import { listPayouts, payoutFields } from './settlement/bank'
import {
  accountFields,
  bookDayFields,
  listAccounts,
  listBookDays,
  listSettlements,
  settlementFields,
} from './settlement/books'
import { differenceFields, listDifferences } from './settlement/difference'
import { listRuns, runFields } from './settlement/run'
import { listOrders, orderFields } from './trade/order'

/** Lists that can be exported as they are filtered: their fields say how a cell reads in a sheet. */
export type Exportable = {
  list: Endpoint
  fields: Fields
  /** The catalog with `field.<name>` and the words of states. */
  words: string
  /** Whose title names the sheet. */
  screen: string
}

/** Says the type of each by itself: a list of many kinds would have the checker compare each with each for minutes. */
const exportable = (list: Endpoint, fields: Fields, words: string, screen: string): Exportable => ({
  list,
  fields,
  words,
  screen,
})

export const exportables: readonly Exportable[] = [
  exportable(listOrders, orderFields, 'trade', 'jygl/ddgl'),
  exportable(listRefunds, refundFields, 'refund', 'jygl/tkgl'),
  exportable(listProblems, problemFields, 'refund', 'cfgl/wtddgl'),
  exportable(listUnclaimed, unclaimedFields, 'refund', 'cfgl/wtddgl'),
  exportable(listPrescriptions, prescriptionFields, 'pharmacy', 'jygl/cfcx'),
  exportable(listPrescriptionSales, prescriptionSaleFields, 'pharmacy', 'jygl/cfxstj'),
  exportable(listMachines, machineFields, 'fleet', 'shj/wdshj'),
  exportable(listMachineStatus, statusFields, 'fleet', 'shj/ztcx'),
  exportable(listHospitalStatus, hospitalStatusFields, 'fleet', 'shj/yyztcx'),
  exportable(listShipments, shipmentFields, 'partner', 'jygl/dsfchcx'),
  exportable(listPlays, playFields, 'lottery', 'jygl/hgxq'),
  exportable(listWins, winFields, 'lottery', 'jygl/zjtj'),
  exportable(listClaims, claimFields, 'lottery', 'jygl/hgsh'),
  exportable(listPickupCodes, codeFields, 'pickup', 'jygl/qhmgl'),
  exportable(listBatches, pickupBatchFields, 'pickup', 'jygl/qhmgl'),
  exportable(listReleased, releasedFields, 'pickup', 'jygl/qhmgl'),
  exportable(listRepairOrders, repairOrderFields, 'maintenance', 'shj/bywx'),
  exportable(listAlarms, alarmFields, 'alarm', 'shj/jqbj'),
  exportable(listSelfChecks, checkFields, 'device', 'shj/jqzc'),
  exportable(listCommands, commandFields, 'device', 'shj/jqzc'),
  exportable(listRemoteShips, remoteShipFields, 'device', 'jygl/ycchjl'),
  exportable(listHospitals, hospital.fields, 'fleet', 'shgl/yylb'),
  exportable(listPoints, pointFields, 'fleet', 'shj/dwgl'),
  exportable(listRoutes, routeFields, 'fleet', 'shj/dwgl'),
  exportable(listMachineGroups, machineGroup.fields, 'fleet', 'shj/qzsz'),
  exportable(listFlowCards, flowCardFields, 'fleet', 'shj/llk'),
  exportable(listAssortments, assortmentFields, 'fleet', 'shj/jqxppz'),
  exportable(listOfficialAccounts, officialAccountFields, 'fleet', 'shj/jqgzhsz'),
  exportable(listMerchantTree, merchantFields, 'merchant', 'shgl/wdsh'),
  exportable(listLicences, licenceFields, 'merchant', 'shgl/zjgl'),
  exportable(listBankAccounts, bankAccountFields, 'merchant', 'shgl/shzhxx'),
  exportable(listIntegrations, integrationFields, 'merchant', 'xtgl/dsfdjpz'),
  exportable(listPaymentServices, paymentServiceFields, 'payment', 'xtgl/zffwgl'),
  exportable(listProviderAccounts, providerAccountFields, 'payment', 'xtgl/fwscssz'),
  exportable(listPaymentAccounts, paymentAccountFields, 'payment', 'xtgl/shzhsz'),
  exportable(listCollections, collectionFields, 'payment', 'cfgl/sksz'),
  exportable(listUsers, userFields, 'people', 'shgl/wdtd'),
  exportable(listDoctors, doctorFields, 'people', 'shgl/wdys'),
  exportable(listMembers, memberFields, 'member', 'shgl/glwdhy'),
  exportable(listLogs, logFields, 'audit', 'xtgl/rzgl'),
  exportable(listSystemAlarms, systemAlarmFields, 'audit', 'xtgl/xtbjjl'),
  exportable(listSalesSummary, salesFields, 'report', 'jygl/jyhz'),
  exportable(listBusinessTypeSales, salesFields, 'report', 'jygl/ywlxtj'),
  exportable(listProductSales, productSalesFields, 'report', 'jygl/sptj'),
  exportable(listMedicineSales, medicineSalesFields, 'report', 'jygl/ypxstj'),
  exportable(listCrossSummary, crossFields, 'report', 'jygl/sjhz'),
  exportable(listPayments, paymentRowFields, 'report', 'home/syzfqq'),
  exportable(rankProducts, productRankingFields, 'report', 'home/syspxlpm'),
  exportable(rankMachines, machineRankingFields, 'report', 'home/syjqpm'),
  exportable(rankRunners, runnerRankingFields, 'report', 'home/syyyxlpm'),
  exportable(listPerformance, performanceFields, 'report', 'xtgl/jxkp'),
  exportable(listTemplates, templateFields, 'planogram', 'shj/mbgl'),
  exportable(listReportRequests, reportFields, 'report', 'tjfx/bbdc'),
  exportable(listNotifications, notificationFields, 'notice', 'xtgl/xxtz'),
  exportable(listMessageTypes, messageTypeFields, 'notice', 'xtgl/xxlx'),
  exportable(listPushMessages, pushMessageFields, 'notice', 'xtgl/xxts'),
  exportable(listAlarmLog, alarmLogFields, 'notice', 'xtgl/bjrz'),
  exportable(listRuns, runFields, 'settlement', 'xtgl/rjs'),
  exportable(listDifferences, differenceFields, 'settlement', 'xtgl/rjs'),
  exportable(listPayouts, payoutFields, 'settlement', 'xtgl/rjs'),
  exportable(listSettlements, settlementFields, 'settlement', 'xtgl/rjs'),
  exportable(listAccounts, accountFields, 'settlement', 'xtgl/rjs'),
  exportable(listBookDays, bookDayFields, 'settlement', 'xtgl/rjs'),
]

export const exportableOf = (name: string): Exportable | undefined => exportables.find(({ list }) => list.name === name)
