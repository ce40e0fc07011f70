import * as contract from '@aisle/contract/field/replenishmentOrder'
import { listVisits } from '@aisle/contract/field/visit'
import { listPage } from '../../admin/listPage'
import { OrderDrawer } from './orderDrawer'
import { OrderActions } from './orderVerbs'

/** For who plans and drives tours, daily: which machines need what and why, what it costs not to go, how it went. */
export default listPage({
  screen: 'jxcgl/bhd',
  list: contract.listReplenishmentOrders,
  fields: contract.replenishmentOrderFields,
  words: 'field',
  columns: [
    'no',
    'state',
    'replenisherName',
    'routeName',
    'machines',
    'slots',
    'planned',
    'filled',
    'stakeFen',
    'madeAt',
    'warehouseName',
    'coverDays',
    'maker',
    'startedAt',
    'ender',
    'endedAt',
    'note',
    'merchantName',
  ],
  hidden: ['warehouseName', 'coverDays', 'maker', 'startedAt', 'ender', 'endedAt', 'note', 'merchantName'],
  filters: ['q', 'state'],
  moreFilters: ['undecided', 'merchantId'],
  presets: [
    { name: 'toLoad', query: () => ({ state: 'released' }) },
    { name: 'undecided', query: () => ({ undecided: 'yes' }) },
    { name: 'underWay', query: () => ({ state: 'underWay' }) },
  ],
  actions: OrderActions,
  drawer: OrderDrawer,
  live: { kinds: ['replenishmentOrder', 'outboundOrder', 'visit'], also: [contract.getReplenishmentOrder, listVisits] },
})
