import { getPaymentAccount, listPaymentAccounts, paymentAccountFields } from '@aisle/contract/payment/account'
import { getCollection, listCollections } from '@aisle/contract/payment/collection'
import type { ListPage } from '../../admin/declaration'
import { AccountDrawer } from './accountDrawer'
import { AddAccount } from './accountVerbs'

/** The same list on the platform's page and on the merchant's own. */
export const accountList = {
  list: listPaymentAccounts,
  fields: paymentAccountFields,
  words: 'payment',
  columns: [
    'merchantName',
    'provider',
    'state',
    'fundsMode',
    'machineCode',
    'subMerchantNo',
    'paymentTitle',
    'todayFen',
    'todayPaid',
    'publishAt',
    'activatedAt',
    'stoppedAt',
    'products',
  ],
  hidden: ['todayPaid', 'publishAt', 'stoppedAt', 'products'],
  sortable: { merchantName: 'merchant' },
  filters: ['paymentAccount', 'provider', 'state'],
  moreFilters: ['fundsMode', 'machineCode', 'merchantId'],
  actions: AddAccount,
  drawer: AccountDrawer,
  live: {
    kinds: ['paymentAccount', 'providerAccount', 'paymentService'],
    also: [getPaymentAccount, listCollections, getCollection],
  },
} satisfies Omit<ListPage<typeof listPaymentAccounts>, 'screen' | 'part'>
