import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as auditCalls from './audit'
import * as batchCalls from './batch'
import * as commandCalls from './command'
import * as linkCalls from './link'
import * as machineTestCalls from './machineTest'
import * as operateCalls from './operate'
import * as remoteShipCalls from './remoteShip'
import * as selfCheckCalls from './selfCheck'
import * as softwareCalls from './software'
import * as temperatureCalls from './temperature'

export const device: Manifest = {
  endpoints: endpointsIn([
    auditCalls,
    batchCalls,
    commandCalls,
    linkCalls,
    machineTestCalls,
    operateCalls,
    remoteShipCalls,
    selfCheckCalls,
    softwareCalls,
    temperatureCalls,
  ]),
  exports: [
    exportable(selfCheckCalls.listSelfChecks, selfCheckCalls.checkFields, 'device', 'shj/jqzc'),
    exportable(commandCalls.listCommands, commandCalls.commandFields, 'device', 'shj/jqzc'),
    exportable(remoteShipCalls.listRemoteShips, remoteShipCalls.remoteShipFields, 'device', 'jygl/ycchjl'),
  ],
}
