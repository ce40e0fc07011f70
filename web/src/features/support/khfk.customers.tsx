import {
  customerFields,
  getCustomerCase,
  listCustomerCases,
  summariseCustomerCases,
} from '@aisle/contract/support/customer'
import { listPage } from '../../admin/listPage'
import { MachineFilter } from '../../shelf/pickFilters'
import { CustomerDrawer } from './customerDrawer'
import { CustomerSummary } from './customerSummary'

/** For support staff, ten times a day: what customers say went wrong, what is promised next, what one has in hand. */
export default listPage({
  screen: 'shkf/khfk',
  list: listCustomerCases,
  fields: customerFields,
  words: 'support',
  columns: [
    'kind',
    'state',
    'amountFen',
    'happenedAt',
    'machineCode',
    'machineName',
    'sureness',
    'orderNo',
    'dueAt',
    'goods',
    'body',
    'phone',
    'hasPicture',
    'pointName',
    'merchantName',
    'assigneeName',
    'createdAt',
    'id',
    'closedAt',
  ],
  hidden: ['id', 'closedAt', 'pointName', 'hasPicture', 'machineName', 'body'],
  sortable: { dueAt: 'due', createdAt: 'newest' },
  filters: ['q', 'state', 'assignee'],
  moreFilters: ['kind', 'machineId', 'merchantId'],
  filterInputs: { machineId: MachineFilter },
  presets: [
    { name: 'toSeeTo', query: () => ({ state: 'toAnswer' }) },
    { name: 'overdue', query: () => ({ state: 'overdue' }) },
    { name: 'mine', query: () => ({ assignee: 'me' }) },
  ],
  summary: CustomerSummary,
  drawer: CustomerDrawer,
  live: { kinds: ['customerCase', 'refund'], also: [getCustomerCase, summariseCustomerCases] as const },
})
