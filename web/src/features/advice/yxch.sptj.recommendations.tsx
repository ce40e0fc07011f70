import { getRecommendation, listRecommendations, recommendationFields } from '@aisle/contract/advice/recommendation'
import { listPage } from '../../admin/listPage'
import { RecommendationDrawer } from './recommendationDrawer'

/** For merchandisers, weekly: which change of which slot earns most, what is sure about it, and what came of others. */
export default listPage({
  screen: 'yxch/sptj',
  list: listRecommendations,
  fields: recommendationFields,
  words: 'advice',
  columns: [
    'machineName',
    'gainFen',
    'certainty',
    'kind',
    'slotCode',
    'incomingName',
    'outgoingName',
    'state',
    'lowFen',
    'highFen',
    'seenFen',
    'seenDays',
    'machineCode',
    'incomingCode',
    'outgoingCode',
    'merchantName',
    'computedAt',
    'decidedAt',
    'decider',
  ],
  hidden: ['seenDays', 'incomingCode', 'outgoingCode', 'merchantName', 'computedAt', 'decidedAt', 'decider'],
  sortable: { gainFen: 'gain' },
  filters: ['q', 'kind', 'state'],
  moreFilters: ['certainty', 'merchantId'],
  presets: [
    { name: 'toDecide', query: () => ({ state: 'open' }) },
    { name: 'likely', query: () => ({ state: 'open', certainty: 'likely' }) },
    { name: 'accepted', query: () => ({ state: 'accepted' }) },
  ],
  drawer: RecommendationDrawer,
  live: { kinds: ['recommendation'], also: [getRecommendation] as const },
})
