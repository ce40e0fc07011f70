import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as areaCalls from './area'
import * as assortmentCalls from './assortment'
import * as flowCardCalls from './flowCard'
import * as groupCalls from './group'
import * as guessesCalls from './guesses'
import * as hospitalCalls from './hospital'
import * as machineCalls from './machine'
import * as machineBatchCalls from './machineBatch'
import * as machineFormCalls from './machineForm'
import * as machineImportCalls from './machineImport'
import * as machineStatusCalls from './machineStatus'
import * as officialAccountCalls from './officialAccount'
import * as pointCalls from './point'
import * as routeCalls from './route'

export const fleet: Manifest = {
  endpoints: endpointsIn([
    areaCalls,
    assortmentCalls,
    flowCardCalls,
    groupCalls,
    guessesCalls,
    hospitalCalls,
    machineCalls,
    machineBatchCalls,
    machineFormCalls,
    machineImportCalls,
    machineStatusCalls,
    officialAccountCalls,
    pointCalls,
    routeCalls,
  ]),
  exports: [
    exportable(machineCalls.listMachines, machineCalls.machineFields, 'fleet', 'shj/wdshj'),
    exportable(machineStatusCalls.listMachineStatus, machineStatusCalls.statusFields, 'fleet', 'shj/ztcx'),
    exportable(machineStatusCalls.listHospitalStatus, machineStatusCalls.hospitalStatusFields, 'fleet', 'shj/yyztcx'),
    exportable(hospitalCalls.listHospitals, hospitalCalls.hospital.fields, 'fleet', 'shgl/yylb'),
    exportable(pointCalls.listPoints, pointCalls.point.fields, 'fleet', 'shj/dwgl'),
    exportable(routeCalls.listRoutes, routeCalls.route.fields, 'fleet', 'shj/dwgl'),
    exportable(groupCalls.listMachineGroups, groupCalls.machineGroup.fields, 'fleet', 'shj/qzsz'),
    exportable(flowCardCalls.listFlowCards, flowCardCalls.flowCard.fields, 'fleet', 'shj/llk'),
    exportable(assortmentCalls.listAssortments, assortmentCalls.assortmentFields, 'fleet', 'shj/jqxppz'),
    exportable(
      officialAccountCalls.listOfficialAccounts,
      officialAccountCalls.officialAccount.fields,
      'fleet',
      'shj/jqgzhsz',
    ),
  ],
}
