import { listPaymentAccounts } from '@aisle/contract/payment/account'
import { collectionFields, getCollection, listCollections } from '@aisle/contract/payment/collection'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../shelf/partsPage'
import { accountList } from './accountList'
import { AddAccount } from './accountVerbs'
import { CollectionDrawer } from './collectionDrawer'

const MachineList = listPage({
  screen: 'cfgl/sksz',
  part: 'machines',
  list: listCollections,
  fields: collectionFields,
  words: 'payment',
  columns: ['machineCode', 'machineName', 'merchantName', 'wechat', 'alipay', 'unionpay', 'collectsPayment'],
  filters: ['machine', 'wechat', 'alipay', 'unionpay'],
  moreFilters: ['merchantId'],
  actions: AddAccount,
  drawer: CollectionDrawer,
  live: { kinds: ['paymentAccount', 'paymentService', 'merchant'], also: [getCollection] },
})
const AccountList = listPage({ screen: 'cfgl/sksz', part: 'accounts', ...accountList })

/** For a merchant that wonders where its money goes: whose account collects at each machine, and why. */
export default partsPage({
  screen: 'cfgl/sksz',
  words: 'payment',
  parts: [
    { key: 'machines', access: listCollections.access, page: MachineList },
    { key: 'accounts', access: listPaymentAccounts.access, page: AccountList },
  ],
})
