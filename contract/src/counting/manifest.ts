import { endpointsIn, exportable, type Manifest } from '../kernel/manifest'
import * as countCalls from './count'
import * as replenishmentCalls from './replenishment'
import * as lyingCalls from './lying'

export const counting: Manifest = {
  endpoints: endpointsIn([countCalls, lyingCalls, replenishmentCalls]),
  exports: [
    exportable(countCalls.listCounts, countCalls.countFields, 'counting', 'kcpd/jqspkcpd'),
    exportable(lyingCalls.listRouteStock, lyingCalls.lyingFields, 'counting', 'kcpd/xlspkcpd'),
    exportable(lyingCalls.listMachineStock, lyingCalls.lyingFields, 'counting', 'kcpd/jqspkcpd'),
    exportable(lyingCalls.listHospitalStock, lyingCalls.lyingFields, 'counting', 'kcpd/yyspkcpd'),
    exportable(lyingCalls.listSlotStock, lyingCalls.lyingFields, 'counting', 'kcpd/jqhdkcpd'),
    exportable(replenishmentCalls.listReplenishments, replenishmentCalls.replenishmentFields, 'counting', 'kcpd/bhjl'),
  ],
}
