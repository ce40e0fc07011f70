import { bankLineFields, getBankLine, listBankLines } from '@aisle/contract/funds/bankLine'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { BankLineDrawer } from './bankLineDrawer'

/** For the platform's finance, each morning: does the bank say what we booked, and if not, why. */
export const BankLines = listPage({
  screen: 'cfgl/txgl',
  part: 'bank',
  list: listBankLines,
  fields: bankLineFields,
  words: 'funds',
  columns: [
    'day',
    'outcome',
    'kind',
    'reference',
    'amountFen',
    'ourFen',
    'merchantName',
    'bankNo',
    'reason',
    'explainedBy',
    'holder',
  ],
  hidden: ['holder'],
  filters: ['no', 'outcome', 'period'],
  presets: [
    { name: 'open', query: () => ({ outcome: 'open' }) },
    { name: 'last30Days', query: dayPresets.last30Days },
    { name: 'lastMonth', query: dayPresets.lastMonth },
  ],
  sums: ({ paidFen, returnedFen }) => ({ paidFen, returnedFen }),
  drawer: BankLineDrawer,
  live: { kinds: ['withdrawal'], also: [getBankLine] as const },
})
