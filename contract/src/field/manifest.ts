import { endpointsIn, exportable, type Manifest } from '../kernel/manifest'
import * as cashCalls from './cashCollection'
import * as depositCalls from './cashDeposit'
import * as comingCalls from './coming'
import * as orderCalls from './replenishmentOrder'
import * as visitCalls from './visit'

export const field: Manifest = {
  endpoints: endpointsIn([cashCalls, depositCalls, comingCalls, orderCalls, visitCalls]),
  exports: [
    exportable(orderCalls.listReplenishmentOrders, orderCalls.replenishmentOrderFields, 'field', 'jxcgl/bhd'),
    exportable(depositCalls.listCashDeposits, depositCalls.cashDepositFields, 'field', 'cfgl/xjqd'),
    exportable(cashCalls.listCashCollections, cashCalls.cashCollectionFields, 'field', 'cfgl/xjqd'),
  ],
}
