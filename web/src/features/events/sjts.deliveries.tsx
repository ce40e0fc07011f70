import { deliveryFields, getDelivery, listDeliveries } from '@aisle/contract/events/delivery'
import { listPage } from '../../admin/listPage'
import { DeliveryDrawer } from './deliveryDrawer'

/** For whoever answers another system's call: what it was told, whether it took it, and what it said. */
export default listPage({
  screen: 'xtgl/sjts',
  list: listDeliveries,
  fields: deliveryFields,
  words: 'events',
  columns: [
    'eventId',
    'kind',
    'state',
    'tries',
    'status',
    'problem',
    'object',
    'numberedAt',
    'triedAt',
    'nextTryAt',
    'address',
    'durationMs',
    'contractNumber',
    'merchantName',
  ],
  hidden: ['durationMs', 'contractNumber'],
  filters: ['event', 'kind', 'state'],
  moreFilters: ['period', 'contractNumber', 'webhookId', 'merchantId'],
  presets: [
    { name: 'dead', query: () => ({ state: 'dead' }) },
    { name: 'waiting', query: () => ({ state: 'waiting' }) },
  ],
  drawer: DeliveryDrawer,
  live: { kinds: ['webhook'], also: [getDelivery] },
})
