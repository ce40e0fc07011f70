import {
  flowCardFields,
  flowCardStates,
  getFlowCard,
  listFlowCards,
  setFlowLimit,
  summariseFlowCards,
} from '@aisle/contract/fleet/flowCard'
import { listPage } from '../../admin/listPage'
import { Tally } from '../../admin/Tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import { FlowCardDrawer } from './flow-card-drawer'
import { FlowCardActions } from './flow-card-verbs'

/** For who keeps machines connected, weekly: which card is over its limit or about to end, and where it is. */
export default listPage({
  screen: 'shj/llk',
  list: listFlowCards,
  fields: flowCardFields,
  words: 'fleet',
  columns: [
    'iccid',
    'machineCode',
    'state',
    'todayMb',
    'monthMb',
    'limitMb',
    'planMb',
    'carrier',
    'expiresOn',
    'openedOn',
    'cardType',
    'phone',
    'imei',
    'imsi',
    'merchantName',
  ],
  hidden: ['openedOn', 'cardType', 'phone', 'imei', 'imsi', 'merchantName'],
  sortable: { state: 'worst', monthMb: 'month', expiresOn: 'expiry', iccid: 'iccid' },
  filters: ['flowCard', 'cardState', 'carrier'],
  moreFilters: ['machineCode', 'merchantId'],
  summary: FlowCardSummary,
  actions: FlowCardActions,
  batch: [{ endpoint: setFlowLimit, verb: 'setFlowLimit' }],
  drawer: FlowCardDrawer,
  live: { kinds: ['flowCard'], also: [getFlowCard, summariseFlowCards] },
})

/** How many are in each state; each figure is a filter. */
function FlowCardSummary({ address }: { address: ListAddress }) {
  const t = useText('fleet')
  const { data } = useEndpoint(summariseFlowCards, {}, { errors: 'silent' })
  return (
    <Tally
      label={t('flowCard.summary')}
      address={address}
      figures={[
        { name: 'total', word: t('summary.total'), tone: 'idle', count: data?.total, query: {} },
        ...flowCardStates.map((state) => ({
          name: state,
          word: t(`flowCardState.${state}`),
          tone: flowCardFields.state.tones[state],
          count: data?.[state],
          query: { cardState: state },
        })),
      ]}
    />
  )
}
