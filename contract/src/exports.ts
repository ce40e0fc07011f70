import { alarmFields, listAlarms } from './alarm/alarm'
import { listLogs, logFields } from './audit/log'
import { listSystemAlarms, systemAlarmFields } from './audit/systemAlarm'
import { assortmentFields, listAssortments } from './fleet/assortment'
import { flowCardFields, listFlowCards } from './fleet/flowCard'
import { groupFields, listGroups } from './fleet/group'
import { commandFields, listCommands } from './device/command'
import { listRemoteShips, remoteShipFields } from './device/remoteShip'
import { checkFields, listSelfChecks } from './device/selfCheck'
import { hospitalFields, listHospitals } from './fleet/hospital'
import { listMachines, machineFields } from './fleet/machine'
import { hospitalStatusFields, listHospitalStatus, listMachineStatus, statusFields } from './fleet/machineStatus'
import { listOfficialAccounts, officialAccountFields } from './fleet/officialAccount'
import { listPoints, pointFields } from './fleet/point'
import { listRoutes, routeFields } from './fleet/route'
import type { Fields } from './kernel/field'
import type { Endpoint } from './kernel/endpoint'
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
import { doctorFields, listDoctors } from './people/doctor'
import { listUsers, userFields } from './people/user'
import { listTemplates, templateFields } from './planogram/template'
import { listPerformance, performanceFields } from './report/performance'
import { listReportRequests, reportFields } from './report/request'
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
  exportable(listMachines, machineFields, 'fleet', 'shj/wdshj'),
  exportable(listMachineStatus, statusFields, 'fleet', 'shj/ztcx'),
  exportable(listHospitalStatus, hospitalStatusFields, 'fleet', 'shj/yyztcx'),
  exportable(listRepairOrders, repairOrderFields, 'maintenance', 'shj/bywx'),
  exportable(listAlarms, alarmFields, 'alarm', 'shj/jqbj'),
  exportable(listSelfChecks, checkFields, 'device', 'shj/jqzc'),
  exportable(listCommands, commandFields, 'device', 'shj/jqzc'),
  exportable(listRemoteShips, remoteShipFields, 'device', 'jygl/ycchjl'),
  exportable(listHospitals, hospitalFields, 'fleet', 'shgl/yylb'),
  exportable(listPoints, pointFields, 'fleet', 'shj/dwgl'),
  exportable(listRoutes, routeFields, 'fleet', 'shj/dwgl'),
  exportable(listGroups, groupFields, 'fleet', 'shj/qzsz'),
  exportable(listFlowCards, flowCardFields, 'fleet', 'shj/llk'),
  exportable(listAssortments, assortmentFields, 'fleet', 'shj/jqxppz'),
  exportable(listOfficialAccounts, officialAccountFields, 'fleet', 'shj/jqgzhsz'),
  exportable(listMerchantTree, merchantFields, 'merchant', 'shgl/wdsh'),
  exportable(listLicences, licenceFields, 'merchant', 'shgl/zjgl'),
  exportable(listBankAccounts, bankAccountFields, 'merchant', 'shgl/shzhxx'),
  exportable(listIntegrations, integrationFields, 'merchant', 'xtgl/dsfdjpz'),
  exportable(listUsers, userFields, 'people', 'shgl/wdtd'),
  exportable(listDoctors, doctorFields, 'people', 'shgl/wdys'),
  exportable(listMembers, memberFields, 'member', 'shgl/glwdhy'),
  exportable(listLogs, logFields, 'audit', 'xtgl/rzgl'),
  exportable(listSystemAlarms, systemAlarmFields, 'audit', 'xtgl/xtbjjl'),
  exportable(listPerformance, performanceFields, 'report', 'xtgl/jxkp'),
  exportable(listTemplates, templateFields, 'planogram', 'shj/mbgl'),
  exportable(listReportRequests, reportFields, 'report', 'tjfx/bbdc'),
  exportable(listNotifications, notificationFields, 'notice', 'xtgl/xxtz'),
  exportable(listMessageTypes, messageTypeFields, 'notice', 'xtgl/xxlx'),
  exportable(listPushMessages, pushMessageFields, 'notice', 'xtgl/xxts'),
  exportable(listAlarmLog, alarmLogFields, 'notice', 'xtgl/bjrz'),
]

export const exportableOf = (name: string): Exportable | undefined => exportables.find(({ list }) => list.name === name)
