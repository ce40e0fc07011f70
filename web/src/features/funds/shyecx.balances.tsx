import { balanceFields, getBalance, listBalancePostings, listBalances } from '@aisle/contract/funds/balance'
import { listPage } from '../../admin/listPage'
import { BalanceDrawer } from './balanceDrawer'

/** For a merchant's finance, daily, and the platform's, weekly: what there is, and why it is just that. */
export default listPage({
  screen: 'cfgl/shyecx',
  list: listBalances,
  fields: balanceFields,
  words: 'funds',
  columns: ['merchantName', 'availableFen', 'pendingFen', 'inPayoutFen', 'paidOutFen', 'elsewhereFen', 'owedFen'],
  sortable: { availableFen: 'largest', owedFen: 'owed', merchantName: 'merchant' },
  filters: ['merchantId', 'holds'],
  presets: [
    { name: 'holdsAvailable', query: () => ({ holds: 'available' }) },
    { name: 'owed', query: () => ({ holds: 'owed', sort: 'owed' }) },
  ],
  sums: (sums) => sums,
  drawer: BalanceDrawer,
  live: { kinds: ['withdrawal', 'settlementRun'], also: [getBalance, listBalancePostings] as const },
})
