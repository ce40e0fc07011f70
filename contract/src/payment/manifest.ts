import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as accountCalls from './account'
import * as collectionCalls from './collection'
import * as paymentProviderCalls from './paymentProvider'
import * as providerCalls from './provider'
import * as recordCalls from './record'
import * as serviceCalls from './service'

export const payment: Manifest = {
  endpoints: endpointsIn([
    accountCalls,
    collectionCalls,
    paymentProviderCalls,
    providerCalls,
    recordCalls,
    serviceCalls,
  ]),
  exports: [
    exportable(serviceCalls.listPaymentServices, serviceCalls.paymentServiceFields, 'payment', 'xtgl/zffwgl'),
    exportable(
      paymentProviderCalls.listPaymentProviders,
      paymentProviderCalls.paymentProvider.fields,
      'payment',
      'xtgl/zffwgl',
    ),
    exportable(providerCalls.listProviderAccounts, providerCalls.providerAccountFields, 'payment', 'xtgl/fwscssz'),
    exportable(accountCalls.listPaymentAccounts, accountCalls.paymentAccountFields, 'payment', 'xtgl/shzhsz'),
    exportable(collectionCalls.listCollections, collectionCalls.collectionFields, 'payment', 'cfgl/sksz'),
  ],
}
