import { getPriceAdvice, listPriceAdvice, priceAdviceFields } from '@aisle/contract/advice/price'
import { listPage } from '../../admin/listPage'
import { PriceDrawer } from './priceDrawer'

/** For merchandisers, weekly: which price earns more by what the machines' own prices say, and what trials told. */
export default listPage({
  screen: 'yxch/jgtj',
  list: listPriceAdvice,
  fields: priceAdviceFields,
  words: 'advice',
  columns: [
    'productName',
    'gainFen',
    'verdict',
    'nowFen',
    'advisedFen',
    'lowFen',
    'highFen',
    'trialState',
    'trialVerdict',
    'lacking',
    'machines',
    'prices',
    'pieces',
    'productCode',
    'merchantName',
    'computedAt',
  ],
  hidden: ['machines', 'prices', 'pieces', 'computedAt'],
  sortable: { gainFen: 'gain' },
  filters: ['q', 'verdict', 'trialState'],
  moreFilters: ['merchantId'],
  presets: [
    { name: 'dearer', query: () => ({ verdict: 'raise' }) },
    { name: 'cheaper', query: () => ({ verdict: 'cut' }) },
    { name: 'trials', query: () => ({ trialState: 'running' }) },
  ],
  drawer: PriceDrawer,
  live: { kinds: ['priceTrial'], also: [getPriceAdvice] as const },
})
