import { getHospitalStatus, hospitalStatusFields, listHospitalStatus } from '@aisle/contract/fleet/machineStatus'
import { listPage } from '../../../admin/listPage'
import { WardDrawer } from './wardDrawer'

/** For whoever serves hospitals, each morning: which one needs somebody, and on which floor. */
export default listPage({
  screen: 'shj/yyztcx',
  list: listHospitalStatus,
  fields: hospitalStatusFields,
  words: 'fleet',
  columns: [
    'name',
    'city',
    'machineCount',
    'online',
    'offline',
    'unknown',
    'faulty',
    'warm',
    'coolUnknown',
    'stockOut',
    'emptySlots',
    'province',
  ],
  hidden: ['province'],
  sortable: { name: 'name', machineCount: 'machines' },
  filters: ['hospital', 'condition', 'connection'],
  moreFilters: ['province'],
  drawer: WardDrawer,
  live: { topic: 'machines', also: [listHospitalStatus, getHospitalStatus] as const },
})
