import { cardState } from '@aisle/contract/member/card'
import { lockCard, reportLostCard, unlockCard } from '@aisle/contract/member/cardVerb'
import { cardFields, getCard, listCards } from '@aisle/contract/member/memberCard'
import { listPage } from '../../admin/listPage'
import { CardDrawer } from './cardDrawer'
import { IssueCards } from './issueCards'

/** For the card office, all day: a card is read, found, and something is done with it. */
export default listPage({
  screen: 'hygl/wdhyk',
  list: listCards,
  fields: cardFields,
  words: 'member',
  columns: [
    'logicalNo',
    'holderName',
    'type',
    'state',
    'balanceFen',
    'giftFen',
    'lastPaidAt',
    'physicalNo',
    'level',
    'dailyCountLimit',
    'singleMaxFen',
    'dailyAmountFen',
    'isRestricted',
    'createdAt',
    'merchantName',
  ],
  hidden: ['level', 'dailyCountLimit', 'singleMaxFen', 'dailyAmountFen', 'isRestricted', 'createdAt', 'merchantName'],
  sortable: { logicalNo: 'number', balanceFen: 'balance', createdAt: 'newest' },
  filters: ['q', 'state', 'type'],
  moreFilters: ['holder', 'level', 'merchantId'],
  presets: [
    { name: 'cancelling', query: () => ({ state: 'cancelling' }) },
    { name: 'lost', query: () => ({ state: 'lost' }) },
    { name: 'notActivated', query: () => ({ state: 'not_activated' }) },
  ],
  sums: ({ balanceFen, giftFen }) => ({ balanceFen, giftFen }),
  actions: IssueCards,
  drawer: CardDrawer,
  batch: [
    { endpoint: lockCard, verb: 'lockCard', tone: 'danger', can: ({ state }) => cardState.can(state, 'lock') },
    { endpoint: unlockCard, verb: 'unlockCard', can: ({ state }) => cardState.can(state, 'unlock') },
    {
      endpoint: reportLostCard,
      verb: 'reportLostCard',
      tone: 'danger',
      can: ({ state }) => cardState.can(state, 'reportLost'),
    },
  ],
  live: { kinds: ['memberCard'], also: [getCard] },
})
