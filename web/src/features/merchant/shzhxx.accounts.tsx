import { bankAccountFields, getBankAccount, listBankAccounts } from '@aisle/contract/merchant/bankAccount'
import { listPage } from '../../admin/listPage'
import { AccountDrawer } from './accountDrawer'
import { WriteAccount } from './accountVerbs'

/** For a merchant's accountant, twice a year, and for who reviews, when something waits: what waits stands first. */
export default listPage({
  screen: 'shgl/shzhxx',
  list: listBankAccounts,
  fields: bankAccountFields,
  words: 'merchant',
  columns: [
    'merchantName',
    'state',
    'holder',
    'bank',
    'accountNumber',
    'requestedBy',
    'requestedAt',
    'reviewedBy',
    'reviewedAt',
    'shortName',
    'merchantCode',
    'reason',
  ],
  hidden: ['shortName', 'merchantCode', 'reason'],
  filters: ['bankAccount', 'state', 'merchantId'],
  presets: [
    { name: 'pending', query: () => ({ state: 'pending' }) },
    { name: 'inForce', query: () => ({ state: 'approved' }) },
  ],
  actions: WriteAccount,
  drawer: AccountDrawer,
  live: { kinds: ['bankAccount'], also: [getBankAccount] },
})
