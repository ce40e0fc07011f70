import {
  getRepairOrder,
  listRepairOrders,
  repairOrderFields,
  summariseRepairOrders,
} from '@aisle/contract/maintenance/repairOrder'
import { listPage } from '../../admin/listPage'
import { RepairDrawer } from './repairDrawer'
import { RepairSummary } from './repairSummary'
import { RepairPageVerbs } from './repairVerbs'

/** For fitters, all day, and who sends them: what is overdue, what is next, what waits to be closed. */
export default listPage({
  screen: 'shj/bywx',
  list: listRepairOrders,
  fields: repairOrderFields,
  words: 'maintenance',
  columns: [
    'problem',
    'machineCode',
    'state',
    'marks',
    'dueOn',
    'assigneeName',
    'pointName',
    'kind',
    'source',
    'costFen',
    'createdAt',
    'id',
    'machineName',
    'merchantName',
    'daysLeft',
    'startedAt',
    'doneAt',
    'closedAt',
  ],
  hidden: ['id', 'machineName', 'merchantName', 'daysLeft', 'startedAt', 'doneAt', 'closedAt'],
  sortable: { dueOn: 'due', createdAt: 'newest' },
  filters: ['q', 'state', 'due'],
  moreFilters: ['kind', 'assignee', 'code', 'merchantId'],
  presets: [
    { name: 'mine', query: () => ({ assignee: 'me' }) },
    { name: 'overdue', query: () => ({ due: 'overdue' }) },
    { name: 'toClose', query: () => ({ state: 'done' }) },
  ],
  summary: RepairSummary,
  actions: RepairPageVerbs,
  drawer: RepairDrawer,
  live: { kinds: ['repairOrder', 'alarm'], also: [getRepairOrder, summariseRepairOrders] as const },
})
