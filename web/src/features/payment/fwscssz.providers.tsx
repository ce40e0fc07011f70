import { getProviderAccount, listProviderAccounts, providerAccountFields } from '@aisle/contract/payment/provider'
import { listPage } from '../../admin/listPage'
import { ProviderDrawer } from './providerDrawer'
import { AddProvider } from './providerVerbs'

/** For the platform's technician, before anybody can pay: who we are at each provider, and whether its keys hold. */
export default listPage({
  screen: 'xtgl/fwscssz',
  list: listProviderAccounts,
  fields: providerAccountFields,
  words: 'payment',
  columns: [
    'name',
    'provider',
    'acquirer',
    'merchantName',
    'environment',
    'keyState',
    'validUntil',
    'testOutcome',
    'accounts',
    'appId',
    'providerNo',
    'testedAt',
    'gateway',
  ],
  hidden: ['testedAt', 'gateway'],
  sortable: { keyState: 'worst', merchantName: 'merchant' },
  filters: ['providerAccount', 'provider', 'keyState'],
  moreFilters: ['environment', 'merchantId'],
  actions: AddProvider,
  drawer: ProviderDrawer,
  live: { kinds: ['providerAccount', 'paymentAccount'], also: [getProviderAccount] },
})
