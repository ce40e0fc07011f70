import { getOutboxState, listPushMessages, pushMessageFields } from '@aisle/contract/notice/push'
import { listPage } from '../../admin/listPage'
import { MessageDrawer } from './messageDrawer'
import { OutboxSummary } from './outboxSummary'

/** For whoever runs a merchant, when somebody says "I got nothing": what went out, to whom, and how it ended. */
export default listPage({
  screen: 'xtgl/xxts',
  list: listPushMessages,
  fields: pushMessageFields,
  words: 'notice',
  columns: [
    'title',
    'typeLabel',
    'channel',
    'receiverName',
    'receiver',
    'state',
    'createdAt',
    'sentAt',
    'readAt',
    'merchantName',
    'provider',
    'tries',
    'error',
  ],
  hidden: ['merchantName', 'provider', 'tries', 'error'],
  filters: ['q', 'state', 'channel'],
  moreFilters: ['type', 'period'],
  presets: [
    { name: 'held', query: () => ({ state: 'held' }) },
    { name: 'failed', query: () => ({ state: 'failed' }) },
    { name: 'today', query: (today) => ({ from: today, to: today }) },
  ],
  summary: OutboxSummary,
  drawer: MessageDrawer,
  live: { kinds: ['pushMessage', 'pushProvider', 'notification'], also: [getOutboxState] },
})
