import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as accountCalls from './account'
import * as collectionCalls from './collection'
import * as acquirerCalls from './acquirer'
import * as providerCalls from './provider'
import * as recordCalls from './record'
import * as serviceCalls from './service'

export const payment: Manifest = {
  endpoints: endpointsIn([accountCalls, collectionCalls, acquirerCalls, providerCalls, recordCalls, serviceCalls]),
  exports: [
    exportable(serviceCalls.listPaymentServices, serviceCalls.paymentServiceFields, 'payment', 'xtgl/zffwgl'),
    exportable(acquirerCalls.listAcquirers, acquirerCalls.acquirer.fields, 'payment', 'xtgl/zffwgl'),
    exportable(providerCalls.listProviderAccounts, providerCalls.providerAccountFields, 'payment', 'xtgl/fwscssz'),
    exportable(accountCalls.listPaymentAccounts, accountCalls.paymentAccountFields, 'payment', 'xtgl/shzhsz'),
    exportable(collectionCalls.listCollections, collectionCalls.collectionFields, 'payment', 'cfgl/sksz'),
  ],
}
