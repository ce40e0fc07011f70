import { feedbackFields, getFeedback, listFeedback, summariseFeedback } from '@aisle/contract/support/feedback'
import { listPage } from '../../admin/listPage'
import { FeedbackDrawer } from './feedbackDrawer'
import { FeedbackSummary } from './feedbackSummary'

/** For support staff, ten times a day: what is overdue, what is promised next, and what one has in hand. */
export default listPage({
  screen: 'shkf/wtfk',
  list: listFeedback,
  fields: feedbackFields,
  words: 'support',
  columns: [
    'body',
    'state',
    'dueAt',
    'userName',
    'merchantName',
    'assigneeName',
    'kind',
    'page',
    'wordCount',
    'createdAt',
    'id',
    'closedAt',
  ],
  hidden: ['id', 'closedAt', 'wordCount'],
  sortable: { dueAt: 'due', createdAt: 'newest' },
  filters: ['q', 'state', 'assignee'],
  moreFilters: ['kind', 'merchantId'],
  presets: [
    { name: 'mine', query: () => ({ assignee: 'me' }) },
    { name: 'toAnswer', query: () => ({ state: 'toAnswer' }) },
    { name: 'unsolved', query: () => ({ state: 'unsolved' }) },
    { name: 'essence', query: () => ({ state: 'essence', sort: 'newest' }) },
  ],
  summary: FeedbackSummary,
  drawer: FeedbackDrawer,
  live: { kinds: ['feedback'], also: [getFeedback, summariseFeedback] as const },
})
